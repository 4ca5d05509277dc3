"""The detector at work on what no rule settles."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.decide import decide, load_detector, threshold_of, verdict_of, weigh
from quotelake.contextomy.features import SUPPORT
from quotelake.contextomy.judgement import Match, Outcome, Unsettled, Verdict
from quotelake.settings import load_settings

SETTINGS = load_settings().contextomy.model_copy(update={"joined_containment": 0.75, "joined_gain": 0.25})
DETECTOR = load_detector(SETTINGS)
BASE = Match(Verdict(None, "left to the detector"), body_quotes=2)
WEIGHED = Unsettled(evidence=0.5, in_best=0.5, in_union=0.5, speaker_match=None)
COSINE = st.none() | st.floats(-1, 1)
EVIDENCE = st.floats(-20, 20)


def judged(headline: str, quotes: list[str], cosine: float | None = None) -> Match:
    return decide(weigh(BASE, headline, quotes, DETECTOR), cosine, DETECTOR, SETTINGS)


def test_what_a_body_quote_carries_is_modified_and_scores_low():
    carried = judged("We must never sell the old harbour", ["We must never ever sell our old harbour", "No."])
    assert (carried.outcome, carried.alert) == (Outcome.MODIFIED, None)
    other = judged("Ferries are finished for good", ["We must never sell our old harbour", "No."])
    assert other.alert is None
    assert carried.verdict.score is not None and other.verdict.score is not None
    assert carried.verdict.score < 0.2 < 0.8 < other.verdict.score


def test_the_score_is_that_of_the_detector_alone():
    match = judged("Ferries are finished", ["The ferries were never finished on time"], 0.6)
    expected = DETECTOR.score("Ferries are finished", ["The ferries were never finished on time"], 0.6)
    assert match.verdict.score == round(expected, 6)
    assert match.cosine == 0.6
    assert match.weighed is not None and match.weighed.support.keys() == SUPPORT.keys()


@pytest.mark.parametrize(
    ("best", "union", "outcome"),
    [
        (0.5, 0.75, Outcome.JOINED),
        (0.5, 0.625, Outcome.MODIFIED),  # together too little
        (0.75, 0.875, Outcome.MODIFIED),  # the second adds too little
    ],
)
def test_what_two_quotes_carry_together_is_joined(best: float, union: float, outcome: Outcome):
    weighed = replace(WEIGHED, in_best=best, in_union=union, evidence=-20.0)
    assert verdict_of(weighed, None, DETECTOR, SETTINGS).outcome == outcome


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"negation_differs": True}, "a negation stands on one side only"),
        ({"lacks_number": True}, "no body quote has its number"),
    ],
)
def test_a_negation_or_number_of_one_side_alone_is_named_where_a_body_quote_is_said_to_carry_it(
    changed: dict[str, bool], named: str
):
    carried = replace(WEIGHED, evidence=-20.0)
    assert named not in verdict_of(carried, None, DETECTOR, SETTINGS).reason
    assert named in verdict_of(replace(carried, **changed), None, DETECTOR, SETTINGS).reason


@given(EVIDENCE, COSINE, st.floats(0, 5), st.floats(0, 1))
def test_more_evidence_never_raises_the_score(evidence: float, cosine: float | None, more: float, closer: float):
    weaker = verdict_of(replace(WEIGHED, evidence=evidence), cosine, DETECTOR, SETTINGS).score
    higher = None if cosine is None else min(cosine + closer, 1)
    stronger = verdict_of(replace(WEIGHED, evidence=evidence - more), higher, DETECTOR, SETTINGS).score
    assert stronger is not None and weaker is not None
    assert 0 <= stronger <= weaker <= 1


@given(EVIDENCE, COSINE)
def test_the_alert_says_what_the_score_says(evidence: float, cosine: float | None):
    verdict = verdict_of(replace(WEIGHED, evidence=evidence), cosine, DETECTOR, SETTINGS)
    assert verdict.score is not None
    assert verdict.alert is None or verdict.score >= threshold_of(SETTINGS, DETECTOR)


@pytest.mark.parametrize(
    ("changed", "outcome", "alert"),
    [
        ({"recognised": False}, Outcome.ABSENT, None),
        ({"recognised": True}, Outcome.MODIFIED, None),  # no difference can be named: no accusation
        ({"recognised": True, "difference": "a negation is gone"}, Outcome.CONTEXTOMIZED, "contextomized"),
        ({"recognised": False, "difference": "a negation is gone"}, Outcome.ABSENT, None),
    ],
)
def test_what_nothing_supports_is_absent_unless_its_source_is_recognised(
    changed: dict, outcome: str, alert: str | None
):
    verdict = verdict_of(replace(WEIGHED, evidence=5.0, **changed), None, DETECTOR, SETTINGS)
    assert (verdict.outcome, verdict.alert) == (outcome, alert)
    assert alert is None or "a negation is gone" in verdict.reason


def test_the_threshold_is_the_detectors_own_unless_the_settings_give_one():
    assert threshold_of(SETTINGS, DETECTOR) == DETECTOR.threshold.value
    strict = SETTINGS.model_copy(update={"threshold": 0.9})
    assert threshold_of(strict, DETECTOR) == 0.9
    score = verdict_of(WEIGHED, None, DETECTOR, SETTINGS).score
    assert score is not None and DETECTOR.threshold.value <= score < 0.9
    assert verdict_of(WEIGHED, None, DETECTOR, strict).outcome == Outcome.MODIFIED


def test_what_is_settled_stays_settled():
    settled = replace(BASE, verdict=Verdict(Outcome.EXCERPT, "its words stand inside a longer body quote"))
    assert weigh(settled, "We won", ["We won"], DETECTOR) == settled
    assert decide(settled, 0.0, DETECTOR, SETTINGS) == settled


def test_a_match_that_was_not_weighed_is_a_mistake():
    with pytest.raises(ValueError, match="not weighed"):
        decide(BASE, None, DETECTOR, SETTINGS)

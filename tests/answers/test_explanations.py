"""Why a score: the additions sum to the stored evidence, or nothing is claimed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.answers.explanations import _UNITS, BY_RULE, NOT_AT_HAND, describe_reason, explain_row
from quotelake.answers.words import ENGLISH, load_words
from quotelake.contextomy.detector import Detector, load
from quotelake.contextomy.features import SUPPORT, extract

DETECTOR = load()
texts = st.text("abc 1?!한글", max_size=30)


def row_of(headline: str, bodies: list[str], cosine: float | None, detector: Detector = DETECTOR) -> dict[str, object]:
    """The columns that a run would store."""
    features = extract(headline, bodies)
    evidence = detector.weigh(features)
    score = round(detector.score_weighed(evidence, cosine), 6)
    return {**features, "evidence": evidence, "cosine_best": cosine, "score": score}


@given(texts, st.lists(texts, max_size=3), st.none() | st.floats(-1, 1).map(lambda one: round(one, 6)))
def test_the_additions_of_a_row_sum_to_its_evidence_and_give_its_score(
    headline: str, bodies: list[str], cosine: float | None
):
    row = row_of(headline, bodies, cosine)
    explanation = explain_row(row, DETECTOR)
    assert explanation is not None and explanation.note is None
    x = sum(one.adds for one in explanation.additions)
    assert DETECTOR.probability(x) == pytest.approx(row["score"], abs=1e-6)
    strings = sum(one.adds for one in explanation.additions if one.feature != "cosine")
    assert strings == pytest.approx(row["evidence"], abs=1e-9)
    assert explanation.additions[0].feature == "intercept"
    sizes = [abs(one.adds) for one in explanation.additions[1:]]
    assert sizes == sorted(sizes, reverse=True)


def test_another_detector_s_score_is_not_explained():
    row = row_of("We will fix it", ["He asked."], 0.3)
    other = DETECTOR.model_copy(update={"intercept": DETECTOR.intercept + 0.001})
    assert explain_row(row, other) == explain_row({**row, "score": 0.123}, DETECTOR)
    assert explain_row(row, other) == explain_row({**row, "evidence": 0.123}, DETECTOR)
    assert explain_row(row, other).note == NOT_AT_HAND  # type: ignore[union-attr]
    assert explain_row(row, DETECTOR.with_prior(0.1)).note == NOT_AT_HAND  # type: ignore[union-attr]


def test_a_score_set_by_a_rule_says_so_and_no_score_has_no_explanation():
    row = dict.fromkeys((*SUPPORT, "cosine_best", "evidence", "score"))
    assert explain_row({**row, "score": 1.0}, DETECTOR).note == BY_RULE  # type: ignore[union-attr]
    assert explain_row(row, DETECTOR) is None


def test_every_feature_has_plain_words_of_its_own():
    assert set(_UNITS) == {*SUPPORT, "cosine", "intercept"}
    names = [ENGLISH.named("features", name) for name in _UNITS]
    assert len(set(names)) == len(names) and not [name for name in names if "_" in name]


def test_values_are_shown_in_units_that_a_reader_knows():
    row = row_of("We will fix 3 pipes by 2030? Yes", ["We will fix pipes"], 0.25)
    shown = {one.feature: one.value for one in explain_row(row, DETECTOR).additions}  # type: ignore[union-attr]
    assert (shown["numbers"], shown["marks"], shown["clauses"], shown["cosine"]) == ("2", "1", "2", "0.25")
    assert shown["coverage"].endswith("%") and shown["intercept"] == ""


def test_a_reason_names_alerts_and_checks_and_no_notes_in_each_language():
    differences = [
        {"kind": kind, "tier": tier, "said": "", "own": "", "phrase": f"the {kind}"}
        for kind, tier in (("hedge", "alert"), ("absent", "check"), ("scope", "note"))
    ]
    reason = "the hedge; the absent; a body quote carries it"
    assert describe_reason(reason, differences, load_words("en")) == reason
    words = load_words("de")
    named = [words.text(f"differences.{kind}") for kind in ("hedge", "absent")]
    assert describe_reason(reason, differences, words) == "; ".join([*named, "ein Zitat im Text trägt es"])

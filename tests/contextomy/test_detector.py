"""The formula for what no rule settles."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.detector import decide, support
from quotelake.contextomy.evidence import containment
from quotelake.contextomy.folding import fold
from quotelake.contextomy.match import Match, Outcome
from quotelake.settings import load_settings

SETTINGS = load_settings().contextomy.model_copy(
    update={"threshold": 0.5, "cosine_weight": 0.5, "joined_containment": 0.75, "joined_gain": 0.25}
)
BASE = Match(
    outcome=None,
    alert=None,
    score=None,
    reason="left to the detector",
    best_quote_id="q0",
    second_quote_id="q1",
    body_quotes=2,
    containment_best=0.5,
    containment_second=0.5,
    containment_union=0.5,
    containment_body=0.5,
    cosine_best=None,
    matched=(),
    omitted=(),
    omitted_negation=False,
    omitted_condition=False,
    omitted_hedge=False,
    omitted_question=False,
)
SHARE = st.integers(0, 64).map(lambda part: part / 64)
COSINE = st.none() | st.integers(-64, 64).map(lambda part: part / 64)


def given_evidence(best: float, union: float) -> Match:
    return replace(BASE, containment_best=best, containment_union=max(best, union))


@pytest.mark.parametrize(
    ("best", "union", "cosine", "score", "outcome"),
    [
        (1.0, 1.0, None, 0.0, "modified"),
        (0.5, 0.5, None, 0.5, "contextomized"),  # from the threshold on
        (0.75, 0.75, 0.5, 0.375, "modified"),
        (0.25, 0.25, 1.0, 0.375, "modified"),  # a paraphrase
        (0.25, 0.25, 0.5, 0.625, "contextomized"),
        (0.0, 0.0, -0.5, 1.0, "contextomized"),  # a negative cosine counts as none
        (0.5, 0.75, None, 0.25, "joined"),
        (0.5, 0.625, None, 0.375, "modified"),  # together too little
        (0.75, 0.875, None, 0.125, "modified"),  # the second adds too little
    ],
)
def test_formula(best: float, union: float, cosine: float | None, score: float, outcome: str):
    match = decide(given_evidence(best, union), cosine, SETTINGS)
    assert (match.score, match.outcome, match.cosine_best) == (score, outcome, cosine)
    assert (match.alert == "contextomized") == (outcome == "contextomized")


@given(SHARE, SHARE, COSINE, SHARE, SHARE, SHARE)
def test_more_evidence_never_raises_the_score(
    best: float, union: float, cosine: float | None, more_best: float, more_union: float, more_cosine: float
):
    weaker = given_evidence(best, union)
    stronger = given_evidence(min(best + more_best, 1), min(max(best, union) + more_union, 1))
    higher = None if cosine is None else min(cosine + more_cosine, 1)
    low, high = decide(stronger, higher, SETTINGS).score, decide(weaker, cosine, SETTINGS).score
    assert low is not None and high is not None
    assert 0 <= low <= high <= 1


@given(SHARE, SHARE, COSINE)
def test_the_alert_says_what_the_score_says(best: float, union: float, cosine: float | None):
    match = decide(given_evidence(best, union), cosine, SETTINGS)
    assert match.score == 1 - support(given_evidence(best, union), cosine, SETTINGS)
    assert (match.alert == "contextomized") == (match.score >= SETTINGS.threshold)
    assert match.outcome in ("modified", "joined", "contextomized")


def test_what_is_settled_stays_settled():
    settled = replace(BASE, outcome=Outcome.EXCERPT)
    assert decide(settled, 0.0, SETTINGS) == settled


@pytest.mark.real_data
def test_containment_separates_the_korean_articles(data: Callable[[str], Path]):
    """The shipped formula without a cosine, on all 1,600 labelled articles of Song et al. (2023)."""
    settings = load_settings().contextomy
    positive, negative, true, called = [], [], 0, 0
    for line in data("contextomy/korean_1600.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        found = containment(row["headline_quote"], [fold(quote) for quote in row["body_quotes"]], lambda: fold(""))
        match = replace(BASE, containment_best=found.in_best, containment_union=found.in_union)
        score = 1 - support(match, None, settings)
        (positive if row["label"] else negative).append(score)
        called += score >= settings.threshold
        true += bool(row["label"]) and score >= settings.threshold
    ordered = sum((high > low) + (high == low) / 2 for high in positive for low in negative)
    assert ordered / (len(positive) * len(negative)) == pytest.approx(0.863, abs=0.001)
    assert 2 * true / (called + len(positive)) == pytest.approx(0.801, abs=0.001)

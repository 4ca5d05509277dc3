"""Why an alert: each difference in words, and what each feature of a headline quote added to its score. Pure.

The evidence is the x of :mod:`quotelake.contextomy.detector`: the higher, the less the body's quotes support
the headline's. Its additions sum to it exactly, and the score is its calibrated probability.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from quotelake.contextomy.detector import Detector
from quotelake.contextomy.differences import Kind
from quotelake.contextomy.features import SUPPORT

#: Columns of ``contextomy`` that a score is explained from.
COLUMNS: Final = (*SUPPORT, "cosine_best", "evidence")
#: A recomputed number is the stored one if it differs by no more: scores are stored with six places.
_SAME: Final = 2e-6
#: Each feature in plain words, and its value in a unit that a reader knows.
_PLAIN: Final[Mapping[str, tuple[str, Callable[[float], str]]]] = {
    "coverage": ("wording found in body quotes", lambda value: f"{value:.0%}"),
    "matched_letters": ("letters in shared runs", lambda value: f"{math.expm1(value):.0f}"),
    "in_order": ("wording in the same order", lambda value: f"{value:.0%}"),
    "last_word": ("last word found", lambda value: f"{value:.0%}"),
    "numbers": ("numbers in no body quote", lambda value: f"{1 / value - 1:.0f}" if value else "none to compare"),
    "marks": ("? or ! in no body quote", lambda value: f"{1 / value - 1:.0f}" if value else "none to compare"),
    "clauses": ("clauses", lambda value: f"{math.exp(value):.0f}"),
    "cosine": ("likeness of meaning (cosine)", lambda value: f"{value:.2f}"),
    "intercept": ("start of every score", lambda value: ""),
}
NOT_AT_HAND: Final = "not explained: the detector that gave this score is not the one of these settings"
BY_RULE: Final = "a rule set this score; no feature was weighed"
#: Kinds whose names alone do not say what they are.
_KINDS: Final[Mapping[str, str]] = {
    Kind.REPORTED: "words of others", Kind.ABSENT: "not in the article", Kind.NUMBER: "another number",
    Kind.ALTERED: "altered words", Kind.SPLICED: "spliced sentences", Kind.QUESTION: "question as statement",
    Kind.CONDITION: "condition lost", Kind.HEDGE: "possibility as fact",
}  # fmt: skip


def plain(kind: str) -> str:
    """A kind of difference in plain words, or a class of alerts of earlier releases.

    >>> plain("hedge"), plain("negation"), plain("wrong_speaker")
    ('possibility as fact', 'negation', 'wrong speaker')
    """
    return _KINDS.get(kind, kind.replace("_", " "))


def sides_of(difference: Mapping[str, Any]) -> str:
    """A difference in a phrase, which tells the side whose words it names.

    >>> sides_of({"phrase": "a condition is lost (“if it rains”)", "said": "if it rains", "own": ""})
    'a condition is lost (“if it rains” in the body)'
    """
    phrase, said, own = (str(difference[name]) for name in ("phrase", "said", "own"))
    if bool(said) == bool(own) or not phrase.endswith("”)"):
        return phrase
    return f"{phrase[:-1]} in the {'body' if said else 'headline'})"


def rule_of(reason: str, differences: Iterable[Mapping[str, Any]]) -> str:
    """The rule of a reason, which names the differences that are alerts before it.

    >>> rule_of("a number; a body quote carries it", [{"phrase": "a number"}])
    'a body quote carries it'
    """
    for one in differences:
        reason = reason.removeprefix(f"{one['phrase']}; ")
    return reason


class Addition(NamedTuple):
    """What one feature added to the evidence."""

    feature: str
    """Name of the column of ``contextomy`` (``cosine`` for ``cosine_best``), or ``intercept``."""
    words: str
    """The same in plain words."""
    value: str
    """Its value in a unit a reader knows; empty for the intercept."""
    adds: float
    """To the evidence; above 0 it raised the score."""

    @property
    def signed(self) -> str:
        """The addition with its sign.

        >>> Addition("clauses", "clauses", "1", -0.004).signed
        '0.00'
        """
        shown = f"{self.adds:+.2f}".replace("-", "−")
        return shown if shown[1:] != "0.00" else "0.00"


class Explanation(NamedTuple):
    """Additions of one score: the intercept, then the features, the largest first; without any, ``note`` says why."""

    additions: tuple[Addition, ...]
    note: str | None = None


def explain_row(row: Mapping[str, Any], detector: Detector) -> Explanation | None:
    """Explain the score of a row; None where it has none.

    The row has ``score`` and :data:`COLUMNS`. The detector, that of the settings at hand, is taken for the row's if it
    gives the evidence and the score that the row holds.
    """
    score, evidence = row["score"], row["evidence"]
    if score is None:
        return None
    if evidence is None:
        return Explanation((), BY_RULE)
    features = {name: row[name] for name in SUPPORT}
    weighed, cosine = detector.weigh(features), row["cosine_best"]
    if abs(weighed - evidence) > _SAME or abs(detector.score_weighed(weighed, cosine) - score) > _SAME:
        return Explanation((), NOT_AT_HAND)
    rows = []
    for one in detector.explain(features, cosine):
        words, shown = _PLAIN[one.name]
        rows.append(Addition(one.name, words, shown(one.value), one.adds))
    return Explanation(tuple(sorted(rows, key=lambda one: one.feature != "intercept")))  # the others stay in order

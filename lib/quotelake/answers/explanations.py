"""Why an alert: its differences in words, and what each feature of a headline quote added to its score. Pure.

The evidence is the x of :mod:`quotelake.contextomy.detector`: the higher, the less the body's quotes support
the headline's. Its additions sum to it exactly, and the score is its calibrated probability.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from quotelake.answers.words import ENGLISH, Words
from quotelake.contextomy.detector import Detector
from quotelake.contextomy.differences import Kind
from quotelake.contextomy.features import SUPPORT

#: A recomputed number is the stored one if it differs by no more: scores are stored with six places.
_ROUNDING: Final = 2e-6
_NONE: Final = ENGLISH.text("rules.none")
#: The value of each feature in a unit that a reader knows.
_UNITS: Final[Mapping[str, Callable[[float], str]]] = {
    **dict.fromkeys(("coverage", "in_order", "last_word"), "{:.0%}".format),
    **dict.fromkeys(("numbers", "marks"), lambda value: f"{1 / value - 1:.0f}" if value else _NONE),
    "matched_letters": lambda value: f"{math.expm1(value):.0f}",
    "clauses": lambda value: f"{math.exp(value):.0f}",
    "cosine": "{:.2f}".format,
    "intercept": lambda value: "",
}
NOT_AT_HAND: Final = ENGLISH.text("rules.not_at_hand")
BY_RULE: Final = f"{ENGLISH.text('rules.by_rule')}; {ENGLISH.text('rules.no_feature')}"


def describe_difference(difference: Mapping[str, Any], phrases: Words = ENGLISH) -> str:
    """A difference as a phrase with the words of both sides; one of an unknown kind as it is stored.

    >>> describe_difference({"kind": "condition", "phrase": "", "said": "if it rains", "own": ""})
    'a condition is lost (“if it rains” in the body)'
    """
    kind, body, headline = (str(difference[name]) for name in ("kind", "said", "own"))
    if kind not in set(Kind):
        return str(difference["phrase"])
    if kind == Kind.CREDITED and body == ENGLISH.text("differences.two_speakers"):
        body = phrases.text("differences.two_speakers")
    is_added = kind == Kind.NEGATION and headline and not body
    phrase = phrases.text("differences.negation_added" if is_added else f"differences.{kind}")
    if not body and not headline:
        return phrase
    frame = "in_both" if body and headline else "in_body" if body else "in_headline"
    return phrases.text(f"differences.{frame}", phrase=phrase, said=body, own=headline)


def describe_reason(reason: str, differences: Sequence[Mapping[str, Any]], phrases: Words) -> str:
    """The whole reason in a language: the differences that are alerts or checks, and the rule; English as stored."""
    if phrases.language == "en":
        return reason
    listed = [describe_difference(one, phrases) for one in differences if one["tier"] != "note"]
    return "; ".join([*listed, phrases.rule(rule_of(reason, differences))])


def rule_of(reason: str, differences: Iterable[Mapping[str, Any]]) -> str:
    """The rule of a reason, which names the differences that are alerts or checks before it.

    >>> rule_of("a number; a body quote carries it", [{"phrase": "a number"}])
    'a body quote carries it'
    """
    for one in differences:
        reason = reason.removeprefix(f"{one['phrase']}; ")
    return reason


class Addition(NamedTuple):
    """What one feature added to the evidence."""

    feature: str  #: name of the column of ``contextomy`` (``cosine`` for ``cosine_best``), or ``intercept``
    words: str  #: the same in plain words
    value: str  #: its value in a unit a reader knows; empty for the intercept
    adds: float  #: to the evidence; above 0 it raised the score

    @property
    def signed(self) -> str:
        """The addition with its sign.

        >>> Addition("clauses", "clauses", "1", -0.004).signed
        '0.00'
        """
        signed = f"{self.adds:+.2f}".replace("-", "−")
        return signed if signed[1:] != "0.00" else "0.00"


class Explanation(NamedTuple):
    """Additions of one score: the intercept, then the features, the largest first; without any, ``note`` says why."""

    additions: tuple[Addition, ...]
    note: str | None = None


def explain_row(row: Mapping[str, Any], detector: Detector) -> Explanation | None:
    """Explain the score of a row with ``score``, ``evidence``, ``cosine_best`` and features; None where it has none.

    The detector is taken for the row's if it gives the stored evidence and score.
    """
    score, evidence, cosine = row["score"], row["evidence"], row["cosine_best"]
    if score is None:
        return None
    if evidence is None:
        return Explanation((), BY_RULE)
    features = {name: row[name] for name in SUPPORT}
    weighed = detector.weigh(features)
    if abs(weighed - evidence) > _ROUNDING or abs(detector.score_weighed(weighed, cosine) - score) > _ROUNDING:
        return Explanation((), NOT_AT_HAND)
    additions = [
        Addition(one.name, ENGLISH.named("features", one.name), _UNITS[one.name](one.value), one.adds)
        for one in detector.explain(features, cosine)
    ]
    return Explanation(tuple(sorted(additions, key=lambda one: one.feature != "intercept")))  # the others stay in order

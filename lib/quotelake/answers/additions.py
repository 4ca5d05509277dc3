"""Why an alert: each difference in words, and what each feature of a headline quote added to its score. Pure.

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

#: Columns of ``contextomy`` that a score is explained from.
COLUMNS: Final = (*SUPPORT, "cosine_best", "evidence")
#: A recomputed number is the stored one if it differs by no more: scores are stored with six places.
_SAME: Final = 2e-6
_NONE: Final = ENGLISH.text("rules.none")
#: The value of each feature in a unit that a reader knows.
_PLAIN: Final[Mapping[str, Callable[[float], str]]] = {
    "coverage": lambda value: f"{value:.0%}",
    "matched_letters": lambda value: f"{math.expm1(value):.0f}",
    "in_order": lambda value: f"{value:.0%}",
    "last_word": lambda value: f"{value:.0%}",
    "numbers": lambda value: f"{1 / value - 1:.0f}" if value else _NONE,
    "marks": lambda value: f"{1 / value - 1:.0f}" if value else _NONE,
    "clauses": lambda value: f"{math.exp(value):.0f}",
    "cosine": lambda value: f"{value:.2f}",
    "intercept": lambda value: "",
}
NOT_AT_HAND: Final = ENGLISH.text("rules.not_at_hand")
BY_RULE: Final = f"{ENGLISH.text('rules.by_rule')}; {ENGLISH.text('rules.no_feature')}"


def sides_of(difference: Mapping[str, Any]) -> str:
    """A difference in a phrase, which tells the side whose words it names.

    >>> sides_of({"phrase": "a condition is lost (“if it rains”)", "said": "if it rains", "own": ""})
    'a condition is lost (“if it rains” in the body)'
    """
    phrase, said, own = (str(difference[name]) for name in ("phrase", "said", "own"))
    if bool(said) == bool(own) or not phrase.endswith("”)"):
        return phrase
    return f"{phrase[:-1]} in the {'body' if said else 'headline'})"


def said_of(difference: Mapping[str, Any], say: Words) -> str:
    """A difference in words of a language, by kind and evidence; in English, and of an unknown kind, as stored."""
    kind, said, own = (str(difference[name]) for name in ("kind", "said", "own"))
    if say is ENGLISH or kind not in set(Kind):
        return sides_of(difference)
    if kind == Kind.CREDITED and said == ENGLISH.text("differences.two_speakers"):
        said = say.text("differences.two_speakers")
    is_added = kind == Kind.NEGATION and own and not said
    phrase = say.text("differences.negation_added" if is_added else f"differences.{kind}")
    frame = "in_both" if said and own else "in_body" if said else "in_headline"
    return say.text(f"differences.{frame}", phrase=phrase, said=said, own=own) if said or own else phrase


def why(reason: str, differences: Sequence[Mapping[str, Any]], say: Words) -> str:
    """The whole reason of an alert in a language: the differences that are alerts, and the rule."""
    if say is ENGLISH:
        return reason
    alerts = [said_of(one, say) for one in differences if one["tier"] == "alert"]
    return "; ".join([*alerts, say.rule(rule_of(reason, differences))])


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
        rows.append(Addition(one.name, ENGLISH.named("features", one.name), _PLAIN[one.name](one.value), one.adds))
    return Explanation(tuple(sorted(rows, key=lambda one: one.feature != "intercept")))  # the others stay in order

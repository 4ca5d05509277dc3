"""The detector applied to headline quotes that no rule settles: it weighs the strings, adds a cosine, and decides.

The weights, the calibration and the threshold are those of a file that
:mod:`quotelake.contextomy.detector` reads.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.detector import Detector, load
from quotelake.contextomy.features import extract
from quotelake.contextomy.judgement import (
    Match,
    Outcome,
    Unsettled,
    Verdict,
    Weighed,
    carried_as,
    verdict_with_speakers,
)
from quotelake.settings import ContextomySettings

#: Severity of a quote whose difference is named but whose words differ too [ours].
CHANGED = 0.8
__all__ = ["Detector", "decide", "highest_cosine", "load_detector", "threshold_of", "verdict_of", "weigh"]


def load_detector(settings: ContextomySettings) -> Detector:
    """Load the detector that the settings name: a file, or the shipped one.

    Raises:
        InputError: see :func:`~quotelake.contextomy.detector.load`.
    """
    return load(Path(settings.detector) if settings.detector else None)


def threshold_of(settings: ContextomySettings, detector: Detector) -> float:
    """Score from which a headline quote is called contextomized: the detector's own unless the settings give one."""
    return detector.threshold.value if settings.threshold == "own" else settings.threshold


def weigh(match: Match, headline_quote: str, body_quotes: Sequence[str], detector: Detector) -> Match:
    """Add the evidence to a match that no rule settled; a settled one is returned as it is.

    Args:
        match: what the rules left.
        headline_quote: its text.
        body_quotes: texts of the quotes it is held against.
        detector: weighs the evidence. The columns show the shipped set of features, whatever set it uses.
    """
    if match.outcome is not None:
        return match
    support = extract("transfer", headline_quote, body_quotes)
    name = detector.feature_set
    evidence = detector.weigh(support if name == "transfer" else extract(name, headline_quote, body_quotes))
    return replace(match, weighed=Weighed(support, evidence))


def highest_cosine(vector: npt.ArrayLike, candidates: npt.ArrayLike) -> float:
    """Highest cosine of a headline quote with a body quote, rounded as the table holds it.

    Args:
        vector: of the headline quote, unit norm, shape (dimension,).
        candidates: vectors of the body quotes, unit norm, shape (n, dimension), n at least 1.

    >>> highest_cosine([1.0, 0.0], [[0.6, 0.8], [0.0, 1.0]])
    0.6
    """
    cosines = np.asarray(candidates, dtype=np.float64) @ np.asarray(vector, dtype=np.float64)
    return round(float(cosines.max()), 6)


def decide(match: Match, cosine: float | None, detector: Detector, settings: ContextomySettings) -> Match:
    """Give a weighed match its verdict by :func:`verdict_of`; a settled one is returned as it is.

    Args:
        match: from :func:`weigh`.
        cosine: highest cosine of the headline quote with a body quote, -1 to 1; None where the model does not know
            the language.
        detector: the one that weighed it.
        settings: threshold, and what joined means.
    """
    if match.outcome is not None:
        return match
    return replace(match, verdict=verdict_of(match.unsettled, cosine, detector, settings), cosine=cosine)


def verdict_of(unsettled: Unsettled, cosine: float | None, detector: Detector, settings: ContextomySettings) -> Verdict:
    """Decide: below the threshold ``joined`` or ``modified`` by :func:`.match.carried_as`; from it on unsupported.

    An unsupported quote is ``contextomized`` if the body has the utterance behind it and a difference can be named,
    ``modified`` if it has it and none can, and else ``absent``.

    Args:
        unsettled: what the decision rests on.
        cosine: see :func:`decide`.
        detector: the one that weighed it.
        settings: threshold, and what joined means.

    Raises:
        ValueError: nothing weighed it.
    """
    if unsettled.evidence is None:
        raise ValueError("the match was not weighed")
    score = round(detector.score_weighed(unsettled.evidence, cosine), 6)
    if score >= threshold_of(settings, detector):
        return _unsupported(unsettled, score)
    outcome = carried_as(unsettled.in_best, unsettled.in_union, settings)
    reason = "two body quotes carry it together" if outcome is Outcome.JOINED else "a body quote carries it"
    if unsettled.negation_differs:
        reason += "; a negation stands on one side only"
    if unsettled.lacks_number:
        reason += "; no body quote has its number"
    verdict = Verdict(outcome, reason, score=score)
    return verdict_with_speakers(verdict, unsettled.speaker_match, two_speakers=unsettled.two_speakers)


def _unsupported(unsettled: Unsettled, score: float) -> Verdict:
    """What no body quote supports: changed where the difference can be named, reworded, or absent."""
    difference = unsettled.difference
    if difference is not None and unsettled.recognised:
        reason = f"the body says something else: {difference}"
        return Verdict(Outcome.CONTEXTOMIZED, reason, alert="contextomized", score=score, severity=CHANGED)
    if unsettled.recognised:
        return Verdict(
            Outcome.MODIFIED, "reworded: the body has most of its words, and no difference is sure", score=score
        )
    return Verdict(
        Outcome.ABSENT, "its words stand nowhere in the body, nor any passage that could be their source", score=score
    )

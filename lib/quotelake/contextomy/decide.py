"""The detector at work on headline quotes that strings do not settle: evidence first, then the cosine and the outcome.

The weights, the calibration and the threshold are those of a file that :mod:`quotelake.detector.model` reads.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from quotelake.contextomy.match import Match, Outcome, carried_as, reason_with
from quotelake.detector.features import extract
from quotelake.detector.model import Detector, load
from quotelake.settings import ContextomySettings

__all__ = ["Detector", "decide", "load_detector", "threshold_of", "weigh"]


def load_detector(settings: ContextomySettings) -> Detector:
    """Load the detector that the settings name: a file, or the shipped one.

    Raises:
        InputError: see :func:`~quotelake.detector.model.load`.
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
    own = detector.feature_set
    weighed = detector.weigh(support if own == "transfer" else extract(own, headline_quote, body_quotes))
    columns: dict[str, Any] = {**support, "evidence": weighed}
    return replace(match, **columns)


def decide(match: Match, cosine: float | None, detector: Detector, settings: ContextomySettings) -> Match:
    """Give a weighed match its score and outcome: contextomized from the threshold on.

    What is below is ``joined`` or ``modified`` by :func:`~quotelake.contextomy.match.carried_as`. A match that was
    settled is returned as it is.

    Args:
        match: from :func:`weigh`.
        cosine: highest cosine of the headline quote with a body quote, -1 to 1; None where the model does not know
            the language.
        detector: the one that weighed it.
        settings: threshold, and what joined means.
    """
    if match.outcome is not None:
        return match
    if match.evidence is None:
        raise ValueError("the match was not weighed")
    score = round(detector.score_weighed(match.evidence, cosine), 6)
    if score >= threshold_of(settings, detector):
        outcome, alert, reason = Outcome.CONTEXTOMIZED, "contextomized", "no body quote carries it"
    else:
        outcome, alert = carried_as(match.containment_best, match.containment_union, settings), None
        reason = "two body quotes carry it together" if outcome is Outcome.JOINED else "a body quote carries it"
        reason = reason_with(reason, match.speaker_match)
    return replace(match, outcome=outcome, alert=alert, score=score, cosine_best=cosine, reason=reason)

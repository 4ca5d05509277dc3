"""Every quote of one headline compared with the body: judged by the rules, else by the detector. Pure.

The nightly job and the check of a single article both run this, so they cannot differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.comparison import Comparison, Languages
from quotelake.contextomy.detector import Detector, load
from quotelake.contextomy.differences import Difference, Kind
from quotelake.contextomy.features import extract
from quotelake.contextomy.judgement import (
    SUPPORTED_OUTCOMES,
    TEXT_FOUND_OUTCOMES,
    Finding,
    Judgement,
    Outcome,
    listed,
    other_speaker,
    outcome_by_containment,
    rank_differences,
)
from quotelake.contextomy.letters import containment
from quotelake.contextomy.matching import match_quote
from quotelake.contextomy.quotes import body_of, headline_quotes
from quotelake.contextomy.rules import apply_rules
from quotelake.quotes.extract import Row
from quotelake.settings import ContextomySettings

#: So many quotes of one headline are compared, from the left. Each is compared with every quote of the body, so without
#: a bound a hostile article costs the product of both [measured: 8,663 news headlines have at most 3].
MOST_QUOTES: Final = 32
#: Only quotes that end within so many characters of a headline are compared, for the same reason [measured: those
#: headlines have at most 231].
LONGEST_HEADLINE: Final = 1000
_BEYOND: Final = f"behind the first {MOST_QUOTES} quotes or {LONGEST_HEADLINE} characters of its headline"
__all__ = ["Detector", "decide", "highest_cosine", "judge_headline", "judgement_of", "load_detector", "threshold_of"]


def load_detector(settings: ContextomySettings) -> Detector:
    """Load the detector that the settings name; errors are those of :func:`~quotelake.contextomy.detector.load`."""
    return load(Path(settings.detector) if settings.detector else None)


def threshold_of(settings: ContextomySettings, detector: Detector) -> float:
    """Score from which a headline quote is called contextomized: the detector's unless the settings give one."""
    return detector.threshold.value if settings.threshold == "detector" else settings.threshold


def judge_headline(
    document: Row, quotes: Sequence[Row], *, settings: ContextomySettings, detector: Detector, languages: Languages
) -> Iterator[Judgement]:
    """Judge every quote of a headline by strings and rules, in its order.

    ``document`` has ``headline``, ``body``, ``body_status`` and ``language`` of a row of ``documents``; ``quotes`` are
    all its quotes, as :func:`~quotelake.quotes.extract.quotes_of_document` yields them. What no rule settles is weighed
    by the detector and has no outcome: :func:`decide` decides.
    """
    headlines = headline_quotes(document, quotes)
    if not headlines:
        return
    body = body_of(document, quotes)
    for place, headline in enumerate(headlines):
        if place >= MOST_QUOTES or headline.end > LONGEST_HEADLINE:
            yield Judgement(headline, Outcome.NOT_COMPARABLE, _BEYOND, body_quotes=len(body.quotes))
            continue
        match = match_quote(headline, body)
        case = Comparison(headline, body, match, languages)
        finding = apply_rules(case)
        judgement = judgement_of(case, finding, settings)
        if judgement.outcome is None:
            support = extract(headline.text, [quote.text for quote in body.quotes])
            candidates = [quote.text_without_gaps for quote in body.quotes]
            judgement = replace(judgement, support=support, evidence=detector.weigh(support), candidates=candidates)
        yield judgement


def judgement_of(case: Comparison, finding: Finding, settings: ContextomySettings) -> Judgement:
    """The judgement of what a rule found, with the body quotes, speakers and differences that belong to it.

    Where a passage outside quotes decided, or no body quote shares anything, none is the best: any would mislead.
    """
    outcome, reason, best, omitted, passage = finding
    shares = case.containment if best is None else containment(case.headline, case.shared, best)
    is_outside = passage is not None or (outcome is not None and not shares.in_best)
    places = (None, None) if is_outside else (shares.best, shares.second)
    judgement = Judgement(
        case.headline,
        outcome,
        reason,
        best=case.body.as_printed(places[0]),
        second=case.body.as_printed(places[1]),
        passage=passage,
        body_quotes=len(case.body.quotes),
        speaker_match=case.speaker_match(shares),
        two_speakers=case.has_two_speakers(shares),
        containment=shares,
        omitted=omitted,
    )
    if outcome is None:
        notes = [each._replace(is_sure=False) for each in case.match.differences] if case.is_read_by_words else []
        return replace(
            judgement,
            recognised=case.is_recognised,
            difference=None if case.headline.is_latin else "a body quote has some of its words, in another statement",
            differences=rank_differences(notes, settings),
        )
    found = [Difference(Kind.ABSENT)] if outcome is Outcome.ABSENT else list[Difference]()
    if outcome in SUPPORTED_OUTCOMES and case.is_denied(shares.best):
        found.append(Difference(Kind.NEGATION, "not said"))
    is_reworded_claim = case.is_worded_by_newspaper and not case.match.is_exact
    if outcome is Outcome.CONTEXTOMIZED or (outcome in TEXT_FOUND_OUTCOMES and not is_reworded_claim):
        found += case.match.differences if case.is_read_by_words or case.match.is_exact else ()
    other = other_speaker(outcome, judgement.speaker_match, two_speakers=judgement.two_speakers)
    if other is not None:
        found.append(other)
    elif outcome in SUPPORTED_OUTCOMES and judgement.speaker_match is None and shares.best is not None:
        found += [Difference(Kind.CREDIT)] if case.is_by_another(shares.best) else []
    return replace(judgement, **listed(rank_differences(found, settings), reason))


def highest_cosine(vector: npt.ArrayLike, candidates: npt.ArrayLike) -> float:
    """Highest cosine of a headline quote, shape (d,), with body quotes, shape (n, d), as rounded in the table.

    >>> highest_cosine([1.0, 0.0], [[0.6, 0.8], [0.0, 1.0]])
    0.6
    """
    cosines = np.asarray(candidates, dtype=np.float64) @ np.asarray(vector, dtype=np.float64)
    return round(float(cosines.max()), 6)


def decide(row: Row, cosine: float | None, detector: Detector, settings: ContextomySettings) -> Row:
    """Decide over a weighed headline quote.

    Below the threshold it is ``joined`` or ``modified`` by :func:`.judgement.outcome_by_containment`. From it on no
    body quote supports it: ``contextomized`` if the body has the utterance behind it and a difference can be named,
    ``modified`` if it has it and none can, and else ``absent``.

    ``row`` has the columns of :meth:`.Judgement.columns`; ``cosine`` is the highest with a body quote, -1 to 1, or None
    where the model does not know the language. Returns the columns that it decides.

    Raises:
        ValueError: nothing weighed it.
    """
    if row["evidence"] is None:
        raise ValueError("the headline quote was not weighed")
    score = round(detector.score_weighed(row["evidence"], cosine), 6)
    found: list[Difference] = []
    if score >= threshold_of(settings, detector):
        outcome, reason = Outcome.MODIFIED, "reworded: the body has most of its words, and no difference is sure"
        if row["recognised"] is False:
            outcome, found = Outcome.ABSENT, [Difference(Kind.ABSENT)]
            reason = "no passage of the body could be its source"
        elif row["difference"] is not None:
            outcome, found = Outcome.CONTEXTOMIZED, [Difference(Kind.ALTERED)]
            reason = f"the body says something else: {row['difference']}"
    else:
        outcome = outcome_by_containment(row["containment_best"], row["containment_union"])
        reason = "two body quotes carry it together" if outcome is Outcome.JOINED else "a body quote carries it"
        if row["numbers"] is not None and row["numbers"] < 1:
            reason += "; no body quote has its number"
        other = other_speaker(outcome, row["speaker_match"], two_speakers=row["two_speakers"])
        found = [other] if other else []
    # A passage that the detector takes for no support has nothing to differ in.
    notes = () if outcome in (Outcome.ABSENT, Outcome.CONTEXTOMIZED) else row["differences"]
    differences = (*rank_differences(found, settings), *notes)
    return listed(differences, reason) | {"outcome": outcome, "score": score, "cosine_best": cosine}

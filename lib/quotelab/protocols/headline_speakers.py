"""Protocol ``headline_speakers``: who says the quote of a headline, compared with the words of it that readers mark.

The labels say whom the headline names as the speaker, not what the rules gave, so they stay valid when rules change.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Literal

from quotelab.labels.texts import Labelled, Labels, LabelSpan, read_labels
from quotelab.report import Report
from quotelab.statistics import Span, share_figures
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers


class HeadlineSpeakerLabels(Labels):
    """A quote or colon claim of a headline, and the words that name its speaker.

    Attributes:
        quote: its span in the headline, without its marks.
        speakers: spans of equally good names of the speaker (*Sen. Ana Ruiz*, *Ana Ruiz*); empty if the headline names
            nobody who says it.
        optional: whether a reader could also hold that the headline names nobody; then no speaker is right too.
    """

    mode: Literal["headline"] = "headline"
    quote: LabelSpan
    speakers: tuple[LabelSpan, ...]
    optional: bool = False


class Outcome(StrEnum):
    """What the rules give for a quote."""

    RIGHT = "right"  #: the words that were marked
    SPAN_WRONG = "span_wrong"  #: too many or too few words around the name that was marked
    WRONG = "wrong"  #: somebody or something else
    MISSED = "missed"  #: nobody, where somebody was marked
    RIGHTLY_NONE = "rightly_none"  #: nobody, where nobody need be


def evaluate(data: Sequence[str], texts: Sequence[str] = (), part: str | None = None) -> Report:
    """Compare the speakers of headline quotes with those marked.

    Args:
        data: paths or globs of label files.
        texts: paths or globs of corpora, for texts that the label files do not hold.
        part: take only rows of this part.

    Returns:
        Counts of ``quotes`` and of each :class:`Outcome`. ``precision`` is the share of the speakers given whose words
        are right, ``precision_anybody`` counts a wrong span as right, ``recall`` is the share of the quotes with a
        speaker who cannot be missing for which the words are right; ``_low`` and ``_high`` are Wilson's 95 % interval.
        A row of the report is a quote that is neither right nor rightly without a speaker: its outcome, and the span
        given.

    Raises:
        InputError: see :func:`~quotelab.labels.texts.read_labels`; or a span ends after its headline.
    """
    rows: list[dict[str, Any]] = []
    outcomes: Counter[Outcome] = Counter()
    recalled = named = 0
    labelled = read_labels(data, HeadlineSpeakerLabels, texts, part)
    for row in labelled:
        speaker = _speaker(row)
        outcome = judge(row.labels, speaker)
        outcomes[outcome] += 1
        if row.labels.speakers and not row.labels.optional:
            named += 1
            recalled += outcome is Outcome.RIGHT
        if outcome not in (Outcome.RIGHT, Outcome.RIGHTLY_NONE):
            span = speaker and [speaker.start, speaker.end]
            rows.append({"place": row.place, "id": row.labels.id, "outcome": outcome.value, "given": span})
    right, near = outcomes[Outcome.RIGHT], outcomes[Outcome.SPAN_WRONG]
    given = right + near + outcomes[Outcome.WRONG]
    figures: dict[str, float] = {"quotes": len(labelled)}
    figures |= {outcome.value: outcomes[outcome] for outcome in Outcome}
    figures |= share_figures("precision", right, given)
    figures |= share_figures("precision_anybody", right + near, given)
    figures |= share_figures("recall", recalled, named)
    return Report("headline_speakers", figures, rows)


def judge(labels: HeadlineSpeakerLabels, speaker: Speaker | None) -> Outcome:
    """Compare the speaker given for a quote, if any, with the spans marked; an apposition may be left out."""
    if speaker is None:
        return Outcome.MISSED if labels.speakers and not labels.optional else Outcome.RIGHTLY_NONE
    if {(speaker.start, speaker.end), (speaker.start, speaker.head_end)} & set(labels.speakers):
        return Outcome.RIGHT
    overlaps = any(start < speaker.end and speaker.start < end for start, end in labels.speakers)
    return Outcome.SPAN_WRONG if overlaps else Outcome.WRONG


def _speaker(row: Labelled[HeadlineSpeakerLabels]) -> Speaker | None:
    """The speaker given for the labelled quote; None also where the rules no longer find the quote."""
    for span in (row.labels.quote, *row.labels.speakers):
        row.cut(span, "quote or speakers")
    quotes = find_quotes(row.text, "headline")
    speakers = find_speakers(row.text, quotes, "headline", "en")
    by_span: dict[Span, Speaker | None] = {
        (quote.start, quote.end): speaker for quote, speaker in zip(quotes, speakers, strict=True)
    }
    return by_span.get(row.labels.quote)


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    return evaluate(options.data, options.texts, options.part)

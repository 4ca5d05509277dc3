"""Protocol ``headline_speakers``: who says the quote of a headline, compared with the words of it that readers mark.

The labels say whom the headline names as the speaker, not what the rules gave, so they stay valid when rules change.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, Literal

from quotelab.labels.texts import Labels, LabelSpan, read_labels
from quotelab.report import Report
from quotelab.statistics import share_figures
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers

#: What the rules give: the words marked; too many or too few words around the name marked; somebody or something else;
#: nobody where somebody was marked, or rightly.
OUTCOMES: Final = ("right", "span_wrong", "wrong", "missed", "rightly_none")


class HeadlineSpeakerLabels(Labels):
    """A quote or colon claim of a headline, without its marks, and equally good names of its speaker.

    Such are *Sen. Ana Ruiz*, *Ana Ruiz*; none if the headline names nobody who says it. Where a reader could also hold
    that (``optional``), no speaker is right too.
    """

    mode: Literal["headline"] = "headline"
    quote: LabelSpan
    speakers: tuple[LabelSpan, ...]
    optional: bool = False


def evaluate(data: Sequence[str], texts: Sequence[str] = (), part: str | None = None) -> Report:
    """Compare the speakers of headline quotes with those marked.

    Figures: Counts of ``quotes`` and of each of :data:`OUTCOMES`. ``precision`` is the share of the speakers given
    whose words are right, ``precision_anybody`` counts a wrong span as right, ``recall`` is the share of the quotes
    with a speaker who cannot be missing for which the words are right, with Wilson's 95 % interval. A row of the report
    is a quote that is neither right nor rightly without a speaker.
    """
    rows: list[dict[str, Any]] = []
    outcomes: Counter[str] = Counter()
    recalled = named = 0
    labelled = read_labels(data, HeadlineSpeakerLabels, texts, part)
    for row in labelled:
        quotes = find_quotes(row.text, "headline")
        speakers = find_speakers(row.text, quotes, "headline", "en")
        spans = [(quote.start, quote.end) for quote in quotes]
        speaker = dict(zip(spans, speakers, strict=True)).get(row.labels.quote)  # None where rules find no such quote
        outcome = _judge(row.labels, speaker)
        outcomes[outcome] += 1
        if row.labels.speakers and not row.labels.optional:
            named += 1
            recalled += outcome == "right"
        if outcome not in ("right", "rightly_none"):
            span = speaker and [speaker.start, speaker.end]
            rows.append({"place": row.place, "id": row.labels.id, "outcome": outcome, "given": span})
    right, near = outcomes["right"], outcomes["span_wrong"]
    given = right + near + outcomes["wrong"]
    figures: dict[str, float] = {"quotes": len(labelled), **{outcome: outcomes[outcome] for outcome in OUTCOMES}}
    figures |= share_figures("precision", right, given)
    figures |= share_figures("precision_anybody", right + near, given)
    return Report("headline_speakers", figures | share_figures("recall", recalled, named), rows)


def _judge(labels: HeadlineSpeakerLabels, speaker: Speaker | None) -> str:
    """Compare the speaker given for a quote, if any, with the spans marked; an apposition may be left out."""
    if speaker is None:
        return "missed" if labels.speakers and not labels.optional else "rightly_none"
    if {(speaker.start, speaker.end), (speaker.start, speaker.head_end)} & set(labels.speakers):
        return "right"
    overlaps = any(start < speaker.end and speaker.start < end for start, end in labels.speakers)
    return "span_wrong" if overlaps else "wrong"

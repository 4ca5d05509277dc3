"""Protocol ``attributed``: kinds and speakers of direct quotations in any language, against annotated articles.

A row is an article with its annotations: the ``type`` (*Direct*, *Indirect*, …), and ``quote`` and ``speaker`` as lists
of ranges of the text. Direct ones count; marks may be inside their ranges. Speakers are judged as by ``polnear``.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from quotelab.labels.texts import Labels, LabelSpan, read_labels
from quotelab.protocols.polnear import Attribution, by_rule, count_speakers, without_marks
from quotelab.report import Report
from quotelab.statistics import ratio
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.settings import load_settings
from quotelake.text.language import detect_language

_MARKS: Final = frozenset("\"“”„'‘’‚«»‹›")


class Annotation(BaseModel):
    """A quotation, and who says it where the text says so."""

    type: str
    quote: tuple[LabelSpan, ...]
    speaker: tuple[LabelSpan, ...] | None = None


class Annotated(Labels):
    """An article and its quotations."""

    annotations: tuple[Annotation, ...]


def evaluate(path: Path, part: str | None = None, language: str | None = None) -> Report:
    """Measure kinds and speakers on rows of :class:`Annotated`; ``language`` is that of all articles, else detected.

    Figures: For each split, of the quotes found: ``direct_share``, the share of those of kind direct that touch an
    annotated direct quotation; of the annotated ones: ``direct_found``, exactly as any quote, and ``direct_kept``, as
    one of kind direct; ``speaker_precision`` and ``speaker_recall``. A row of the report is a split with its counts,
    with ``rules``: each rule that gave a speaker → [number given, number right].
    """
    totals: dict[str, Counter[str]] = {}
    rules: dict[str, Counter[tuple[str, bool]]] = {}
    ingest = load_settings().ingest
    for row in read_labels([str(path)], Annotated, part=part):
        split = row.labels.split or "all"
        code = language or detect_language(row.text, ingest.languages, ingest.language_confidence)
        counts, judged = _count(row.text, row.labels.annotations, code)
        totals.setdefault(split, Counter()).update(counts)
        rules.setdefault(split, Counter()).update(judged)
    shares = {
        "direct_share": ("touching", "direct"),
        "direct_found": ("found", "annotated"),
        "direct_kept": ("kept", "annotated"),
        "speaker_precision": ("speakers_right", "speakers_given"),
        "speaker_recall": ("speakers_right", "with_source"),
    }
    figures: dict[str, float] = {}
    for split, total in totals.items():
        figures |= {f"{name}_{split}": ratio(total[part], total[whole]) for name, (part, whole) in shares.items()}
        figures |= {f"{name}_{split}": total[name] for name in ("articles", "annotated")}
    rows = [{"split": split, **total, "rules": by_rule(rules[split])} for split, total in totals.items()]
    return Report("attributed", figures, rows)


def _count(
    text: str, annotations: Sequence[Annotation], language: str
) -> tuple[Counter[str], Counter[tuple[str, bool]]]:
    quotes = find_quotes(text, language=language)
    annotated = [one for one in annotations if one.type == "Direct"]
    parts = {part for one in annotated for part in one.quote}
    counts = Counter(articles=1, annotated=len(parts))
    every = {without_marks(text, (quote.start, quote.end), _MARKS) for quote in quotes}
    direct = [quote for quote in quotes if quote.kind == "direct"]
    kept = {without_marks(text, (quote.start, quote.end), _MARKS) for quote in direct}
    for part in parts:
        counts.update(found=without_marks(text, part, _MARKS) in every, kept=without_marks(text, part, _MARKS) in kept)
    for quote in direct:
        counts.update(direct=1, touching=any(start < quote.end and quote.start < end for start, end in parts))
    sources = [Attribution(source=one.speaker, content=one.quote) for one in annotated if one.speaker]
    speakers = find_speakers(text, quotes, language=language)
    found, judged = count_speakers(text, quotes, speakers, sources, _MARKS)
    return counts + found, judged

"""Protocol ``polnear``: spans and speakers against the attributions of PolNeAR (Newell, Margolin & Ruths 2018).

**Spans.** A human span is a part of an attribution that begins and ends with marks. It is found if both ends agree with
those of a quote of ours, not counting marks and white space. Some contain two quotes with words between them (*“a mess”
and “a shame”*), which are never one quote, so recall is also given over the spans that contain one only. ``inside`` is
the share of our outermost quotes all of whose words people attributed to a source, quoted or not.

**Several paragraphs.** People nearly always marked a quote that continues over paragraphs as one span per paragraph. So
spans of an attribution with only white space and marks between them are joined first. A joined span counts if it begins
with a double mark that is open at each line break and closed at the end. It is found if both its ends agree with those
of a whole quote of ours: a part is not enough.

**Speakers.** Evaluated are quotes to which people gave a source: our direct quotes at depth 0, if at least half of the
quote is in the content of an attribution with a source; and contents that begin and end with marks, if our direct
quotes cover less than half of them. If several attributions contain a quote, the one with the shortest content counts.
A speaker is right if its span contains the last token of the name or pronoun in the source, and the F1 of its tokens
with the whole source is at least .5, so that a whole paragraph is never right. Precision is over the evaluated quotes
with a speaker of ours, recall over all evaluated quotes.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from quotelab.labels.texts import Labels, LabelSpan, read_labels
from quotelab.report import Report
from quotelab.statistics import Span, ratio
from quotelake.quotes.spans import Quote, find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers

_OPENING: Final = frozenset("\"“'‘")
_CLOSING: Final = frozenset("\"”'’")
_MARKS: Final = _OPENING | _CLOSING
#: Double marks that open, with the marks that close them.
_DOUBLE: Final = {"“": "”", '"': '"', "''": "''"}
_TOKEN: Final = re.compile(r"\w+(?:[.&'’-]\w+)*")
_BREAK: Final = re.compile(r"(?>(?:(?<!\s)[^\S\n]++)?)\n\s*+")
_POSSESSIVE: Final = re.compile(r"['’]s\Z")
#: Separates a name from its explanation: *Ana Ruiz, the mayor*; *Lee Odell (D-Avalon)*; *a man who was there*.
_EXPLANATION: Final = re.compile(r", | \(|,$| who | whose | – | — ")
#: Separates the head of a phrase without a name from its complement: *a spokesman for the union*.
_COMPLEMENT: Final = frozenset(("of", "for", "from", "at", "in", "with", "to", "on", "by", "that", "close"))
MIN_OVERLAP: Final = 0.5  # least F1 of the tokens of speaker and source


class Attribution(BaseModel):
    """Source and content of an attribution by one annotator, as spans of the text."""

    source: tuple[LabelSpan, ...]
    content: tuple[LabelSpan, ...]


class Article(Labels):
    """An article, what annotators attributed to a source in it (parts of an attribution together), and to which."""

    attributed_spans: tuple[tuple[LabelSpan, ...], ...]
    attributions: tuple[Attribution, ...]


def evaluate(path: Path, part: str | None = None) -> Report:
    """Measure spans and speakers on a JSONL file of :class:`Article`, or on those of its ``split`` that is ``part``.

    Figures: Shares in [0, 1]: ``recall_exact`` (``recall_exact_one`` over spans that contain one quote) and ``inside``
    over all kinds, ``recall_direct`` and ``inside_direct`` over direct quotes, ``speaker_precision`` and
    ``speaker_recall``. Counts: ``multi_paragraph`` quotes found, of ``multi_paragraph_total`` that people marked. A row
    of the report holds the counts of an article, with ``rules``: each rule that gave a speaker in it → [number of
    speakers given, number right]. The last rows hold the same of all articles, one row per rule.
    """
    rows = []
    total: Counter[str] = Counter()
    of_rules: Counter[tuple[str, bool]] = Counter()
    for row in read_labels([str(path)], Article, part=part):
        counts, judged = _count(row.text, row.labels)
        total += counts
        of_rules += judged
        rows.append({"id": row.labels.id, "split": row.labels.split, **counts, "rules": by_rule(judged)})
    figures = {
        "recall_exact": ratio(total["found"], total["human"]),
        "recall_exact_one": ratio(total["found_one"], total["human_one"]),
        "inside": ratio(total["inside"], total["ours"]),
        "recall_direct": ratio(total["found_direct"], total["human"]),
        "inside_direct": ratio(total["inside_direct"], total["ours_direct"]),
        "multi_paragraph": total["found_multi_paragraph"],
        "multi_paragraph_total": total["multi_paragraph"],
        "speaker_precision": ratio(total["speakers_right"], total["speakers_given"]),
        "speaker_recall": ratio(total["speakers_right"], total["with_source"]),
        "quotes_with_source": total["with_source"],
    }
    named = [{"rule": rule, "given": given, "right": right} for rule, (given, right) in by_rule(of_rules).items()]
    return Report("polnear", figures, rows + named)


def same_source(speaker: str, source: str) -> bool:
    """Whether a speaker is the annotated source.

    >>> same_source("Mayor Ana Ruiz", "Ana Ruiz, the mayor"), same_source("Ana Ruiz", "a friend of Ana Ruiz")
    (True, False)
    """
    ours, theirs = Counter(_tokens(speaker)), Counter(_tokens(source))
    overlap = 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())
    # The last token of the name or pronoun.
    tokens = _tokens(_EXPLANATION.split(source.strip(" ,"), maxsplit=1)[0])
    end = next((k for k, token in enumerate(tokens) if k and token in _COMPLEMENT), len(tokens))
    return bool(tokens) and tokens[end - 1] in ours and overlap >= MIN_OVERLAP


def by_rule(judged: Counter[tuple[str, bool]]) -> dict[str, tuple[int, int]]:
    """Speakers given and right by rule, the most frequent rule first."""
    rules = {rule: (judged[rule, True] + judged[rule, False], judged[rule, True]) for rule, _ in judged}
    return dict(sorted(rules.items(), key=lambda item: (-item[1][0], item[0])))


def _count(text: str, labels: Article) -> tuple[Counter[str], Counter[tuple[str, bool]]]:
    """All counts of an article; and of each rule, how many speakers it gave that are right and that are wrong."""
    quotes = find_quotes(text)
    counts = _count_spans(text, quotes, set(chain(*labels.attributed_spans)))
    joined = {whole for spans in labels.attributed_spans for whole in _joined(text, spans)}
    continued = {without_marks(text, span) for span in joined if _is_continued(text[slice(*span)])}
    wholes = {without_marks(text, (quote.start, quote.end)) for quote in quotes}
    counts.update(multi_paragraph=len(continued), found_multi_paragraph=len(continued & wholes))
    found = find_speakers(text, quotes)
    speakers, judged = count_speakers(text, quotes, found, [one for one in labels.attributions if one.source])
    return counts + speakers, judged


def _count_spans(text: str, quotes: list[Quote], parts: set[Span]) -> Counter[str]:
    counts: Counter[str] = Counter()
    # A quote as a whole and each of its segments: people marked continued quotes either way.
    ours = [((quote.start, quote.end), *quote.segments) for quote in quotes]
    every = {without_marks(text, span) for spans in ours for span in spans}
    kinds = zip(quotes, ours, strict=True)
    direct = {without_marks(text, span) for quote, spans in kinds if quote.kind == "direct" for span in spans}
    for span in parts:
        if _is_marked(text, span):
            bare = without_marks(text, span)
            counts.update(human=1, found=bare in every, found_direct=bare in direct)
            if not _holds_two(text, span):
                counts.update(human_one=1, found_one=bare in every)
    attributed = set(chain.from_iterable(range(*span) for span in parts))
    for quote in quotes:
        if quote.depth == 0 and quote.kind != "colon_claim":
            places = chain.from_iterable(range(*segment) for segment in quote.segments)
            inside = all(place in attributed or not text[place].isalnum() for place in places)
            is_direct = quote.kind == "direct"
            counts.update(ours=1, inside=inside, ours_direct=is_direct, inside_direct=inside and is_direct)
    return counts


def _joined(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """The spans of an attribution with their marks; those with only white space and marks between them are joined."""
    wholes: list[list[int]] = []
    for first, last in sorted(spans):
        if wholes and not text[wholes[-1][1] : first].strip("".join(_MARKS) + " \n\r\t\xa0"):
            wholes[-1][1] = max(wholes[-1][1], last)
        else:
            wholes.append([first, last])
    for start, end in wholes:
        while start and text[start - 1] in _OPENING:
            start -= 1
        while end < len(text) and text[end] in _CLOSING:
            end += 1
        yield start, end


def _is_continued(part: str) -> bool:
    """Whether text is one quote over several paragraphs: open at each line break, closed at the end."""
    paragraphs = _BREAK.split(part.strip())
    mark = next((mark for mark in _DOUBLE if part.strip().startswith(mark)), None)
    if mark is None or len(paragraphs) < 2 or not paragraphs[-1].endswith(_DOUBLE[mark]):
        return False
    is_open = []
    for paragraph in paragraphs:
        # A later paragraph may open with a mark again or continue without one; both belong to the quote.
        opened = paragraph if paragraph.startswith(mark) else mark + paragraph
        marks, closing = opened.count(mark), opened.count(_DOUBLE[mark])
        is_open.append(marks > closing if _DOUBLE[mark] != mark else marks % 2 == 1)
    return all(is_open[:-1]) and not is_open[-1]


def count_speakers(
    text: str,
    quotes: list[Quote],
    speakers: Sequence[Speaker | None],
    attributions: Sequence[Attribution],
    marks: frozenset[str] = _MARKS,
) -> tuple[Counter[str], Counter[tuple[str, bool]]]:
    """Counts ``with_source``, ``speakers_given`` and ``speakers_right``; and of each rule, right and wrong speakers.

    ``speakers`` are those found of ``quotes``; each of ``attributions`` has a source. With other ``marks`` than
    those of PolNeAR each content counts as a quotation, whatever it begins with.
    """
    counts: Counter[str] = Counter()
    judged: Counter[tuple[str, bool]] = Counter()
    direct: list[Span] = []
    for quote, speaker in zip(quotes, speakers, strict=True):
        if quote.depth or quote.kind != "direct":
            continue
        span = (quote.start, quote.end)
        direct.append(span)
        containing = [one for one in attributions if 2 * _overlap(span, one.content) >= quote.end - quote.start]
        if containing:
            shortest = min(containing, key=lambda one: sum(end - start for start, end in one.content))
            source = text[shortest.source[0][0] : shortest.source[-1][1]]
            right = speaker is not None and same_source(speaker.text, source)
            counts.update(with_source=1, speakers_given=speaker is not None, speakers_right=right)
            if speaker is not None:
                judged[speaker.rule, right] += 1
    for start, end in {part for one in attributions for part in one.content}:
        if marks is not _MARKS or _is_marked(text, (start, end)):
            bare = without_marks(text, (start, end), marks)
            counts.update(with_source=2 * _overlap(bare, direct) < bare[1] - bare[0])
    return counts, judged


def _is_marked(text: str, span: Span) -> bool:
    part = text[slice(*span)].strip()
    return len(part) > 2 and part[0] in _OPENING and part[-1] in _CLOSING


def _holds_two(text: str, span: Span) -> bool:
    """Whether the mark that opens a span is closed before the end of the span."""
    part = text[slice(*span)].strip()
    if part[0] != "“":
        doubled = part.startswith("''")
        return part[2:-2].count("''") >= 2 if doubled else part[0] == '"' and part[1:-1].count('"') >= 2
    depth = 0
    for char in part[:-1]:
        depth += (char == "“") - (char == "”")
        if depth == 0:
            return True
    return False


def without_marks(text: str, span: Span, marks: frozenset[str] = _MARKS) -> Span:
    """A span without marks and white space at its ends."""
    kept = [place for place in range(*span) if not text[place].isspace() and text[place] not in marks]
    return (kept[0], kept[-1] + 1) if kept else (span[1], span[1])


def _overlap(span: Span, parts: Sequence[Span]) -> int:
    return sum(max(0, min(end, span[1]) - max(start, span[0])) for start, end in parts)


def _tokens(phrase: str) -> list[str]:
    return [_POSSESSIVE.sub("", token) for token in _TOKEN.findall(phrase.lower())]

"""The context of a quote, as written and with the quote masked. Pure: no Spark.

The context in an article is the paragraph of the quote and one on each side, at most :data:`MAX_WORDS` words around the
quote; in a tweet it is the whole tweet [ours]. Masking replaces the quote by ``" - "`` (Periti et al. 2024, +MASK; the
authors' code puts a space on both sides).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from quotelake.quotes.extract import Row
from quotelake.text.fold import plain_signs
from quotelake.text.ids import content_id
from quotelake.text.words import WORD, count_words, paragraphs

MASK = " - "
#: Most words of a quote's context in an article [ours].
MAX_WORDS = 120
#: A masked context with fewer words is not compared [ours].
MIN_WORDS_LEFT = 4
#: Whether each character of Latin-1 is part of words.
_OF_WORDS = np.array([WORD.match(chr(code)) is not None for code in range(256)])
#: Columns of its document that a use repeats.
DESCRIBED = ("doc_id", "native_key", "text_id", "kind", "outlet", "author_key", "period")


def mask(body: str, start: int, end: int, context_start: int, context_end: int) -> str:
    """Cut the context out of ``body`` and replace the quote in it; all offsets in code points of ``body``.

    >>> mask('He said "no way" twice.', 9, 15, 0, 23)
    'He said " - " twice.'
    """
    return body[context_start:start] + MASK + body[end:context_end]


class Context(NamedTuple):
    """The context of a quote in code points of the body."""

    start: int
    end: int
    words_left: int  #: words without those of the quote


def cut_contexts(body: str, spans: Sequence[tuple[int, int]], max_words: int) -> list[Context]:
    """Cut the context of each quoted span (start, end) of an article, in their order.

    At most ``max_words`` words around a quote are kept, half on each side; the other side may use the rest of a half.

    >>> body = "A first one.\\n\\nHe said so.\\n\\nA third one.\\n\\nA fourth one."
    >>> cut_contexts(body, [(17, 21)], 120)
    [Context(start=0, end=39, words_left=8)]
    """
    blocks = list(paragraphs(body)) or [(0, len(body))]
    block_starts = [start for start, _ in blocks]
    stretches = []
    for start, end in spans:
        first = max(bisect_right(block_starts, start) - 2, 0)
        last = min(bisect_right(block_starts, max(end - 1, start)), len(blocks) - 1)
        stretches.append((min(blocks[first][0], start), max(blocks[last][1], end)))
    if not stretches:
        return []
    # Contexts of one article overlap, so its words are split once for all of them.
    starts: list[int] = []
    done = 0
    for low, high in sorted(stretches):
        first = max(low, done)
        starts += (first + start for start in word_starts(body[first:high]))
        done = max(done, high)
    return [
        _within_budget(body, starts, span, stretch, max_words) for span, stretch in zip(spans, stretches, strict=True)
    ]


def word_starts(text: str) -> list[int]:
    """Start of each word of a text."""
    try:
        codes = np.frombuffer(plain_signs(text).encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        return [word.start() for word in WORD.finditer(text)]
    # The same as the pattern, in a fifth of the time.
    inside = np.append(False, _OF_WORDS[codes])  # the first one precedes the text
    inside[2:-1] |= inside[1:-2] & inside[3:] & (codes[1:-1] == ord("'"))
    found: list[int] = np.flatnonzero(inside[1:] & ~inside[:-1]).tolist()
    return found


def _within_budget(
    body: str, starts: list[int], span: tuple[int, int], stretch: tuple[int, int], max_words: int
) -> Context:
    """Shorten a stretch of paragraphs to ``max_words`` words; one around the whole quote counts on both sides."""
    (start, end), (low, high) = span, stretch
    first, quote = bisect_left(starts, low), bisect_left(starts, start)
    behind, last = bisect_left(starts, end), bisect_left(starts, high)
    if first < behind and end < high and WORD.search(body, end, _word_end(body, starts[behind - 1])):
        behind -= 1  # of a word that the end of the quote cuts in two, the rest is a word too
    before, after = quote - first, last - behind
    if before + after <= max_words:
        return Context(low, high, before + after)
    half = max_words // 2
    keep_before = min(before, max(half, max_words - after))
    keep_after = min(after, max_words - keep_before)
    if keep_before < before:
        low = starts[quote - keep_before] if keep_before else start
    if keep_after < after:
        high = _word_end(body, starts[behind + keep_after - 1]) if keep_after else end
    return Context(low, high, keep_before + keep_after)


def _word_end(body: str, start: int) -> int:
    word = WORD.match(body, start)
    return word.end() if word else start


def contexts_of_document(document: Row, quotes: Sequence[Row], rule_version: str) -> Iterator[Row]:
    """Cut the context of every use of a variant: an outermost quote of a body or tweet by the document's author.

    A repost has none, nor has a quote inside a quoted tweet: both repeat a tweet. ``document`` has :data:`DESCRIBED`,
    ``body`` and ``is_repost``. Each row has the content columns of ``contexts``, and ``canonical_words``.
    """
    if document["is_repost"]:
        return
    uses = [
        quote
        for quote in sorted(quotes, key=itemgetter("start"))
        if quote["field"] != "headline" and quote["depth"] == 0 and quote["variant_id"] is not None
        if "quote_tweet" not in quote["flags"]
    ]
    spans = [(quote["start"], quote["end"]) for quote in uses]
    for quote, context in zip(uses, contexts_of_spans(document, spans), strict=True):
        speaker: Row = quote["speaker"] or {}
        yield {
            "variant_id": quote["variant_id"],
            "rule_version": rule_version,
            "quote_id": quote["quote_id"],
            **context,
            "named_speaker": speaker.get("name") or speaker.get("head"),
            "speaker_type": speaker.get("type"),
            "direct": quote["kind"] == "direct",
            "canonical_words": quote["canonical_words"],
        }


def contexts_of_spans(document: Row, spans: Sequence[tuple[int, int]]) -> Iterator[Row]:
    """Cut the contexts of spans of a body or tweet: the columns that ``contexts`` and ``watch_hits`` share."""
    body = document["body"]
    if document["kind"] == "tweet":
        cut = [Context(0, len(body), count_words(mask(body, *span, 0, len(body)))) for span in spans]
    else:
        cut = cut_contexts(body, spans, MAX_WORDS)
    described = {name: document[name] for name in DESCRIBED}
    for span, (start, end, words_left) in zip(spans, cut, strict=True):
        yield {
            **described,
            "start": span[0],
            "end": span[1],
            "context_start": start,
            "context_end": end,
            "raw_hash": content_id(body[start:end]),
            "masked_hash": content_id(mask(body, *span, start, end)),
            "words_left": words_left,
            "status": "ok" if words_left >= MIN_WORDS_LEFT else "too_short",
        }

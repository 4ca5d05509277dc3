"""What stands around a quote, and the same with the quote masked. Pure: no Spark.

Article: the paragraph of the quote and one on each side, at most ``max_words`` words around the quote; tweet: all of it
[ours]. The quote is replaced by ``" - "`` (Periti et al. 2024, +MASK; the authors' code puts a space on both sides).
"""

from bisect import bisect_right
from collections.abc import Sequence

from quotelake.text import WORD, paragraphs

MASK = " - "


def mask(body: str, start: int, end: int, context_start: int, context_end: int) -> str:
    """Cut the context out of ``body`` and replace the quote in it; all offsets in code points of ``body``.

    >>> mask('He said "no way" twice.', 9, 15, 0, 23)
    'He said " - " twice.'
    """
    return body[context_start:start] + MASK + body[end:context_end]


def article_contexts(body: str, spans: Sequence[tuple[int, int]], max_words: int) -> list[tuple[int, int]]:
    """Cut the context of each quoted span of an article, as offsets in ``body``.

    Args:
        body: text of the article.
        spans: (start, end) of each quote in code points.
        max_words: most words kept around a quote; a side that has fewer leaves the rest to the other.

    >>> body = "A first one.\\n\\nHe said so.\\n\\nA third one.\\n\\nA fourth one."
    >>> [body[a:b] for a, b in article_contexts(body, [(17, 21)], 120)]
    ['A first one.\\n\\nHe said so.\\n\\nA third one.']
    """
    blocks = list(paragraphs(body)) or [(0, len(body))]
    starts = [start for start, _ in blocks]
    contexts = []
    for start, end in spans:
        first = max(bisect_right(starts, start) - 2, 0)
        last = min(bisect_right(starts, max(end - 1, start)), len(blocks) - 1)
        low, high = min(blocks[first][0], start), max(blocks[last][1], end)
        contexts.append(_within_budget(body, start, end, low, high, max_words))
    return contexts


def _within_budget(body: str, start: int, end: int, low: int, high: int, max_words: int) -> tuple[int, int]:
    before = [word.start() for word in WORD.finditer(body, low, start)]
    after = [word.end() for word in WORD.finditer(body, end, high)]
    if len(before) + len(after) <= max_words:
        return low, high
    half = max_words // 2
    keep_before = min(len(before), max(half, max_words - len(after)))
    keep_after = min(len(after), max_words - keep_before)
    if keep_before < len(before):
        low = before[len(before) - keep_before] if keep_before else start
    if keep_after < len(after):
        high = after[keep_after - 1] if keep_after else end
    return low, high

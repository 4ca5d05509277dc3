"""How much of a headline quote a body carries: n-gram containment in the best body quotes, and which parts. Pure.

Containment [Song et al. 2023's task; measured on their 1,600 labelled articles]: the share of the headline quote's
character n-grams that stand in a text, n-grams taken over letters without spaces, each place counted. n is 4 for
alphabets and 2 for Hangul, Han and kana, where a character is a syllable or a word.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quotelake.contextomy.ngrams import found_bits, letters_under, ngram_size, ngrams
from quotelake.text.fold import Folded, Span, fold, letter_spans

#: An omission marked as such: three dots or more, spaced or not.
_ELLIPSIS = re.compile(r"…|\.(?:\s?\.){2,}+")


@dataclass(frozen=True, slots=True)
class Containment:
    """How much of a headline quote stands where, and which parts of it.

    Attributes:
        best: place of the body quote that carries most, None without body quotes.
        second: place of the body quote that adds most to it, None if none adds anything.
        in_best: containment in the best, 0 to 1.
        in_second: containment in the second.
        in_union: containment in both together.
        in_body: containment in the whole body.
        matched: longest runs of the headline quote found in the best, as (start, end) in code points of its text.
        matched_second: what only the second has.
        unmatched: what neither has.
    """

    best: int | None
    second: int | None
    in_best: float | None
    in_second: float | None
    in_union: float | None
    in_body: float
    matched: tuple[Span, ...]
    matched_second: tuple[Span, ...]
    unmatched: tuple[Span, ...]


def parts(text: str) -> list[Folded]:
    """Fold a quote part by part: an ellipsis inside it stands between two parts.

    >>> [part.letters for part in parts("We lost … but we learned.")]
    ['welost', 'butwelearned']
    """
    return [folded for piece in _ELLIPSIS.split(text) if (folded := fold(piece)).words]


def containment(
    text: str, quotes: Sequence[Folded], body: Callable[[], Folded], best: int | None = None
) -> Containment:
    """Hold a headline quote against the body quotes and the body.

    Args:
        text: the headline quote.
        quotes: the body quotes, folded.
        body: gives the body, folded; not called where a body quote, a part of it, holds everything.
        best: place of the body quote to take for the best one; None: the one with the highest containment, of equals
            the first.
    """
    folded = fold(text)
    letters = folded.letters
    size = min(ngram_size(letters), len(letters))
    grams = ngrams(letters, size) if letters else []
    total = max(len(grams), 1)
    spans, every = letter_spans(text), (1 << len(letters)) - 1
    if not quotes:
        return Containment(None, None, None, None, None, _share_in_body(grams, body), (), (), _runs(every, spans))
    found = [found_bits(grams, quote.letters) for quote in quotes]
    if best is None:
        best = max(range(len(found)), key=lambda place: found[place].bit_count())
    second = max(range(len(found)), key=lambda place: (found[best] | found[place]).bit_count())
    adds = bool(found[second] & ~found[best]) and len(folded.words) > 1  # one word is not made from two quotes
    union = found[best] | found[second] if adds else found[best]
    by_best, by_both = letters_under(found[best], size), letters_under(union, size)
    return Containment(
        best=best,
        second=second if adds else None,
        in_best=found[best].bit_count() / total,
        in_second=found[second].bit_count() / total if adds else None,
        in_union=union.bit_count() / total,
        in_body=1.0 if grams and found[best].bit_count() == total else _share_in_body(grams, body),
        matched=_runs(by_best, spans),
        matched_second=_runs(by_both & ~by_best, spans),
        unmatched=_runs(every & ~by_both, spans),
    )


def _share_in_body(grams: Sequence[str], body: Callable[[], Folded]) -> float:
    return found_bits(grams, body().letters).bit_count() / len(grams) if grams else 0.0


def _runs(letters: int, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans of the text under runs of letters, which are given as bits."""
    runs: list[Span] = []
    before = False
    for place, span in enumerate(spans):
        inside = bool(letters >> place & 1)
        if inside:
            runs.append((runs.pop()[0], span[1]) if before else span)
        before = inside
    return tuple(runs)

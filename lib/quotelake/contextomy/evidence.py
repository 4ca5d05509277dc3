"""How much of a headline quote a body carries: n-gram containment in the best body quotes, and which parts. Pure.

Containment [Song et al. 2023's task; measured on their 1,600 labelled articles]: the share of the headline quote's
character n-grams that stand in a text, n-grams taken over letters without spaces, each place counted. n is 4 for
alphabets and 2 for Hangul, Han and kana, where a character is a syllable or a word.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quotelake.contextomy.folding import SYLLABIC, Folded, Span, dominant_script, fold, letter_spans
from quotelake.contextomy.ngrams import found_bits, ngrams

ALPHABETIC_N = 4  # AUC .92 on English headline quotes [measured]
SYLLABIC_N = 2  # on the Korean file AUC .854, .863, .811, .762 for n = 1 to 4 [measured, best two quotes together]
#: An omission marked as such: three dots or more, spaced or not.
_ELLIPSIS = re.compile(r"…|\.(?:\s?\.){2,}+")


@dataclass(frozen=True, slots=True)
class BodyQuote:
    """A quote of the body: its id, its text without marks, and its key for verbatim comparison."""

    quote_id: str
    text: str
    match_key: str | None


@dataclass(frozen=True, slots=True)
class HeadlineQuote:
    """A quote of a headline: its text without marks, its key for verbatim comparison, and its kind."""

    text: str
    match_key: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class Containment:
    """What of a headline quote stands where.

    Attributes:
        best: place of the body quote that carries most, None without body quotes.
        second: place of the body quote that adds most to it, None if none adds anything.
        in_best: containment in the best, 0 to 1.
        in_second: containment in the second.
        in_union: containment in both together.
        in_body: containment in the whole body.
        matched: longest runs of the headline quote found in the best, as (start, end) in code points of its text.
    """

    best: int | None
    second: int | None
    in_best: float | None
    in_second: float | None
    in_union: float | None
    in_body: float
    matched: tuple[Span, ...]


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
    if not quotes:
        return Containment(None, None, None, None, None, _share_in_body(grams, body), ())
    found = [found_bits(grams, quote.letters) for quote in quotes]
    if best is None:
        best = max(range(len(found)), key=lambda place: found[place].bit_count())
    second = max(range(len(found)), key=lambda place: (found[best] | found[place]).bit_count())
    adds = bool(found[second] & ~found[best]) and len(folded.words) > 1  # one word is not made from two quotes
    union = found[best] | found[second] if adds else found[best]
    return Containment(
        best=best,
        second=second if adds else None,
        in_best=found[best].bit_count() / total,
        in_second=found[second].bit_count() / total if adds else None,
        in_union=union.bit_count() / total,
        in_body=1.0 if grams and found[best].bit_count() == total else _share_in_body(grams, body),
        matched=_runs(found[best], size, letter_spans(text)),
    )


def ngram_size(letters: str) -> int:
    """Length of the n-grams a text is compared by, by its dominant script.

    >>> ngram_size("welost"), ngram_size("졌다")
    (4, 2)
    """
    return SYLLABIC_N if dominant_script(letters) in SYLLABIC else ALPHABETIC_N


def _share_in_body(grams: Sequence[str], body: Callable[[], Folded]) -> float:
    return found_bits(grams, body().letters).bit_count() / len(grams) if grams else 0.0


def _runs(bits: int, size: int, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Longest runs of letters covered by n-grams, as spans of the text."""
    runs: list[Span] = []
    end = -1  # one past the last letter covered so far
    for place in range(bits.bit_length()):
        if not bits >> place & 1:
            continue
        last = spans[place + size - 1][1]
        if place <= end:
            runs[-1] = (runs[-1][0], last)
        else:
            runs.append((spans[place][0], last))
        end = place + size
    return tuple(runs)

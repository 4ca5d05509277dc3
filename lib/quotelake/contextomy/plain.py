"""A text as plain words: what headlines change without changing what is said is the same on both sides. Pure.

Number words and digits, British and American spelling, contractions, tense, person, plural, articles. Not modality
(*may* is not *will*) and no negation. English; other words stay as they are folded. [ours]
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from rapidfuzz.distance import LCSseq

from quotelake.quotes.entities import unescape
from quotelake.text.cues import NOT, sign_negations
from quotelake.text.fold import Span, fold, letter_spans
from quotelake.text.forms import base_form
from quotelake.text.numbers import ONES, TENS

#: Words that count as one, by what they are compared by: persons, forms of an auxiliary, variants.
_SAME: Final = {
    "i": "i me my mine myself he him his himself she her hers herself",
    "we": "we us our ours ourselves they them their theirs themselves",
    "it": "this that it these those",
    "be": "am is are was were been being be s re m",
    "have": "have has had having ve",
    "do": "do does did doing done",
    "will": "will would ll d shall wo sha",
    "can": "can could ca",
    "may": "may might",
    "someone": "somebody someone",
    "everyone": "everybody everyone",
    "anyone": "anybody anyone",
    "go": "gonna",
    "want": "wanna",
    "until": "til till",
    "ok": "okay",
}
#: Keys of the words that make one number with tens before them: *twenty-one*, *twenty-first*.
_UNITS: Final = re.compile(r"[1-9](?:st|nd|rd|th)?")
_DROPPED: Final = frozenset(("a", "an", "the", "to"))
_APOSTROPHE: Final = re.compile(r"(?<=\w)['’ʼ](?=(?:re|ll|ve|m|s|d)(?!\w))", re.IGNORECASE)
_NT: Final = re.compile(r"(?<=\w)n['’ʼ]t(?!\w)", re.IGNORECASE)
#: Word → what it is compared by.
_KEYS: Final = {
    **{str(word): str(n) for n, word in enumerate(ONES)},
    **{word: str(10 * n) for n, word in enumerate(TENS, 2)},
    **{"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th"},
    **{"seventh": "7th", "eighth": "8th", "ninth": "9th", "percent": "%", "pct": "%", "ai": "be"},
    **{form: key for key, forms in _SAME.items() for form in forms.split()},
}


@dataclass(frozen=True, slots=True)
class Plain:
    """A text as plain words.

    Attributes:
        keys: what the words are compared by, in order; articles and *to* are left out.
        spans: where each stands in the text, in code points.
    """

    keys: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Nearest:
    """The passage of a text nearest to a quote.

    Attributes:
        span: where its first and last shared words stand, in code points.
        share: share of the quote's words that it has in the same order, 0 to 1.
        missing: the quote's words it lacks.
        extra: its own words between.
        negations: negations it has more (above 0) or fewer than the quote.
    """

    span: Span
    share: float
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    negations: int


def plain(text: str) -> Plain:
    """Read a text as plain words.

    >>> plain("They’ve won't favour two programmes").keys
    ('we', 'have', 'will', 'ʔ', 'favor', '2', 'program')
    >>> plain("the twenty-first of ninety nine").keys
    ('21st', 'of', '99')
    """
    spaced = sign_negations(_APOSTROPHE.sub(" ", _NT.sub(f" {NOT} ", text)))
    forms, letters = fold(spaced).words, letter_spans(spaced)
    bounds = pairwise([0, *accumulate(map(len, forms))])
    kept: list[tuple[str, Span]] = []
    tens = ""  # of which the word before was
    for form, (first, last) in zip(forms, bounds, strict=True):
        key, (start, end) = key_of(form), (letters[first][0], letters[last - 1][1])
        if tens and _UNITS.fullmatch(key) and not form[0].isdigit():
            _, (start, _) = kept.pop()
            key = tens[0] + key
        if key not in _DROPPED:
            kept.append((key, (start, end)))
        tens = key if form in TENS else ""
    return Plain(tuple(key for key, _ in kept), tuple(span for _, span in kept))


def read_plain(raw: str) -> Plain:
    """Read a text as plain words, character references in it decoded; the spans count in the raw text.

    >>> read_plain("Q&amp;A: yes").spans
    ((0, 1), (9, 12))
    """
    read = unescape(raw)
    if read is None:
        return plain(raw)
    decoded = plain(read.text)
    return Plain(decoded.keys, tuple((read.raw(start), read.raw(end)) for start, end in decoded.spans))


def key_of(form: str) -> str:
    """What a folded word is compared by.

    >>> key_of("she"), key_of("twelve"), key_of("taken") == key_of("take")
    ('i', '12', True)
    """
    return _KEYS[form] if form in _KEYS else base_form(form)


def nearest(quote: Plain, text: Plain) -> Nearest | None:
    """Find the passage of a text that has most of a quote's words in the same order; None if it shares none.

    A passage has at most twice the words of the quote, or four more: words from all over a text prove nothing.

    >>> found = nearest(plain("He will leave his post"), plain("It rained. “I will not leave my post,” she said."))
    >>> found.share, found.negations
    (1.0, 1)
    """
    n = len(quote.keys)
    if not n:
        return None
    width = max(2 * n, n + 4)
    wanted = frozenset(quote.keys)
    best, place = 0, 0
    for start in range(0, max(len(text.keys) - n, 0) + 1, max(n // 2, 1)):
        window = text.keys[start : start + width]
        if sum(key in wanted for key in window) <= best:
            continue
        shared = LCSseq.similarity(quote.keys, window)
        if shared > best:
            best, place = shared, start
    return _passage(quote, text, place, width) if best else None


def _passage(quote: Plain, text: Plain, place: int, width: int) -> Nearest:
    window = text.keys[place : place + width]
    blocks = [block for block in LCSseq.opcodes(quote.keys, window) if block.tag == "equal"]
    quote_places = {at for block in blocks for at in range(block.src_start, block.src_end)}
    text_places = sorted(at for block in blocks for at in range(block.dest_start, block.dest_end))
    first, last = text_places[0], text_places[-1]
    lead = sum(key == NOT for key in _lead(window, first))
    extra = [window[at] for at in range(first, last + 1) if at not in set(text_places)]
    missing = [key for at, key in enumerate(quote.keys) if at not in quote_places]
    return Nearest(
        span=(text.spans[place + first][0], text.spans[place + last][1]),
        share=len(quote_places) / len(quote.keys),
        missing=tuple(missing),
        extra=tuple(extra),
        negations=extra.count(NOT) + lead - missing.count(NOT),
    )


def _lead(window: Sequence[str], first: int) -> Sequence[str]:
    """The words right before a passage: a negation there is a part of what is said."""
    return window[max(first - 2, 0) : first]

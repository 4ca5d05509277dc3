"""A headline quote beside the passage of the body that is nearest to it, quoted or not, in plain words. Pure.

Bodies lose their marks in scraping, and report block quotes, tweets and transcripts without any; so every passage of
the body is a candidate, not its quotes alone.

Plain words: what headlines change without changing what is said is the same on both sides: number words and digits,
British and American spelling, contractions, tense, person, plural, articles. Not modality (*may* is not *will*) and no
negation. English; other words stay as they are folded. [ours]
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from rapidfuzz.distance import LCSseq

from quotelake.quotes.entities import unescape
from quotelake.text.align import common_blocks
from quotelake.text.fold import Span, fold_words
from quotelake.text.forms import Side, base_form, load_opposites
from quotelake.text.lexicon import NOT, load_lexicon, sign_negations, table, word_set
from quotelake.text.numbers import ONES, TENS, amount_of, differ

#: Share of a quote's words, and of its words of content, from which a passage carries it: four of five [ours; all such
#: passages of 3,073 real headline quotes were read].
CARRIES: Final = 0.8
#: Share of its words of content from which the utterance behind a quote is recognised; for few words, more [ours].
RECOGNISED, RECOGNISED_OF_FEW, FEW = 0.5, 0.67, 4
#: Words of content that a passage must share before what differs is called a change [ours].
_LEAST_SHARED = 3
#: Keys of the words that make one number with tens before them: *twenty-one*, *twenty-first*.
_UNITS: Final = re.compile(r"[1-9](?:st|nd|rd|th)?")
_DROPPED: Final = frozenset(("a", "an", "the", "to"))
_APOSTROPHE: Final = re.compile(r"(?<=\w)['’ʼ](?=(?:re|ll|ve|m|s|d)(?!\w))", re.IGNORECASE)
_NT: Final = re.compile(r"(?<=\w)n['’ʼ]t(?!\w)", re.IGNORECASE)
#: Word → what it is compared by.
_KEYS: Final = {
    **{str(word): str(n) for n, word in enumerate(ONES)},
    **{word: str(10 * n) for n, word in enumerate(TENS, 2)},
    **{
        form: key for key, forms in load_lexicon("en", "quotelake.contextomy")["same"].items() for form in forms.split()
    },
}
#: The number of a word: 20 in *20m* and *20mph*, as far as a decade has it (*1980s*, *80s*).
_NUMBER: Final = re.compile(r"(?:(?:19|20)(?=\d0s\Z))?(\d+(?:\.\d+)?)")
_MODALITY: Final = {"may": 0, "can": 0, "will": 1, "must": 1, "should": 0}


@dataclass(frozen=True, slots=True)
class Plain:
    """A text as plain words."""

    keys: tuple[str, ...]  #: what the words are compared by, in order; articles and *to* are left out
    spans: tuple[Span, ...]  #: where each stands in the text, in code points


def plain(raw: str) -> Plain:
    """Read a text as plain words, character references in it decoded; the spans count in the raw text.

    >>> plain("They’ve won't favour two programmes").keys
    ('we', 'have', 'will', 'ʔ', 'favor', '2', 'program')
    >>> plain("the twenty-first of ninety nine").keys
    ('21st', 'of', '99')
    >>> plain("R&amp;B: yes").spans
    ((0, 1), (6, 7), (9, 12))
    """
    read = unescape(raw)
    text = raw if read is None else read.text
    kept: list[tuple[str, Span]] = []
    tens = ""  # of which the word before was
    for form, (start, end) in fold_words(sign_negations(_APOSTROPHE.sub(" ", _NT.sub(f" {NOT} ", text)))):
        key = key_of(form)
        if tens and _UNITS.fullmatch(key) and not form[0].isdigit():
            _, (start, _) = kept.pop()
            key = tens[0] + key
        if key not in _DROPPED:
            kept.append((key, (start, end)))
        tens = key if form in TENS else ""
    if read is not None:
        kept = [(key, (read.raw(start), read.raw(end))) for key, (start, end) in kept]
    return Plain(tuple(key for key, _ in kept), tuple(span for _, span in kept))


def key_of(form: str) -> str:
    """What a folded word is compared by.

    >>> key_of("she"), key_of("twelve"), key_of("taken") == key_of("take")
    ('i', '12', True)
    """
    return _KEYS[form] if form in _KEYS else base_form(form)


#: Words that carry no content, as they are compared; and those with which a number is of several words.
_SMALL: Final = {NOT, *map(key_of, table("small", "en", "quotelake.contextomy"))}
_MULTIPLIERS: Final = frozenset(map(key_of, word_set("hundred thousand million billion trillion dozen half quarter")))


@dataclass(frozen=True, slots=True)
class Nearest:
    """The passage of a text nearest to a quote."""

    span: Span  #: where its first and last shared words stand, in code points
    share: float  #: share of the quote's words that it has in the same order, 0 to 1
    missing: tuple[str, ...]  #: the quote's words it lacks
    extra: tuple[str, ...]  #: its own words between
    negations: int  #: negations it has more (above 0) or fewer than the quote


def nearest(quote: Plain, text: Plain) -> Nearest | None:
    """Find the passage of a text that has most of a quote's words in the same order; None if it shares none.

    A passage has at most twice the words of the quote, or four more: words from all over a text prove nothing.

    >>> found = nearest(plain("He will leave his post"), plain("It rained. “I will not leave my post,” she said."))
    >>> found.share, found.negations
    (1.0, 1)
    """
    n = len(quote.keys)
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
    if not best:
        return None
    window = text.keys[place : place + width]
    blocks = common_blocks(quote.keys, window)
    in_quote = {at for block in blocks for at in range(block.first, block.first + block.size)}
    in_text = {at for block in blocks for at in range(block.second, block.second + block.size)}
    first, last = min(in_text), max(in_text)
    extra = [window[at] for at in range(first, last + 1) if at not in in_text]
    missing = [key for at, key in enumerate(quote.keys) if at not in in_quote]
    lead = window[max(first - 2, 0) : first]  # a negation right before a passage is a part of what is said
    return Nearest(
        span=(text.spans[place + first][0], text.spans[place + last][1]),
        share=best / n,
        missing=tuple(missing),
        extra=tuple(extra),
        negations=extra.count(NOT) + lead.count(NOT) - missing.count(NOT),
    )


@dataclass(frozen=True, slots=True)
class Near:
    """What the nearest passage of a body is to a headline quote."""

    span: Span | None = None  #: where it stands, in code points of the body; None if nothing is shared
    is_carried: bool = False  #: it says the same in nearly the same words
    is_recognised: bool = False  #: the utterance behind the quote is recognisable
    difference: str | None = None  #: what it says otherwise, in a phrase; None where no difference can be named


def near(quote: Plain, body: Plain) -> Near:
    """Find the passage nearest to a headline quote, and say what it is to it.

    >>> body = plain("He said: I am leaving two posts, not the country. It rained in the town all of Friday.")
    >>> near(plain("He's leaving 2 posts"), body).is_carried
    True
    """
    found = nearest(quote, body)
    if found is None:
        return Near()
    content = [key for key in quote.keys if key not in _SMALL]
    lost = [key for key in found.missing if key not in _SMALL]
    share = 1 - len(lost) / len(content) if content else found.share
    same_numbers = not any(_NUMBER.search(key) for key in found.missing)
    carried = min(share, found.share) >= CARRIES and same_numbers and not found.negations
    changed = _changed(found, lost)
    difference = changed
    if difference is None and found.negations and not lost:
        difference = "a negation is gone" if found.negations > 0 else "a negation is added"
    return Near(
        span=found.span,
        is_carried=carried and not changed,
        is_recognised=bool(content) and share >= (RECOGNISED if len(content) >= FEW else RECOGNISED_OF_FEW),
        difference=difference if len(content) - len(lost) >= _LEAST_SHARED else None,
    )


def _changed(found: Nearest, lost: list[str]) -> str | None:
    """An opposite, another number or a possibility stated as a fact, among the words in which the two differ."""
    opposites = _opposites()
    for own in lost:
        for other in () if found.negations else found.extra:  # who did not win has lost
            one, two = opposites.get(own), opposites.get(other)
            if one and two and one.pair == two.pair and one.is_second != two.is_second:
                return f"an opposite: “{other}” in the body, “{own}” in the headline"
    numbers = [[each for each in map(_NUMBER.search, side) if each] for side in (found.extra, found.missing)]
    numbers_alone = all(numbers) and all(map(_NUMBER.search, lost)) and _MULTIPLIERS.isdisjoint(found.extra)
    in_body, in_headline = ([amount_of([number[1]]) for number in side] for side in numbers)
    if numbers_alone and all(differ(own, other) for own in in_headline for other in in_body):
        other, own = (side[0].string for side in numbers)
        return f"another number: “{other}” in the body, “{own}” in the headline"
    modals = [[key for key in side if key in _MODALITY] for side in (found.extra, found.missing)]
    if not lost and all(modals):
        other, own = (side[0] for side in modals)
        if _MODALITY[other] < _MODALITY[own]:
            return f"a possibility is certain: “{other}” in the body, “{own}” in the headline"
    return None


@cache
def _opposites() -> dict[str, Side]:
    """The opposites by what words are compared by; without words that this would put on both sides, or in two pairs."""
    sides: dict[str, set[Side]] = {}
    for word, side in load_opposites("en").items():
        sides.setdefault(key_of(word), set()).add(side)
    return {key: side for key, (side, *others) in sides.items() if not others}

"""A text word by word, as headline and body are compared: words that headlines change without harm are equal. Pure.

Equal are number words and digits (*30K*, *30,000*), British and American spelling, contractions, tenses, persons,
plurals, articles, units; not modality (*may* is not *will*) nor negations, each of which is one sign. English; other
words stay as they are folded. [ours]
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from quotelake.quotes.entities import Unescaped, unescape
from quotelake.text.fold import Span, fold, plain_letters, plain_signs
from quotelake.text.forms import base_form
from quotelake.text.lexicon import NOT, load_lexicon, word_set
from quotelake.text.numbers import LEAST_POWER, ONES, ORDERS, POWERS, TENS, Amount, amount_of, shares
from quotelake.text.words import sentences

_LISTS: Final = load_lexicon("en", __package__)
#: Name of a list of words of ``en.toml`` → its words.
WORDS: Final = {name: word_set(words) for name, words in _LISTS["words"].items()}


def phrases(name: str) -> re.Pattern[str]:
    """A pattern for the phrases of a list, whole words in any case; ``*`` means any letters."""
    words = (re.escape(each).replace(r"\ ", r"\s+").replace(r"\*", r"\w+") for each in _LISTS["phrases"][name])
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)


def pattern(name: str) -> re.Pattern[str]:
    """A regular expression of the list *patterns*, in any case."""
    return re.compile(_LISTS["patterns"][name], re.IGNORECASE | re.VERBOSE)


#: Keys of words that make one number with tens before them: *twenty-one*, *twenty-first*.
_UNITS: Final = re.compile(r"[1-9](?:st|nd|rd|th)?")
#: Keys that are left out where words are compared.
IGNORED_KEYS: Final = frozenset(("a", "an", "the", "to", "%"))
_APOSTROPHE: Final = re.compile(r"(?<=\w)['’ʼ](?=(?:re|ll|ve|m|s|d)(?!\w))", re.IGNORECASE)
_NT: Final = re.compile(r"(?<=\w)(?:n['’ʼ]t|(?<=ca)nnot)(?!\w)", re.IGNORECASE)
#: In place of *n't*, until words are read: a word of ASCII that no text has.
_MARK: Final = "0n"
_ASCII_WORD: Final = re.compile(r"[^\W_]++(?>(?:[\[\]]++[^\W_]++|(?<=\d)[.,]\d++[^\W_]*+)*)")
_IN_WORD: Final = re.compile(r"[\[\]]|,(?=\d{3}(?!\d))")
#: Two words that are one negation.
_NEGATIVE_PAIRS: Final = frozenset(("no one", "far from", "anything but"))
#: A *no* that answers negates nothing behind it.
_ANSWER: Final = re.compile(r"\s*[,.!;:]")
#: Characters beside a negation within which such a phrase is.
_BESIDE: Final = 24
#: Words with a negation that deny nothing: *not only*, *no doubt*.
NON_NEGATING: Final = phrases("non_negating")
#: Word → what it is compared by.
_KEYS: Final = {
    **{str(word): str(n) for n, word in enumerate(ONES)},
    **{word: str(10 * n) for n, word in enumerate(TENS, 2)},
    **{f"{word.removesuffix('y')}ies": f"decade:{10 * n}" for n, word in enumerate(TENS, 2)},
    **{form: key for key, forms in _LISTS["same"].items() for form in forms.split()},
}
_DECADE: Final = re.compile(r"(?:19|20)?(\d0)s")
_NUMBER_SIGN: Final = re.compile(r"N[oO](?:\.\s?|\s)(?=\d)")
_NUMBER: Final = re.compile(r"(\d+(?:\.\d+)?)([a-z]*)")


class Token(NamedTuple):
    """A word of a text; ``start`` and ``end`` are code points."""

    form: str  #: folded, any negation as one sign; empty in phrases that deny nothing (*no doubt*)
    key: str  #: what it is compared by
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """A stretch of a text as words."""

    text: str
    offset: int = 0  #: where it begins in the text that its offsets count in

    @cached_property
    def tokens(self) -> list[Token]:
        """All its words, in order; offsets count in the stretch."""
        return list(_tokens(self.text))

    @cached_property
    def compared(self) -> list[int]:
        """Places of the tokens that are compared: all but articles and *to*."""
        return [place for place, token in enumerate(self.tokens) if token.key not in IGNORED_KEYS]

    @cached_property
    def keys(self) -> list[str]:
        """Keys of the compared tokens."""
        return [self.tokens[place].key for place in self.compared]

    @cached_property
    def joined(self) -> str:
        """The keys in one text, a space on each side of each."""
        return f" {' '.join(self.keys)} "

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Of each token the first token of its sentence, and one past the last."""
        ends = [end for _, end in sentences(self.text)]
        of = [bisect_right(ends, token.start) for token in self.tokens]
        return [(bisect_left(of, sentence), bisect_right(of, sentence)) for sentence in of]

    def text_of(self, first: int, last: int) -> str:
        """The text from a token to another, in one line."""
        return excerpt_text(self.text, self.tokens[first].start, self.tokens[last].end)

    def gap_after(self, place: int) -> str:
        """The text between a token and the next."""
        return self.text[self.tokens[place].end : self.tokens[place + 1].start]

    def within(self, start: int, end: int) -> list[int]:
        """Places of the tokens with a letter inside (start, end), offsets of the whole text."""
        low, high = start - self.offset, end - self.offset
        return [place for place, token in enumerate(self.tokens) if low < token.end and token.start < high]

    def span(self, first: int, last: int) -> Span:
        """Start and end of the tokens from ``first`` to ``last``, offsets of the whole text."""
        return self.tokens[first].start + self.offset, self.tokens[last].end + self.offset


def excerpt_text(text: str, start: int, end: int) -> str:
    """The text from a token's start to another's end, in one line; *won't* is two tokens and stays whole.

    >>> excerpt_text("It won't do", 6, 8)
    "won't"
    """
    while start and (text[start - 1].isalnum() or (text[start - 1] in "'’" and text[max(start - 2, 0)].isalnum())):
        start -= 1
    return " ".join(text[start:end].split())


def words_of(tokens: Sequence[Token], text: str) -> str:
    """The words of neighbouring tokens of a text, in one line; empty without any."""
    return excerpt_text(text, tokens[0].start, tokens[-1].end) if tokens else ""


@lru_cache(1 << 14)
def key_of(form: str) -> str:
    """What a folded word is compared by.

    >>> key_of("she"), key_of("twelve"), key_of("taken") == key_of("take")
    ('i', '12', True)
    """
    if form in _KEYS:
        return str(_KEYS[form])
    decade = _DECADE.fullmatch(form)
    return base_form(form) if decade is None else f"decade:{decade[1]}"


def is_number(key: str) -> bool:
    """Whether a key is that of a number.

    >>> [is_number(key_of(form)) for form in ("twelve", "30k", "1990s", "first", "we")]
    [True, True, False, False, False]
    """
    return key[0].isdigit() and _value(key) is not None


def amounts_of(tokens: Iterable[Token]) -> list[Amount]:
    """Numbers, ordinals, decades and orders of magnitude among words, and *both* as 2.

    >>> [amount.value for amount in amounts_of(Reading("Both, or the third of thirty thousand").tokens)]
    [2.0, 3.0, 30000.0]
    """
    found = []
    for form, key, *_ in tokens:
        digits = key.removeprefix("decade:").rstrip("stndrh")
        is_written = form in ORDERS or form == "both"
        if is_written or (digits[:1].isdigit() and (is_number(digits) or digits != key)):
            found.append(amount_of(form if is_written else digits))
    return [each for each in found if each is not None]


#: Words without content, as they are compared.
SMALL: Final = {NOT, *map(key_of, WORDS["small"])}

#: Auxiliary verbs, as they are compared: a stretch that begins with one lacks its subject.
VERBS: Final = frozenset(("be", "have", "do", "will", "can", "may", "would", "could", "should", "must"))


def _tokens(raw: str) -> Iterator[Token]:
    """The words of a text, numbers as one; character references in it decoded, the spans count in the raw text.

    >>> [token.key for token in _tokens("They’ve won't favour twenty-one programmes, not only 30K")]
    ['we', 'have', 'will', 'ʔ', 'favor', '21', 'program', 'not', 'only', '30000']
    """
    read = unescape(raw)
    text = plain_signs(plain_letters(raw if read is None else read.text))
    spelled = _APOSTROPHE.sub(" ", _NT.sub(lambda found: f" {_MARK}".ljust(len(found[0])), text))
    words = list(_words(spelled))
    negations = WORDS["negations"]
    beside = ((max(start - _BESIDE, 0), end + _BESIDE) for form, (start, end) in words if form in negations)
    kept = {found.span() for around in beside for found in NON_NEGATING.finditer(text, *around)}
    parts = list(shares(text))
    before: Token | None = None
    for form, (start, end) in words:
        key = key_of(form)
        if parts and start >= parts[0][1]:
            parts.pop(0)
        if parts and start >= parts[0][0]:
            if before is not None and before.start >= parts[0][0]:
                before = before._replace(end=end)  # another word of the same share
                continue
            key = _digits(parts[0][2])
        if form == "no" and _NUMBER_SIGN.match(text, start):
            form = key = "number"
        elif form in negations and (form != "no" or not _ANSWER.match(text, end)):
            form = key = NOT
        if kept and any(low <= start < high for low, high in kept):
            form, key = "", key_of(spelled[start:end].lower())
        if before is not None:
            joined = _joined(text, before, form, key, end)
            if joined is not None:
                before = joined
                continue
            yield before if read is None else _placed(before, read)
        value = _value(key) if key[0].isdigit() else None
        before = Token(form, key if value is None else _digits(value), start, end)
    if before is not None:
        yield before if read is None else _placed(before, read)


def _words(text: str) -> Iterable[tuple[str, Span]]:
    """Folded words with start and end; of ASCII text, as nearly all is, by one pattern."""
    if not text.isascii():
        return fold(text).words_with_places
    found = [(each[0], each.span()) for each in _ASCII_WORD.finditer(text.lower())]
    return [(word if word.isalnum() else _IN_WORD.sub("", word), span) for word, span in found]


def _placed(token: Token, read: Unescaped) -> Token:
    return token._replace(start=read.raw(token.start), end=read.raw(token.end))


def _joined(text: str, before: Token, form: str, key: str, end: int) -> Token | None:
    """Two words that are one: *no one*, *far from*, *Covid-19*, *twenty one*, *30 million*; None for any others."""
    if form in ("one", "from", "but") and f"{text[before.start : before.end]} {form}".lower() in _NEGATIVE_PAIRS:
        return Token(NOT, NOT, before.start, end)
    if key[0].isdigit() and text[before.end : end - len(form)] == "-" and text[before.start].isupper():
        return Token(before.form + form, before.form + form, before.start, end)  # digits that are part of a name
    if form not in POWERS and before.form not in TENS:
        return None
    if before.form in TENS and _UNITS.fullmatch(key) and not form[0].isdigit():
        return Token(before.form, before.key[0] + key, before.start, end)
    if form not in POWERS or len(form) < LEAST_POWER:
        return None
    value = 1.0 if before.form in ("a", "one") else _value(before.key)
    return None if value is None else Token(before.form, _digits(value * POWERS[form]), before.start, end)


def _value(key: str) -> float | None:
    found = _NUMBER.fullmatch(key)
    if found is None or (found[2] and found[2] not in POWERS):
        return None
    return float(found[1]) * POWERS.get(found[2], 1.0)


def _digits(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")

"""A text as the words that carry its statement, each with the small words and negations before it. Pure.

So that two texts can be compared in what they say of the same words: *the bridge is not safe*, *the bridge isn't very
safe*, *the bridge is dangerous*. Auxiliaries and articles may differ between texts that say the same. For Latin script:
negations are those of :mod:`quotelake.text.lexicon`, small words, amounts and opposites are English.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from quotelake.text.fold import fold_words
from quotelake.text.forms import base_form, load_opposites
from quotelake.text.lexicon import NOT, sign_negations, table
from quotelake.text.numbers import Amount, amount_of, continues, is_amount
from quotelake.text.words import sentences

#: Stands for any amount; no folded word is this sign.
_AMOUNT: Final = "#"
#: May stand in an amount: *all the eleven*, *half a million*, *two hundred and forty*.
_IN_AMOUNT: Final = frozenset(("a", "the", "and"))
_BEFORE_AND: Final = frozenset(("hundred", "thousand"))
#: Words that add nothing to what is said of a subject but tense, mood and degree; articles; sounds.
SMALL: Final = table("small")
#: Endings after an apostrophe and stems before *n't*, as the words they stand for.
WHOLE: Final = {
    "re": "are", "ll": "will", "ve": "have", "m": "am", "s": "is", "d": "would", "ca": "can", "wo": "will",
    "sha": "shall", "ai": "is",
}  # fmt: skip
#: The month, no possibility; in a headline that capitalises all words either.
_MONTH: Final = "May"
#: Begin another clause, which no negation before them reaches; a relative clause it does (*nobody who sails*).
_CONJUNCTIONS: Final = frozenset(("and", "but", "because", "so", "while"))
_CLAUSE: Final = re.compile(r"[,;:()–—…]|(?<!\s)\s++-++\s")
#: What is written apart or taken out before words are read, in this order; nothing: as many blanks stand instead.
_APART: Final = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        # Negations that deny nothing said here.
        (r"(?<!\w)(?:not\s(?:only|just|merely|simply|least)|(?:no|without)\s(?:doubt|question))(?!\w)", ""),
        (r"(?<!\w)a\sfew(?!\w)", " some"),
        # Words beside a negation that add only the time.
        (r"(?:(?<=\bno\s)longer|(?<=\bany\s)(?:longer|more))(?!\w)", ""),
        (r"(?<!\w)cannot(?!\w)", f"can {NOT} "),
        (r"n['’]t(?!\w)", f" {NOT} "),
        (r"(?<=\w)['’](?=(?:re|ll|ve|m|s|d)(?!\w))", " "),
    )
]
_QUESTION: Final = re.compile(r"[?？]")


class Small(NamedTuple):
    """A small word or negation: its form, where it begins in the text, and the number of its clause."""

    form: str
    start: int
    clause: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word that carries the statement. Offsets are code points of the text.

    It is compared by the word it is a form of (:func:`~quotelake.text.forms.base_form`), by one sign for an amount, or
    by the name of its pair of opposites.
    """

    key: str  #: what it is compared by
    shown: str  #: as the text has it
    start: int
    end: int
    before: tuple[Small, ...]  #: small words and negations between the word before and this
    clause: int  #: number of its clause
    is_second: bool = False  #: it is on the second side of its pair of opposites
    amount: Amount | None = None  #: how many it says, if it is an amount

    @property
    def is_plain(self) -> bool:
        """Whether it is compared by its letters: no amount, no opposite."""
        return self.key[0].isalnum()


@dataclass(frozen=True, slots=True)
class Wording:
    """A text, word by word."""

    words: tuple[Word, ...]
    after: tuple[Small, ...]  #: small words and negations after the last word
    asked: frozenset[int]  #: numbers of the clauses of its questions
    text: str  #: the keys with a blank around each, to be searched

    @property
    def smalls(self) -> list[Small]:
        """All small words and negations, in order."""
        return [small for word in self.words for small in word.before] + list(self.after)

    def places(self, keys: Sequence[str], most: int) -> Iterator[int]:
        """Where words with these keys stand one after the other: place of the first; the first ``most`` times."""
        wanted = f" {' '.join(keys)} "
        at = self.text.find(wanted) if keys else -1
        for _ in range(most):
            if at < 0:
                return
            yield self.text.count(" ", 0, at)
            at = self.text.find(wanted, at + 1)


class Token(NamedTuple):
    """A word as it is compared, any negation as :data:`NOT`; where it stands, and the number of its clause."""

    form: str
    start: int
    end: int
    clause: int


def read_wording(text: str) -> Wording:
    """Read a text.

    >>> [(word.key, [small.form for small in word.before]) for word in read_wording("It isn't safe, I'd say").words]
    [('it', []), ('±safe', ['is', 'ʔ']), ('i', []), ('say', ['would'])]
    """
    tokens, asked = read_tokens(text)
    words: list[Word] = []
    before: list[Small] = []
    opposites = load_opposites("en")
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.form == NOT or token.form in SMALL or token.form in WHOLE:
            form = _MONTH if text.startswith(_MONTH, token.start) else WHOLE.get(token.form, token.form)
            before.append(Small(form, token.start, token.clause))
            continue
        side = opposites.get(token.form)
        key, end, amount = base_form(token.form) if side is None else f"±{side.pair}", token.end, None
        if is_amount(token.form):
            place, amount = _amount(tokens, place - 1)
            key, end = _AMOUNT, tokens[place - 1].end
        second = side is not None and side.is_second
        shown = text[token.start : end]
        words.append(Word(key, shown, token.start, end, tuple(before), token.clause, second, amount))
        before = []
    keys = " ".join(word.key for word in words)
    return Wording(tuple(words), tuple(before), asked, f" {keys} ")


def _amount(tokens: Sequence[Token], place: int) -> tuple[int, Amount]:
    """Read the amount that begins at a place; also the place after it, an *of* included."""
    end = _numbers(tokens, place)
    words = [token.form for token in tokens[place:end]]
    if end == len(tokens) or tokens[end].form != "of":
        return end, amount_of(words)
    total = end + 1
    while total < len(tokens) and tokens[total].form in SMALL:
        total += 1
    after = _numbers(tokens, total)
    if after > total:
        return after, amount_of(words, [token.form for token in tokens[total:after]])
    return end + 1, amount_of(words, [])


def _numbers(tokens: Sequence[Token], place: int) -> int:
    """Place after the amount that begins at a place."""
    end = at = place
    while at < len(tokens):
        form = tokens[at].form
        if is_amount(form) and (at == place or continues(tokens[end - 1].form, form)):
            end = at + 1
        elif at == place or form not in _IN_AMOUNT or (form == "and" and tokens[end - 1].form not in _BEFORE_AND):
            break
        at += 1
    return end


def read_tokens(text: str) -> tuple[list[Token], frozenset[int]]:
    """Folded words with their offsets and clauses, negations as one sign; and the clauses of questions.

    >>> [token.form for token in read_tokens("It isn't safe, I'd say")[0]]
    ['it', 'is', 'ʔ', 'safe', 'i', 'd', 'say']
    """
    spans = sentences(text)
    ends = [end for _, end in spans]
    tokens: list[Token] = []
    clauses = [0]  # the sentence of each
    at = 0
    for form, (start, end) in fold_words(_spelled_out(text)):
        sentence = bisect_right(ends, start)
        if sentence != clauses[-1] or _CLAUSE.search(text, at, start) or form in _CONJUNCTIONS:
            clauses.append(sentence)
        tokens.append(Token(form, start, end, len(clauses) - 1))
        at = end
    asked = {sentence for sentence in clauses if spans and _QUESTION.search(text, *spans[sentence])}
    return tokens, frozenset(clause for clause, sentence in enumerate(clauses) if sentence in asked)


def _spelled_out(text: str) -> str:
    """The text with contractions apart and each negation as one sign, every other character in its place."""
    for pattern, instead in _APART:
        text = pattern.sub(instead or (lambda found: " " * len(found[0])), text)
    return sign_negations(text)

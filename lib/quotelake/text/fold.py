"""Fold texts for comparison, at levels that build on one another.

- :func:`plain_signs`: the commonest typographic signs as ASCII, each in its place;
- :func:`fold_case`: compatibility forms (NFKC) and case;
- :func:`fold_letters`: the letters and digits of a word;
- :func:`fold`: a text as folded words, whose letters have places by :attr:`Folded.spans`;
- ``match_key`` and ``canonical_text`` of :mod:`quotelake.quotes.keys`, of which ids are made.

:func:`fold` drops thousands separators and keeps decimal ones ("1.5" is not "15"). An apostrophe joins an English
ending ("can't" is one word) and separates elsewhere ("l'homme"). Square brackets go and their content stays. Texts are
compared by their letters without spaces, so "do n't" and "don't" are the same. These choices helped on the data of Song
et al. (2023) [measured].
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

Span = tuple[int, int]

#: The only characters outside ASCII in nine of ten English articles, and their replacement where only words matter.
_COMMON_SIGNS = (("’", "'"), *((sign, " ") for sign in "“”‘–—…©•£\u00a0"))
#: The combining marks of the Basic Multilingual Plane: ``\w`` leaves them out, and Indic words are full of them.
_MARKS = "".join(chr(point) for point in range(0x300, 0xFFFF) if unicodedata.category(chr(point)).startswith("M"))
_NOTHING = "\u2060"  # a word joiner: nothing, in the place of a character
#: Letters with accents, and digits of notes, by code point; a mark of a note in brackets.
_PLAIN = {
    point: plain
    for point in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    if (plain := unicodedata.normalize("NFD", chr(point))[0]) != chr(point)
} | dict.fromkeys(map(ord, "¹²³⁰⁴⁵⁶⁷⁸⁹†‡"), _NOTHING)
_SPECIAL = re.compile(f"[{re.escape(''.join(map(chr, _PLAIN)))}]")
_NOTE = re.compile(r"(?<=[^\s\[])\[(?:\d{1,3}|citation needed|note \d{1,2}|sic)\](?!\w)")
_JOIN = r"[\[\]\u00ad\u200b-\u200d\u2060\ufeff]+"  # brackets, soft hyphen, zero-width characters
_ENDING = r"['’ʼ](?=(?:[stdmSTDM]|[rR][eE]|[vV][eE]|[lL][lL])(?!\w))"  # can't, it's, we're
_IN_NUMBER = r"(?<=\d)[.,'’](?=\d)"
_TOKEN = re.compile(rf"\w+(?:(?:{_JOIN}|{_ENDING}|{_IN_NUMBER}|[{_MARKS}]+)\w+)*[{_MARKS}]*")
_NO_LETTER = re.compile(r"[^\w]|_")
_THOUSANDS = re.compile(r"(?<=\d)[,'’](?=\d{3}(?!\d))")
_DROPPED = re.compile(rf"(?![\w⁄]|[{_MARKS}]|(?<=\d)[.,](?=\d)).|_", re.DOTALL)


def plain_signs(text: str) -> str:
    """The same words in the same places, with ASCII for the commonest signs: most English texts are ASCII then.

    Patterns of words are several times as fast on ASCII.

    >>> plain_signs("“We won’t,” she said – twice.")
    " We won't,  she said   twice."
    """
    if not text.isascii():
        for sign, plain in _COMMON_SIGNS:
            text = text.replace(sign, plain)
    return text


def plain_letters(text: str) -> str:
    """The same letters in the same places, without accents of Latin ones and marks of notes, which are spelling alone.

    >>> plain_letters("Beyoncé’s bridge¹ and pier[12]") == "Beyonce’s bridge\u2060 and pier\u2060\u2060\u2060\u2060"
    True
    """
    if "[" in text:
        text = _NOTE.sub(lambda found: _NOTHING * len(found[0]), text)
    return text if text.isascii() or _SPECIAL.search(text) is None else text.translate(_PLAIN)


def fold_case(text: str) -> str:
    """Fold compatibility forms (NFKC) and case.

    >>> fold_case("ﬁne WEATHER")
    'fine weather'
    """
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()


def fold_letters(word: str) -> str:
    """Fold a word to its letters and digits, without case.

    >>> fold_letters("Don’t"), fold_letters("T]he")
    ('dont', 'the')
    """
    word = fold_case(word)
    return word if word.isalnum() else _NO_LETTER.sub("", word)


@dataclass(frozen=True)
class Folded:
    """A text as words of folded letters."""

    text: str  #: as it was, in whose code points places count
    words: tuple[str, ...]  #: folded words in order, none of them empty
    letters: str  #: the words joined without spaces

    @cached_property
    def starts(self) -> list[int]:
        """Offsets in ``letters`` at which a word begins, then the length of ``letters``."""
        return [0, *accumulate(map(len, self.words))]

    @cached_property
    def spans(self) -> list[Span]:
        """Span in the text of each letter.

        If a word cannot be folded letter by letter (a base and its accent as two characters), each letter has its span.

        >>> fold("Ça va").spans
        [(0, 1), (1, 2), (3, 4), (4, 5)]
        """
        spans: list[Span] = []
        for token in _TOKEN.finditer(self.text):
            word, start = token.group(), token.start()
            if word.isascii() and word.isalnum():  # Each letter is folded to one; true of nearly all words.
                spans += zip(range(start, token.end()), range(start + 1, token.end() + 1), strict=True)
                continue
            whole, pieces = _fold_token(word), [_fold_token(character) for character in word]
            if "".join(pieces) == whole:
                spans += [(place, place + 1) for place, piece in enumerate(pieces, start) for _ in piece]
            else:
                spans += [token.span()] * len(whole)
        return spans

    def place(self, first: int, last: int) -> Span:
        """Start and end in the text of the letters from ``first`` to before ``last``."""
        return self.spans[first][0], self.spans[last - 1][1]

    @property
    def words_with_places(self) -> Iterator[tuple[str, Span]]:
        """Each word with the span of its letters.

        >>> list(fold("[W]e won’t").words_with_places)
        [('we', (1, 4)), ('wont', (5, 10))]
        """
        return ((word, self.place(*ends)) for word, ends in zip(self.words, pairwise(self.starts), strict=True))


def fold(text: str) -> Folded:
    """Fold a text for comparison.

    >>> fold("“[W]e won’t pay £1,000,” he said").words
    ('we', 'wont', 'pay', '1000', 'he', 'said')
    """
    tokens = _TOKEN.findall(text)
    words = tuple(token.lower() if token.isascii() and token.isalnum() else _fold_token(token) for token in tokens)
    words = words if all(words) else tuple(filter(None, words))
    return Folded(text, words, "".join(words))


def _fold_token(token: str) -> str:
    token = fold_case(token)
    return token if token.isalnum() else _DROPPED.sub("", _THOUSANDS.sub("", token))

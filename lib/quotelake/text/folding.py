"""Fold texts for comparison: words without case, marks and punctuation, and the original offsets of each letter.

Words are folded to NFKC and case-folded; thousands separators go, decimal ones stay ("1.5" is not "15"). An apostrophe
joins an English ending ("can't" is one word, so it does not contain the word "can") and separates elsewhere
("l'homme"). Square brackets go and their content stays: "[W]e will [not] cut" is "we will not cut". Texts are compared
by their letters without spaces, and word boundaries are kept apart: "do n't" and "don't", "e-mail" and "email" are the
same. These choices are those that helped on the data of Song et al. (2023) [measured].
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

Span = tuple[int, int]

#: Scripts written without spaces: a word may begin and end anywhere.
UNSPACED = frozenset({"cjk", "thai", "lao", "khmer", "myanmar"})
#: Scripts of syllables or ideographs: two of them say about as much as four letters of an alphabet.
SYLLABIC = frozenset({"cjk", "hangul"})
_CJK_NAMES = frozenset({"cjk", "hiragana", "katakana", "ideographic"})
#: Share of letters from which a script other than Latin is dominant [ours]: texts in any script have Latin acronyms.
_NON_LATIN_SHARE = 0.25
#: The combining marks of the Basic Multilingual Plane: ``\w`` leaves them out, and Indic words are full of them.
_MARKS = "".join(chr(point) for point in range(0x300, 0xFFFF) if unicodedata.category(chr(point)).startswith("M"))
_JOIN = r"[\[\]\u00ad\u200b-\u200d\u2060\ufeff]+"  # brackets, soft hyphen, zero-width characters
_ENDING = r"['’ʼ](?=(?:[stdmSTDM]|[rR][eE]|[vV][eE]|[lL][lL])(?!\w))"  # can't, it's, we're
_IN_NUMBER = r"(?<=\d)[.,'’](?=\d)"
_TOKEN = re.compile(rf"\w+(?:(?:{_JOIN}|{_ENDING}|{_IN_NUMBER}|[{_MARKS}]+)\w+)*[{_MARKS}]*")
_THOUSANDS = re.compile(r"(?<=\d)[,'’](?=\d{3}(?!\d))")
_DROPPED = re.compile(rf"(?![\w⁄]|[{_MARKS}]|(?<=\d)[.,](?=\d)).|_", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as words of folded letters.

    Attributes:
        words: folded words in order, none of them empty.
        letters: the words joined without spaces.
    """

    words: tuple[str, ...]
    letters: str

    def starts(self) -> list[int]:
        """Offsets in ``letters`` at which a word begins, then the length of ``letters``."""
        return [0, *accumulate(map(len, self.words))]


def fold(text: str) -> Folded:
    """Fold a text for comparison.

    >>> fold("“[W]e won’t pay £1,000,” he said").words
    ('we', 'wont', 'pay', '1000', 'he', 'said')
    """
    words = tuple(word for token in _TOKEN.findall(text) if (word := _fold_token(token)))
    return Folded(words, "".join(words))


def _fold_token(token: str) -> str:
    if not token.isascii():
        token = unicodedata.normalize("NFKC", token)
    token = token.casefold()
    return token if token.isalnum() else _DROPPED.sub("", _THOUSANDS.sub("", token))


def letter_spans(text: str) -> list[Span]:
    """Original place of each letter of ``fold(text).letters``: (start, end) in code points of ``text``.

    Where a word cannot be folded letter by letter (a base and its accent as two characters), each of its letters has
    the span of the word.

    >>> letter_spans("Ça va")
    [(0, 1), (1, 2), (3, 4), (4, 5)]
    """
    spans: list[Span] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word.isascii() and word.isalnum():  # Each letter is folded to one; true of nearly all words.
            spans += zip(range(token.start(), token.end()), range(token.start() + 1, token.end() + 1), strict=True)
            continue
        whole = _fold_token(word)
        pieces = [_fold_token(character) for character in word]
        if "".join(pieces) == whole:
            for place, piece in enumerate(pieces, token.start()):
                spans += [(place, place + 1)] * len(piece)
        else:
            spans += [token.span()] * len(whole)
    return spans


def dominant_script(letters: str) -> str | None:
    """Name the script most letters belong to, such as ``latin``, ``hangul``, ``cjk`` (Han and kana), ``cyrillic``.

    Another script than Latin is dominant from a quarter of the letters on. None if there is no letter.

    >>> dominant_script("fta찬성"), dominant_script("2024")
    ('hangul', None)
    """
    if letters.isascii():
        return "latin" if any(map(str.isalpha, letters)) else None
    counts = Counter(script for script in map(_script, letters) if script is not None)
    if not counts:
        return None
    others = Counter({script: count for script, count in counts.items() if script != "latin"})
    if others and others.most_common(1)[0][1] >= _NON_LATIN_SHARE * counts.total():
        return others.most_common(1)[0][0]
    return counts.most_common(1)[0][0]


@cache
def _script(character: str) -> str | None:
    if not character.isalpha():
        return None
    name = unicodedata.name(character, "unnamed").split(" ")[0].split("-")[0].lower()
    return "cjk" if name in _CJK_NAMES else name


def find_parts(parts: Sequence[Folded], text: Folded, script: str | None) -> list[Span] | None:
    """Find the parts one after the other in a text, at word boundaries.

    In Korean only the beginning of a part must be at a boundary, because a particle may follow the word. Scripts
    without spaces have no boundaries.

    Args:
        parts: what must occur in the text, in this order and without overlap.
        text: where to look.
        script: script of the parts, as :func:`dominant_script` names it.

    Returns:
        (start, end) of each part in ``text.letters``, or None if one is missing.

    >>> find_parts([fold("we can")], fold("Yes, we can’t"), "latin") is None
    True
    >>> find_parts([fold("if"), fold("go")], fold("If I must, I go."), "latin")
    [(0, 2), (8, 10)]
    """
    if not parts or not all(part.letters and part.letters in text.letters for part in parts):
        return None
    starts = text.starts()
    ends = frozenset(starts)
    found: list[Span] = []
    after = 0
    for part in parts:
        place = next(_occurrences(part.letters, text.letters, after, starts, ends, script), None)
        if place is None:
            return None
        found.append(place)
        after = place[1]
    return found


def _occurrences(
    part: str, letters: str, after: int, starts: list[int], ends: frozenset[int], script: str | None
) -> Iterator[Span]:
    place = letters.find(part, after)
    while place >= 0:
        end = place + len(part)
        if script in UNSPACED or (place in ends and (script == "hangul" or end in ends)):
            yield place, end
        later = bisect_right(starts, place)
        following = place + 1 if script in UNSPACED else starts[later] if later < len(starts) else len(letters)
        place = letters.find(part, following)

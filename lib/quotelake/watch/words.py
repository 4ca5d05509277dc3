"""The words by which a watched text is compared with any text: their folded form, their weight, their forms. Pure."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from math import log2
from typing import Final

from rapidfuzz.distance import Postfix, Prefix

from quotelake.reuse.words import ranks
from quotelake.text.fold import fold_letters, plain_signs
from quotelake.text.numbers import ONES, TENS

#: Letters and digits; a closing bracket (*[T]he*) or an invisible character inside does not end a word, nor does an
#: apostrophe before at most three letters (*won't*): before more it may be a quotation mark without its space.
#: Han characters and kana are words by themselves: nothing separates words there.
_LETTER: Final = r"[^\W_\u3040-\u30ff\u3400-\u9fff]"
TOKEN: Final = re.compile(
    rf"({_LETTER}++(?:(?:[\]\u00ad\u200b-\u200d\u2060]|['’ʼ](?={_LETTER}{{1,3}}+(?!{_LETTER}))){_LETTER}++)*+"
    r"|[\u3040-\u30ff\u3400-\u9fff])"
)
#: The same for a text in ASCII, several times as fast.
_ASCII_TOKEN: Final = re.compile(r"([A-Za-z0-9]++(?:(?:\]|'(?=[A-Za-z0-9]{1,3}+(?![A-Za-z0-9])))[A-Za-z0-9]++)*+)")
_COMMON_WORDS: Final = """
    a about after again all also am an and any are as at be because been before being between but by can could did do
    does doing dont down each even every few for from get go got had has have having he her here hers him his how i
    if im in into is it its ive just like many may me might more most much must my no nor not now of off on
    one only or other our ours out over own said same say says see shall she should so some such than that thats
    the their theirs them then there these they this those through to too two under until up us very was
    way we well were what when where which while who whom whose why will with would yes you your yours
    aber als am an auch auf aus bei das dass dem den der des die dies ein eine einem einen einer er es für hat ich im
    ist kann mit nach nicht noch nur oder sein sich sie sind so und uns von war was wenn wer wie wir wird zu zum zur
    au aux avec ce ces cette dans de du elle en est et être il ils je la le les leur lui mais ne nous on ou où par pas
    plus pour qu que qui sa se ses si son sont sur un une vous
    al como con del el ella en era es esta este fue ha hay la las lo los más me mi muy no nos o para pero por que se
    ser si sin sobre son su sus te tu un una y ya yo
"""
#: Function words of English, German, French and Spanish, folded [ours]: they say little about which text it is.
COMMON: Final = frozenset(_COMMON_WORDS.split())
#: What a function word weighs; any other word weighs 1 [measured, see docs/FIGURES.md].
COMMON_WEIGHT: Final = 0.7
_NEGATING_WORDS: Final = """
    not no never none nobody nothing nowhere neither nor without cannot hardly scarcely aint isnt arent wasnt werent
    dont doesnt didnt wont wouldnt cant couldnt shouldnt mustnt havent hasnt hadnt neednt
    nicht nichts nie niemals niemand kein keine keinen keinem keiner ohne jamais aucun aucune rien sans
    nunca nada nadie sin
"""
#: Words that reverse a text where they are added or lost; words that end in *nt* for *n't* are such words too.
NEGATIONS: Final = frozenset(_NEGATING_WORDS.split())
_NUMBERS: Final = frozenset((*ONES, *TENS, "hundred", "thousand", "million", "billion", "trillion")) - {"one"}
#: From this similarity on two words count as forms of one [ours].
NEAR: Final = 0.7
_NEAR_LETTERS: Final = 4
#: Pairs of words whose similarity is remembered.
_MEMORY: Final = 200_000


def tokens(text: str) -> list[str]:
    """Folded words of a text in order.

    >>> tokens("“[W]e won’t!”")
    ['we', 'wont']
    """
    return [fold_letters(token) for token in TOKEN.findall(text)]


def split(text: str) -> list[str]:
    """Divide a text into what stands between its words and the words, in turns; the commonest signs in ASCII.

    >>> split("“[W]e won’t!”")
    [' [', 'W]e', ' ', "won't", '! ']
    """
    plain = plain_signs(text)
    return _ASCII_TOKEN.split(plain) if plain.isascii() else TOKEN.split(text)


def is_content(word: str) -> bool:
    """Whether a folded word is a word of content: no function word."""
    return word not in COMMON


def weight(word: str) -> float:
    """How much a folded word says about which text it is part of: 1, or less for a function word."""
    return COMMON_WEIGHT if word in COMMON else 1.0


def information(words: Iterable[str]) -> float:
    """How much folded words tell, in bits, see :func:`quotelake.reuse.words.information`.

    >>> [round(information(text.split())) for text in ("dont you go", "the harbour lantern")]
    [17, 25]
    """
    places, unlisted = _places(), len(ranks())
    return sum(log2(places.get(word, unlisted) + 2) for word in words)


@cache
def _places() -> Mapping[str, int]:
    """Place of each frequent word by its folded form; of words that are folded alike that of the most frequent."""
    return {fold_letters(word): place for word, place in sorted(ranks().items(), key=lambda item: -item[1])}


def is_number(word: str) -> bool:
    """Whether a folded word is a number from two on, or holds a digit; *one* is more often a pronoun.

    >>> [word for word in ("seven", "7th", "one", "often") if is_number(word)]
    ['seven', '7th']
    """
    return word in _NUMBERS or any(map(str.isdigit, word))


@lru_cache(maxsize=_MEMORY)
def similarity(one: str, other: str) -> float:
    """Similarity of two folded words, 0 to 1: 1 if equal, and above 0 only for forms of one word.

    It is the share of the longer word in the letters that both begin with and both end in. Words of fewer than four
    letters, numbers, negations, and words that begin differently (*possible*, *impossible*) are no forms of one word.

    >>> similarity("labour", "labor") > NEAR, similarity("possible", "impossible"), similarity("not", "nota")
    (True, 0.0, 0.0)
    """
    if one == other:
        return 1.0
    shorter, longer = sorted((len(one), len(other)))
    if shorter < _NEAR_LETTERS or one[0] != other[0] or shorter < NEAR * longer:
        return 0.0
    if one in NEGATIONS or other in NEGATIONS or is_number(one) or is_number(other):
        return 0.0
    same = Prefix.similarity(one, other)
    tail = min(Postfix.similarity(one, other), shorter - same)
    found = (same + tail) / longer
    return found if found >= NEAR else 0.0

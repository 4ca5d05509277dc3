"""How a headline has an excerpt: as a statement or fragment, credited or not, as an attribute of a noun. Pure."""

import re
from dataclasses import dataclass
from typing import Final

from quotelake.contextomy.wordclasses import FINITE, FUNCTION
from quotelake.text.lexicon import word_set


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An excerpt as the headline has it.

    Attributes:
        text: of the headline quote.
        before: the headline up to its opening mark.
        after: the headline from its closing mark on.
        is_statement: it has a finite verb; else it is a noun phrase or another fragment.
        is_credited: the headline names who says it, or uses a word of saying.
        is_attributive: it stands before a noun as its attribute (*the 'keep your plan' pledge*).
    """

    text: str
    before: str
    after: str
    is_statement: bool
    is_credited: bool
    is_attributive: bool = False

    @property
    def around(self) -> str:
        """The headline without it."""
        return f"{self.before} {self.after}"


def is_statement(text: str) -> bool:
    """Whether a text has a finite verb that can be told by its form: an auxiliary, or a pronoun before a word.

    >>> is_statement("will not look away"), is_statement("a failed attempt at humor"), is_statement("They know")
    (True, False, True)
    """
    return FINITE.search(text) is not None


def is_attributive(before: str, after: str) -> bool:
    """Whether a quote between two parts of a headline stands before a noun as its attribute.

    Args:
        before: the headline up to its opening mark.
        after: the headline from its closing mark on.

    >>> is_attributive("Obama's", " strategy could fail"), is_attributive("He calls it", ", aides say")
    (True, False)
    """
    noun = re.match(r"[\"'”’»]?\s++([\w’'-]++)", after)
    if noun is None or noun[1].lower() in FUNCTION:
        return False
    if noun[1].lower() in _ATTRIBUTE_NOUNS:
        return True
    determiner = re.search(r"(?<![\w’'-])([\w’'-]++)\s{0,8}[\"'“‘«]?\Z", before)
    return determiner is not None and (
        determiner[1].lower() in _DETERMINERS or re.search(r"['’]s$|s['’]$", determiner[1]) is not None
    )


_DETERMINERS: Final = word_set("the a an this that these those my his her our their your its no any some")
#: Nouns that a quote before them names: what was said is known by it, and not said again here.
_ATTRIBUTE_NOUNS: Final = word_set(
    """ad ads affair agenda allegation allegations approach argument attack ban bill boast campaign candidate cause
    chant charge claim claims clause comment comments concept conspiracy controversy crew crisis crowd culture
    deal debate defense doctrine effect era excuse experiment fallout flap furor gaffe gap idea incident jab
    joke label law letter line list mantra meme memo mob model moment monologue movement myth narrative order
    party phase plan pledge policy post posts prediction problem program prophecy proposal protest protests
    rally reference remark remarks report rhetoric rule rumor rumors scandal scheme slogan slur solution speech
    state states stereotype strategy syndrome talk tax test theory tour trap tweet tweets video vote vow wing
    zone zones"""
)

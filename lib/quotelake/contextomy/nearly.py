"""A headline quote beside the passage of the body that is nearest to it, quoted or not. Pure.

Bodies lose their marks in scraping, and report block quotes, tweets and transcripts without any; so every passage of
the body is a candidate, not its quotes alone. Words are those of :mod:`quotelake.contextomy.plain`: number words,
spelling, contractions, tense and person are no difference.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from quotelake.contextomy.plain import Nearest, Plain, key_of, nearest
from quotelake.text.cues import NOT
from quotelake.text.fold import Span
from quotelake.text.forms import Side, load_opposites
from quotelake.text.lexicon import word_set
from quotelake.text.numbers import Amount, amount_of, differ

#: Share of a quote's words, and of its words of content, from which a passage carries it: four of five [ours; all such
#: passages of 3,073 real headline quotes were read].
CARRIES: Final = 0.8
#: Share of its words of content from which the utterance behind a quote is recognised; for few words, more [ours].
RECOGNISED, RECOGNISED_OF_FEW, FEW = 0.5, 0.67, 4
#: Words of content that a passage must share before what differs is called a change [ours].
_LEAST_SHARED = 3
#: Words that carry no content, as they are compared.
_SMALL: Final = frozenset(
    map(
        key_of,
        word_set(
            """i we it be have do will can may you your who what which and or but if of in on at by for with from as so
            not just very really there here about up out than then when all some any no more let go get now would should
            must like someone everyone anyone into over how why where because too also ever never ã â"""
        ),
    )
) | {NOT}
#: The number of a word: 20 in *20m* and *20mph*, as far as a decade has it (*1980s*, *80s*).
_NUMBER: Final = re.compile(r"(?:(?:19|20)(?=\d0s\Z))?(\d+(?:\.\d+)?)")
#: With one of these, a number is of several words.
_MULTIPLIERS: Final = frozenset(map(key_of, word_set("hundred thousand million billion trillion dozen half quarter")))
_MODALITY: Final = {"may": 0, "can": 0, "will": 1, "must": 1, "should": 0}


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest passage of a body.

    Attributes:
        span: where it stands, in code points of the body; None if nothing is shared.
        share: share of the quote's words of content in it, in the same order; of all its words where it has no other.
        is_carried: it says the same in nearly the same words.
        is_recognised: the utterance behind the quote is recognisable.
        difference: what it says otherwise, in a phrase; None where no difference can be named.
    """

    span: Span | None
    share: float
    is_carried: bool = False
    is_recognised: bool = False
    difference: str | None = None


#: What a quote is that shares nothing with its body.
NOTHING: Final = Near(None, 0.0)


def near(quote: Plain, body: Plain) -> Near:
    """Find the passage nearest to a headline quote, and say what it is to it.

    >>> from quotelake.contextomy.plain import plain
    >>> body = plain("He said: I am leaving two posts, not the country. It rained in the town all of Friday.")
    >>> near(plain("He's leaving 2 posts"), body).is_carried
    True
    """
    found = nearest(quote, body)
    if found is None:
        return NOTHING
    content = [key for key in quote.keys if key not in _SMALL]
    lost = [key for key in found.missing if key not in _SMALL]
    share = 1 - len(lost) / len(content) if content else found.share
    same_numbers = not any(_NUMBER.search(key) for key in found.missing)
    carried = min(share, found.share) >= CARRIES and same_numbers and not found.negations
    least = RECOGNISED if len(content) >= FEW else RECOGNISED_OF_FEW
    return Near(
        span=found.span,
        share=share,
        is_carried=carried and not _changed(found, lost),
        is_recognised=share >= least and bool(content),
        difference=_difference(found, content, lost),
    )


def _difference(found: Nearest, content: list[str], lost: list[str]) -> str | None:
    if len(content) - len(lost) < _LEAST_SHARED:
        return None
    changed = _changed(found, lost)
    if changed is not None:
        return changed
    if found.negations and not lost:
        return "a negation is gone" if found.negations > 0 else "a negation is added"
    return None


def _changed(found: Nearest, lost: list[str]) -> str | None:
    """An opposite, another number or a possibility stated as a fact, among the words in which the two differ."""
    opposites = _opposites()
    for own in lost:
        for other in () if found.negations else found.extra:  # who did not win has lost
            one, two = opposites.get(own), opposites.get(other)
            if one and two and one.pair == two.pair and one.is_second != two.is_second:
                return f"an opposite: “{other}” in the body, “{own}” in the headline"
    body_numbers, headline_numbers = (
        [key for key in side if _NUMBER.search(key)] for side in (found.extra, found.missing)
    )
    numbers_alone = (
        body_numbers and headline_numbers and all(map(_NUMBER.search, lost)) and _MULTIPLIERS.isdisjoint(found.extra)
    )
    if numbers_alone and all(
        differ(_amount(own), _amount(other)) for own in headline_numbers for other in body_numbers
    ):
        return f"another number: “{body_numbers[0]}” in the body, “{headline_numbers[0]}” in the headline"
    modal = {side: [key for key in keys if key in _MODALITY] for side, keys in
             (("body", found.extra), ("headline", found.missing))}  # fmt: skip
    if not lost and modal["body"] and modal["headline"]:
        other, own = modal["body"][0], modal["headline"][0]
        if _MODALITY[other] < _MODALITY[own]:
            return f"a possibility is certain: “{other}” in the body, “{own}” in the headline"
    return None


def _amount(key: str) -> Amount:
    found = _NUMBER.search(key)
    return amount_of([found[1]] if found else [])


@cache
def _opposites() -> dict[str, Side]:
    """The opposites by what words are compared by; without words that this would put on both sides, or in two pairs."""
    sides: dict[str, set[Side]] = {}
    for word, side in load_opposites("en").items():
        sides.setdefault(key_of(word), set()).add(side)
    return {key: side for key, (side, *others) in sides.items() if not others}

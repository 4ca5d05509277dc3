"""Articles that quote the same words, some without the part that changes what they mean.

The part is a negation, a condition, a hedge or a contrast. A quote of :mod:`~quotelab.synthetic.wording` gets a part
before or behind it. Some outlets print the whole; another one leaves the part out, which is trimming, or one of the
things that are not (:data:`OTHERWISE`).
"""

import random
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from quotelab.synthetic.mutations import drop
from quotelab.synthetic.stories import outlets
from quotelab.synthetic.wording import Phrasebook, vocabulary

#: Parts by their class: those before a quote end in a space, those behind it begin with a mark or a space.
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "negation": ("I do not believe that ", "Nobody has decided that ", "It is not true that "),
    "condition": (
        ", if the {roles} agree",
        " unless somebody pays for the {goods}",
        ", provided that {place} helps us",
    ),
    "hedge": ("I think ", "Perhaps ", "It seems to me that "),
    "contrast": (", but it will cost {place} dearly", ", although the {roles} have their doubts about it"),
}
#: Parts that change nothing.
HARMLESS: Final = (
    ", as I told the {roles} of {place}",
    " and then we all go home to {place}",
    "As I said in {place}, ",
)
#: What an outlet does that is no trimming: its article tells the part beside the quote; one other outlet has the part;
#: the part is harmless; another word is dropped.
OTHERWISE: Final = ("told_beside", "one_carrier", "harmless", "dropped")
_CARRIERS: Final = (2, 4)
_SAID: Final = (",” said {name}, who speaks for the {roles}.", ",” {name} told the {roles}.")


class Article(NamedTuple):
    """An article with one quote of a group, from ``start`` to before ``end`` in code points of its text.

    ``kind`` is ``whole``, the class of what is cut, or one of :data:`OTHERWISE`. ``trimmed`` says whether the quote is
    cut so that two other outlets carry what it lacks.
    """

    group: str
    outlet: str
    text: str
    start: int
    end: int
    kind: str
    trimmed: bool


def articles(groups: int, seed: int) -> Iterator[Article]:
    """Articles of so many groups, each with three to five; half of the groups have a trimmed use."""
    rng, phrases, papers = random.Random(seed), Phrasebook(seed), outlets()
    topics, classes = vocabulary().topics, list(PARTS)
    for number in range(groups):
        topic = topics[number % len(topics)]
        words = vocabulary().draw(topic, rng)
        turn = number // 2
        kind = OTHERWISE[turn % len(OTHERWISE)] if number % 2 else classes[turn % len(classes)]
        part = rng.choice(HARMLESS if kind == "harmless" else PARTS[classes[turn % len(classes)]]).format(**words)
        text = phrases.wording(topic, number // len(topics)).text
        whole = _with(part, text)
        cut = _with(part, drop(text, rng)) if kind == "dropped" else text
        chosen = rng.sample(papers, (1 if kind == "one_carrier" else rng.randint(*_CARRIERS)) + 1)
        told_beside = f" It was said on condition {part.strip(' ,')}." if kind == "told_beside" else ""
        for at, outlet in enumerate(chosen, 1):
            last = at == len(chosen)
            quote, beside, what = (cut, told_beside, kind) if last else (whole, "", "whole")
            before = f"The {words['thing']} of {words['place']} is what {words['roles']} speak about.\n\n“"
            behind = f"{beside}\n\nThe {words['goods']} are counted in {words['place']}."
            body = before + quote + rng.choice(_SAID).format(**words) + behind
            places = (len(before), len(before) + len(quote))
            yield Article(f"{topic}-{number}", outlet.name, body, *places, what, what in PARTS)


def _with(part: str, text: str) -> str:
    """A quote with a part before or behind it."""
    if not part.endswith(" "):
        return text + part
    return part + (text if text.startswith("I ") else text[0].lower() + text[1:])

"""Words of opposite meaning (the tables ``opposites`` of :mod:`quotelake.text.lexicon`).

A closed list, because a word that is missing only leaves a pair to the detector, while a wrong pair accuses.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from quotelake.text.inflections import base_form
from quotelake.text.lexicon import load_lexicon


class Side(NamedTuple):
    """Where a word stands: the name of its pair, and whether it is on its second side."""

    pair: str
    is_second: bool


@cache
def load_opposites(code: str) -> Mapping[str, Side]:
    """Load the pairs of a language by its code, once.

    Raises:
        KeyError: the language has no such table.
        ValueError: a word stands in two entries.

    >>> load_opposites("en")["dangerous"], load_opposites("en")["unfit"]
    (Side(pair='safe', is_second=True), Side(pair='fit', is_second=True))
    """
    sides: dict[str, Side] = {}
    for word, side in _entries(load_lexicon(code)["opposites"]):
        if word in sides:
            raise ValueError(f"opposites of {code}: {word!r} stands in {sides[word].pair} and in {side.pair}; keep one")
        sides[word] = side
    return sides


def _entries(data: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Side]]:
    for pair, sides in data["pairs"].items():
        for place, words in enumerate(sides):
            yield from ((word, Side(pair, place == 1)) for word in words.split())
    for prefix, words in data["prefixes"].items():
        for word in words.split():
            pair = base_form(word)  # *like* and *disliked* are of one pair
            yield word, Side(pair, is_second=False)
            yield prefix + word, Side(pair, is_second=True)

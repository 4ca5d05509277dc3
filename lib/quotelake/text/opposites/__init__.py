"""Words of opposite meaning: one TOML file per language, named by its ISO 639-1 code. Data and its reader.

A closed list, because a word that is missing only leaves a pair to the detector, while a wrong pair accuses.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from quotelake.text.inflections import base_form


class Side(NamedTuple):
    """Where a word stands: the name of its pair, and whether it is on its second side."""

    pair: str
    is_second: bool


@cache
def load_opposites(code: str) -> Mapping[str, Side]:
    """Load the pairs of a language by its code, once.

    Raises:
        FileNotFoundError: no such file: the package is installed incompletely.
        ValueError: a word stands in two entries.

    >>> load_opposites("en")["dangerous"], load_opposites("en")["unfit"]
    (Side(pair='safe', is_second=True), Side(pair='fit', is_second=True))
    """
    data = tomllib.loads(resources.files(__name__).joinpath(f"{code}.toml").read_text("utf-8"))
    found: dict[str, Side] = {}
    for word, side in _entries(data):
        if word in found:
            raise ValueError(
                f"opposites/{code}.toml: {word!r} stands in {found[word].pair} and in {side.pair}; keep one"
            )
        found[word] = side
    return found


def _entries(data: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Side]]:
    for pair, sides in data["pairs"].items():
        for place, words in enumerate(sides):
            yield from ((word, Side(pair, place == 1)) for word in words.split())
    for prefix, words in data["prefixes"].items():
        for word in words.split():
            pair = base_form(word)  # *like* and *disliked* are of one pair
            yield word, Side(pair, is_second=False)
            yield prefix + word, Side(pair, is_second=True)

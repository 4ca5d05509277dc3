"""Many pairs of variants → the edges among them: what :func:`quotelake.reuse.verify.verify` says of each. Pure.

Nearly all candidates fail, so all are first held against what every measure demands, in one call for many pairs: words
in common, in order, or texts alike in spelling. Only the others are verified one by one. No edge is lost.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein

from quotelake.reuse.candidates import candidates
from quotelake.reuse.verify import Edge, verify
from quotelake.reuse.words import MIN_CONTAINED, Words

#: Pairs looked at together: bounds memory.
_AT_ONCE: Final = 100_000
#: A word stands as one character from here on: the private use area and all planes above, without surrogates.
_FIRST, _CHARACTERS = 0xE000, 0x110000 - 0xE000
#: Normalised edit distance of two spellings, see :mod:`quotelake.reuse.verify`, and a little more for rounding.
_SPELLING: Final = 0.2 + 1e-6


class _Written(dict[str, str]):
    """Variants as strings, each made when it is first asked for."""

    def __init__(self, words: Mapping[str, Words], write: Callable[[tuple[str, ...]], str]) -> None:
        super().__init__()
        self._words, self._write = words, write

    def __missing__(self, variant: str) -> str:
        return self.setdefault(variant, self._write(self._words[variant].words))


def edges_among(pairs: Iterable[tuple[str, str]], words: Mapping[str, Words]) -> Iterator[tuple[str, str, Edge]]:
    """Verify pairs: those that are the same quote, in their order.

    Args:
        pairs: ids of variants.
        words: of each of them.
    """
    characters: dict[str, str] = {}

    def spell(each: tuple[str, ...]) -> str:
        # Beyond so many different words two share a character, so that texts seem to share more than they do.
        return "".join([characters.setdefault(word, chr(_FIRST + len(characters) % _CHARACTERS)) for word in each])

    letters, texts = _Written(words, spell), _Written(words, " ".join)
    left = iter(pairs)
    while some := list(islice(left, _AT_ONCE)):
        for place in np.flatnonzero(_likely(some, letters, texts)).tolist():
            a, b = some[place]
            edge = verify(words[a], words[b])
            if edge is not None:
                yield a, b, edge


def edges_within(postings: pa.RecordBatch, variants: Mapping[str, Words]) -> Iterator[tuple[str, str, Edge]]:
    """Find the edges among variants.

    Args:
        postings: all those of the variants.
        variants: words of each variant id.

    Returns:
        Both ids, the lesser first, and their edge.
    """
    new = pa.array([True] * postings.num_rows, pa.bool_())
    pairs = candidates(pa.Table.from_batches([postings]).append_column("new", new))
    return edges_among(_listed(pairs), variants)


def _listed(pairs: pa.RecordBatch) -> Iterator[tuple[str, str]]:
    for first in range(0, pairs.num_rows, _AT_ONCE):
        yield from zip(*(side.to_pylist() for side in pairs.slice(first, _AT_ONCE).columns), strict=True)


def _likely(pairs: Sequence[tuple[str, str]], letters: _Written, texts: _Written) -> npt.NDArray[np.bool_]:
    """Whether pairs have the words in common that wording or containment demands, or nearly one spelling."""
    one, other = ([letters[pair[side]] for pair in pairs] for side in (0, 1))
    common = process.cpdist(one, other, scorer=LCSseq.similarity, dtype=np.int64)
    n, m = (np.array([*map(len, each)], np.int64) for each in (one, other))
    short, long = np.minimum(n, m), np.maximum(n, m)
    contained = (short >= MIN_CONTAINED) & (short < long) & (10 * common >= 9 * short)
    found = np.asarray(contained | (8 * common >= 3 * (short + long)))
    rest = np.flatnonzero(~found)
    spellings = ([texts[pairs[place][side]] for place in rest.tolist()] for side in (0, 1))
    apart = process.cpdist(*spellings, scorer=Levenshtein.normalized_distance, score_cutoff=_SPELLING, dtype=np.float64)
    found[rest] = apart <= _SPELLING
    return found

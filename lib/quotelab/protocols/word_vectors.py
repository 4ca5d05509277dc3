"""Vectors of words from a file: GloVe's text format, or the text or binary format of word2vec."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from quotelab.labels.sentence_pairs import SentencePair
from quotelab.training.overlap import spelled
from quotelake.files.jsonl import opened, refuse

Vector = npt.NDArray[np.float32]
Vectors = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]


VectorsOf = Callable[[Collection[str]], Mapping[str, Vector]]


def by_encoder(encode: Callable[[Sequence[str]], Vectors]) -> VectorsOf:
    """Vectors of words as an encoder embeds each of them alone."""

    def vectors_of(words: Collection[str]) -> dict[str, Vector]:
        texts = sorted(words)
        return dict(zip(texts, encode(texts), strict=True))

    return vectors_of


def from_file(path: Path) -> VectorsOf:
    """Vectors of words that a file holds (:func:`read_word_vectors`)."""
    return lambda words: read_word_vectors(path, words)


def cosines_of(pairs: Sequence[SentencePair], vectors_of: VectorsOf) -> Numbers:
    """Cosine of the mean word vectors of each pair of sentences; NaN where one has no word with a vector."""
    first, second = ([spelled(getattr(pair, side)) for pair in pairs] for side in ("first", "second"))
    vectors = vectors_of({word for words in (*first, *second) for word in words})
    return cosines(mean_vectors(first, vectors), mean_vectors(second, vectors))


def read_word_vectors(path: Path, words: Collection[str]) -> dict[str, Vector]:
    """Read the vectors of the words asked for; all others are passed over.

    Args:
        path: a line per word, with its numbers behind it, and optionally a first line with two counts; or, named
            .bin, the binary format of word2vec. Either may be gzipped (.gz).
        words: those wanted, as spelled and in lower case.

    Raises:
        InputError: the file cannot be read, a vector has another length than the first, or no word is found.
    """
    wanted = {*words, *(word.lower() for word in words)}
    binary = ".bin" in path.suffixes[-2:]
    found: dict[str, Vector] = {}
    with opened(path) as file:
        for place, word, vector in (_binary if binary else _lines)(path, file, wanted):
            if found and len(vector) != len(next(iter(found.values()))):
                refuse(place, f"{len(vector)} numbers", f"give {len(next(iter(found.values())))}, as before")
            found.setdefault(word, vector)
    return found or refuse(str(path), "none of the words of the sentences", "give vectors of their language")


def mean_vectors(texts: Iterable[Sequence[str]], vectors: Mapping[str, Vector]) -> list[Vector | None]:
    """Mean vector of the words of each text that have one, as spelled or in lower case; None where no word has one.

    >>> mean_vectors([["A", "b", "c"], []], {"a": np.ones(2, np.float32), "b": np.zeros(2, np.float32)})
    [array([0.5, 0.5], dtype=float32), None]
    """
    means: list[Vector | None] = []
    for words in texts:
        found = [vectors.get(word, vectors.get(word.lower())) for word in words]
        known = [vector for vector in found if vector is not None]
        means.append(np.mean(known, axis=0, dtype=np.float32) if known else None)
    return means


def cosines(first: Sequence[Vector | None], second: Sequence[Vector | None]) -> Numbers:
    """Cosine of each two vectors; NaN where one is None or zero."""
    values = np.full(len(first), np.nan)
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        if one is not None and other is not None:
            length = float(np.linalg.norm(one) * np.linalg.norm(other))
            values[place] = float(one @ other) / length if length else np.nan
    return values


def _lines(path: Path, file: IO[bytes], wanted: Collection[str]) -> Iterator[tuple[str, str, Vector]]:
    for number, line in enumerate(file, 1):
        word, _, numbers = line.decode("utf-8", "replace").rstrip().partition(" ")
        if word in wanted and not (number == 1 and numbers.isdecimal()):
            try:
                yield f"{path}, line {number}", word, np.array(numbers.split(), dtype=np.float32)
            except ValueError:
                refuse(f"{path}, line {number}", numbers[:40], "give a word and its numbers, with spaces between")


def _binary(path: Path, file: IO[bytes], wanted: Collection[str]) -> Iterator[tuple[str, str, Vector]]:
    counts = file.readline().split()
    if len(counts) != 2 or not all(each.isdigit() for each in counts):
        refuse(f"{path}, line 1", "no two counts", "give word2vec's binary format, or name a text file otherwise")
    size = 4 * int(counts[1])
    for number in range(1, int(counts[0]) + 1):
        word = b"".join(iter(lambda: _letter(file), b" ")).decode("utf-8", "replace").strip()
        data = file.read(size)
        if len(data) < size:
            refuse(f"{path}, word {number}", "the end of the file", "get the whole file")
        if word in wanted:
            yield f"{path}, word {number}", word, np.frombuffer(data, dtype="<f4")


def _letter(file: IO[bytes]) -> bytes:
    return file.read(1) or b" "

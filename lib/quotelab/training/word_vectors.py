"""Vectors of words from a file: GloVe's text format, or the text or binary format of word2vec."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from quotelab.labels.sentence_pairs import SentencePair
from quotelab.training.overlap import spelled
from quotelake.files.jsonl import opened, refuse

Vector = npt.NDArray[np.float32]


def mean_vector_cosines(pairs: Sequence[SentencePair], path: Path) -> npt.NDArray[np.float64]:
    """Cosine of the mean word vectors of each pair of sentences; NaN where one has no word with a vector.

    Raises:
        InputError: see :func:`read_word_vectors`.
    """
    sides = [[spelled(getattr(pair, side)) for pair in pairs] for side in ("first", "second")]
    vectors = read_word_vectors(path, {word for side in sides for words in side for word in words})
    first, second = ([_mean(words, vectors) for words in side] for side in sides)
    values = np.full(len(pairs), np.nan)
    for place, (x, y) in enumerate(zip(first, second, strict=True)):
        if x is not None and y is not None and (length := float(np.linalg.norm(x) * np.linalg.norm(y))):
            values[place] = float(x @ y) / length
    return values


def _mean(words: Sequence[str], vectors: Mapping[str, Vector]) -> Vector | None:
    """Mean vector of the words that have one, as spelled or in lower case; None where no word has one."""
    known = [each for word in words if (each := vectors.get(word, vectors.get(word.lower()))) is not None]
    return np.mean(known, axis=0, dtype=np.float32) if known else None


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
    found: dict[str, Vector] = {}
    with opened(path) as file:
        for place, word, vector in (_binary if ".bin" in path.suffixes[-2:] else _lines)(path, file, wanted):
            length = len(next(iter(found.values()), vector))
            if len(vector) != length:
                refuse(place, f"{len(vector)} numbers", f"give {length}, as before")
            found.setdefault(word, vector)
    return found or refuse(str(path), "none of the words of the sentences", "give vectors of their language")


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
        word = b"".join(iter(lambda: file.read(1) or b" ", b" ")).decode("utf-8", "replace").strip()
        data = file.read(size)
        if len(data) < size:
            refuse(f"{path}, word {number}", "the end of the file", "get the whole file")
        if word in wanted:
            yield f"{path}, word {number}", word, np.frombuffer(data, dtype="<f4")

"""Adapter: MinHashLSH of datasketch, in one process.

Without options, as its README has it: the set of a text's words, a MinHash of 128 permutations, an index for the
default threshold, and a query for each text, whose results share its group. A query returns all copies of a text, so n
copies take n² results. ``--buckets`` reads the index's buckets instead, and links all texts of a bucket.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from quotelab.benchmarks.peers.contract import adapter_parser, components, given, read_texts, write_groups


def main() -> None:
    """Group the texts."""
    from datasketch import MinHash, MinHashLSH

    parser = adapter_parser(__doc__)
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--num-perm", type=int)
    parser.add_argument("--bands", type=int, help="bands of num-perm / bands rows, instead of a threshold")
    parser.add_argument("--shingle", type=int, default=1, help="words of a shingle")
    parser.add_argument("--buckets", action="store_true", help="link the texts of each bucket, without queries")
    options = parser.parse_args()
    texts = [text.lower().split() for text in read_texts(options.texts)]
    sets = [[word.encode() for word in shingles(words, options.shingle)] for words in texts]
    sizes = given(options, "num_perm")
    if options.bands:
        sizes_of_bands = {"params": (options.bands, options.num_perm // options.bands)}
        index = MinHashLSH(**sizes, **sizes_of_bands)
    else:
        index = MinHashLSH(**sizes, **given(options, "threshold"))
    hashes = list(MinHash.generator(sets, **sizes))
    for number, minhash in enumerate(hashes):
        index.insert(number, minhash)
    pairs = in_buckets(index) if options.buckets else queried(index, hashes)
    # A text without words has the signature of the empty set: that it is like another one is not said.
    write_groups(
        (group if sets[number] else None for number, group in enumerate(components(len(texts), pairs))), options.groups
    )


def shingles(words: list[str], size: int) -> list[str]:
    """Runs of so many words; of a shorter text, the text.

    >>> shingles(["we", "will", "win"], 2)
    ['we will', 'will win']
    """
    return [" ".join(words[at : at + size]) for at in range(max(1, len(words) - size + 1))] if words else []


def queried(index: Any, hashes: list[Any]) -> Iterator[tuple[int, int]]:
    """Pairs of a text and each result of its query."""
    for number, minhash in enumerate(hashes):
        for other in index.query(minhash):
            yield number, other


def in_buckets(index: Any) -> Iterator[tuple[int, int]]:
    """Pairs of texts that follow each other in a bucket."""
    for table in index.hashtables:
        for key in table.keys():  # noqa: SIM118 - a storage, not a dictionary
            yield from pairwise(table.get(key))


if __name__ == "__main__":
    main()

"""Features of a headline quote in one spelling (syllables, or jamo): containment, tiling, subsequences."""

import math
from collections.abc import Sequence

from quotelake.contextomy.ngrams import best_pair, common_subsequence, found_bits, ngrams
from quotelake.contextomy.tiling import Block, covered, inversions, tile

#: Body quotes that are tiled: those with the highest containment [ours].
TILED = 4
_SIZES = (1, 2, 3, 4, 5)
_RANKED_BY = 3  # containment of n-grams up to this size chooses the quotes to tile
_BLOCKS = (2, 3, 4, 6)
_NEAR = 2  # a stretch of a quote to hold the headline quote against, in lengths of that
_SHORTEST_STRETCH = 12

#: What each feature says.
VIEW = {
    **{f"containment_{n}_best": f"share of {n}-grams in the body quote that has most" for n in _SIZES},
    **{f"containment_{n}_second": f"share of {n}-grams in the next one" for n in _SIZES},
    **{f"containment_{n}_union": f"share of {n}-grams in any" for n in _SIZES},
    **{f"containment_{n}_pair": f"share of {n}-grams in the best two together" for n in _SIZES},
    **{f"tiled_{n}_best": f"share of letters under blocks of {n} or more of the best tiled quote" for n in _BLOCKS},
    **{f"tiled_{n}_max": f"share under blocks of {n} or more, the highest of a tiled quote" for n in _BLOCKS},
    **{f"tiled_{n}_pair": f"share under blocks of {n} or more of the best two" for n in _BLOCKS},
    **{f"tiled_{n}_union": f"share under blocks of {n} or more of all tiled quotes" for n in _BLOCKS},
    **{f"containment_{n}_mean": f"share of {n}-grams in a quote, mean over all quotes" for n in _SIZES},
    "adds_2": "what the second of the best two adds to tiled_2",
    "adds_3": "what the second of the best two adds to tiled_3",
    "missing_log": "logarithm of the letters under no block of the best two",
    "found_log": "logarithm of the letters under blocks of the best two",
    "longest_share": "longest block of the best tiled quote, as a share of the letters",
    "longest_log": "logarithm of that block",
    "blocks": "blocks of the best tiled quote",
    "mean_block": "their mean length",
    "inversions": "share of pairs of blocks that stand in the other order",
    "span_log": "logarithm of the matched span of the quote over the headline quote's length",
    "density": "share of that span that is matched",
    "head": "share of the first third under blocks",
    "middle": "share of the second third under blocks",
    "tail": "share of the last third under blocks",
    "subsequence_best": "longest common subsequence with a quote, as a share of the letters",
    "subsequence_second": "that with the next one",
    "subsequence_near": "that with a stretch of a quote at most twice as long as the headline quote",
    "length_log": "logarithm of the headline quote's letters",
    "best_length_log": "logarithm of the best tiled quote's letters",
    "length_ratio_log": "logarithm of its letters over the headline quote's",
}


def view_features(letters: str, quotes: Sequence[str]) -> tuple[int, dict[str, float]]:
    """Compute the place of the best tiled quote (0 without any), and the features of :data:`VIEW`.

    Args:
        letters: the headline quote; without letters all features are 0.
        quotes: the body quotes; without any all features are 0.
    """
    if not letters or not quotes:
        return 0, dict.fromkeys(VIEW, 0.0)
    found: dict[str, float] = {}
    ranks = [0] * len(quotes)
    for size in _SIZES:
        grams = ngrams(letters, size)
        bits = [found_bits(grams, quote) for quote in quotes]
        counts = [each.bit_count() for each in bits]
        best, second = _highest_two(counts)
        shares: dict[str, float] = {
            "best": best,
            "second": second,
            "union": _any(bits).bit_count(),
            "pair": best_pair(bits),
        }
        shares["mean"] = sum(counts) / len(counts)
        found |= {f"containment_{size}_{name}": count / len(grams) for name, count in shares.items()}
        if size <= _RANKED_BY:
            ranks = [rank + count for rank, count in zip(ranks, counts, strict=True)]
    places = sorted(range(len(quotes)), key=lambda place: -ranks[place])[:TILED]
    tilings = [tile(letters, quotes[place]) for place in places]
    coverage = {size: [covered(blocks, size) for blocks in tilings] for size in _BLOCKS}
    best = max(range(len(places)), key=lambda at: sum(coverage[size][at].bit_count() for size in (2, 3, 4)))
    found |= _coverage(coverage, best, len(letters))
    found |= _blocks(tilings[best], len(letters))
    found |= _thirds(coverage[2][best], len(letters))
    found |= _subsequences(letters, quotes)
    found |= _lengths(len(letters), len(quotes[places[best]]))
    return places[best], found


def _coverage(coverage: dict[int, list[int]], best: int, length: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for size, bits in coverage.items():
        counts = {
            "best": bits[best].bit_count(),
            "max": max(each.bit_count() for each in bits),
            "pair": best_pair(bits),
            "union": _any(bits).bit_count(),
        }
        found |= {f"tiled_{size}_{name}": count / length for name, count in counts.items()}
    covered_letters = best_pair(coverage[2])
    return found | {
        "adds_2": found["tiled_2_pair"] - found["tiled_2_max"],
        "adds_3": found["tiled_3_pair"] - found["tiled_3_max"],
        "missing_log": math.log1p(length - covered_letters),
        "found_log": math.log1p(covered_letters),
    }


def _blocks(blocks: Sequence[Block], length: int) -> dict[str, float]:
    matched = sum(block.length for block in blocks)
    longest = max((block.length for block in blocks), default=0)
    start = min((block.place for block in blocks), default=0)
    span = max((block.place + block.length for block in blocks), default=0) - start
    pairs = len(blocks) * (len(blocks) - 1) / 2
    return {
        "longest_share": longest / length,
        "longest_log": math.log1p(longest),
        "blocks": float(len(blocks)),
        "mean_block": matched / len(blocks) if blocks else 0.0,
        "inversions": inversions(blocks) / pairs if pairs else 0.0,
        "span_log": math.log((span + 1) / length) if blocks else 0.0,
        "density": matched / span if span else 0.0,
    }


def _thirds(bits: int, length: int) -> dict[str, float]:
    found = {}
    for third, name in enumerate(("head", "middle", "tail")):
        start = length * third // 3
        size = max(length * (third + 1) // 3 - start, 1)
        found[name] = (bits >> start & (1 << size) - 1).bit_count() / size
    return found


def _subsequences(letters: str, quotes: Sequence[str]) -> dict[str, float]:
    best, second = _highest_two([common_subsequence(letters, quote) for quote in quotes])
    near = max(common_subsequence(letters, part) for quote in quotes for part in _stretches(quote, len(letters)))
    shares = {"subsequence_best": best, "subsequence_second": second, "subsequence_near": near}
    return {name: count / len(letters) for name, count in shares.items()}


def _stretches(quote: str, length: int) -> list[str]:
    size = max(_NEAR * length, _SHORTEST_STRETCH)
    if len(quote) <= size * 5 // 4:
        return [quote]
    step = size // 3
    return [quote[start : start + size] for start in range(0, len(quote) - size + step, step)]


def _lengths(own: int, best: int) -> dict[str, float]:
    return {
        "length_log": math.log1p(own),
        "best_length_log": math.log1p(best),
        "length_ratio_log": math.log((best + 1) / (own + 1)),
    }


def _highest_two(counts: Sequence[int]) -> tuple[int, int]:
    ordered = sorted(counts, reverse=True)
    return ordered[0], ordered[1] if len(ordered) > 1 else 0


def _any(bits: Sequence[int]) -> int:
    union = 0
    for each in bits:
        union |= each
    return union

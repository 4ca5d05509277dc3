"""The rich set of features, for Korean: each kind of feature over syllables and over jamo, and word by word."""

import math
import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations_with_replacement
from operator import or_

from rapidfuzz.distance import LCSseq

from quotelake.contextomy.ngrams import best_pair, found_bits, ngrams
from quotelake.contextomy.spelling import Spelled, missing_numbers
from quotelake.contextomy.tiling import Block, inversions, tile

#: Body quotes that are tiled: those with the highest containment [ours].
TILED = 4
_SIZES = (1, 2, 3, 4, 5)
_RANKED_BY = 3  # containment of n-grams up to this size chooses the quotes to tile
_BLOCKS = (2, 3, 4, 6)
_NEAR = 2  # a stretch of a quote to hold the headline quote against, in lengths of that
_SHORTEST_STRETCH = 12
_OF_BLOCKS = ("longest_share", "longest_log", "blocks", "mean_block", "inversions", "span_log", "density")

#: What each feature over letters says.
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
#: Case and topic particles that a word of three syllables or more may end in, longest first [ours, as in any grammar].
_PARTICLES = (
    "으로써|으로서|에게서|이라고|에서는|에서도|으로는|라고|에서|에게|부터|까지|처럼|보다|으로|이나|마다|조차|마저|"
    "은|는|이|가|을|를|에|의|도|만|로|와|과|나|라"
)
_PARTICLE = re.compile(rf"(?<=[가-힣]{{2}})(?:{_PARTICLES})$")
_NUMBER = re.compile(r"\d+")
#: Negation of Korean words [ours]; short: each nearly always negates.
_NEGATION = re.compile(r"^안$|^못|않|없|아니|아닌|아닙|불가|결코")
#: A word of which so little stands in a quote is lost, one of which so much does is there [ours].
_LOST, _THERE = 0.3, 0.85
#: A word whose beginning is all that stands in a quote counts so much of that share [ours].
_PARTIAL = 0.9

#: What each feature over words says.
WORDING = {
    "words_best": "mean match of its words, without particles, in one quote: 1 whole, less by what is cut off the end",
    "words_second": "that in the next one",
    "words_pair": "that in the best two, each word in the one that has more of it",
    "words_union": "that in any",
    "words_whole_best": "share of its words that stand whole in the best",
    "words_whole": "share of its words that stand whole in some quote",
    "words_lost": "words of which hardly the beginning stands anywhere",
    "first_word": "match of its first word in the best",
    "last_word": "match of its last word in the best",
    "first_word_union": "match of its first word in any",
    "last_word_union": "match of its last word in any",
    "beginnings_best": "share of its words whose first two letters stand in one quote",
    "beginnings_pair": "share of its words whose first two letters stand in the best two",
    "numbers_missing": "its numbers in no quote, save percentages where a quote has lost its own",
    "numbers_found": "its numbers in some quote",
    "negation_differs": "1 if it is negative and the best quote is not, or the other way round",
    "negation_added": "1 if it is negative and no quote is",
    "words_log": "logarithm of its number of words",
}
#: Features whose products a linear detector is given too, and about their mean, from which they are taken: how much
#: one says depends on another, such as the length [measured: AUC +.001, Brier -.001].
CENTRES = {
    "jamo_tiled_4_pair": 0.5,
    "letters_containment_1_pair": 0.7,
    "letters_tiled_2_pair": 0.6,
    "words_pair": 0.6,
    "letters_length_log": 2.8,
}
_PAIRS = tuple(combinations_with_replacement(CENTRES, 2))

#: What each feature of the set says.
RICH = {
    **{f"letters_{name}": f"{meaning}; a syllable is a letter" for name, meaning in VIEW.items()},
    **{f"jamo_{name}": f"{meaning}; a jamo is a letter" for name, meaning in VIEW.items()},
    **WORDING,
    **{f"{one}*{other}": "product of the two, each less its centre" for one, other in _PAIRS},
}


def rich_features(headline: Spelled, quotes: Sequence[Spelled]) -> dict[str, float]:
    """Compute the features of :data:`RICH`; all are 0 where there is nothing to compare."""
    if not headline.letters or not any(quote.letters for quote in quotes):
        return dict.fromkeys(RICH, 0.0)
    best, letters = view_features(headline.letters, [quote.letters for quote in quotes])
    _, jamo = view_features(headline.fine, [quote.fine for quote in quotes])
    found = {
        **{f"letters_{name}": value for name, value in letters.items()},
        **{f"jamo_{name}": value for name, value in jamo.items()},
        **wording_features(headline, quotes, best),
    }
    centred = {name: found[name] - centre for name, centre in CENTRES.items()}
    return found | {f"{one}*{other}": centred[one] * centred[other] for one, other in _PAIRS}


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
        counts = sorted((each.bit_count() for each in bits), reverse=True)
        shares: dict[str, float] = {
            "best": counts[0],
            "second": _second(counts),
            "union": _union(bits),
            "pair": best_pair(bits),
            "mean": sum(counts) / len(counts),
        }
        found |= {f"containment_{size}_{name}": count / len(grams) for name, count in shares.items()}
        if size <= _RANKED_BY:
            ranks = [rank + each.bit_count() for rank, each in zip(ranks, bits, strict=True)]
    places = sorted(range(len(quotes)), key=lambda place: -ranks[place])[:TILED]
    tilings = [tile(letters, quotes[place]) for place in places]
    coverage = {size: [covered(blocks, size) for blocks in tilings] for size in _BLOCKS}
    best = max(range(len(places)), key=lambda at: sum(coverage[size][at].bit_count() for size in (2, 3, 4)))
    found |= _coverage(coverage, best, len(letters)) | _blocks(tilings[best], len(letters))
    found |= _thirds(coverage[2][best], len(letters)) | _subsequences(letters, quotes)
    own, longest = len(letters), len(quotes[places[best]])
    found |= {"length_log": math.log1p(own), "best_length_log": math.log1p(longest)}
    return places[best], found | {"length_ratio_log": math.log((longest + 1) / (own + 1))}


def covered(blocks: Sequence[Block], shortest: int) -> int:
    """Letters of the headline quote under blocks of at least ``shortest`` letters, as bits: bit i is letter i.

    >>> bin(covered([Block(0, 4, 2), Block(3, 0, 3)], shortest=3))
    '0b111000'
    """
    return reduce(or_, (((1 << each.length) - 1) << each.start for each in blocks if each.length >= shortest), 0)


def _coverage(coverage: dict[int, list[int]], best: int, length: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for size, bits in coverage.items():
        found[f"tiled_{size}_best"] = bits[best].bit_count() / length
        found[f"tiled_{size}_max"] = max(each.bit_count() for each in bits) / length
        found[f"tiled_{size}_pair"] = best_pair(bits) / length
        found[f"tiled_{size}_union"] = _union(bits) / length
    covered_letters = best_pair(coverage[2])
    return found | {
        "adds_2": found["tiled_2_pair"] - found["tiled_2_max"],
        "adds_3": found["tiled_3_pair"] - found["tiled_3_max"],
        "missing_log": math.log1p(length - covered_letters),
        "found_log": math.log1p(covered_letters),
    }


def _blocks(blocks: Sequence[Block], length: int) -> dict[str, float]:
    if not blocks:
        return dict.fromkeys(_OF_BLOCKS, 0.0)
    matched = sum(block.length for block in blocks)
    longest = max(block.length for block in blocks)
    span = max(block.place + block.length for block in blocks) - min(block.place for block in blocks)
    pairs = len(blocks) * (len(blocks) - 1) / 2
    values = (
        longest / length, math.log1p(longest), float(len(blocks)), matched / len(blocks),
        inversions(blocks) / pairs if pairs else 0.0, math.log((span + 1) / length), matched / span,
    )  # fmt: skip
    return dict(zip(_OF_BLOCKS, values, strict=True))


def _thirds(bits: int, length: int) -> dict[str, float]:
    found = {}
    for third, name in enumerate(("head", "middle", "tail")):
        start = length * third // 3
        size = max(length * (third + 1) // 3 - start, 1)
        found[name] = (bits >> start & (1 << size) - 1).bit_count() / size
    return found


def _subsequences(letters: str, quotes: Sequence[str]) -> dict[str, float]:
    counts = sorted((LCSseq.similarity(letters, quote) for quote in quotes), reverse=True)
    near = max(LCSseq.similarity(letters, part) for quote in quotes for part in _stretches(quote, len(letters)))
    shares = zip(("best", "second", "near"), (counts[0], _second(counts), near), strict=True)
    return {f"subsequence_{name}": count / len(letters) for name, count in shares}


def _stretches(quote: str, length: int) -> list[str]:
    size = max(_NEAR * length, _SHORTEST_STRETCH)
    if len(quote) <= size * 5 // 4:
        return [quote]
    step = size // 3
    return [quote[start : start + size] for start in range(0, len(quote) - size + step, step)]


def _second(falling: Sequence[float]) -> float:
    """The second of numbers in falling order, 0 without one."""
    return falling[1] if len(falling) > 1 else 0


def _union(bits: Iterable[int]) -> int:
    return reduce(or_, bits).bit_count()


def wording_features(headline: Spelled, quotes: Sequence[Spelled], best: int) -> dict[str, float]:
    """Compute the features of :data:`WORDING`.

    Args:
        headline: the headline quote; without words all features are 0.
        quotes: the body quotes; without any all features are 0.
        best: place of the body quote that negation is compared with.
    """
    if not headline.words or not quotes:
        return dict.fromkeys(WORDING, 0.0)
    beginnings = [word[:2] for word in headline.words]
    bits = [sum((word in quote.letters) << place for place, word in enumerate(beginnings)) for quote in quotes]
    body = "\n".join(quote.letters for quote in quotes)
    found = sum(number in body for number in _NUMBER.findall(" ".join(headline.words)))
    negates = _is_negative(headline)
    return {
        **_words(headline, quotes),
        "beginnings_best": max(each.bit_count() for each in bits) / len(beginnings),
        "beginnings_pair": best_pair(bits) / len(beginnings),
        "numbers_missing": float(missing_numbers(headline, quotes)),
        "numbers_found": float(found),
        "negation_differs": float(negates != _is_negative(quotes[best])),
        "negation_added": float(negates and not any(map(_is_negative, quotes))),
        "words_log": math.log1p(len(headline.words)),
    }


def _words(headline: Spelled, quotes: Sequence[Spelled]) -> dict[str, float]:
    own = [_PARTICLE.sub("", word) for word in headline.words]
    stems = [frozenset(_PARTICLE.sub("", word) for word in quote.words) for quote in quotes]
    rows = [[_match(word, *quote) for word in own] for quote in zip(stems, (q.letters for q in quotes), strict=True)]
    totals = [sum(row) for row in rows]
    ordered = sorted(totals, reverse=True)
    best = rows[totals.index(ordered[0])]
    union = [max(column) for column in zip(*rows, strict=True)]
    pair = max(sum(map(max, one, other)) for place, one in enumerate(rows) for other in rows[place:])
    return {
        "words_best": ordered[0] / len(own),
        "words_second": _second(ordered) / len(own),
        "words_pair": pair / len(own),
        "words_union": sum(union) / len(own),
        "words_whole_best": sum(match > _THERE for match in best) / len(own),
        "words_whole": sum(match > _THERE for match in union) / len(own),
        "words_lost": float(sum(match < _LOST for match in union)),
        "first_word": best[0],
        "last_word": best[-1],
        "first_word_union": union[0],
        "last_word_union": union[-1],
    }


def _match(word: str, stems: frozenset[str], letters: str) -> float:
    """Match of a word with a quote: its longest beginning there, of one letter only where that is a word."""
    if word in stems:
        return 1.0
    for length in range(len(word), 1, -1):
        if word[:length] in letters:
            return _PARTIAL * length / len(word)
    return _PARTIAL / len(word) if word[0] in stems else 0.0


def _is_negative(quote: Spelled) -> bool:
    return any(map(_NEGATION.search, quote.words))

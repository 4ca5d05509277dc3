"""Features of a headline quote word by word: which of its words stand where, its numbers, its negation."""

import math
import re
from collections.abc import Sequence

from quotelake.contextomy.korean import strip_particle
from quotelake.contextomy.ngrams import best_pair
from quotelake.contextomy.spelling import Spelled
from quotelake.contextomy.support import missing_numbers

_NUMBER = re.compile(r"\d+")
#: Negation of Korean words [ours]; short: each nearly always negates.
_NEGATION = re.compile(r"^안$|^못|않|없|아니|아닌|아닙|불가|결코")
#: A word of which so little stands in a quote is lost, one of which so much does is there [ours].
_LOST, _THERE = 0.3, 0.85
#: A word whose beginning is all that stands in a quote counts so much of that share [ours].
_PARTIAL = 0.9

#: What each feature says.
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


def wording_features(headline: Spelled, quotes: Sequence[Spelled], best: int) -> dict[str, float]:
    """Compute the features of :data:`WORDING`.

    Args:
        headline: the headline quote; without words all features are 0.
        quotes: the body quotes; without any all features are 0.
        best: place of the body quote that negation is compared with.
    """
    if not headline.words or not quotes:
        return dict.fromkeys(WORDING, 0.0)
    return {
        **_words(headline, quotes),
        **_beginnings(headline, quotes),
        **_numbers(headline, quotes),
        **_negation(headline, quotes, best),
        "words_log": math.log1p(len(headline.words)),
    }


def _words(headline: Spelled, quotes: Sequence[Spelled]) -> dict[str, float]:
    own = [strip_particle(word) for word in headline.words]
    stems = [frozenset(map(strip_particle, quote.words)) for quote in quotes]
    rows = [[_match(word, *theirs) for word in own] for theirs in zip(stems, (q.letters for q in quotes), strict=True)]
    totals = [sum(row) for row in rows]
    ordered = sorted(totals, reverse=True)
    best = rows[totals.index(ordered[0])]
    union = [max(column) for column in zip(*rows, strict=True)]
    pair = max(sum(map(max, one, other)) for place, one in enumerate(rows) for other in rows[place:])
    return {
        "words_best": ordered[0] / len(own),
        "words_second": ordered[1] / len(own) if len(ordered) > 1 else 0.0,
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


def _beginnings(headline: Spelled, quotes: Sequence[Spelled]) -> dict[str, float]:
    beginnings = [word[:2] for word in headline.words]
    found = [sum((word in quote.letters) << place for place, word in enumerate(beginnings)) for quote in quotes]
    best = max(bits.bit_count() for bits in found)
    return {"beginnings_best": best / len(beginnings), "beginnings_pair": best_pair(found) / len(beginnings)}


def _numbers(headline: Spelled, quotes: Sequence[Spelled]) -> dict[str, float]:
    body = "\n".join(quote.letters for quote in quotes)
    found = sum(number in body for number in _NUMBER.findall(" ".join(headline.words)))
    return {"numbers_missing": float(missing_numbers(headline, quotes)), "numbers_found": float(found)}


def _negation(headline: Spelled, quotes: Sequence[Spelled], best: int) -> dict[str, float]:
    own = _is_negative(headline)
    return {
        "negation_differs": float(own != _is_negative(quotes[best])),
        "negation_added": float(own and not any(map(_is_negative, quotes))),
    }


def _is_negative(quote: Spelled) -> bool:
    return any(map(_NEGATION.search, quote.words))

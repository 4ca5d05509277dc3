"""How much of a headline quote occurs in the same order within one stretch of a text. Pure."""

from collections.abc import Mapping, Sequence

from quotelake.contextomy.ngrams import found_bits, ngrams

#: Length of a stretch in headline quotes, and its minimum in n-grams [measured: 2 to 4 are alike; with whole quotes
#: AUC -.002 on the articles of Song et al. (2023): a long quote has anything in any order].
STRETCH = 3
SHORTEST_STRETCH = 12


def in_order(letters: str, texts: Sequence[str], size: int) -> float:
    """Share of the n-grams of ``letters`` that occur in this order within one stretch: the highest over all texts.

    It is the longest common subsequence, of n-grams instead of letters. A stretch begins at every multiple of the
    headline quote's length, so text added at the end of a body quote never lowers the share.

    Args:
        letters: those of a headline quote, not empty.
        texts: letters of the body quotes.
        size: n; the number of letters where there are fewer.

    Returns:
        0 to 1.

    >>> in_order("abcd", ["xaybxczd", "dcba"], 1), in_order("abcd", ["dcba"], 1)
    (1.0, 0.25)
    """
    size = min(size, len(letters))
    grams = ngrams(letters, size)
    places: dict[str, int] = {}
    for place, gram in enumerate(grams):
        places[gram] = places.get(gram, 0) | 1 << place
    best = 0
    # The n-grams found in any order are an upper bound: most texts need no closer look.
    for most, text in sorted(((found_bits(grams, text).bit_count(), text) for text in texts), reverse=True):
        if most <= best:
            break
        best = max(best, _in_text(places, len(grams), ngrams(text, size)))
    return best / len(grams)


def _in_text(places: Mapping[str, int], total: int, grams: Sequence[str]) -> int:
    known = [place for place, gram in enumerate(grams) if gram in places]
    stretch = max(STRETCH * total, SHORTEST_STRETCH)
    best = first = last = 0
    for start in range(0, max(len(grams) - stretch, 0) + total, total):
        while first < len(known) and known[first] < start:
            first += 1
        while last < len(known) and known[last] < start + stretch:
            last += 1
        if last - first > best:
            best = max(best, _subsequence([places[grams[place]] for place in known[first:last]], total))
            if best == total:
                break
    return best


def _subsequence(matches: Sequence[int], total: int) -> int:
    """Length of the longest common subsequence, from the places each n-gram of the text matches (Hyyrö 2004)."""
    everything = (1 << total) - 1
    rest = everything
    for places in matches:
        matched = rest & places
        rest = ((rest + matched) | (rest - matched)) & everything
    return total - rest.bit_count()

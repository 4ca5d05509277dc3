"""Whether a headline quote is a body quote with a negation dropped or added, all other words the same.

Such a quote says the opposite, yet shares nearly all n-grams with that body quote and lies close to it for any encoder.
Only for scripts whose negations are words (Latin): Korean ones are endings.
"""

import re
from itertools import accumulate

from quotelake.compare.cues import NEGATED_STEMS, cue_pattern
from quotelake.compare.folding import fold

#: With fewer other words than these a match would be chance [ours].
MIN_WORDS = 3
_NOT = "ʔ"  # stands for any negation; a letter, so that it is a word
_CONTRACTED = re.compile(r"(?<!\w)(\w*?)\s?n['’]t(?!\w)", re.IGNORECASE)
_DO_NOT = re.compile(r"(?<!\w)(?:do|does|did)\s+not(?!\w)", re.IGNORECASE)
_CANNOT = re.compile(r"(?<!\w)cannot(?!\w)", re.IGNORECASE)


def same_but_negation(headline_quote: str, body_quote: str) -> bool | None:
    """Say whether a body quote has all words of a headline quote but negations, and if so, with the same polarity.

    Returns:
        None: the words differ. True: they stand in the body quote with the same polarity (both or neither negate).
        False: with the opposite one.

    >>> same_but_negation("We will cut taxes", "We will not cut taxes this year")
    False
    >>> same_but_negation("We will not cut taxes", "We won’t cut taxes this year")
    True
    >>> same_but_negation("We raised taxes", "We will not cut taxes") is None
    True
    """
    own = _words(headline_quote)
    wanted = [word for word in own if word != _NOT]
    if len(wanted) < MIN_WORDS:
        return None
    theirs = _words(body_quote)
    places = [place for place, word in enumerate(theirs) if word != _NOT]
    first = _find(wanted, [theirs[place] for place in places])
    if first is None:
        return None
    start, end = places[first], places[first + len(wanted) - 1] + 1
    # A negation at the edge is part of the passage where the headline quote has one there too.
    start -= own[0] == _NOT and start > 0 and theirs[start - 1] == _NOT
    end += own[-1] == _NOT and end < len(theirs) and theirs[end] == _NOT
    return (_NOT in own) == (_NOT in theirs[start:end])


def _words(text: str) -> tuple[str, ...]:
    """Folded words, each negation as the same sign; *do* before it is dropped ("don't cut" is "not cut")."""
    text = _DO_NOT.sub(f" {_NOT} ", _CANNOT.sub("can not", text))
    text = _CONTRACTED.sub(_spell_out, text)
    pattern = cue_pattern("NEGATION", "latin")
    return fold(text if pattern is None else pattern.sub(f" {_NOT} ", text)).words


def _spell_out(contraction: re.Match[str]) -> str:
    stem = contraction.group(1)
    return f"{NEGATED_STEMS.get(stem.casefold(), stem)} {_NOT} "


def _find(wanted: list[str], words: list[str]) -> int | None:
    """Place of the first occurrence of the words one after the other; searched as text, which is linear."""
    text, part = f" {' '.join(words)} ", f" {' '.join(wanted)} "
    at = text.find(part)
    if at < 0:
        return None
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    return starts.index(at)

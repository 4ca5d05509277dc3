"""Words of a line of text and its noun phrases, in a language that has a table.

A quote that somebody said is one word, and so is a quoted name (*die „Abendpost“*). A noun phrase is read forwards: from
its determiner, title or name, over what is joined to it (*der Sprecher der Polizei in …*), to the last noun or name.
Where nouns begin with a capital, a word in lower case is no noun.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from quotelake.quotes.spans import Quote
from quotelake.quotes.tables import Tables

#: Stand for a quote, and for the end of a sentence.
QUOTE: Final = "\0"
STOP: Final = "\1"
_TOKEN: Final = re.compile(r"\w++(?:[-'’/&]\w++|\.[a-z0-9]\w*+)*+(?:-(?=\s))?|[^\w\s]")
_MARKS: Final = " \u00a0\u202f\"“”„«»'‘’‚‹›"
_ENDS: Final = frozenset(".!?…")
_GOES_ON: Final = frozenset(",;:)")
#: Most words of a noun phrase, and of a bracket in it.
_LONGEST: Final = 16
_BRACKET: Final = 8


class Token(NamedTuple):
    """A word or sign: its offsets, itself, and in lower case; whether it begins with a capital or is a quoted name."""

    start: int
    end: int
    word: str
    low: str
    named: bool
    quote: int = -1  # Index of a quote that somebody said.


def read_line(text: str, low: int, high: int, quotes: Sequence[tuple[int, Quote]], words: Tables) -> list[Token]:
    """Split ``text[low:high]``, which has the outermost ``quotes`` with their indices, into words and signs."""
    tokens: list[Token] = []
    for index, quote in quotes:
        start = quote.start - (len(text[low : quote.start]) - len(text[low : quote.start].rstrip(_MARKS)))
        tokens += [_token(found) for found in _TOKEN.finditer(text, low, start)]
        start = start if text[start] not in " \u00a0\u202f" else start + 1
        low = quote.end
        while low < high and text[low] in _MARKS[3:]:
            low += 1
        direct = quote.kind == "direct"
        word = QUOTE if direct else quote.text
        tokens.append(Token(start, low, word, word.lower(), not direct, index if direct else -1))
        if text[quote.end - 1] in _ENDS and _TOKEN.match(text, low + 1) and text[low + 1].isupper():
            tokens.append(Token(low, low, STOP, STOP, named=False))
    tokens += [_token(found) for found in _TOKEN.finditer(text, low, high)]
    ends = {k for k, token in enumerate(tokens) if token.word in _ENDS and _is_end(tokens, k, words)}
    kept = ((k, token) for k, token in enumerate(tokens) if token.word != "." or k in ends)  # no other full stops
    return [token._replace(word=STOP, low=STOP) if k in ends else token for k, token in kept]


def _token(found: re.Match[str]) -> Token:
    word = found[0]
    return Token(found.start(), found.end(), word, word.lower(), word[0].isupper())


def _is_end(tokens: list[Token], k: int, words: Tables) -> bool:
    """Whether a sign ends its sentence: not after an abbreviation or ordinal, nor before a word in lower case."""
    following = tokens[k + 1] if k + 1 < len(tokens) else None
    if following and (following.word[0].islower() or following.word in _GOES_ON):
        return False
    before = tokens[k - 1].low if k else ""
    ordinal = words.ordinal_points and before.isdecimal() and len(before) < 3
    short = (len(before) == 1 and before.isalpha()) or before in words.lists["abbreviations"]
    return tokens[k].word != "." or following is None or not (ordinal or short)


def phrase_end(tokens: Sequence[Token], k: int, high: int, words: Tables) -> int:
    """One past the noun phrase that begins at ``k``; ``k`` if there is none."""
    lists = words.lists
    high = min(high, len(tokens), k + _LONGEST)
    if k >= high:
        return k
    first = tokens[k]
    determined = first.low in lists["determiners"]
    if first.low in lists["pronouns"] and not (determined and k + 1 < high and _may_be_noun(tokens[k + 1], words)):
        return k + 1
    if not (determined or first.named or words.capitalised_nouns or words.ends("roles", first.low)):
        return k
    i = end = k
    while i < high and tokens[i].low in lists["determiners"]:
        i += 1
    while i < high and _may_be_noun(tokens[i], words):
        if tokens[i].named or (end > k and tokens[i].word[0].isdecimal()) or (not words.capitalised_nouns and not (end > k and tokens[end - 1].named)):
            end = i + 1
        elif end > k:
            break  # Behind a noun or name a word in lower case is a verb or an adverb.
        i += 1
    if end == k:
        return k
    if end < high and tokens[end].word == "(":
        closing = next((j for j in range(end, min(high, end + _BRACKET)) if tokens[j].word == ")"), end)
        end = closing + (closing > end)
    if end < high and tokens[end].low in lists["joining"]:
        behind = phrase_end(tokens, end + 1, high, words)
        return behind if behind > end + 1 else end
    return end


def _may_be_noun(token: Token, words: Tables) -> bool:
    """Whether a word can be a noun, a name or an adjective."""
    if token.named and not token.word.isalpha():
        return True
    closed = any(token.low in words.lists[name] for name in ("breaks", "determiners", "joining"))
    return not closed and (token.named or (token.word[0].isalnum() and token.low not in words.cues))


def with_apposition(tokens: Sequence[Token], start: int, end: int, high: int, words: Tables) -> int:
    """End of the phrase with what explains it after a comma (*Ute Holl, Sprecherin der Polizei,*)."""
    pronoun = end == start + 1 and tokens[start].low in words.lists["pronouns"]
    if end + 1 >= high or tokens[end].word != "," or pronoun:
        return end
    behind = phrase_end(tokens, end + 1, high, words)
    if behind == end + 1 or (behind == end + 2 and tokens[end + 1].low in words.lists["pronouns"]):
        return end
    closes = behind >= high or not tokens[behind].word[0].isalnum() or tokens[behind].low in words.cues
    return behind if closes else end

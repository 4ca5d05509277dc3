"""Words, noun phrases and full names, in a language that has a table.

A direct quote is one word, and so is a quoted name (*die „Abendpost“*). A noun phrase is read forwards from its
determiner, title or name, over what is joined to it (*der Sprecher der Polizei*), to its last noun or name and the
apposition after a comma. Where nouns begin with a capital, a word in lower case is no noun.

A full name is two to four capitalised words in a row, none of them a noun for an office or body. A surname means the
last full name before it that ends in it, unless two people of the article share it. Pronouns are not resolved.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.quotes.lexicon import Tables
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.clauses import QUOTE, Phrase
from quotelake.quotes.speakers.speaker import Speaker

STOP: Final = "\1"
#: Words that are read on either side of a quote.
REACH: Final = 80
_TOKEN: Final = re.compile(r"\w++(?>(?:[-'’/&]\w++|\.[a-z0-9]\w*+)*)(?:-(?=\s))?|[^\w\s]")
_SPACES: Final = " \u00a0\u202f"
_MARKS: Final = _SPACES + "\"“”„«»'‘’‚‹›"
_ENDS: Final = frozenset(".!?…")
_GOES_ON: Final = frozenset(",;:)")
#: Most words of a noun phrase, and of a bracket in it.
_LONGEST: Final = 16
_BRACKET: Final = 8

_CAPITALISED: Final = r"[^\W\d_a-z\u00df-\u00ff][\w'’-]*+"
_RUN: Final = re.compile(
    rf"(?<![\w'’-]){_CAPITALISED}(?>(?: (?>(?:(?:von der|van der|van|de|del|al) )?){_CAPITALISED})+)"
)
_WORD_BEFORE: Final = re.compile(r"(?<!\w)(\w{1,8}) \Z")
_NAME_WORDS: Final = range(2, 5)
#: Mentions of a surname that are compared; only garbage text has more of different people.
_MENTIONS: Final = 64


class Token(NamedTuple):
    """A word or sign; ``named``: it begins with a capital or is a quoted name; ``quote``: index of a direct quote."""

    start: int
    end: int
    word: str
    low: str
    named: bool
    quote: int = -1

    @property
    def is_word(self) -> bool:
        """Whether it is no sign."""
        return self.named or self.word[0].isalnum()


def read_line(text: str, quotes: Sequence[tuple[int, Quote]], words: Tables) -> list[Token]:
    """Split the line of the outermost ``quotes``, each with its index, into words and signs."""
    low = text.rfind("\n", 0, quotes[0][1].start) + 1
    high = text.find("\n", quotes[-1][1].end)
    tokens: list[Token] = []
    for index, quote in quotes:
        start = low + len(text[low : quote.start].rstrip(_MARKS))
        tokens += [_token(found) for found in _TOKEN.finditer(text, low, start)]
        start += len(text[start : quote.start]) - len(text[start : quote.start].lstrip(_SPACES))
        low = quote.end
        while text[low : low + 1] and text[low] in _MARKS[len(_SPACES) :]:
            low += 1
        direct = quote.kind in ("direct", "colon_claim")
        word = QUOTE if direct else quote.text
        tokens.append(Token(start, low, word, word.lower(), not direct, index if direct else -1))
        if text[quote.end - 1] in _ENDS and text[low : low + 2].strip()[:1].isupper():
            tokens.append(Token(low, low, STOP, STOP, named=False))
    tokens += [_token(found) for found in _TOKEN.finditer(text, low, high if high >= 0 else len(text))]
    ends = {k for k, token in enumerate(tokens) if token.word in _ENDS and _is_end(tokens, k, words)}
    kept = ((k, token) for k, token in enumerate(tokens) if token.word != "." or k in ends)  # no other full stops
    return [token._replace(word=STOP, low=STOP) if k in ends else token for k, token in kept]


def _token(found: re.Match[str]) -> Token:
    word = found[0]
    return Token(found.start(), found.end(), word, word.lower(), word[0].isupper())


def _is_end(tokens: list[Token], k: int, words: Tables) -> bool:
    """Whether a sign ends its sentence: not after an abbreviation, nor before a word in lower case."""
    following = tokens[k + 1] if k + 1 < len(tokens) else None
    if following is None or tokens[k].word != ".":
        return following is None or not following.word[0].islower()
    before = tokens[k - 1].low if k else ""
    short = (len(before) == 1 and before.isalnum()) or words.has(before, "abbreviations")
    return not (short or following.word[0].islower() or following.word in _GOES_ON)


def phrase_at(tokens: Sequence[Token], k: int, high: int, words: Tables) -> Phrase | None:
    """The noun phrase that begins at ``k``, with its apposition (*Ute Holl, Sprecherin der Polizei,*)."""
    head = end = _phrase_end(tokens, k, high, words)
    if end + 1 < high and tokens[end].word == ",":
        behind = _phrase_end(tokens, end + 1, high, words)
        if behind > end + 1 and (behind >= high or not tokens[behind].is_word or tokens[behind].low in words.cues):
            end = behind
    return Phrase(k, head, end) if head > k else None


def _phrase_end(tokens: Sequence[Token], k: int, high: int, words: Tables, *, joined: bool = False) -> int:
    """One past the noun phrase at ``k``, or ``k``; ``joined``: a preposition joins it to the phrase in front."""
    high = min(high, len(tokens), k + _LONGEST)
    if k >= high:
        return k
    determined = words.has(tokens[k].low, "determiners")
    if words.has(tokens[k].low, "pronouns") and not (determined and k + 1 < high and _nominal(tokens[k + 1], words)):
        return k + 1
    if not (joined or determined or tokens[k].named or words.capitalised_nouns or words.has(tokens[k].low, "roles")):
        return k
    i = end = k
    while i < high and words.has(tokens[i].low, "determiners"):
        i += 1
    while i < high and _nominal(tokens[i], words):
        name = tokens[i].named or (end > k and tokens[i].word[0].isdecimal())
        if name or (not words.capitalised_nouns and not (end > k and tokens[end - 1].named)):
            end = i + 1
        elif end > k:
            break  # Behind a noun or name a word in lower case is a verb or an adverb.
        i += 1
    if end == k:
        return k
    if end < high and tokens[end].word == "(":
        end = next((j + 1 for j in range(end, min(high, end + _BRACKET)) if tokens[j].word == ")"), end)
    if end < high and words.has(tokens[end].low, "joining", "places"):
        behind = _phrase_end(tokens, end + 1, high, words, joined=True)
        # The head of the union in Kiel, Ute Holl: a place belongs to the noun if a comma follows.
        joins = words.has(tokens[end].low, "joining") or (behind < high and tokens[behind].word == ",")
        return behind if joins and behind > end + 1 else end
    return end


def _nominal(token: Token, words: Tables) -> bool:
    """Whether a word can be a noun, a name or an adjective."""
    closed = words.has(token.low, "breaks", "determiners", "joining")
    verb = token.low in words.cues and not (token.named or words.has(token.low, "roles"))
    return token.is_word and not verb and not closed


def with_full_names(text: str, speakers: Sequence[Speaker | None], words: Tables) -> list[Speaker | None]:
    """The speakers, persons among them with the fields ``name`` if the text gives their full name."""
    runs = [run for found in _RUN.finditer(text) if (run := _full_name(text, found, words))]
    places: dict[str, list[tuple[int, int]]] = {}
    for start, end in runs:
        places.setdefault(text[start:end].rpartition(" ")[2], []).append((start, end))
    named = list(speakers)
    for k, speaker in enumerate(speakers):
        if speaker is None or speaker.type != "person":
            continue
        inside = runs[bisect_left(runs, (speaker.start,)) : bisect_left(runs, (speaker.end,))]
        head = text[speaker.start : speaker.head_end].split()
        alike = places.get(head[-1], []) if len(head) < _NAME_WORDS[1] else []
        before = alike[: bisect_left(alike, (speaker.start,))]
        if not inside and len({text[slice(*one)] for one in before[-_MENTIONS:]}) == 1:
            inside = before[-1:]
        if inside:
            start, end = inside[0]
            named[k] = speaker._replace(name_start=start, name_end=end, name=text[start:end])
    return named


def _full_name(text: str, run: re.Match[str], words: Tables) -> tuple[int, int] | None:
    """Span of the full name that ends a run of capitalised words."""
    at = _name_start(run[0], words)
    before = None if at else _WORD_BEFORE.search(text, max(0, run.start() - 9), run.start())
    modified = before is not None and words.has(before[1], "joining", "determiners")
    if modified and at == 0:  # die Rentnerin Ute Bell; not: der Deutschen Bahn
        first, _, rest = run[0].partition(" ")
        at = len(first) + 1 if " " in rest else None
    return None if at is None else (run.start() + at, run.end())


@lru_cache(20_000)  # Names recur from article to article.
def _name_start(run: str, words: Tables) -> int | None:
    """Offset of the full name in a run of words, behind nouns for an office; None if it is no person's."""
    parts = run.split(" ")
    closed = ("determiners", "breaks", "leads", "joining")
    fronts = (  # The last word may be a surname that was an office: Gerhard Richter.
        k for k, one in enumerate(parts[:-1]) if words.is_noun(one, "roles") or words.has(one.lower(), *closed)
    )
    name = parts[max(fronts, default=-1) + 1 :]
    body = any(words.is_noun(part, "organisations", "name_nouns") or part.isupper() for part in name)
    return None if body or len(name) not in _NAME_WORDS else len(run) - len(" ".join(name))

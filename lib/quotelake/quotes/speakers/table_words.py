"""Words of a line, and full names, in a language that has a table.

A direct quote is one word, and so is a quoted name (*die „Abendpost“*). A surname means the last full name before it
that ends in it, unless two people of the article share it. Pronouns are not resolved.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.quotes.lexicon import Tables
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.clauses import QUOTE, Speaker

STOP: Final = "\1"
#: Words that are read on either side of a quote.
REACH: Final = 80
#: An elided word is one by itself: *l’|imputato*.
_TOKEN: Final = re.compile(r"\w++(?>(?:[-/&]\w++|\.[a-z0-9]\w*+)*)(?:['’](?=\w)|-(?=\s))?|[^\w\s]")
_SPACES: Final = " \u00a0\u202f"
_MARKS: Final = _SPACES + "\"“”„«»'‘’‚‹›"
_ENDS: Final = frozenset(".!?…")
_GOES_ON: Final = frozenset(",;:)")
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
    return Token(found.start(), found.end(), word, word.lower().replace("’", "'"), word[0].isupper())


def _is_end(tokens: list[Token], k: int, words: Tables) -> bool:
    """Whether a sign ends its sentence: not after an abbreviation, nor before a word in lower case."""
    following = tokens[k + 1] if k + 1 < len(tokens) else None
    if following is None or tokens[k].word != ".":
        return following is None or not following.word[0].islower()
    before = tokens[k - 1].low if k else ""
    short = (len(before) == 1 and before.isalnum()) or words.has(before, "abbreviations")
    return not (short or following.word[0].islower() or following.word in _GOES_ON)


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

"""Find who is quoted in a language that has a table: verbs of saying, prepositions that attribute, a colon.

A line is read as words (:mod:`~quotelake.quotes.speakers.table_phrases`). For each quote the rules look behind it
(*“…”, said X*; *“…”, according to X*), then before it in its sentence, the nearest verb first, then later in the
sentence. The subject of a verb stands in front of it at the start of its clause, or directly behind it. A quote without
any of these keeps the speaker of the one before, or of the sentence before. Only :data:`_REACH` words on either side
are read, so the cost is linear.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.speaker import Speaker
from quotelake.quotes.speakers.table_phrases import QUOTE, STOP, Token, phrase_end, read_line, with_apposition
from quotelake.quotes.tables import Tables

#: Words read on either side of a quote.
_REACH: Final = 80
#: Words between the finite part of a verb and its participle.
_CLAUSE: Final = 40
_PAUSES: Final = frozenset(",–—-")
_CLAUSE_SIGNS: Final = frozenset((";", ":", "–", "—", STOP, QUOTE))


class Found(NamedTuple):
    """Words of the speaker, the word that reports if any, where the speaker stands, and the rule."""

    start: int
    end: int
    cue: int | None
    how: str
    rule: str


def find_by_tables(text: str, quotes: Sequence[Quote], words: Tables) -> list[Speaker | None]:
    """Find who says each outermost direct quote; see :func:`quotelake.quotes.speakers.find_speakers`."""
    speakers: list[Speaker | None] = [None] * len(quotes)
    previous: Speaker | None = None
    for low, high, inside in _lines(text, quotes):
        line = _Line(read_line(text, low, high, inside, words), words)
        begins = bool(line.tokens) and line.tokens[0].word == QUOTE
        last = previous if begins else None
        place = -1  # Of the quote before, in this line.
        for k, token in enumerate(line.tokens):
            if token.quote < 0:
                continue
            found = line.attribution(k, place)
            speaker = _speaker(text, line.tokens, found, words) if found else None
            if speaker is None and last and line.continues(place, k):
                speaker = last._replace(how="continued", rule="continued")
            if speaker is None and (found := line.sentence_before(k)):
                speaker = _speaker(text, line.tokens, found, words)._replace(how="continued", rule=found.rule)
            if found and found.how == "after" and last is None and place >= 0 and line.adjoin(place, k):
                speakers[line.tokens[place].quote] = speaker  # “A” and “B”, said X
            speakers[token.quote] = last = speaker
            place = k
        ends = place >= 0 and all(not one.word[0].isalnum() for one in line.tokens[place + 1 :])
        previous = last if ends else None
    return speakers


def _lines(text: str, quotes: Sequence[Quote]) -> Iterator[tuple[int, int, list[tuple[int, Quote]]]]:
    """The lines that hold outermost quotes, with these; a quote over several lines makes one line of them."""
    outer = [(i, quote) for i, quote in enumerate(quotes) if quote.depth == 0 and quote.kind != "colon_claim"]
    at = 0
    while at < len(outer):
        low = text.rfind("\n", 0, outer[at][1].start) + 1
        inside = []
        high = -1
        while at < len(outer) and (high < 0 or outer[at][1].start < high):
            inside.append(outer[at])
            newline = text.find("\n", outer[at][1].end)
            high = newline if newline >= 0 else len(text)
            at += 1
        yield low, high, inside


class _Line:
    """The words of a line, and where its sentences end."""

    def __init__(self, tokens: list[Token], words: Tables) -> None:
        self.tokens = tokens
        self.words = words

    def attribution(self, k: int, floor: int) -> Found | None:
        """Who says the quote at ``k``; ``floor`` is the place of the quote before it, or -1."""
        low, high = self._sentence(k)
        return self._behind(k, high) or self._before(k, max(low, floor + 1), low) or self._later(k, high)

    def continues(self, before: int, k: int) -> bool:
        """Whether a quote goes on with the speaker of the one before: in its sentence, or as a sentence of its own."""
        between = [token.low for token in self.tokens[before + 1 : k]]
        words = [word for word in between if word[0].isalnum()]
        if len(between) > _REACH:
            return False
        if STOP not in between or self.words.lists["leads"].issuperset(words):
            return True
        return self._reports(k) and all(self._reports(j) for j in range(before + 1, k) if self.tokens[j].word == STOP and j - 1 > before)

    def adjoin(self, before: int, k: int) -> bool:
        """Whether no sentence ends between two quotes."""
        return k - before <= _REACH and STOP not in {token.word for token in self.tokens[before + 1 : k]}

    def sentence_before(self, k: int) -> Found | None:
        """Who speaks in the sentence before, if the quote is a whole sentence or reported speech."""
        low, _ = self._sentence(k)
        said = any(self._is_cue(j, k, self.words.says) for j in range(low, k))
        if low < 2 or said or not self._reports(k):
            return None
        start, _ = self._sentence(low - 1)
        found = self._before(low - 1, start, start)
        sure = found and found.rule != "before: weak verb"
        return found._replace(rule=f"sentence {found.rule}") if found and sure else None

    def _reports(self, k: int) -> bool:
        low, high = self._sentence(k)
        low, high = (low, high) if self.tokens[k].word != STOP else (self._sentence(k - 1)[0], k)
        rest = [token.low for token in self.tokens[low:high] if token.quote < 0 and token.word[0].isalnum()]
        return not rest or self.words.holds("reported", rest)

    def _sentence(self, k: int) -> tuple[int, int]:
        low, high = k, k + 1
        while low > max(0, k - _REACH) and self.tokens[low - 1].word != STOP:
            low -= 1
        while high < min(len(self.tokens), k + _REACH) and self.tokens[high].word != STOP:
            high += 1
        return low, high

    def _phrase(self, k: int, high: int, *, nominative: bool = True) -> tuple[int, int] | None:
        """The noun phrase at ``k``, with what explains it."""
        end = phrase_end(self.tokens, k, high, self.words)
        if nominative and k < high and self.tokens[k].low in self.words.lists["oblique"]:
            return None
        return (k, with_apposition(self.tokens, k, end, high, self.words)) if end > k else None

    def _according(self, k: int, high: int) -> tuple[int, int] | None:
        """Whom a preposition at ``k`` names (*laut X*)."""
        for phrase in self.words.phrases["according"]:
            behind = k + len(phrase)
            if tuple(token.low for token in self.tokens[k:behind]) == phrase:
                joined = behind < high and self.tokens[behind].low in self.words.lists["joining"]
                return self._phrase(behind + joined, high, nominative=False)
        return None

    def _is_cue(self, k: int, high: int, forms: frozenset[str] | None = None) -> bool:
        token = self.tokens[k]
        if token.low not in (forms or self.words.cues) or token.named:
            return False
        needed = self.words.particles.get(token.low)
        return needed is None or any(one.low in needed for one in self.tokens[k + 1 : high + _REACH // 8])

    def _behind(self, k: int, high: int) -> Found | None:
        i = k + 1
        while i < high and self.tokens[i].word in _PAUSES:
            i += 1
        if i >= high:
            return None
        named = self._according(i, high)
        if named:
            return Found(*named, i, "after", "behind: according to")
        low = self.tokens[i].low
        if self._is_cue(i, high) or low in self.words.lists["auxiliaries"]:
            found = self._inverted(i, high)
            if found and low in self.words.lists["citing"]:
                found = self._phrase(found[1], high, nominative=False) or found
            cue = i if low in self.words.cues else next((j for j in range(i, high) if self._is_cue(j, high)), None)
            return Found(*found, cue, "after", "behind: verb, subject") if found and cue is not None else None
        if i == k + 1:
            return None
        found = self._clause(i, high, "behind")
        if found is None and self._sentence(k)[0] == k and low.isalpha() and not self.tokens[i].named and not self._is_closed(i):
            subject = self._phrase(i + 1, high)  # Whatever the verb is: “…”, strich X heraus.
            if subject and self._speaks(*subject):
                return Found(*subject, i, "after", "behind: any verb, subject")
        return found

    def _is_closed(self, k: int) -> bool:
        low, lists = self.tokens[k].low, self.words.lists
        return any(low in lists[name] for name in ("breaks", "joining", "determiners", "subordinators", "pronouns", "leads"))

    def _later(self, k: int, high: int) -> Found | None:
        for j in range(k + 1, high - 1):
            if self.tokens[j].word in _PAUSES:
                named = self._according(j + 1, high)
                if named:
                    return Found(*named, j + 1, "after", "later: according to")
                found = self._clause(j + 1, high, "later")
                if found:
                    return found
            if self._is_cue(j, high, self.words.says) and (subject := self._inverted(j, high)):
                return Found(*subject, j, "after", "later: verb, subject")
        return None

    def _clause(self, k: int, high: int, side: str) -> Found | None:
        """A clause at ``k`` that names who speaks: *wie X sagte*, *X zufolge*."""
        bound = self.tokens[k].low in self.words.lists["subordinators"]
        phrase = self._phrase(k + bound, high, nominative=bound)
        if phrase is None:
            return None
        if any(tuple(t.low for t in self.tokens[phrase[1] :][: len(p)]) == p for p in self.words.phrases["behind"]):
            return Found(*phrase, phrase[1], "after", f"{side}: according to")
        verbs = (j for j in range(phrase[1], high) if self._is_cue(j, high, self.words.says))
        verb = next(verbs, None) if bound else None
        return None if verb is None else Found(*phrase, verb, "after", f"{side}: subject, verb")

    def _before(self, k: int, floor: int, low: int) -> Found | None:
        weak: Found | None = None
        lost: int | None = None
        for j in range(k - 1, floor - 1, -1):
            if self._is_cue(j, k):
                subject = self._subject(j, low, k)
                says = self.tokens[j].low in self.words.says
                if subject and says:
                    return Found(*subject, j, "before", "before: subject, verb")
                if subject:
                    weak = weak or Found(*subject, j, "before", "before: weak verb")
                lost = lost or (j if says else None)
            named = self._according(j, k)
            if named:
                return Found(*named, j, "before", "before: according to")
        if weak:
            return weak
        colon = k > low and self.tokens[k - 1].word == ":"
        first = self._who(low, k) if colon or lost else None
        if first is None:
            return None
        return Found(*first, lost, "before", "before: sentence") if lost else Found(*first, k - 1, "colon", "before: colon")

    def _who(self, low: int, high: int) -> tuple[int, int] | None:
        """The first phrase of a sentence that names somebody: at its beginning, or behind a word in lower case."""
        first = self._first(low, high)
        if first and self._speaks(*first):
            return first
        for k in range(low + 1, high):
            if self.tokens[k].word == ",":
                break
            lower = not self.tokens[k - 1].named and self.tokens[k - 1].word[0].isalpha()
            determined = self.tokens[k].low in self.words.lists["determiners"] or self.tokens[k].low in self.words.lists["pronouns"]
            phrase = self._phrase(k, high) if lower and determined else None
            if phrase and self._speaks(*phrase):
                return phrase
        return None

    def _first(self, low: int, high: int) -> tuple[int, int] | None:
        """The noun phrase that begins a clause."""
        leads = self.words.lists["leads"]
        while low < high and (self.tokens[low].low in leads or not self.tokens[low].word[0].isalnum()):
            low += 1
        return self._phrase(low, high)

    def _subject(self, cue: int, low: int, high: int) -> tuple[int, int] | None:
        """The subject of the verb at ``cue``: in front of its finite part or behind it."""
        lists = self.words.lists
        finite = next((j for j in range(cue - 1, max(low, cue - _CLAUSE), -1) if self.tokens[j].low in lists["auxiliaries"]), cue)
        if finite > low and self.tokens[finite - 1].low in lists["coordinating"]:
            return None  # Its subject is that of the verb before.
        front = self._front(low, finite)
        behind = self._inverted(finite, high if finite == cue else cue)
        if front and behind and finite == cue and self.tokens[cue].low in lists["citing"]:
            return behind
        if front and behind and self._speaks(*behind) and not self._speaks(*front):
            return behind
        return front or behind

    def _front(self, low: int, verb: int) -> tuple[int, int] | None:
        """The phrase that begins a clause and is followed by its verb, adverbs and an aside between."""
        lists = self.words.lists
        best: tuple[int, int] | None = None
        for s in range(verb - 1, max(low, verb - _CLAUSE) - 1, -1):
            sign = s == low or not self.tokens[s - 1].word[0].isalnum() or self.tokens[s - 1].low in lists["coordinating"]
            bound = self.tokens[s].low in lists["subordinators"]
            phrase = self._first(s + bound, verb) if sign or bound else None
            if phrase and best and phrase[1] == best[1]:
                best = phrase  # Ute Holl, Sprecherin der Polizei,
            elif phrase and not best:
                between = self.tokens[phrase[1] : verb]
                aside = bool(between) and between[0].word == "," and between[-1].word == ","
                adverbs = all(token.low in lists["between"] or token.low in lists["breaks"] for token in between)
                if bound or aside or adverbs:
                    best = phrase
            if self.tokens[s].word in _CLAUSE_SIGNS:
                break
        return best

    def _inverted(self, verb: int, high: int) -> tuple[int, int] | None:
        """The phrase behind a verb, adverbs between."""
        k = verb + 1
        while k < high and self.tokens[k].low in self.words.lists["between"]:
            k += 1
        return self._phrase(k, high)

    def _speaks(self, start: int, end: int) -> bool:
        """Whether a phrase names somebody: a pronoun, a bare name, or a noun for an office or body."""
        words, first = self.words, self.tokens[start]
        if first.low not in words.lists["determiners"]:
            return first.named or first.low in words.lists["pronouns"]
        nouns = [token.word for token in self.tokens[start:end]]
        return any(words.ends(name, noun) for noun in nouns for name in ("roles", "organisations"))


def _speaker(text: str, tokens: Sequence[Token], found: Found, words: Tables) -> Speaker:
    start, end = tokens[found.start].start, tokens[found.end - 1].end
    head = next((k for k in range(found.start, found.end) if tokens[k].word == ","), found.end)
    cue = None if found.cue is None else tokens[found.cue]
    lemma = cue and words.cues.get(cue.low, cue.low)
    kind = _type([token for token in tokens[found.start : head]], words)
    places = (cue.start, cue.end) if cue else (None, None)
    return Speaker(start, end, text[start:end], tokens[head - 1].end, *places, lemma, found.how, kind, rule=found.rule)


def _type(phrase: Sequence[Token], words: Tables) -> str:
    """Type of a speaker by the first noun of the phrase that tells it; a person if none does."""
    for token in phrase:
        for name, kind in _TYPES:
            if words.ends(name, token.word):
                return kind
    return "person"


_TYPES: Final = (
    ("anonymous", "anonymous"),
    ("roles", "person"),
    ("documents", "document"),
    ("organisations", "organisation"),
    ("crowd", "crowd"),
)

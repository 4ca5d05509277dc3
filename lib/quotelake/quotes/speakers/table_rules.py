"""Find the speakers in a language that has a table: verbs of saying, prepositions that attribute, a colon.

For each quote of a line the rules read the words after it (*“…”, said X*; *“…”, according to X*), then those before it
in its sentence, the nearest verb first, then the rest of the sentence. A quote without any of these continues the
speaker of the quote or sentence before.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from quotelake.quotes.lexicon import Tables
from quotelake.quotes.spans import Quote, quotes_by_line
from quotelake.quotes.speakers.clauses import QUOTE, Found, Phrase, Speaker
from quotelake.quotes.speakers.table_words import REACH, STOP, Token, read_line

#: Words between the parts of a verb, and between a subject and its verb.
_CLAUSE: Final = 40
_PAUSES: Final = frozenset(",–—-")
_CLAUSE_SIGNS: Final = frozenset((";", ":", "–", "—", STOP, QUOTE))
_BREAKS: Final = (_CLAUSE_SIGNS | {","}) - {QUOTE}
#: Most words of a noun phrase, and of a bracket in it.
_LONGEST: Final = 16
_BRACKET: Final = 8
#: Lists of nouns → type of speaker, the surest first.
_TYPES: Final = {
    "anonymous": "anonymous",
    "roles": "person",
    "documents": "document",
    "organisations": "organisation",
    "crowd": "crowd",
}


def find_by_tables(text: str, quotes: Sequence[Quote], words: Tables) -> list[Speaker | None]:
    """Speaker of each outermost direct quote; see :func:`quotelake.quotes.speakers.find_speakers`."""
    speakers: list[Speaker | None] = [None] * len(quotes)
    previous, ended = None, 0  # The speaker of a line that ends in its quote, and its end.
    outermost = [each for each in enumerate(quotes) if each[1].depth == 0]
    for inside in quotes_by_line(text, outermost):
        tokens = read_line(text, inside, words)
        line = _Line(tokens, words)
        adjoins = line.tokens[0].word == QUOTE and not text[ended : line.tokens[0].start].strip()
        last = previous if adjoins else None
        place = -1  # Of the quote before, in this line.
        for k, token in enumerate(line.tokens):
            if token.quote < 0:
                continue
            found = line.attribution(k, place)
            if found is None and last and line.continues(place, k):
                last = last._replace(how="continued", rule="continued")
            else:
                found = found or line.sentence_before(k)
                last = _speaker(text, line.tokens, found, words) if found else None
            speakers[token.quote] = last
            place = k
        previous = None if any(token.is_word for token in line.tokens[place + 1 :]) else last
        ended = line.tokens[-1].end
    return speakers


class _Line:
    """The words of a line; ``k`` is the position of a quote or verb, ``low`` and ``high`` bound the words read."""

    def __init__(self, tokens: list[Token], words: Tables) -> None:
        self.tokens = tokens
        self.words = words

    def attribution(self, k: int, floor: int) -> Found | None:
        """Attribution of the quote at ``k``; ``floor`` is the position of the quote before it, or -1."""
        low, high = self._sentence(k)
        found = self._behind(k, high, later=False) or self._before(k, max(low, floor + 1), low)
        return found or self._behind(k, high, later=True)

    def continues(self, before: int, k: int) -> bool:
        """Whether a quote continues the speaker of the one before: in its sentence, or in reported speech."""
        between = self.tokens[before + 1 : k]
        within = all(token.word != STOP for token in between)
        joined = all(self.words.has(token.low, "leads") for token in between if token.is_word)
        return len(between) <= REACH and (within or joined or self._reports(k))

    def sentence_before(self, k: int) -> Found | None:
        """Speaker of the sentence before, if the quote is a whole sentence or in reported speech."""
        low, _ = self._sentence(k)
        if low < 2 or not self._reports(k) or any(self._is_cue(j, k, self.words.says) for j in range(low, k)):
            return None
        start, _ = self._sentence(low - 1)
        found = self._before(low - 1, start, start)
        sure = found is not None and found.rule != "before: weak verb"
        return found._replace(how="continued", rule=f"sentence {found.rule}") if found and sure else None

    def _reports(self, k: int) -> bool:
        """Whether the sentence of a word has nothing but verbs of saying beside quotes, or is reported speech."""
        low, high = self._sentence(k)
        rest = {token.low for token in self.tokens[low:high] if token.quote < 0 and token.is_word}
        return self.words.cues.keys() >= rest or self.words.any_of(rest, "reported")

    def _sentence(self, k: int) -> tuple[int, int]:
        low, high = k, k + 1
        while low > max(0, k - REACH) and self.tokens[low - 1].word != STOP:
            low -= 1
        while high < min(len(self.tokens), k + REACH) and self.tokens[high].word != STOP:
            high += 1
        return low, high

    def _phrase(self, k: int, high: int, skip: str = "") -> Phrase | None:
        """The noun phrase at ``k``, or after the words of the list ``skip``, if it can be a subject."""
        while skip and k < high and (self._is(k, skip) or (skip == "leads" and not self.tokens[k].is_word)):
            k += 1
        return None if k < high and self._is(k, "oblique") else phrase_at(self.tokens, k, high, self.words)

    def _is(self, k: int, name: str) -> bool:
        return self.words.has(self.tokens[k].low, name)

    def _matches(self, k: int, name: str) -> int:
        """Number of words of the listed phrase at ``k``, or 0."""
        lows = [token.low for token in self.tokens[k : k + 4]]
        return max((len(one) for one in self.words.phrases[name] if tuple(lows[: len(one)]) == one), default=0)

    def _begins(self, k: int) -> bool:
        return self.tokens[k].named or self.words.has(self.tokens[k].low, "determiners", "pronouns", "roles")

    def _is_cue(self, k: int, high: int, forms: frozenset[str] | None = None) -> bool:
        token = self.tokens[k]
        if token.low not in (forms or self.words.cues) or token.named:
            return False
        needed = self.words.particles.get(token.low)
        return needed is None or any(one.low in needed for one in self.tokens[k + 1 : high + _CLAUSE // 4])

    def _according(self, k: int, high: int, side: str) -> Found | None:
        """Attribution by a preposition at ``k`` (*laut X*, *nach Angaben von X*), or after X (*X zufolge*)."""
        behind = k + self._matches(k, "according")
        phrase = phrase_at(self.tokens, behind, high, self.words) if behind > k else None
        if phrase is None and k < behind < high and self._is(behind, "joining"):
            phrase = phrase_at(self.tokens, behind + 1, high, self.words)
        if phrase and self._begins(phrase.start):
            return Found(phrase, k, side, f"{side}: according to")
        phrase = phrase_at(self.tokens, k, high, self.words) if self._begins(k) else None
        if phrase is None or not self._matches(phrase.end, "behind"):
            return None
        start = k - 1 if k and phrase_at(self.tokens, k - 1, high, self.words) == phrase._replace(start=k - 1) else k
        return Found(phrase._replace(start=start), phrase.end, side, f"{side}: according to")

    def _behind(self, k: int, high: int, *, later: bool) -> Found | None:
        """Attribution directly after the quote at ``k``, or ``later``, also around it: *X hatte es “…” genannt*."""
        first = next((i for i in range(k + 1, high) if self.tokens[i].word not in _PAUSES), high)
        for i in range(first, high if later else min(first + 1, high)):
            if self._is_cue(i, high, self.words.says if later else None) or (not later and self._is(i, "auxiliaries")):
                phrase = self._phrase(i + 1, high, "between")
                if phrase and self._is(i, "relaying"):  # “…”, zitierte die Zeitung den Minister
                    phrase = self._phrase(phrase.end, high)
                phrase = phrase or (self._subject(i, self._sentence(k)[0], i) if later else None)
                cue = next((j for j in range(i, high) if self._is_cue(j, high)), None)
                if phrase and cue is not None:
                    return Found(phrase, cue, "after", "after: verb, subject")
            named = self._aside(i, high) if not later or self.tokens[i - 1].word in _PAUSES else None
            if named:
                return named
        return None

    def _aside(self, k: int, high: int) -> Found | None:
        """Attribution by a clause at ``k``: *so X*, *X zufolge*, *wie X sagte*."""
        found = self._according(k, high, "after")
        if found or not self._is(k, "subordinators"):
            return found
        phrase = self._phrase(k + 1, high)
        verbs = range(phrase.end if phrase else high, high)
        cue = next((j for j in verbs if self._is_cue(j, high, self.words.says)), None)
        return Found(phrase, cue, "after", "after: subject, verb") if phrase and cue is not None else None

    def _before(self, k: int, floor: int, low: int) -> Found | None:
        weak: Found | None = None
        lost: int | None = None
        for j in range(k - 1, floor - 1, -1):
            if self._is_cue(j, k):
                subject = self._subject(j, low, k)
                says = self.tokens[j].low in self.words.says
                if subject is None and self._is(j, "relaying"):
                    return None
                if subject and says:
                    return Found(subject, j, "before", "before: subject, verb")
                if subject:
                    weak = weak or Found(subject, j, "before", "before: weak verb")
                lost = lost or (j if says else None)
            named = self._according(j, k, "before")
            if named:
                return named
        colon = k > low and self.tokens[k - 1].word == ":"
        first = self._phrase(low, k, "leads") if not weak and (colon or lost) else None
        if first is None or not self._speaks(first):
            return weak
        how, cue, rule = ("before", lost, "before: sentence") if lost else ("colon", k - 1, "before: colon")
        return Found(first, cue, how, rule)

    def _subject(self, cue: int, low: int, high: int) -> Phrase | None:
        """The subject of the verb at ``cue``: in front of its finite part or behind it."""
        parts = takewhile(lambda j: self.tokens[j].word not in _BREAKS, range(cue - 1, max(low, cue - _CLAUSE), -1))
        finite = next((j for j in parts if self._is(j, "auxiliaries")), cue)
        relays, passive = self._is(cue, "relaying"), self._is(finite, "passive")
        if (passive and not relays) or (finite > low and self._is(finite - 1, "coordinating")):
            return None
        front = self._front(low, finite)
        if relays and cue + 1 < len(self.tokens) and self._is(cue + 1, "oblique"):
            return None  # zitierte ihn
        behind = self._phrase(finite + 1, high if finite == cue else cue, "between")
        if behind is None and finite != cue:  # come ha detto il sindaco
            behind = self._phrase(cue + 1, high, "between")
        if relays and behind and not passive:  # Holl zitierte Bell mit den Worten: “…”
            return behind if front else None
        return behind if behind and (front is None or self._speaks(behind) > self._speaks(front)) else front

    def _front(self, low: int, verb: int) -> Phrase | None:
        """The phrase that begins a clause, before its verb, with adverbs and an aside between."""
        best: Phrase | None = None
        for s in range(verb - 1, max(low, verb - _CLAUSE) - 1, -1):
            bound = self._is(s, "subordinators")
            begins = bound or s == low or not self.tokens[s - 1].is_word or self._is(s - 1, "coordinating")
            phrase = self._phrase(s + bound, verb, "leads") if begins else None
            between = self.tokens[phrase.end : verb] if phrase else []
            aside = bool(between) and between[0].word == "," and between[-1].word == ","
            adverbs = all(self.words.has(token.low, "between", "breaks") for token in between)
            if phrase and best:
                best = phrase if phrase.end == best.end else best  # Ute Holl, Sprecherin der Polizei,
            elif phrase and (adverbs or aside or (bound and all(token.word != "," for token in between))):
                explains = aside and not self._is(phrase.end + 1, "relatives") and self._begins(phrase.end + 1)
                best = phrase._replace(end=verb - 1) if explains else phrase
            if self.tokens[s].word in _CLAUSE_SIGNS:
                break
        return best

    def _speaks(self, phrase: Phrase) -> bool:
        """Whether a phrase can speak: a pronoun, a bare name, or a noun for an office or body; not a label."""
        if any(self.words.is_noun(token.word, "headline_labels") for token in self.tokens[phrase.start : phrase.head]):
            return False
        if not self._is(phrase.start, "determiners"):
            return self.tokens[phrase.start].named or self._is(phrase.start, "pronouns")
        tokens = self.tokens[phrase.start + 1 : phrase.head]
        nouns = [one.word for one in takewhile(lambda token: not self.words.has(token.low, "joining"), tokens)]
        return any(self.words.is_noun(noun, "roles", "organisations") or noun[1:].isupper() for noun in nouns)


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
    closed = words.has(token.low, "breaks", "determiners", "joining")
    verb = token.low in words.cues and not (token.named or words.has(token.low, "roles"))
    return token.is_word and not verb and not closed


def _speaker(text: str, tokens: Sequence[Token], found: Found, words: Tables) -> Speaker:
    phrase, start, end = found.speaker, tokens[found.speaker.start].start, tokens[found.speaker.end - 1].end
    cue_start = cue_end = lemma = None
    if found.cue is not None:
        cue = tokens[found.cue]
        cue_start, cue_end, lemma = cue.start, cue.end, words.cues.get(cue.low, cue.low)
    nouns = [token.word for token in tokens[phrase.start : phrase.head]]
    kind = next((kind for noun in nouns for name, kind in _TYPES.items() if words.is_noun(noun, name)), "person")
    head = tokens[phrase.head - 1].end
    return Speaker(start, end, text[start:end], head, cue_start, cue_end, lemma, found.how, kind, rule=found.rule)

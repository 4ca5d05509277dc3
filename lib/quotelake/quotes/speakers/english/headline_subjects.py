"""The subject of a verb in an English headline, read forwards from the beginning of its clause."""

from typing import Final

from quotelake.quotes.speakers.english.clauses import Clauses, Phrase
from quotelake.quotes.speakers.english.who_speaks import WhoSpeaks
from quotelake.quotes.speakers.language import Language
from quotelake.quotes.speakers.people import plain

_PAUSES: Final = frozenset((",", ";", "…"))
#: Words before the subject of another clause than the first.
_CLAUSE: Final = frozenset(("as", "while", "after", "before", "but", "when", "because", "if", "that", "and", "though"))
#: Prepositions after which a form in *-ing* has the subject of its sentence.
_BEFORE_GERUND: Final = frozenset(("after", "before", "by", "in", "while", "when", ","))
#: Words before a document that says something (*amid lawsuit alleging “…”*).
_AMID: Final = frozenset(("amid", "after", "as", "over", "despite"))
#: Auxiliaries that are names too.
_NAMES: Final = frozenset(("may", "will"))
#: Most words of a noun phrase.
_LONGEST: Final = 9


class HeadlineSubjects:
    """Noun phrases that begin a clause, and the verbs behind them; ``low`` is the first word that may be read."""

    def __init__(self, language: Language, who: WhoSpeaks) -> None:
        self.words = language.words
        self.who = who

    def first(self, c: Clauses, low: int, high: int) -> Phrase | None:
        """The noun phrase that begins a clause, after an introductory phrase that ends in a comma."""
        start = low
        while start < high and (not c.words[start][0].isalnum() or self.is_adverb(c, start)):
            start += 1
        if start < high and c.low[start] in self.words["prepositions"]:
            while start < high and c.words[start] != ",":
                start += 1
            start += 1
        end = start
        while end < min(high, start + _LONGEST) and self._goes_on(c, end, start, high):
            end += 1
        return Phrase(start, end, end) if end > start else None

    def of_verb(self, c: Clauses, verb: int, low: int) -> Phrase | None:
        """Subject of the verb: of its own clause, or of the first clause if it follows a comma or *and*."""
        main = self.first(c, low, verb + 1)
        begin = verb
        while begin > low and not self._ends_clause(c, begin - 1, main):
            if c.low[begin - 1] == "who" and c.words[begin - 1] != "WHO":
                return self._antecedent(c, begin - 2, low)
            begin -= 1
        phrase = self.first(c, begin, verb + 1)
        if phrase and self._reaches(c, phrase, verb):
            return phrase
        gerund = c.low[verb][-3:] == "ing"
        if gerund and verb - 2 > low and c.low[verb - 1] in self.words["documents"] and c.low[verb - 2] in _AMID:
            return Phrase(verb - 1, verb, verb)
        bare = all(self.is_adverb(c, k) for k in range(begin, verb))
        if begin > low and bare and (not gerund or c.low[begin - 1] in _BEFORE_GERUND):
            return main
        return None

    def _ends_clause(self, c: Clauses, k: int, main: Phrase | None) -> bool:
        """Whether another clause begins behind the word at ``k``; *and* may join two names of the first subject."""
        joins = c.low[k] == "and" and main is not None and k < main.end
        return not joins and (c.low[k] in _CLAUSE or c.low[k] in _PAUSES)

    def verb_behind(self, c: Clauses, phrase: Phrase, stop: int) -> int | None:
        """Position of the verb that follows a subject, behind auxiliaries and adverbs; None if none does."""
        k = self._behind_auxiliaries(c, phrase.end, stop)
        return k if k < stop and self.who.is_verb(c, k, phrase.start) else None

    def _reaches(self, c: Clauses, phrase: Phrase, verb: int) -> bool:
        """Whether the verb is that of the subject, perhaps behind a preposition with its noun."""
        k = phrase.end
        if k < verb and c.low[k] in self.words["prepositions"]:
            k += 1
            while k < verb and c.low[k] != "who" and not self.who.is_verb(c, k, phrase.start):
                k += 1
            return k == verb
        return self._behind_auxiliaries(c, k, verb) == verb

    def _behind_auxiliaries(self, c: Clauses, k: int, stop: int) -> int:
        """The first word from ``k`` on that is neither an auxiliary nor an adverb, or ``stop``."""
        while k < stop and (c.low[k] in self.words["auxiliaries"] or self.is_adverb(c, k)):
            k += 1
        return k

    def _antecedent(self, c: Clauses, last: int, low: int) -> Phrase | None:
        phrase = self.first(c, low, last + 1)
        return phrase if phrase and phrase.end == last + 1 else None

    def _goes_on(self, c: Clauses, k: int, start: int, high: int) -> bool:
        """Whether the word at ``k`` continues the noun phrase from ``start``."""
        word, raw = c.low[k], c.words[k]
        if k == start:
            begins_clause = word in self.words["breaks"] and word not in _NAMES
            return raw[0].isalnum() and word not in self.words["prepositions"] and not begins_clause
        following = c.words[k + 1] if k + 1 < high else ""
        if word == ",":  # Ruiz, Odell reject the plan
            return following[:1].isupper() and not self.who.is_verb(c, k + 1, start) and c.low[k + 1] != "who"
        if word in ("and", "of", "&"):
            return following[:1].isalnum()
        if not raw[0].isalnum() or word in self.words["breaks"] or word in self.words["prepositions"]:
            return False
        if word in self.words["auxiliaries"] or self.is_adverb(c, k):
            return False
        if word in self.words["time_words"] and plain(c.low[k - 1]) not in self.who.people:
            return False  # Gov. Jan Brewer; but: Ruiz Monday
        return not (self.who.is_verb(c, k, start) or self.who.is_predicate(c, k, high))

    def is_adverb(self, c: Clauses, k: int) -> bool:
        """Whether the word at ``k`` is an adverb, and no part of a title or role."""
        if c.low[k] in self.who.people:
            return False  # First Lady, rally crowd
        return c.low[k] in self.words["adverbs"] or (c.words[k][-2:] == "ly" and c.words[k][0].islower())

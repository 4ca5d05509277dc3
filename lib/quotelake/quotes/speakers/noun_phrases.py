"""Find English noun phrases from one of their ends, by closed classes of words and by capital letters."""

from typing import Final

from quotelake.quotes.speakers.clauses import QUOTE, STOP, Clauses, Phrase
from quotelake.text.lexicon import Language

#: Most words of a noun phrase that are read; a longer one is cut.
LONGEST: Final = 14
POSSESSIVE: Final = ("'s", "’s")
_ENDS_ASIDE: Final = frozenset((",", ";", ":", "—", "–", STOP, QUOTE))
_JOINING_A_NAME: Final = frozenset(("of", "from", "for"))
_JOINING_A_ROLE: Final = frozenset(("of", "for", "from", "at", "with"))
#: Determiners that can be a noun phrase alone.
_ALONE: Final = frozenset(("another", "others", "some", "many", "most", "few", "one", "both", "all"))


class Phrases:
    """The rules, with the sets of words they use."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self.cues = language.cues
        self.be = words["be"]
        self.adverbs = words["adverbs"]
        self.auxiliaries = words["auxiliaries"]
        self.breaks = words["breaks"]
        self.determiners = words["determiners"]
        self.documents = words["documents"]
        self.linking = words["joining"] | words["determiners"]
        self.joining = words["joining"]
        self.noun_verbs = words["noun_verbs"]
        self.particles = words["particles"]
        self.plural = words["crowd"] | words["sources"]
        self.prepositions = words["prepositions"]
        self.pronouns = words["pronouns"]
        self.roles = words["roles"] | self.plural | words["titles"]
        self.nouns = self.roles | self.documents | words["organisations"]
        self.closed = self.pronouns | self.breaks | self.prepositions
        self.openings = self.determiners | self.roles
        self.times = words["time_words"]
        #: Words that end a noun phrase when it is read backwards, or forwards.
        self.before_phrase = self.breaks | self.auxiliaries
        self.behind_phrase = self.before_phrase | self.adverbs | self.prepositions

    def is_noun(self, c: Clauses, k: int) -> bool:
        """Whether a form of a verb of saying is a noun here (*his call for*, *Trump's proposed*)."""
        form = c.low[k]
        if k == 0 or c.words[k] != form:
            return False
        before = c.low[k - 1]
        if before[-2:] in POSSESSIVE:
            return True
        if form not in self.noun_verbs or before == "to" or before in self.pronouns:
            return False
        if before in self.determiners:
            return True
        if before in self.auxiliaries or before in self.adverbs or before[-2:] == "ly":
            return False
        if form[-1] != "s":  # A plain form would need a plural subject.
            return before[-1:] != "s" and before not in self.plural and before not in (",", ")")
        return c.words[k - 1][0].islower() and before not in self.nouns

    def backwards(self, c: Clauses, last: int, low: int) -> Phrase | None:
        """Noun phrase that ends at ``last`` and begins at ``low`` or later; None if there is none."""
        words, lows = c.words, c.low
        low = max(low, last - LONGEST)
        k = last
        while k >= low:
            word = lows[k]
            if word == "and" and low < k < last and self._only_names(c, k - 1, low):
                k -= 1
                continue
            if word in self.before_phrase or not (words[k][0].isalnum() or word in "&$%"):
                break
            if word in self.cues and words[k] == word and not self._is_head_noun(c, k):
                before = lows[k - 1] if k > low else ""
                if k < last or words[k - 1][0].isupper() or before in self.pronouns:
                    break
            k -= 1
            if word in self.determiners and not (k >= low and lows[k] in self.linking):
                break
        start = k + 1
        while start <= last and lows[start] in self.adverbs:
            start += 1
        if start > last or (start < last and lows[start][-3:] == "ing" and words[start][0].islower()):
            return None
        start = self._behind_preposition(c, start, last)
        if start > last or lows[last] in self.times or lows[last] in self.prepositions:
            return None
        if words[start][0].islower():
            if start > low and lows[start - 1] in self.auxiliaries:
                return None
            if lows[start] in self.cues and lows[start] not in self.nouns:
                return None
        if start == last and lows[last] in self.determiners and lows[last] not in _ALONE:
            return None
        return Phrase(start, last + 1, last + 1)

    def forwards(self, c: Clauses, start: int, high: int, clause: bool = False) -> Phrase | None:
        """Noun phrase that begins at ``start``, with its apposition; without it if the verb of a ``clause`` follows."""
        words, lows = c.words, c.low
        if start >= high:
            return None
        first = lows[start]
        following = start + 1 < high and (words[start + 1][0].isupper() or lows[start + 1] in self.nouns)
        if first in self.pronouns and not (first in self.determiners and following):
            return Phrase(start, start + 1, start + 1)
        root = first.replace("’", "'").split("'")[0]
        if (root != first and root in self.closed) or (first in self.closed and first not in self.pronouns):
            return None
        if first[-2:] == "ly" and words[start][0].islower():
            return None
        k = start
        named = role = False
        while k < min(high, start + LONGEST):
            word = lows[k]
            if words[k][0].isupper() or words[k][0].isdigit():
                if word in self.times:
                    break
                named = words[k][0].isupper()
            elif not self._goes_on(c, k, start, high, named=named, role=role, clause=clause):
                break
            elif word in self.joining:
                named = False
            elif word in self.roles:
                role = True
            k += 1
        if k == start or (k == start + 1 and first in self.determiners and first not in self.pronouns):
            return None
        return Phrase(start, k, k if clause else self.apposition(c, k, high, start))

    def apposition(self, c: Clauses, k: int, high: int, head: int) -> int:
        """End of the apposition after the noun phrase from ``head`` to ``k``; ``k`` if there is none.

        A relative clause counts only after a full name without another apposition: elsewhere it tells something new.
        """
        full = k - head > 1 and c.words[head][0].isupper() and c.words[k - 1][0].isupper()
        if k < high and c.words[k] == "(":
            while k < high and c.words[k] != ")":
                k += 1
            k = min(k + 1, high)
        start = k
        while k + 1 < high and c.words[k] == "," and self._explains(c, k + 1, high):
            k = self._until(c, k + 1, high)
        if k - start <= 2 and full and k + 1 < high and c.words[k] == "," and c.low[k + 1] in ("who", "whose"):
            k = self._until(c, k + 1, high)
        return k

    def _goes_on(self, c: Clauses, k: int, start: int, high: int, *, named: bool, role: bool, clause: bool) -> bool:
        """Whether a word in lower case, or a sign, continues the noun phrase from ``start``.

        Args:
            c: words of the paragraph.
            k: the word in question.
            start: first word of the phrase.
            high: one past the last word that may belong to it.
            named: whether a name is directly before it, or only lower-case words are between.
            role: whether the phrase has a word for a role.
            clause: whether the phrase is a subject, so that its verb ends it.
        """
        word, before = c.low[k], c.low[k - 1]
        following = c.low[k + 1] if k + 1 < high else ""
        if not (word[0].isalnum() or word in "&$"):
            return False
        if word in self.determiners:
            return k == start or before in self.joining or (named and word in ("his", "her"))
        if word in self.joining:
            return k > start and following != "" and _joins(word, named=named, role=role, clause=clause)
        if word in self.behind_phrase:
            return False
        if named and word in self.particles and following and c.words[k + 1][0].isupper():
            return True  # Ana de la Ruiz
        if word in self.roles or k == start:
            return True
        if clause:
            return self._goes_on_to_verb(c, k, start, following, named)
        if named and before[-2:] not in POSSESSIVE and c.low[start] not in self.determiners:
            return following in self.roles  # Avalon city mayor
        return True

    def _goes_on_to_verb(self, c: Clauses, k: int, start: int, following: str, named: bool) -> bool:
        """Whether a lower-case word continues the subject from ``start`` and is not its verb."""
        word, before = c.low[k], c.low[k - 1]
        if word not in self.nouns and before in self.nouns and c.words[k - 1][0].islower():
            return False
        if named and word in self.nouns and c.low[start] in self.determiners:
            return True  # the Avalon report
        if named and before[-2:] not in POSSESSIVE:
            return following in self.roles
        return not (word in self.cues or word[-2:] == "ed") or self._is_head_noun(c, k)

    def _is_head_noun(self, c: Clauses, k: int) -> bool:
        """Whether a form of a verb is a noun that can speak here (*the report said*)."""
        if self.is_noun(c, k):
            return True
        if k == 0 or c.low[k] not in self.nouns:
            return False
        return c.low[k - 1] in self.determiners or c.words[k - 1][0].isupper()

    def _only_names(self, c: Clauses, k: int, low: int) -> bool:
        """Whether all words from the start of the clause to ``k`` are capitalised."""
        if not c.words[k][0].isupper() or c.low[k] in self.times:
            return False
        while k >= low and c.words[k][0].isupper():
            k -= 1
        return k < low or not c.words[k][0].isalnum()

    def _behind_preposition(self, c: Clauses, start: int, last: int) -> int:
        """Start of the noun phrase up to ``last`` without an adverbial before it (*in Ohio the mayor*)."""
        lead = -1
        if c.low[start] in self.prepositions:
            lead = start
        for k in range(start, last + 1):
            word = c.low[k]
            if (word in self.prepositions and word not in self.joining) or (lead < 0 and self._is_time(c, k)):
                lead = k
        if lead < 0:
            return start
        k = last
        named = c.words[last][0].isupper()
        while k > lead and c.low[k] not in self.times and c.low[k] not in self.determiners:
            if named and not (c.words[k][0].isupper() or c.low[k] in self.roles or c.low[k] in self.particles):
                break
            if not named and c.low[k] in self.prepositions:
                break
            k -= 1
        return k if k > lead and c.low[k] in self.determiners else k + 1

    def _is_time(self, c: Clauses, k: int) -> bool:
        return c.low[k] in self.times and c.words[k][0].isupper()

    def _explains(self, c: Clauses, k: int, high: int) -> bool:
        """Whether the words from ``k``, after a comma, are an apposition, an age or a place."""
        word = c.low[k]
        if word in self.times:
            return False
        if word in self.determiners or word in self.nouns or word in ("of", "from", "now") or not word[0].islower():
            return word[0].isalnum()
        if c.words[k][0].isupper():
            return True
        if word[-3:] == "ing":
            return k + 1 < high and c.low[k + 1] in self.roles  # managing director
        adverbial = word in self.prepositions or word in self.breaks or word in self.auxiliaries or word[-2:] == "ly"
        return not adverbial and word not in self.pronouns and word not in self.cues

    def _until(self, c: Clauses, k: int, high: int) -> int:
        while k < high and c.words[k] not in _ENDS_ASIDE:
            k += 1
        return k


def _joins(word: str, *, named: bool, role: bool, clause: bool) -> bool:
    """Whether a preposition or *and* joins what follows to a role (*mayor of*) or a name (*Ana Ruiz of*)."""
    if role:
        return word in _JOINING_A_ROLE or not named
    return named and not clause and word in _JOINING_A_NAME

"""The subject of a verb in an English headline: which words are verbs, and which noun phrases can speak.

In a headline any word may be capitalised, so capitals show neither names nor the end of a noun phrase. Lists of words
do, and endings: nouns in *-er* or *-ist* are people, nouns in *-tion* or *-ism* are topics. A subject is read forwards
from the beginning of its clause.
"""

from typing import Final

from quotelake.quotes.lexicon import (
    COMMON_WORDS,
    HEADLINE_LABELS,
    HEADLINE_PASTS,
    HEADLINE_VERBS,
    HONORIFICS,
    NO_AGENTS,
    SPEAKING_NOUNS,
    TOPIC_NOUNS,
)
from quotelake.quotes.speakers.clauses import Clauses, Phrase
from quotelake.quotes.speakers.noun_phrases import POSSESSIVE
from quotelake.quotes.speakers.people import plain
from quotelake.text.lexicon import Language

_AGENT: Final = ("er", "or", "ist", "ian", "man", "woman", "ee", "ers", "ors", "ists", "ians", "men", "ees")
_TOPIC: Final = (
    "tion",
    "sion",
    "ism",
    "ness",
    "ship",
    "ance",
    "ence",
    "ment",
    "ity",
    "tions",
    "sions",
    "ments",
    "ities",
)
#: Short forms of roles and parties that headlines use.
_SHORT: Final = frozenset(("dem", "dems", "gop", "pm", "mp", "mps", "vp", "ag", "cop", "cops", "mom", "dad"))
#: Most words of a speaker.
_LONGEST_SPEAKER: Final = 8


class WhoSpeaks:
    """The words of one language."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self.cues = language.cues
        self.says = language.inverted
        self.third = frozenset(_third_person(verb) for verb in HEADLINE_VERBS)
        people = words["roles"] | words["sources"] | words["crowd"] | words["titles"]
        self.people = people | frozenset(f"{noun}s" for noun in words["roles"]) | HONORIFICS | _SHORT
        self.speaking = self.people | SPEAKING_NOUNS | words["organisations"]
        self.documents = words["documents"]
        self.pronouns = words["pronouns"] - words["determiners"]
        self.speaking_pronouns = self.pronouns - {"who", "it"}
        self.clauses = words["breaks"] | self.pronouns
        self.prepositions = words["prepositions"]
        self.determiners = words["determiners"] | {"the"}
        self.given = words["male_names"] | words["female_names"]
        self.plural = words["crowd"] | words["sources"] | {"media", "gop", "police"}

    def is_verb(self, c: Clauses, k: int, start: int) -> bool:
        """Whether the word at ``k`` is the verb of the subject that begins at ``start``."""
        word, lower = c.low[k], c.words[k][0].islower()
        if k == start or word[-2:] in POSSESSIVE or word in self.people:
            return False
        if word in HEADLINE_PASTS or (word in self.third and (lower or word not in self.speaking)):
            return True
        lemma = self.cues.get(word)
        if lemma is not None and word != lemma:
            noun = word in self.speaking or (word[:-1] in self.documents and word not in self.says)
            return lower or word[-1] != "s" or not noun
        if lemma is not None or word in HEADLINE_VERBS:
            return self.is_plural(c, k - 1) and word not in self.speaking
        if not lower or word in TOPIC_NOUNS or self.is_role(word):
            return False
        if word[-1] == "s" and word[-2:] != "ss":  # Ruiz barnstorms Avalon; but: Avalon sports minister
            return c.words[k - 1][0].isupper() and not self._leads_to_speaker(c, k + 1)
        return word[-2:] == "ed" or (self.is_plural(c, k - 1) and c.words[k - 1][0].islower())

    def is_predicate(self, c: Clauses, k: int, high: int) -> bool:
        """Whether a lower-case word behind a name is an adjective that is said of it (*Ruiz defiant amid row*)."""
        if not c.words[k][0].islower() or c.words[k - 1][0].islower() or self.is_role(c.low[k]):
            return False
        following = c.low[k + 1].replace("’", "'").partition("'")[0] if k + 1 < high else ""
        return following in self.prepositions or following in self.clauses

    def is_plural(self, c: Clauses, k: int) -> bool:
        """Whether the word at ``k`` looks like a plural noun."""
        word = c.low[k]
        return word in self.plural or (word[-1] == "s" and word[-2:] not in ("ss", "us", "is", *POSSESSIVE))

    def is_role(self, word: str) -> bool:
        """Whether a common noun names those who can speak."""
        return word in self.speaking or (word.endswith(_AGENT) and word not in NO_AGENTS)

    def is_person(self, c: Clauses, phrase: Phrase) -> bool:
        """Whether a phrase that can speak is a person or several, and no organisation or document."""
        head = c.low[phrase.head - 1]
        return head in self.people or not (head in self.speaking or head in self.documents)

    def is_name(self, c: Clauses, phrase: Phrase) -> bool:
        """Whether a phrase is one to three capitalised words, none of them a possessive."""
        words = c.words[phrase.start : phrase.end]
        return len(words) <= 3 and all(word[0].isupper() and word[-2:] not in POSSESSIVE for word in words)

    def can_speak(self, c: Clauses, phrase: Phrase, cue: str | None = None) -> bool:
        """Whether a noun phrase can be a speaker; ``cue`` is the form of the verb that shows it, if there is one."""
        words = [plain(word) for word in c.low[phrase.start : phrase.head]]
        first, reports = words[0], cue in self.says
        acronym = len(first) > 1 and c.words[phrase.start].isupper()  # US, WHO
        if (first in self.pronouns and not acronym) or (first.isdecimal() and len(words) == 1):
            return cue is not None and len(words) == 1 and first in self.speaking_pronouns
        if len(words) > _LONGEST_SPEAKER or (first in HEADLINE_LABELS and not reports) or self._is_gerund(first):
            return False
        core = next((n for n, word in enumerate(words) if n and word in self.prepositions), len(words))
        last = phrase.start + core - 1
        if c.low[last][-2:] in POSSESSIVE or self._is_imperative(words):
            return False
        head, lower = words[core - 1], c.words[last][0].islower()
        if head in self.people or head in SPEAKING_NOUNS:
            return True
        topic = head in TOPIC_NOUNS or head in NO_AGENTS or (len(words) > 1 and head.endswith(_TOPIC))
        if head in self.speaking or head in self.documents:
            named = len(words) > 1 and c.words[phrase.start][0].isupper() and COMMON_WORDS.isdisjoint(words[:-1])
            alone = len(words) == 1 and not lower and head not in COMMON_WORDS
            return reports or (named if head in TOPIC_NOUNS else lower or len(words) > 1 or alone)
        if lower:
            return not topic and (head.endswith(_AGENT) or (reports and first == "the" and self.is_plural(c, last)))
        owner = next((n for n, word in enumerate(c.low[phrase.start : last]) if word[-2:] in POSSESSIVE), -1) + 1
        titled = not self.people.isdisjoint(words[owner:-1]) or (owner == 0 and first in self.given)
        if titled:
            return True
        return not topic and COMMON_WORDS.isdisjoint(words[owner:])

    def _is_imperative(self, words: list[str]) -> bool:
        """Whether a verb begins a request (*Meet the people*)."""
        verb = words[0] in HEADLINE_VERBS or self.cues.get(words[0]) == words[0]
        return verb and len(words) > 1 and (words[1] in self.determiners or words[1] in self.pronouns)

    def _is_gerund(self, word: str) -> bool:
        """Whether a word is a form in *-ing* of a verb of headlines."""
        if word[-3:] != "ing" or word in self.people:
            return False
        return word[:-3] in HEADLINE_VERBS or f"{word[:-3]}e" in HEADLINE_VERBS

    def _leads_to_speaker(self, c: Clauses, k: int) -> bool:
        """Whether a role or a verb comes within two words, so that a noun stands before ``k``."""
        near = [word for word in c.words[k : k + 2] if word[0].islower()]
        verb = bool(near) and (near[0] in HEADLINE_VERBS or self.cues.get(near[0]) == near[0])
        return verb or any(self.is_role(word) for word in near)


def _third_person(verb: str) -> str:
    """Third person of a verb.

    >>> [_third_person(verb) for verb in ("go", "deny", "play", "push")]
    ['goes', 'denies', 'plays', 'pushes']
    """
    if verb[-1] == "y" and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o", "z")) else "s")


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

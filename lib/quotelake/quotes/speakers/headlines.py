"""English attribution in headlines, where verbs may be capitalised and a colon stands for a verb of saying.

A headline is read forwards: the noun phrase that begins a clause ends at its verb, a preposition or a colon. It is the
speaker if it can speak (:mod:`~quotelake.quotes.speakers.headline_subjects`), and one of these holds: nothing but a
preposition follows it before a colon (*Ruiz on the vote: “…”*); it is a person who does something before a colon (*Ruiz
blocks the plan: “…”*); or a verb of saying governs the quote.
"""

from typing import Final

from quotelake.quotes.lexicon import QUESTION_WORDS
from quotelake.quotes.speakers.clauses import QUOTE, Clauses, Found, Phrase
from quotelake.quotes.speakers.headline_subjects import HeadlineSubjects, WhoSpeaks
from quotelake.text.lexicon import Language

_DASHES: Final = frozenset(("—", "–", "-", "|"))
#: Verbs that give a name to their object, which may be long.
_NAMING: Final = frozenset(("call", "describe", "label", "dub", "brand", "deem"))
#: What follows a passive participle (*Ruiz attacked for saying “…”*).
_BEHIND_PASSIVE: Final = frozenset(("for", "by", "of", "as", "on"))
#: What follows a participle that is said of a group (*Families divided at the border: “…”*).
_BEHIND_STATE: Final = frozenset(("at", "by", "for", "in", "from"))
#: Question words that also begin an explanation (*Ana Ruiz: Why the mayor left*).
_ASKING: Final = frozenset(("why", "how", "what", "where", "when", "who"))
#: Words before a clause that says what is said or thought.
_THAT: Final = frozenset(("that", "why", "whether", "how", "if"))
#: Most words between a verb and the quote that it governs: of saying or naming, of appraisal, of thought.
_FAR: Final = 14
_NEAR: Final = 8
_ADJACENT: Final = 3
#: At this distance a verb of saying outweighs a name before a colon.
_BESIDE: Final = 3


class Headlines:
    """Rules for the headlines of one language."""

    def __init__(self, language: Language) -> None:
        self.cues = language.cues
        self.says = language.inverted
        self.weak = language.weak
        self.words = language.words
        self.who = WhoSpeaks(language)
        self.subjects = HeadlineSubjects(language, self.who)

    def before(self, c: Clauses, quote: int, floor: int, low: int) -> Found | None:
        """Attribution before the quote at word ``quote``.

        Args:
            c: words of the headline.
            quote: the quote's position among them.
            floor: position of the quote before it, or -1; verbs are searched for after it.
            low: first word of the sentence.
        """
        if quote > low and (c.words[quote - 1] == ":" or c.words[quote - 1] in _DASHES):
            return self._of_clause(c, self._opening(c, quote - 1, low), quote - 1)
        begin = self._opening(c, quote, low)
        found = self._of_verb(c, begin, max(begin, floor + 1), quote)
        if begin == low or c.words[begin - 1] != ":" or (found and self._is_near(c, found, quote)):
            return found
        if c.low[begin] in QUESTION_WORDS and (c.low[begin] in _ASKING or c.text.rstrip().endswith("?")):
            return None
        opening = self._opening(c, begin - 1, low)
        label = self._label(c, opening, begin - 1)
        if label or found:
            return label or found
        clause = self._of_clause(c, opening, begin - 1)
        return clause if clause and clause.how == "before" else None

    def behind(self, c: Clauses, found: Found | None) -> Found | None:
        """The attribution that the rules for sentences found after a quote, if its subject can speak."""
        if found is None:
            return None
        phrase, cue = found.speaker, found.cue
        if cue is None:
            alone = self.subjects.first(c, phrase.start, phrase.end)
            return found if alone and alone.end == phrase.head and self.who.can_speak(c, phrase) else None
        participle = c.low[cue][-2:] == "ed" and c.words[cue - 1] == "," and cue == len(c.words) - 1
        if participle or not self.who.can_speak(c, phrase, c.low[cue]):
            return None  # “…” vote, explained
        return found

    def after_colon(self, c: Clauses, quote: int, stop: int) -> Found | None:
        """Clause after a quote and a colon whose verb reports: *“We lost”: Ruiz slams the vote*."""
        low = quote + 1
        if low >= stop or c.words[low] != ":":
            return None
        phrase = self.subjects.first(c, low + 1, stop)
        if phrase is None or not self.who.can_speak(c, phrase):
            return None
        if phrase.end == stop:
            return Found(phrase, low, "after", "headline") if self.who.is_name(c, phrase) else None
        cue = self.subjects.verb_behind(c, phrase, stop)
        reports = cue is not None and c.low[cue] in self.cues and c.low[cue] not in self.weak
        return Found(phrase, cue, "after", "headline") if reports else None

    def _is_near(self, c: Clauses, found: Found, quote: int) -> bool:
        """Whether a verb of saying is near enough to the quote to outweigh a name before a colon."""
        return found.cue is not None and c.low[found.cue] in self.says and quote - found.cue <= _BESIDE

    def _opening(self, c: Clauses, end: int, low: int) -> int:
        """First word of the clause that ends at ``end``: behind a colon or dash."""
        k = end
        while k > low and c.words[k - 1] != ":" and c.words[k - 1] not in _DASHES:
            k -= 1
        return k

    def _label(self, c: Clauses, low: int, colon: int) -> Found | None:
        """A speaker, and at most a preposition with its noun, before a colon."""
        phrase = self.subjects.first(c, low, colon)
        if phrase is None or not self.who.can_speak(c, phrase):
            return None
        behind = phrase.end == colon or c.low[phrase.end] in self.words["prepositions"]
        return Found(phrase, colon, "colon", "headline") if behind else None

    def _of_clause(self, c: Clauses, low: int, colon: int) -> Found | None:
        """Attribution by the clause before a colon, directly before the quote."""
        label = self._label(c, low, colon)
        if label:
            return label
        saying = self._of_verb(c, low, max(low, colon - 2), colon)
        if saying:
            return saying
        phrase = self.subjects.first(c, low, colon)
        if phrase is None or not self.who.can_speak(c, phrase):
            return None
        verb = self.subjects.verb_behind(c, phrase, colon)
        back = verb is not None and c.low[verb + 1] == "back"
        if verb is not None and (back or c.low[verb] in self.cues):
            return Found(phrase, verb + back, "before", "headline")
        acts = self.who.is_person(c, phrase) and self._is_said_of(c, phrase, verb, colon)
        return Found(phrase, colon, "colon", "headline") if acts else None

    def _is_said_of(self, c: Clauses, phrase: Phrase, verb: int | None, colon: int) -> bool:
        """Whether the words behind a person say what he or she does or how he or she feels."""
        if verb is None:
            following = c.low[phrase.end]
            aside = following == "," or following in self.words["auxiliaries"]
            return aside or self.who.is_predicate(c, phrase.end, colon)
        return c.low[verb][-2:] != "ed" or c.low[verb + 1] not in _BEHIND_STATE

    def _of_verb(self, c: Clauses, low: int, floor: int, quote: int) -> Found | None:
        """Attribution by the nearest verb of saying from ``floor`` on that governs the quote."""
        for k in range(quote - 1, floor - 1, -1):
            form = c.low[k]
            if form == "to" and k > low and c.low[k - 1] == "according":
                phrase = self.subjects.first(c, k + 1, quote)
                return Found(phrase, k - 1, "before", "headline") if phrase and self.who.can_speak(c, phrase) else None
            if form not in self.cues or k == low or not self._governs(c, k, quote):
                continue
            particle = form == "back" and self.who.is_verb(c, k - 1, low)  # Ruiz fires back
            phrase = self.subjects.of_verb(c, k - particle, low)
            if phrase and self.who.can_speak(c, phrase, form):
                return Found(phrase, k, "before", "headline")
        return None

    def _governs(self, c: Clauses, k: int, quote: int) -> bool:
        """Whether the verb at ``k`` may report the quote: near enough, and neither passive nor a noun."""
        form, following = c.low[k], c.low[k + 1]
        lemma, before = self.cues[form], c.low[k - 1]
        far = form in self.says or lemma in _NAMING or following in _THAT
        if quote - k > 1 + (_FAR if far else _ADJACENT if form in self.weak and form != "back" else _NEAR):
            return False
        if before in ("not", "never") or before.endswith(("n't", "n’t")):
            return False
        if before in self.words["prepositions"] and form[-3:] != "ing":
            return before == "to" and form in self.says  # but: a search for answers
        passive = following in _BEHIND_PASSIVE or (following == QUOTE and lemma in _NAMING)
        if passive and form[-2:] == "ed" and form not in self.says:
            return False
        return form != lemma or self._plain_is_verb(c, k)

    def _plain_is_verb(self, c: Clauses, k: int) -> bool:
        """Whether a plain form is a verb: after a plural, a pronoun, an auxiliary or a comma."""
        j = k - 1
        while j > 0 and self.subjects.is_adverb(c, j):
            j -= 1
        before = c.low[j]
        if self.who.is_plural(c, j) or (c.low[k] == "back" and self.who.is_verb(c, j, 0)):
            return True
        return before == "," or before in self.words["auxiliaries"] or before in self.words["pronouns"]

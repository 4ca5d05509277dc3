"""English attribution: the clause after a quote or before it that says who speaks.

The rules read the words of a paragraph (:class:`~quotelake.quotes.speakers.clauses.Clauses`) and return
positions among them. Verbs have three strengths (``en.toml``): *say* reports in any place, *judge* only words that
follow it, *think* only if the sentence has no other cue.
"""

from functools import cache
from typing import Final

from quotelake.quotes.speakers.clauses import Clauses, Found, Phrase
from quotelake.quotes.speakers.headlines import Headlines
from quotelake.quotes.speakers.subjects import Subjects
from quotelake.text.lexicon import Language, load_language

#: Words read after a quote, and before it.
_AFTER: Final = 30
_BEFORE: Final = 90
_DASHES: Final = frozenset(("-", "–", "—", ";", "~"))
_BEHIND_QUOTE: Final = frozenset((",", "-", "–", "—", "~", ")"))
_BEFORE_QUOTE: Final = frozenset((",", ":"))
#: Words between verb and quote within which no other verb can govern the quote.
_ADJACENT: Final = 4
#: Verbs whose object is who is told, not who speaks.
_ADDRESSED: Final = frozenset(("tell", "ask", "urge", "remind", "assure", "reassure", "warn", "advise"))
#: At a greater distance in words, a verb of appraisal or thought seldom refers to the quote.
_FAR: Final = 14
#: Most words of a name before a colon or after a dash.
_LABEL: Final = 7
#: Most words of a role before a name that follows its verb.
_ROLE: Final = 3


class Attribution:
    """Rules of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.cues = language.cues
        self.inverted = language.inverted
        self.weak = language.weak
        #: Forms that can follow their subject after a quote.
        self.finite = frozenset(form for form in self.cues if form[-3:] != "ing")
        self.finite_inverted = self.finite & self.inverted
        self.subjects = Subjects(language)
        self.headlines = Headlines(language)
        self.triggers = self.cues.keys() | {"to"}
        self.modals = language.words["modals"]

    def after(self, c: Clauses, quote: int, stop: int, comma: bool, title: bool) -> Found | None:
        """Attribution directly after the quote at word ``quote``: *“…,” Ruiz said*, *said Ruiz*, *according to Ruiz*.

        Args:
            c: words of the paragraph.
            quote: the quote's position among them.
            stop: position of the next quote, or the end.
            comma: whether the quote ends in a comma, so that a reporting clause is expected.
            title: whether verbs may be capitalised, as in headlines.
        """
        low, stop = self._clause_behind(c, quote, stop)
        if low >= stop:
            return None
        word = c.low[low]
        if word == "according" and c.low[low + 1 : low + 2] == ["to"]:
            phrase = self.subjects.forwards(c, low + 2, stop)
            return phrase and Found(phrase, low, "after", "behind: according to")
        lower = c.words[low] == word or (title and low > quote + 1)
        if lower and word in self.inverted and word[-3:] != "ing":
            phrase = self._inverted(c, low, stop)
            if phrase:
                return Found(phrase, low, "after", "behind: verb, subject")
        if word in self.cues and c.words[low] == word:
            return None
        allowed = self.finite if comma else self.finite_inverted
        for k in self._verbs(c, allowed, low + 1, min(stop, low + _AFTER), title):
            if c.low[k - 1] != "to":
                phrase = self.subjects.of_cue(c, k, low)
                if phrase and phrase.start == low and word != "who":
                    return Found(phrase, k, "after", "behind: subject, verb")
        return None

    def after_dash(self, c: Clauses, quote: int, stop: int) -> Found | None:
        """Name after a dash, up to the end of the line: *“…” – Ruiz*."""
        low = quote + 1
        if low >= stop or c.words[low] not in _DASHES or stop - low > _LABEL + 1:
            return None
        phrase = self.subjects.forwards(c, low + 1, stop)
        return Found(phrase, None, "after", "behind: dash") if phrase and phrase.end >= stop - 1 else None

    def later(self, c: Clauses, quote: int, stop: int) -> Found | None:
        """Attribution at the end of the sentence: *to discuss “…” with the press, Ruiz said*."""
        low, stop = self._clause_behind(c, quote, stop)
        for k in self._verbs(c, self.finite_inverted, low + 1, min(stop, low + _AFTER), False):
            phrase = self.subjects.of_cue(c, k, low)
            if phrase and phrase.start > low and c.words[phrase.start - 1] == ",":
                return Found(phrase, k, "after", "behind: later clause")
        return None

    def before(self, c: Clauses, quote: int, floor: int, low: int, full: bool, title: bool) -> Found | None:
        """Attribution in the sentence before a quote: the nearest verb of saying and its subject.

        Args:
            c: words of the paragraph.
            quote: the quote's position among them.
            floor: position of the quote before it; verbs are searched for after it.
            low: first word of the sentence, from which on subjects are searched for.
            full: whether the quote is a whole sentence, so that any clause before it introduces it.
            title: whether verbs may be capitalised.
        """
        low = max(low, quote - _BEFORE)
        label = self._label(c, quote, low)
        if label:
            return label
        floor = max(low - 1, floor)
        if self.triggers.isdisjoint(c.low[floor + 1 : quote]):
            return self._without_verb(c, quote, low, full)
        vague: Found | None = None
        weak: Found | None = None
        for k in range(quote - 1, floor, -1):
            word = c.low[k]
            if word not in self.triggers:
                continue
            if word in self.cues and self._is_verb(c, k, title):
                found = self._of_verb(c, k, low, quote)
                if found is None:
                    if quote - k <= 3 and k > low and c.low[k - 1] in self.subjects.be:
                        return None  # Ruiz was asked, “…”
                elif word not in self.inverted and k < quote - _FAR:
                    continue
                elif not self.subjects.begins_clause(c, min(found.speaker.start, k), low):
                    continue  # Odell said Ruiz called it “a mess”: Odell speaks.
                elif word in self.weak or c.low[k - 1] in self.modals:
                    weak = weak or found._replace(rule="before: weak verb")
                elif self._is_vague(c, found, k, quote, low):
                    vague = vague or found._replace(rule="before: vague pronoun")
                else:
                    return found
            else:
                found = self._of_other_cue(c, k, low, quote)
                if found:
                    return found
        return vague or weak or self._without_verb(c, quote, low, full)

    def _of_other_cue(self, c: Clauses, k: int, low: int, quote: int) -> Found | None:
        """Attribution by a cue before a quote that is not a verb after its subject."""
        word = c.low[k]
        if k == low and word in self.inverted and c.words[k][1:] == word[1:]:
            phrase = self.subjects.forwards(c, k + 1, quote)  # Said Ruiz: “…”
            ends = phrase is not None and (phrase.end == quote or c.words[phrase.end] in _BEFORE_QUOTE)
            return Found(phrase, k, "before", "before: verb, subject first") if phrase and ends else None
        if word == "to" and k > low and c.low[k - 1] == "according":
            phrase = self.subjects.forwards(c, k + 1, quote)
            return phrase and Found(phrase, k - 1, "before", "before: according to")
        return None

    def _clause_behind(self, c: Clauses, quote: int, stop: int) -> tuple[int, int]:
        """The words after a quote up to the end of its sentence, without punctuation at their beginning."""
        low = quote + 1
        while low < stop and c.words[low] in _BEHIND_QUOTE:
            low += 1
        return low, min(stop, low + 2 * _AFTER, c.next_stop(low))

    def _verbs(self, c: Clauses, forms: frozenset[str], low: int, high: int, title: bool) -> list[int]:
        """Positions of verbs of saying that have one of the forms."""
        words = c.low[low:high]
        if forms.isdisjoint(words):
            return []
        return [k for k, word in enumerate(words, low) if word in forms and self._is_verb(c, k, title)]

    def _is_verb(self, c: Clauses, k: int, title: bool) -> bool:
        """Whether a form of a verb of saying is a verb here: by its case, and not a noun."""
        if c.words[k] != c.low[k]:
            capitalised = title and k > 0 and c.words[k][1:] == c.low[k][1:]
            return capitalised and (c.words[k - 1][0].isupper() or c.words[k - 1] == ",")
        return not self.subjects.is_noun(c, k)

    def _inverted(self, c: Clauses, verb: int, stop: int) -> Phrase | None:
        """Subject after its verb, unless it begins a clause (*said the mayor would go*)."""
        phrase = self.subjects.forwards(c, verb + 1, stop)
        if phrase is None or (phrase.end < stop and c.low[phrase.end] in self.subjects.auxiliaries):
            return None
        first = c.low[phrase.start]
        known = first in self.subjects.pronouns or first in self.subjects.determiners or first in self.subjects.nouns
        return phrase if known or c.words[phrase.start][0].isupper() or self._is_role_and_name(c, phrase) else None

    def _is_role_and_name(self, c: Clauses, phrase: Phrase) -> bool:
        """Whether the phrase is at most three lower-case words and two capitalised ones (*said soprano Ana Ruiz*)."""
        words = c.words[phrase.start : phrase.head]
        name = next((n for n, word in enumerate(words) if word[0].isupper()), len(words))
        return name <= _ROLE and len(words) >= name + 2 and all(word[0].isupper() for word in words[name : name + 2])

    def _of_verb(self, c: Clauses, k: int, low: int, quote: int) -> Found | None:
        """The verb's subject; after the verb if the clause is between commas (*, explained Ruiz, “…”*)."""
        if c.low[k] in self.inverted and k > low and c.words[k - 1] == "," and self.cues[c.low[k]] not in _ADDRESSED:
            phrase = self.subjects.forwards(c, k + 1, quote)
            if phrase and c.words[phrase.start][0].isupper() and c.words[phrase.end] == ",":
                return Found(phrase, k, "before", "before: verb, subject")
        phrase = self.subjects.of_cue(c, k, low)
        return phrase and Found(phrase, k, "before", "before: subject, verb")

    def _is_vague(self, c: Clauses, found: Found, verb: int, quote: int, low: int) -> bool:
        """Whether the subject is a pronoun in a subordinate clause, which more likely refers to the real speaker."""
        start = found.speaker.start
        if start <= low or c.low[start] not in self.subjects.pronouns:
            return False
        return verb < quote - _ADJACENT or c.low[start - 1] == "what"

    def _label(self, c: Clauses, quote: int, low: int) -> Found | None:
        """Name between a dash and a colon (*Harbour to close – Ruiz: “…”*)."""
        colon = quote - 1
        if colon <= low or c.words[colon] != ":":
            return None
        start = colon
        while start > max(low, colon - _LABEL) and c.words[start - 1] not in _DASHES:
            start -= 1
        named = low < start < colon and c.words[start - 1] in _DASHES and c.words[start][0].isupper()
        phrase = self.subjects.backwards(c, colon - 1, start) if named and c.words[colon - 1][0].isupper() else None
        return phrase and Found(phrase, colon, "colon", "before: label")

    def _without_verb(self, c: Clauses, quote: int, low: int, full: bool) -> Found | None:
        """Speaker in a sentence without a verb of saying: before a colon, or before a comma and a quoted sentence."""
        if low >= quote:
            return None
        if ":" in c.words[low : quote - 1]:
            colon = c.words.index(":", low)
            phrase = self.subjects.backwards(c, colon - 1, low)
            if phrase and phrase.start == low and c.words[phrase.head - 1][0].isupper():
                return Found(phrase, colon, "colon", "before: name, colon, verb")
        if c.words[quote - 1] == ":":
            phrase = self.subjects.first(c, low, quote - 1)
            return phrase and Found(phrase, quote - 1, "colon", "before: colon")
        if full and c.words[quote - 1] == ",":
            phrase = self.subjects.first(c, low, quote - 1)
            return phrase and Found(phrase, None, "before", "before: comma")
        return None


@cache
def load_attribution(code: str) -> Attribution | None:
    """Rules of a language whose file holds the words they need, made once; None for another language."""
    language = load_language(code)
    return Attribution(language) if language and "noun_verbs" in language.words else None

"""The subject of a verb of saying in an English sentence."""

from typing import Final

from quotelake.quotes.speakers.clauses import QUOTE, Clauses, Phrase
from quotelake.quotes.speakers.noun_phrases import POSSESSIVE, Phrases

_DASHES: Final = frozenset("—–-")
_COORDINATING: Final = frozenset(("and", "or", "but", "then"))
#: Words around a word of time between subject and verb (*Ruiz late on Monday said*).
_AROUND_TIME: Final = frozenset(("on", "last", "this", "late", "early", "earlier", "in", "a", "ago", ","))
_BEFORE_TIME: Final = frozenset(("last", "this", "late", "early", "earlier"))
#: Words before the subject of a clause.
_LEADS: Final = frozenset(("as", "but", "and", "that", "while", "because", "what"))
_RELATIVES: Final = frozenset(("who", "whose", "which", "whom", "where", "when"))
#: Words directly before a clause whose verb may report the quote. Not *that*, *what* or *and*: those clauses are more
#: often part of what somebody else says.
_CLAUSE: Final = _RELATIVES | {
    "and",
    "as",
    "but",
    "while",
    "with",
    "though",
    "after",
    "before",
    "because",
    "if",
    "until",
}
_PARTIES: Final = frozenset(("democrat", "republican", "independent", "libertarian"))
_PLACES: Final = frozenset(("of", "in", "from", "at", "near"))
_BEHIND_PARTICIPLE: Final = frozenset(("by", "of", "if", "whether", "about", "in", "on"))


class Subjects(Phrases):
    """Subjects of verbs; ``low`` is always the first word that may be read."""

    def of_cue(self, c: Clauses, cue: int, low: int, nested: bool = False) -> Phrase | None:
        """Subject of the verb at ``cue``; None for a passive. ``nested`` reads only the clause of the verb."""
        j, passive = self._before_auxiliaries(c, cue, low)
        participle = c.low[cue][-3:] == "ing" and not passive
        if j < low or (passive and c.low[cue][-3:] != "ing" and c.low[cue] != "quoted"):
            return None
        word, raw = c.low[j], c.words[j]
        if word == "to" or word in _COORDINATING or (participle and word in self.prepositions):
            return None if nested else self.of_sentence(c, j, low)
        if participle:
            found = self._of_participle(c, j, low) if raw[0].isalnum() else None
            return found or (None if nested else self.of_sentence(c, j, low))
        if word in self.pronouns and not (word in self.determiners and j > low and c.low[j - 1] in self.determiners):
            return Phrase(j, j + 1, j + 1)
        if word == "," or word == QUOTE or raw in _DASHES:
            return self._behind_aside(c, j, low) or (None if nested else self.of_sentence(c, j, low))
        if word == ")":
            found = self.backwards(c, self._opening(c, j, low) - 1, low)
            return found and Phrase(found.start, found.head, j + 1)
        found = self.backwards(c, j, low)
        return found and self._with_name_in_front(c, found, low)

    def begins_clause(self, c: Clauses, start: int, low: int) -> bool:
        """Whether a clause begins at ``start``: before it, adverbs and times aside, stands a sign or a conjunction.

        *And* begins a clause after a sign; after a role it joins another (*founder and chairman Ana Ruiz*).
        """
        k = start - 1
        while k >= low and (c.low[k] in self.adverbs or c.low[k] in self.times or c.low[k] in _BEFORE_TIME):
            k -= 1
        if k > low and c.low[k] == "and" and c.low[k - 1] not in self.roles:
            return not c.words[k - 1][0].isalnum()
        return k < low or not c.words[k][0].isalnum() or c.low[k] in _CLAUSE

    def of_sentence(self, c: Clauses, before: int, low: int) -> Phrase | None:
        """Subject of the clause before: that of the nearest finite verb of saying, else the first noun phrase."""
        for j in range(before - 1, low, -1):
            form = c.low[j]
            if form in self.cues and c.words[j] == form and form[-3:] != "ing" and c.low[j - 1] != "to":
                found = None if self.is_noun(c, j) else self.of_cue(c, j, low, nested=True)
                if found and c.low[found.start] not in _RELATIVES:
                    return found
        return self.first(c, low, before)

    def first(self, c: Clauses, low: int, high: int) -> Phrase | None:
        """First noun phrase of a sentence, after introductory phrases that end in a comma."""
        k = low
        while k < high and (c.low[k] in self.adverbs or c.low[k] in _COORDINATING or not c.words[k][0].isalnum()):
            k += 1
        while k < high and self._introduces(c, k, high):
            comma = self._next_comma(c, k, high)
            k = place = comma + 1
            while place < high and c.words[place][0].isupper():
                place += 1
            if k < place < high - 1 and c.words[place] == "," and self._begins_phrase(c, place + 1):
                k = place + 1  # In Salem, New Hampshire, the mayor
        return self.forwards(c, k, high, clause=True) if k < high else None

    def _before_auxiliaries(self, c: Clauses, cue: int, low: int) -> tuple[int, bool]:
        """Word before a verb with its auxiliaries, adverbs and times; and whether one of them is a form of *be*."""
        j = cue - 1
        be = False
        while j >= low:
            word = c.low[j]
            if word in self.auxiliaries:
                be = be or word in self.be
            elif word not in self.adverbs and not (word[-2:] == "ly" and len(word) > 4 and c.words[j] == word):
                break
            j -= 1
        at = j
        while at > low and (c.low[at] in self.times or (at < j and c.words[at] in _AROUND_TIME)):
            at -= 1
        return (j if c.low[at] in _COORDINATING else at), be

    def _of_participle(self, c: Clauses, j: int, low: int) -> Phrase | None:
        """Noun directly before a participle, if it is the speaker (*a sign saying*, *with Ruiz calling it*)."""
        found = self.backwards(c, j, low)
        if found is None:
            return None
        before = c.low[found.start - 1] if found.start > low else ""
        speaks = c.low[j] in self.documents or before == "with" or c.words[j][0].isupper()
        return found if speaks and (before == "with" or before not in self.prepositions) else None

    def _with_name_in_front(self, c: Clauses, found: Phrase, low: int) -> Phrase:
        """Add the name before an apposition that has no second comma (*Ruiz, the mayor said*)."""
        comma = found.start - 1
        if comma - 1 < low or c.words[comma] != "," or c.low[found.start] not in self.determiners:
            return found
        name = self.backwards(c, comma - 1, low)
        if name is None or not c.words[name.head - 1][0].isupper():
            return found
        opens = name.start == low or not c.words[name.start - 1][0].isalnum()
        return Phrase(name.start, name.head, found.end) if opens else found

    def _behind_aside(self, c: Clauses, end: int, low: int) -> Phrase | None:
        """Subject that an aside between commas or dashes separates from its verb: skip asides backwards."""
        verb = end
        while end > low:
            comma = end - 1
            while comma >= low and c.words[comma] not in (",", ";", ":", "—", "–"):
                comma -= 1
            first = comma + 1
            opens = first == low and first < end and c.low[first] in self.openings
            if first < end and (opens or not self._is_aside(c, first, end, low)):
                last = self._opening(c, end - 1, first) - 1 if c.words[end - 1] == ")" else end - 1
                found = self.backwards(c, last, first) if last >= first and c.words[last] != QUOTE else None
                if found and not (opens and found.start > first):
                    start = self._description(c, found, comma, low)
                    return Phrase(start, found.head, self.apposition(c, found.head, verb, found.start))
                if not opens:
                    return None
            end = comma
        return None

    def _description(self, c: Clauses, found: Phrase, comma: int, low: int) -> int:
        """Start of a description to which a name is the apposition (*Ruiz's lawyer, Lee Odell, said*)."""
        if comma <= low or c.words[comma] != "," or found.start != comma + 1 or not c.words[found.start][0].isupper():
            return found.start
        left = self.backwards(c, comma - 1, low)
        if left is None or not c.words[comma - 1][0].islower():
            return found.start
        named = c.low[left.start] in self.determiners
        named = named or any(word[-2:] in POSSESSIVE for word in c.low[left.start : left.head])
        return left.start if named else found.start

    def _is_aside(self, c: Clauses, first: int, end: int, low: int) -> bool:
        """Whether words between commas cannot be the subject: apposition, age, place, adverbial."""
        begin = first
        while first + 1 < end and (c.low[first] in _LEADS or c.low[first : first + 2] == ["in", "what"]):
            first += 1
        word, lower = c.low[first], c.words[first][0].islower()
        if word in self.determiners and word not in ("his", "her", "their"):
            return True
        if word in _RELATIVES or word in self.prepositions:
            return True
        if word in self.adverbs or word[0].isdigit() or word[-3:] == "ing" or word in _PARTIES:
            return True
        if lower and word not in self.pronouns and word not in self.breaks:
            return True
        if word[-2:] in POSSESSIVE or (word[-1] == "s" and end - first > 1 and c.words[end - 1][0].islower()):
            return True
        before = begin - 2
        while before > low and c.words[before] != ",":
            before -= 1
        # The rest of a place: of Tampa, Florida,
        return end - first <= 2 and before > low and not _PLACES.isdisjoint(c.low[before:begin])

    def _introduces(self, c: Clauses, k: int, high: int) -> bool:
        """Whether an introductory phrase, which must end in a comma, begins here."""
        word = c.low[k]
        participle = word[-3:] == "ing" or (word[-2:] == "ed" and k + 1 < high and c.low[k + 1] in _BEHIND_PARTICIPLE)
        words = word in self.prepositions or word in self.breaks or word in ("earlier", "later", "last", "this", "led")
        return participle or words

    def _next_comma(self, c: Clauses, k: int, high: int) -> int:
        """Position of the next comma, or ``high`` if there is none."""
        while k < high and c.words[k] != ",":
            k += 1
        return k

    def _begins_phrase(self, c: Clauses, k: int) -> bool:
        return c.words[k][0].isupper() or c.low[k] in self.determiners or c.low[k] in self.pronouns

    def _opening(self, c: Clauses, closing: int, low: int) -> int:
        k = closing
        while k > low and c.words[k] != "(":
            k -= 1
        return k

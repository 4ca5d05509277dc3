"""Differences between a headline quote and the body: their kinds, and the operators that the headline lost. Pure.

Both sides are read by :func:`~quotelake.factuality.operators.factuality`. Only operators that the body has and the
headline lacks are reported, unless words beside the quote restore them.
"""

import re
from enum import StrEnum
from typing import Final, NamedTuple

from quotelake.contextomy.headline import is_asserted, is_sentence
from quotelake.contextomy.passages import Passage
from quotelake.contextomy.quotes import Body, HeadlineQuote, Text, are_read_by_words
from quotelake.factuality.cues import cued_operators, restores
from quotelake.factuality.operators import CONTRAST, INVERTED, Clause, Operator, factuality
from quotelake.factuality.reading import WORDS, Reading, key_of
from quotelake.factuality.statements import BESIDE, WHOLE_CLAUSE, continues_clause, counted
from quotelake.text.lexicon import load_lexicon, reporting


class Kind(StrEnum):
    """Kinds of differences between a headline quote and the body, the gravest first."""

    severity: float  #: how much it changes what a reader believes, 0 to 1 [ours: as readers of alerts ranked them]
    phrase: str  #: to which the words of a side are added where they are known

    def __new__(cls, value: str, severity: float = 0.0, phrase: str = "") -> "Kind":
        """A member: its value, its severity and its phrase."""
        member = str.__new__(cls, value)
        member._value_, member.severity, member.phrase = value, severity, phrase
        return member

    NEGATION = "negation", 0.9, "a negation is lost"  # or added
    REPORTED = "reported", 0.9, "what others say becomes the speaker's own words"  # what is imagined or mocked too
    ABSENT = "absent", 0.9, "its words stand nowhere in the body"  # nor a passage that could be their source
    NUMBER = "number", 0.8, "another number"
    CREDITED = "credited_to_another", 0.8, "said by another speaker than the headline names"
    ALTERED = "altered", 0.7, "other words between the marks"
    SPLICED = "spliced", 0.7, "joined from different sentences"
    QUESTION = "question", 0.7, "a question becomes a statement"
    CONDITION = "condition", 0.6, "a condition is lost"
    HEDGE = "hedge", 0.5, "a possibility becomes a fact"
    SCOPE = "scope", 0.4, "a restriction is left out"
    CONTRAST = "contrast", 0.4, "what is set against it is left out"
    CREDIT = "credit", 0.3, "the body seems to credit another speaker"
    ORDER = "order", 0.2, "its words stand in another order, or some between them are left out"


#: Words of a fragment from which what limits or contrasts it is noted, and from which others' words count as such.
_LEAST_NOTED: Final = 5
#: Operators that change what a speaker is committed to: where the headline names none, nobody's words are changed.
_OF_SPEAKER: Final = frozenset(("reported", "condition"))
#: Words from which a fragment is a statement without a verb that :data:`~quotelake.factuality.statements.FINITE` knows.
_LEAST_REPORTED: Final = 8
#: Words of a headline, beside its quote, that restore what the body has.
_RESTORES: Final = {
    kind: re.compile(rf"(?<!\w)(?:{words})(?!\w)|[?]", re.IGNORECASE)
    for kind, words in (
        (kind, "|".join(words.replace("*", r"\w*").split()))
        for kind, words in load_lexicon("en", "quotelake.factuality")["restores"].items()
    )
}
#: Words before a quote among which the verb is that it continues [ours].
_BESIDE_VERB: Final = 4
_SAYS: Final = frozenset(reporting("en", "say")) | WORDS["believe"]
_SAY_KEYS: Final = frozenset(map(key_of, reporting("en", "say")))
#: Behind these, words are a predicate of the headline; what *to* and *not* govern, :func:`.headline.is_asserted` knows.
_PREDICATIVE: Final = WORDS["auxiliary"] - {"and", "or", "hope", "not", "to"}


class Difference(NamedTuple):
    """A difference, with the words of both sides in which it shows; either may be empty."""

    kind: Kind
    body_words: str = ""
    headline_words: str = ""
    is_sure: bool = True  #: else a note, whatever its kind

    @property
    def phrase(self) -> str:
        """The difference as a phrase: *a condition is lost (“if it rains”)*.

        >>> Difference(Kind.NUMBER, "40", "14").phrase
        'another number: “40” in the body, “14” in the headline'
        """
        is_added = self.kind is Kind.NEGATION and self.headline_words and not self.body_words
        phrase = "a negation is added" if is_added else self.kind.phrase
        if self.body_words and self.headline_words:
            return f"{phrase}: “{self.body_words}” in the body, “{self.headline_words}” in the headline"
        words = self.body_words or self.headline_words
        return f"{phrase} (“{words}”)" if words else phrase


def lost_operators(quote: HeadlineQuote, passage: Passage, body: Body) -> list[Difference]:
    """Operators that govern the words of a headline quote in a passage of the body, and not in the headline."""
    if not are_read_by_words(quote, body):
        return _lost_cues(quote, passage)
    words, states = quote.words, is_sentence(quote)
    operators = factuality(_clause_of(passage)) + (_imagined(passage, body) if states else [])
    if not operators or not is_asserted(quote):
        return []
    before = Reading(quote.before).tokens
    verb = before[-1].form if before else ""
    is_predicate = verb in _PREDICATIVE  # *Bell has “won at last”*
    is_statement = states or is_predicate or continues_clause(passage.reading, passage.first, len(words))
    found, operators = [], counted(operators)
    for kind in dict.fromkeys(one.kind for one in operators):
        lost = of_kind = [one for one in operators if one.kind == kind]
        if kind in BESIDE and not (is_statement or len(words) >= _LEAST_NOTED):
            continue
        if kind == "contrast" and CONTRAST.search(quote.around.text):
            continue
        if kind == "scope":
            lost = [one for one in of_kind if one.words.casefold().split()[0] not in quote.around.text.casefold()]
        elif kind != "contrast":
            forms = {"states": states, "is_statement": is_statement, "is_predicate": is_predicate}
            lost = [one for one in of_kind if _is_lost(one, quote, verb, **forms)]
        is_somebodys = quote.speaker is not None or kind not in _OF_SPEAKER
        found += [
            Difference(Kind(kind), one.words, is_sure=one.is_sure and is_somebodys)
            for one in sorted(lost, key=lambda one: not one.is_sure)[:1]
        ]
    return found


def _lost_cues(quote: HeadlineQuote, passage: Passage) -> list[Difference]:
    """The same in other languages, of a passage inside a quote: one of each kind."""
    if not passage.quotes:
        return []
    is_fragment = quote.kind != "direct" and quote.reason != "predicate"  # it states nothing by itself
    found = {
        one.kind: Difference(Kind(one.kind), one.words)
        for one in cued_operators(_clause_of(passage, only_inside=True))
        if (one.is_near or not is_fragment) and not restores(one.kind, quote.around.text, quote.text)
    }
    return list(found.values())


def _clause_of(passage: Passage, *, only_inside: bool = False) -> Clause:
    """The sentence of a passage; what is inside its quotation alone if that begins with a capital letter."""
    reading, first, last, around = passage
    begin, end = reading.sentences[first][0], reading.sentences[last][1]
    if not around:
        return Clause(reading, first, last, begin, end)
    quote = around[-1]
    inside = next((at for at in range(begin, first) if reading.tokens[at].start + reading.offset >= quote.start), first)
    # It states what follows by itself: words outside of it are the newspaper's.
    if only_inside or quote.text[:1].isupper():
        begin = max(begin, inside)
        while end > last + 1 and reading.tokens[end - 1].start + reading.offset >= quote.end:
            end -= 1
    return Clause(reading, first, last, begin, end, inside)


def _imagined(passage: Passage, body: Body) -> list[Operator]:
    """A quotation inside a quotation is somebody else's, or imagined."""
    if not passage.quotes or passage.last - passage.first + 1 < WHOLE_CLAUSE:
        return []
    inner, found = passage.quotes[0], []
    for outer in body.quotes:
        if outer is not inner and outer.start < inner.start and inner.end <= outer.end:
            lead = body.without_reporting_clauses.text[outer.start : inner.start].rstrip(" \"'“‘")
            if lead.endswith((",", ":")) or (lead and lead.split()[-1] in _SAYS):
                found.append(Operator("reported", " ".join(lead.split()[-5:])))
    return found


def _is_lost(
    one: Operator, quote: HeadlineQuote, verb: str, *, states: bool, is_statement: bool, is_predicate: bool
) -> bool:
    """Whether the headline, whose last word before the quote is ``verb``, lacks an operator that governs its words."""
    words = Text(one.words)
    if one.kind != "question" and words.folded.letters in quote.folded.letters:
        return False  # another part of the quote has it
    around, restores = quote.around.text, _RESTORES.get(one.kind)
    if one.kind == "hedge" and verb in WORDS["states"]:  # of *Bell fears it will “fail”* the last verb counts
        around = " ".join(quote.before.split()[-_BESIDE_VERB:])
    if restores is not None and restores.search(around):
        return False
    shared = words.content & quote.around.content - _SAY_KEYS
    match one.kind:
        case "negation":
            return is_statement or one.is_near
        case "condition":
            restored = words.content and 2 * len(shared) >= len(words.content)
            return (is_statement or one.is_near) and not restored
        case "hedge":
            return is_predicate if one.words.endswith(" to") else is_statement
        case "question":
            is_asked = quote.text.rstrip(" ,.\"'”’").endswith("?")
            return is_statement and not is_asked and not (quote.text[:1].isupper() and INVERTED.match(quote.text))
        case _:  # reported
            by_group = quote.speaker is None or quote.speaker.type != "person"
            is_by_group = by_group and (not one.is_near or "they" in one.words.casefold().split())
            states = states or one.words.endswith(" as") or len(quote.words) >= _LEAST_REPORTED
            return states and not shared and not is_by_group and len(quote.words) > 2

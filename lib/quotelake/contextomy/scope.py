"""Whether what an excerpt leaves out of its sentence governs it, so that a reader believes something else. Pure.

:mod:`quotelake.text.omissions` lists negations, conditions and hedges that stand in the same sentence. Most change
nothing: they belong to another clause, the headline says them in its own words (*doesn't want a 'major lawsuit'*), or
are politeness (*I think*). Here only operators count that take the excerpt in their scope and that the headline does
not restore. [ours; chosen by reading 114 alerts of real headlines and 1,072 excerpts, docs/FIGURES.md] English; in
other languages an omission counts as soon as it is found.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quotelake.contextomy import operators as op
from quotelake.contextomy.headline import (
    FUNCTION,
    MOST_ATTRIBUTE,
    has_saying,
    is_attributive,
    is_denied,
    is_statement,
    stems,
)
from quotelake.contextomy.operators import Operator
from quotelake.contextomy.quotes import HeadlineQuote
from quotelake.text.cues import cue_pattern
from quotelake.text.fold import Span, fold
from quotelake.text.omissions import last_clause, sentences_with
from quotelake.text.words import words

#: Words of a clause that states something, whatever its verb [ours].
LEAST_CLAUSE = 4


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a body quote around an excerpt.

    Attributes:
        before: what it has before the excerpt.
        after: what it has behind.
        clause: the last clause of what is before.
        is_statement: the excerpt states something; else it is a noun phrase or another fragment.
        is_credited: the headline names who says it, or uses a word of saying.
    """

    before: str
    after: str
    clause: str
    is_statement: bool
    is_credited: bool


def governing(text: str, kept: Sequence[Span], quote: HeadlineQuote) -> list[Operator]:
    """Find what an excerpt leaves out and what governs it, the gravest first.

    Args:
        text: the body quote the excerpt was taken from.
        kept: where the excerpt stands in it, in order and without overlaps, in code points.
        quote: the excerpt as the headline has it. Four words or more that begin a clause with a word of content are
            taken for a statement, whatever their verb.

    >>> said = HeadlineQuote("We will sail at dawn", None, before="Captain:")
    >>> [one.phrase for one in governing("We will sail at dawn, if the wind turns.", [(0, 20)], said)]
    ['a condition is lost (“if the wind turns”)']
    """
    own = words(quote.text)
    if len(own) <= MOST_ATTRIBUTE and is_attributive(quote):
        return []
    lead = words(text[slice(*last_clause(text, 0, kept[0][0]))])
    begins = not lead and len(own) >= LEAST_CLAUSE and own[0] not in FUNCTION
    states = begins or is_statement(quote.text)
    credits_it = quote.speaker is not None or has_saying(quote.around)
    found: list[Operator] = []
    for start, end, inside in sentences_with(text, kept):
        first, last = inside[0][0], inside[-1][1]
        clause = text[slice(*last_clause(text, start, first))]
        sentence = _Sentence(text[start:first], text[last:end], clause, states, credits_it)
        for rule in (_negation, _condition, _comparison, _contrast, _number, _hedge, _question, _others):
            found += rule(sentence, quote)
    return sorted(found, key=lambda one: -one.severity)


def _negation(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    pattern = cue_pattern("NEGATION", "latin")
    if pattern is None or is_denied(quote):
        return
    clause = sentence.clause
    reverses = op.REVERSES.search(sentence.before)
    if reverses:
        yield Operator("negation", _shown(reverses[0]), op.SEVERITY["negation"])
        return
    cues = [found for found in pattern.finditer(clause) if not _keeps(clause, found)]
    if not cues or op.FACT_THAT.search(clause):
        return
    behind = clause[cues[-1].end() :]
    if op.OTHER_CLAUSE.search(behind):
        return
    if not sentence.is_statement:
        few = len(words(quote.text)) < 2 and len(words(behind)) > 1
        if few or not sentence.is_credited or len(words(behind)) > op.NEAR_NEGATION or op.PRESUPPOSED.search(behind):
            return
    severity = op.SEVERITY["negation"] if sentence.is_statement else op.FRAGMENT
    yield Operator("negation", _shown(_from_before(clause, cues[-1].start(), 12), cut=True), severity)


def _keeps(clause: str, cue: re.Match[str]) -> bool:
    """Whether a negation is in a frame that leaves what follows as it was."""
    return any(keep.start() <= cue.end() and cue.start() <= keep.end() for keep in op.KEEPS.finditer(clause))


def _condition(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if op.RESTORES_CONDITION.search(quote.around) or quote.text.rstrip().endswith("?"):  # a question states nothing
        return
    states = sentence.is_statement or op.MODAL_BEFORE.search(sentence.clause)
    for part, is_before in ((sentence.before, True), (sentence.after, False)):
        for found in op.IF.finditer(part):
            asks = op.ASKING.search(part[: found.start()])
            if is_before and _is_antecedent(part[found.end() :]) and not op.IF_WORDS.match(quote.text):
                yield Operator("condition", _shown(_from_before(part, found.start(), 20), cut=True), op.ANTECEDENT)
                return
            clause = _clause_from(part, found.start())
            met = op.COUNTERFACTUAL.search(quote.text) or (is_before and op.FACTIVE_THAT.search(part[found.end() :]))
            if not states or asks or met:
                continue
            if not _is_restored(clause, quote):
                yield Operator("condition", _shown(clause), op.SEVERITY["condition"])
                return
    granted = op.EVEN_IF.search(sentence.after)
    if granted and states:
        yield Operator("condition", _shown(_clause_from(sentence.after, granted.start())), op.EVEN)


def _is_restored(clause: str, quote: HeadlineQuote) -> bool:
    """Whether the headline has half of a condition's words of content."""
    own = stems(clause)
    return bool(own) and 2 * len(own & stems(quote.around)) >= len(own)


def _is_antecedent(between: str) -> bool:
    """Whether an excerpt is the condition itself, its subject at most between: *if the state [pays for it]*."""
    return len(words(between)) <= op.NEAR_MODAL and not op.CLAUSE_END.search(between) and between.split()[:1] != ["so"]


def _clause_from(part: str, start: int) -> str:
    """A condition to the sign that ends its clause."""
    end = op.CLAUSE_END.search(part, start)
    return part[start : end.start() if end else len(part)]


def _comparison(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    found = op.THAN.match(sentence.after)
    if (
        found
        and sentence.is_statement
        and not re.search(r"(?<!\w)than(?!\w)", f"{quote.around} {quote.text}", re.IGNORECASE)
    ):
        yield Operator("comparison", _shown(sentence.after), op.SEVERITY["comparison"])


def _contrast(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if re.search(r"(?<!\w)or(?!\w)", quote.around, re.IGNORECASE):
        return
    found, own = op.OR.match(sentence.after), fold(quote.text).words
    if found and own and sentence.is_statement and fold(found[1]).words[:1] == own[:1]:
        yield Operator("contrast", _shown(sentence.after), op.SEVERITY["contrast"])
        return
    for part in (sentence.before, sentence.after):
        said = op.DISCLAIMED.search(part)
        if said and not op.DISCLAIMED.search(quote.around):
            yield Operator("contrast", said[0], op.SEVERITY["contrast"])
            return


def _number(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if op.RESTORES_NUMBER.search(quote.around):
        return
    before = op.GUESS.search(sentence.before)
    if before and op.NUMBER.match(quote.text):
        yield Operator("number", _shown(before[1]), op.SEVERITY["number"])
        return
    after = op.GUESS_AFTER.match(sentence.after)
    numbers = [found.end() for found in op.NUMBER.finditer(quote.text)]
    if after and numbers and len(words(quote.text[numbers[-1] :])) <= 1:
        yield Operator("number", _shown(after[1]), op.SEVERITY["number"])


def _hedge(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if op.RESTORES_HEDGE.search(quote.around) or len(words(quote.text)) < 2:
        return
    if op.FINITE_FIRST.match(quote.text):  # the modal governs another verb
        return
    found = op.MODAL_OF_FRAGMENT.search(sentence.clause)
    if found is None and sentence.is_statement and sentence.is_credited:
        found = op.MODAL.search(sentence.clause)
    asks = found and op.OTHER_CLAUSE.search(sentence.clause[: found.start()])  # where you could land
    if found and not asks and not op.CONDITIONAL.search(quote.text):
        yield Operator("hedge", _shown(found[0]), op.SEVERITY["hedge"])


def _question(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    asked = re.search(r"\?\W{0,8}\Z", sentence.after)
    if not asked or "?" in quote.text or op.TAG.search(sentence.after):
        return
    own = words(quote.text)
    is_predicate = len(own) > op.NEAR_MODAL and own[0] not in FUNCTION and not words(sentence.after)
    if not (sentence.is_statement or is_predicate):
        return
    if op.RESTORES_QUESTION.search(quote.around) or op.INVERTED.match(quote.text):
        return
    inverted = op.INVERTED.match(sentence.clause.lstrip(" \"'“‘"))
    if inverted or len(words(sentence.after)) <= op.NEAR_MODAL or not words(sentence.clause):
        yield Operator("question", "?", op.SEVERITY["question"])


def _others(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    found = op.OTHERS_SAY.search(sentence.before)
    if found is None or not sentence.is_statement or op.NAMED.search(sentence.before, 0, found.start()):
        return
    who = (found["who"] or found["they"]).lower()
    if who not in words(quote.around):
        yield Operator("others", _shown(found["report"]), op.SEVERITY["others"])


def _from_before(part: str, place: int, most: int) -> str:
    """A part from at most so many characters before a place on, with whole words."""
    start = max(0, place - most)
    while 0 < start < place and not part[start - 1].isspace():
        start += 1
    return part[start:]


def _shown(part: str, *, cut: bool = False) -> str:
    """Words of a part in one line, at most ten of them: the last ones if it was cut at its start, else the first."""
    found = part.split()
    return (" ".join(found[-10:] if cut else found[:10])).strip(" ,;:—–-\"“”'‘’")

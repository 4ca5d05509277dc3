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
from quotelake.contextomy.headline import FINITE, FUNCTION, MOST_ATTRIBUTE, has_saying, is_attributive, is_denied, stems
from quotelake.contextomy.operators import Operator, operator
from quotelake.contextomy.quotes import HeadlineQuote, Text
from quotelake.text.fold import Span, fold
from quotelake.text.lexicon import cue_pattern
from quotelake.text.omissions import last_clause, sentences_with
from quotelake.text.words import words

#: Words of a clause that states something, whatever its verb [ours].
_LEAST_CLAUSE = 4


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a body quote before and after an excerpt."""

    before: str
    after: str
    clause: str  #: the last clause of what is before
    is_statement: bool  #: the excerpt states something; else it is a noun phrase or another fragment
    is_credited: bool  #: the headline names who says it, or uses a word of saying


def governing(text: str, kept: Sequence[Span], quote: HeadlineQuote) -> list[Operator]:
    """Find what an excerpt leaves out and what governs it, the gravest first.

    Four words or more that begin a clause with a word of content are taken for a statement, whatever their verb.

    Args:
        text: the body quote the excerpt was taken from.
        kept: where the excerpt stands in it, in order and without overlaps, in code points.
        quote: the excerpt as the headline has it.

    >>> said = HeadlineQuote("We will sail at dawn", None, before="Captain:")
    >>> [one.phrase for one in governing("We will sail at dawn, if the wind turns.", [(0, 20)], said)]
    ['a condition is lost (“if the wind turns”)']
    """
    if len(quote.words) <= MOST_ATTRIBUTE and is_attributive(quote):
        return []
    lead = words(text[slice(*last_clause(text, 0, kept[0][0]))])
    begins = not lead and len(quote.words) >= _LEAST_CLAUSE and quote.words[0] not in FUNCTION
    states = begins or FINITE.search(quote.text) is not None
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
        yield operator("negation", reverses[0])
        return
    frames = list(op.KEEPS.finditer(clause))  # they leave what follows as it was
    cues = [
        cue
        for cue in pattern.finditer(clause)
        if not any(frame.start() <= cue.end() and cue.start() <= frame.end() for frame in frames)
    ]
    if not cues or op.FACT_THAT.search(clause):
        return
    behind = clause[cues[-1].end() :]
    if op.OTHER_CLAUSE.search(behind):
        return
    if not sentence.is_statement:
        few = len(quote.words) < 2 and len(words(behind)) > 1
        if few or not sentence.is_credited or len(words(behind)) > op.NEAR_NEGATION or op.PRESUPPOSED.search(behind):
            return
    severity = None if sentence.is_statement else op.FRAGMENT
    yield operator("negation", _from_before(clause, cues[-1].start(), 12), severity, from_end=True)


def _condition(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if op.RESTORES_CONDITION.search(quote.around) or quote.text.rstrip().endswith("?"):  # a question states nothing
        return
    states = sentence.is_statement or op.MODAL_BEFORE.search(sentence.clause)
    for part, is_before in ((sentence.before, True), (sentence.after, False)):
        for found in op.IF.finditer(part):
            behind = part[found.end() :]
            # The excerpt is the condition itself, its subject at most between: *if the state [pays for it]*.
            is_near = len(words(behind)) <= op.NEAR_MODAL and not op.CLAUSE_END.search(behind)
            if is_before and is_near and behind.split()[:1] != ["so"] and not op.IF_WORDS.match(quote.text):
                yield operator("condition", _from_before(part, found.start(), 20), op.ANTECEDENT, from_end=True)
                return
            met = op.COUNTERFACTUAL.search(quote.text) or (is_before and op.FACTIVE_THAT.search(behind))
            if not states or op.ASKING.search(part[: found.start()]) or met:
                continue
            clause = _clause_from(part, found.start())
            own = stems(Text(clause))  # half of which in the headline restore it
            if not own or 2 * len(own & stems(Text(quote.around))) < len(own):
                yield operator("condition", clause)
                return
    granted = op.EVEN_IF.search(sentence.after)
    if granted and states:
        yield operator("condition", _clause_from(sentence.after, granted.start()), op.EVEN)


def _clause_from(part: str, start: int) -> str:
    """A condition to the sign that ends its clause."""
    end = op.CLAUSE_END.search(part, start)
    return part[start : end.start() if end else len(part)]


def _comparison(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    than = re.search(r"(?<!\w)than(?!\w)", f"{quote.around} {quote.text}", re.IGNORECASE)
    if sentence.is_statement and op.THAN.match(sentence.after) and not than:
        yield operator("comparison", sentence.after)


def _contrast(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if re.search(r"(?<!\w)or(?!\w)", quote.around, re.IGNORECASE):
        return
    found, own = op.OR.match(sentence.after), quote.folded.words
    if found and own and sentence.is_statement and fold(found[1]).words[:1] == own[:1]:
        yield operator("contrast", sentence.after)
        return
    for part in (sentence.before, sentence.after):
        said = op.DISCLAIMED.search(part)
        if said and not op.DISCLAIMED.search(quote.around):
            yield operator("contrast", said[0])
            return


def _number(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if op.RESTORES_NUMBER.search(quote.around):
        return
    before = op.GUESS.search(sentence.before)
    if before and op.NUMBER.match(quote.text):
        yield operator("number", before[1])
        return
    after = op.GUESS_AFTER.match(sentence.after)
    numbers = [found.end() for found in op.NUMBER.finditer(quote.text)]
    if after and numbers and len(words(quote.text[numbers[-1] :])) <= 1:
        yield operator("number", after[1])


def _hedge(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    if op.RESTORES_HEDGE.search(quote.around) or len(quote.words) < 2:
        return
    if op.FINITE_FIRST.match(quote.text):  # the modal governs another verb
        return
    found = op.MODAL_OF_FRAGMENT.search(sentence.clause)
    if found is None and sentence.is_statement and sentence.is_credited:
        found = op.MODAL.search(sentence.clause)
    asks = found and op.OTHER_CLAUSE.search(sentence.clause[: found.start()])  # where you could land
    if found and not asks and not op.CONDITIONAL.search(quote.text):
        yield operator("hedge", found[0])


def _question(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    after = sentence.after
    if "?" in quote.text or not re.search(r"\?\W{0,8}\Z", after) or op.TAG.search(after):
        return
    own, n_after = quote.words, len(words(after))
    is_predicate = len(own) > op.NEAR_MODAL and own[0] not in FUNCTION and not n_after
    if not (sentence.is_statement or is_predicate):
        return
    if op.RESTORES_QUESTION.search(quote.around) or op.INVERTED.match(quote.text):
        return
    inverted = op.INVERTED.match(sentence.clause.lstrip(" \"'“‘"))
    if inverted or n_after <= op.NEAR_MODAL or not words(sentence.clause):
        yield operator("question", "?")


def _others(sentence: _Sentence, quote: HeadlineQuote) -> Iterator[Operator]:
    found = op.OTHERS_SAY.search(sentence.before) if sentence.is_statement else None
    if found is None or op.NAMED.search(sentence.before, 0, found.start()):
        return
    if (found["who"] or found["they"]).lower() not in words(quote.around):
        yield operator("others", found["report"])


def _from_before(part: str, place: int, most: int) -> str:
    """A part from at most so many characters before a place on, with whole words."""
    start = max(0, place - most)
    while 0 < start < place and not part[start - 1].isspace():
        start += 1
    return part[start:]

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
from quotelake.contextomy.excerpts import Excerpt
from quotelake.contextomy.operators import Operator
from quotelake.contextomy.wordclasses import DENIES, FUNCTION, NEGATED, stems
from quotelake.text.cues import cue_pattern
from quotelake.text.fold import Span, fold
from quotelake.text.omissions import last_clause, sentences_with
from quotelake.text.words import words


def governing(text: str, kept: Sequence[Span], excerpt: Excerpt) -> list[Operator]:
    """Find what an excerpt leaves out and what governs it, the gravest first.

    Args:
        text: the quote the excerpt was taken from.
        kept: where the excerpt stands in it, in order and without overlaps, in code points.
        excerpt: as the headline has it.

    >>> said = Excerpt("We will sail at dawn", "Captain:", "", is_statement=True, is_credited=True)
    >>> [one.phrase for one in governing("We will sail at dawn, if the wind turns.", [(0, 20)], said)]
    ['a condition is lost (“if the wind turns”)']
    """
    if excerpt.is_attributive:
        return []
    found: list[Operator] = []
    for start, end, inside in sentences_with(text, kept):
        first, last = inside[0][0], inside[-1][1]
        sentence = _Sentence(text[start:first], text[last:end], text[slice(*last_clause(text, start, first))])
        for rule in (_negation, _condition, _comparison, _contrast, _number, _hedge, _question, _others):
            found += rule(sentence, excerpt)
    return sorted(found, key=lambda one: -one.severity)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What a sentence has before an excerpt and behind it, and the last clause of what is before."""

    before: str
    after: str
    clause: str


def _negation(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    pattern = cue_pattern("NEGATION", "latin")
    if pattern is None or NEGATED.search(excerpt.around) or DENIES.search(excerpt.before):
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
    if not excerpt.is_statement:
        few = len(words(excerpt.text)) < 2 and len(words(behind)) > 1
        if few or not excerpt.is_credited or len(words(behind)) > op.NEAR_NEGATION or op.PRESUPPOSED.search(behind):
            return
    severity = op.SEVERITY["negation"] if excerpt.is_statement else op.FRAGMENT
    yield Operator("negation", _shown(_from_before(clause, cues[-1].start(), 12), cut=True), severity)


def _keeps(clause: str, cue: re.Match[str]) -> bool:
    """Whether a negation is in a frame that leaves what follows as it was."""
    return any(keep.start() <= cue.end() and cue.start() <= keep.end() for keep in op.KEEPS.finditer(clause))


def _condition(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    if op.RESTORES_CONDITION.search(excerpt.around) or excerpt.text.rstrip().endswith("?"):  # a question states nothing
        return
    states = excerpt.is_statement or op.MODAL_BEFORE.search(sentence.clause)
    for part, is_before in ((sentence.before, True), (sentence.after, False)):
        for found in op.IF.finditer(part):
            asks = op.ASKING.search(part[: found.start()])
            if is_before and _is_antecedent(part[found.end() :]) and not op.IF_WORDS.match(excerpt.text):
                yield Operator("condition", _shown(_from_before(part, found.start(), 20), cut=True), op.ANTECEDENT)
                return
            clause = _clause_from(part, found.start())
            met = op.COUNTERFACTUAL.search(excerpt.text) or (is_before and op.FACTIVE_THAT.search(part[found.end() :]))
            if not states or asks or met:
                continue
            if not _is_restored(clause, excerpt):
                yield Operator("condition", _shown(clause), op.SEVERITY["condition"])
                return
    granted = op.EVEN_IF.search(sentence.after)
    if granted and states:
        yield Operator("condition", _shown(_clause_from(sentence.after, granted.start())), op.EVEN)


def _is_restored(clause: str, excerpt: Excerpt) -> bool:
    """Whether the headline has half of a condition's words of content."""
    own = stems(clause)
    return bool(own) and 2 * len(own & stems(excerpt.around)) >= len(own)


def _is_antecedent(between: str) -> bool:
    """Whether an excerpt is the condition itself, its subject at most between: *if the state [pays for it]*."""
    return len(words(between)) <= op.NEAR_MODAL and not op.CLAUSE_END.search(between) and between.split()[:1] != ["so"]


def _clause_from(part: str, start: int) -> str:
    """A condition to the sign that ends its clause."""
    end = op.CLAUSE_END.search(part, start)
    return part[start : end.start() if end else len(part)]


def _comparison(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    found = op.THAN.match(sentence.after)
    if (
        found
        and excerpt.is_statement
        and not re.search(r"(?<!\w)than(?!\w)", f"{excerpt.around} {excerpt.text}", re.IGNORECASE)
    ):
        yield Operator("comparison", _shown(sentence.after), op.SEVERITY["comparison"])


def _contrast(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    if re.search(r"(?<!\w)or(?!\w)", excerpt.around, re.IGNORECASE):
        return
    found, own = op.OR.match(sentence.after), fold(excerpt.text).words
    if found and own and excerpt.is_statement and fold(found[1]).words[:1] == own[:1]:
        yield Operator("contrast", _shown(sentence.after), op.SEVERITY["contrast"])
        return
    for part in (sentence.before, sentence.after):
        said = op.DISCLAIMED.search(part)
        if said and not op.DISCLAIMED.search(excerpt.around):
            yield Operator("contrast", said[0], op.SEVERITY["contrast"])
            return


def _number(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    if op.RESTORES_NUMBER.search(excerpt.around):
        return
    before = op.GUESS.search(sentence.before)
    if before and op.NUMBER.match(excerpt.text):
        yield Operator("number", _shown(before[1]), op.SEVERITY["number"])
        return
    after = op.GUESS_AFTER.match(sentence.after)
    numbers = [found.end() for found in op.NUMBER.finditer(excerpt.text)]
    if after and numbers and len(words(excerpt.text[numbers[-1] :])) <= 1:
        yield Operator("number", _shown(after[1]), op.SEVERITY["number"])


def _hedge(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    if op.RESTORES_HEDGE.search(excerpt.around) or len(words(excerpt.text)) < 2:
        return
    if op.FINITE_FIRST.match(excerpt.text):  # the modal governs another verb
        return
    found = op.MODAL_OF_FRAGMENT.search(sentence.clause)
    if found is None and excerpt.is_statement and excerpt.is_credited:
        found = op.MODAL.search(sentence.clause)
    asks = found and op.OTHER_CLAUSE.search(sentence.clause[: found.start()])  # where you could land
    if found and not asks and not op.CONDITIONAL.search(excerpt.text):
        yield Operator("hedge", _shown(found[0]), op.SEVERITY["hedge"])


def _question(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    asked = re.search(r"\?\W{0,8}\Z", sentence.after)
    if not asked or "?" in excerpt.text or op.TAG.search(sentence.after):
        return
    own = words(excerpt.text)
    is_predicate = len(own) > op.NEAR_MODAL and own[0] not in FUNCTION and not words(sentence.after)
    if not (excerpt.is_statement or is_predicate):
        return
    if op.RESTORES_QUESTION.search(excerpt.around) or op.INVERTED.match(excerpt.text):
        return
    inverted = op.INVERTED.match(sentence.clause.lstrip(" \"'“‘"))
    if inverted or len(words(sentence.after)) <= op.NEAR_MODAL or not words(sentence.clause):
        yield Operator("question", "?", op.SEVERITY["question"])


def _others(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    found = op.OTHERS_SAY.search(sentence.before)
    if found is None or not excerpt.is_statement or op.NAMED.search(sentence.before, 0, found.start()):
        return
    who = (found["who"] or found["they"]).lower()
    if who not in words(excerpt.around):
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

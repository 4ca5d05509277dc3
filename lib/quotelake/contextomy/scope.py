"""Whether what an excerpt leaves out of its sentence governs the excerpt, so that a reader believes something else. Pure.

:mod:`quotelake.compare.omissions` lists negations, conditions and hedges that stand in the same sentence. Most change
nothing: they belong to another clause, the headline says them in its own words (*doesn't want a 'major lawsuit'*), or
are politeness (*I think*). Here only operators count that take the excerpt in their scope and that the headline does
not restore. [ours; chosen by reading 114 alerts of real headlines and 1,072 excerpts, docs/FIGURES.md] English; in
other languages an omission counts as soon as it is found.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quotelake.compare.cues import cue_pattern
from quotelake.compare.folding import Span, fold
from quotelake.compare.omissions import last_clause, sentences_with
from quotelake.contextomy.wordclasses import FINITE, FUNCTION, NEGATED, stems
from quotelake.text import words

_I: Final = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Operator:
    """What an excerpt leaves out and what governs it.

    Attributes:
        kind: ``negation``, ``condition``, ``comparison``, ``contrast``, ``number``, ``hedge`` or ``question``.
        shown: its words, as the body has them.
        severity: how much its loss changes what a reader believes, 0 to 1 [ours].
    """

    kind: str
    shown: str
    severity: float

    @property
    def phrase(self) -> str:
        """The loss in words: *a condition is lost (“if it occurred”)*."""
        return f"{_PHRASES[self.kind]} (“{self.shown}”)" if self.shown else _PHRASES[self.kind]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An excerpt as the headline has it.

    Attributes:
        text: of the headline quote.
        around: the headline without it.
        is_statement: it has a finite verb; else it is a noun phrase or another fragment.
        is_credited: the headline names who says it, or uses a word of saying.
        is_attributive: it stands before a noun as its attribute (*the 'keep your plan' pledge*).
    """

    text: str
    around: str
    is_statement: bool
    is_credited: bool
    is_attributive: bool = False


_PHRASES: Final = {
    "negation": "a negation is lost",
    "condition": "a condition is lost",
    "comparison": "a comparison is cut",
    "contrast": "an alternative is lost",
    "number": "a number is no longer a guess or limit",
    "hedge": "a possibility becomes a fact",
    "question": "a question becomes a statement",
}
#: Severity by kind [ours]: the order of the true alerts that readers found gravest; re-estimated from reviews.
SEVERITY: Final = {
    "negation": 0.9, "comparison": 0.7, "contrast": 0.7, "question": 0.7, "condition": 0.6, "number": 0.6, "hedge": 0.5,
}  # fmt: skip
#: Of a fragment a negation turns less: *don't want a 'major lawsuit'* still speaks of one.
_FRAGMENT: Final = 0.6
#: Words between a negation and a fragment that it governs, and between a modal and what it weakens [ours].
_NEAR_NEGATION, _NEAR_MODAL = 6, 3
#: Words of a negated frame that leave what follows as true as it was: *can't believe we won*, *not only*.
_KEEPS: Final = re.compile(
    r"(?<!\w)(?:(?:no|without|beyond|little)\s+(?:doubt|question|secret|surprise|coincidence|accident|longer)|"
    r"no\s+(?:more|less|better|other|greater)|not?\s+(?:just|only|merely|simply|least|surprised|surprising)|"
    r"(?:n['’]t|not|never|cannot|nobody|no\s+one|none)\s+(?:\w+\s+){0,2}(?:appreciate|like|allow|accept|tolerate|stand|"
    r"forget|ignore|deny|dispute|doubt|know\s+why|care|mind|believe\s+(?:that\s+)?(?:we|you|he|she|they|it|this|i)|help|"
    r"regret|condone|excuse|underestimate|hide|overlook|escape|stop|imagine|wait|agree\s+more|just|only|merely|simply|"
    r"let))(?!\w)",
    _I,
)
_PRESUPPOSED: Final = re.compile(r"(?:\b(?:this|these|those|my|his|her|their|our|your|its)|such\s+(?:\w+\s+){0,2}\w+|['’]s)\W{0,8}\Z", _I)
_LEFT_WORD: Final = re.compile(r"(?<!\w)(?:fact|evidence|reason|sign)\s+(?:\w+\s+){0,3}that\W{0,8}\Z", _I)
#: Conditions; not *when* and *until*, which nearly always say only the time.
_IF: Final = re.compile(
    r"(?<!\w)(?<!even )(?<!as )(?<!what )(?<!and )(?:if(?!\s+(?:not|only|anything|any|necessary|you\s+will|i\s+may)(?!\w))"
    r"|unless|provided|providing\s+that|as\s+long\s+as|so\s+long\s+as|in\s+case|on\s+(?:the\s+)?condition|in\s+the\s+event"
    r"|assuming|supposing|only\s+when|otherwise|wenn|falls|sofern|solange|vorausgesetzt|es\s+sei\s+denn|s['’]ils?|sauf|"
    r"à\s+moins|à\s+condition|pourvu|si)(?!\w)",
    _I,
)
#: Before an *if* that asks instead of setting a condition.
_ASKING: Final = re.compile(
    r"(?<!\w)(?:know|knows|see|sure|ask|asks|asked|wonder|wondering|unclear|tell|decide|question|certain)\s+(?:\w+\s+)?$", _I
)
#: The excerpt itself says that a condition was not met; and a modal before it makes a statement of it.
_COUNTERFACTUAL: Final = re.compile(r"(?<!\w)(?:would|could|might)(?:n['’]t)?\s+(?:not\s+)?have(?!\w)|['’]d\s+have(?!\w)", _I)
_CONDITIONAL: Final = re.compile(r"(?<!\w)(?:would|could|might)(?!\w)|['’]d(?!\w)", _I)
_MODAL_BEFORE: Final = re.compile(r"(?<!\w)(?:will|would|shall|should|must|can|could|may|might|wo|going to)\W{0,8}\Z", _I)
_EVEN_IF: Final = re.compile(r"(?<!\w)even\s+if(?!\w)", _I)
#: Begins another clause, which no negation before it reaches.
_OTHER_CLAUSE: Final = re.compile(
    r"\.{2}|(?<!\w)(?:where|when|whom|whose|how|because|since|after|before|than|though|although|until|as)(?!\w)", _I
)
_RESTORES_CONDITION: Final = re.compile(
    r"(?<!\w)(?:if|unless|when|whenever|until|should|would|in\s+case|without|assuming|conditional\w*|only)(?!\w)", _I
)
_FACTIVE_THAT: Final = re.compile(r"(?<!\w)(?:discover|know|realize|realise|see|find|remember|learn)\s+that(?!\w)", _I)
_THAN: Final = re.compile(r"[^\w.!?;:,]*(than|compared\s+(?:to|with))(?!\w)", _I)
_OR: Final = re.compile(r"[^\w.!?;:]*or\s+([\w’']+)", _I)
_DISCLAIMED: Final = re.compile(
    r"(?<!\w)(?:figuratively|metaphorically|hypothetically|rhetorically|theoretically|in\s+theory|in\s+jest|jokingly|"
    r"just\s+kidding|so\s+to\s+speak|not\s+literally|sarcastically|ironically)(?!\w)",
    _I,
)
_GUESS: Final = re.compile(
    r"(?<!\w)(perhaps|maybe|possibly|probably|potentially|up\s+to|as\s+(?:many|much|few|little)\s+as|at\s+most|under|"
    r"at\s+best)\W{0,8}\Z",
    _I,
)
_GUESS_AFTER: Final = re.compile(r"[^\w.!?;:]*(perhaps|maybe|possibly|or\s+so|at\s+most|or\s+(?:fewer|less|more))(?!\w)", _I)
_NUMBER: Final = re.compile(
    r"[$£€]?(?:\d|(?:a\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|dozens?|hundreds?|thousands?|millions?|"
    r"billions?|trillions?|half|most|all|every)(?!\w))",
    _I,
)
_MODAL: Final = re.compile(
    r"(?<!\w)((?-i:may)|might|could|perhaps|maybe|possibly|potentially|probably|likely|unlikely|apparently|allegedly|"
    r"seems?\s+to|appears?\s+to)(?!\w)"
    rf"(?:\s+[\w’'-]+){{0,{_NEAR_MODAL}}}\W{{0,8}}\Z",
    _I,
)
_RESTORES_HEDGE: Final = re.compile(
    r"(?<!\w)(?:may|might|could|can|would|perhaps|maybe|possibl\w+|potential\w*|probabl\w+|likely|unlikely|allege\w*|"
    r"suggest\w*|suspect\w*|believe\w*|think\w*|predict\w*|hope\w*|fear\w*|risk\w*|chance\w*|seem\w*|appear\w*|unclear|"
    r"if|up\s+to|as\s+many|open\s+to|consider\w*|mull\w*|maybe)(?!\w)|\?",
    _I,
)
_INVERTED: Final = re.compile(
    r"(?:(?:and|but|so|well|now|then),?\s+)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|"
    r"can|could|will|would|should|shall|have|has|had|am|isn|aren|wasn|don|doesn|didn|won)(?!\w)",
    _I,
)
_TAG: Final = re.compile(
    r",?\s*(?:right|correct|okay|ok|huh|eh|yes|no|you\s+know|(?:is|are|was|were|do|does|did|has|have|wo|ca|would|could)"
    r"(?:n['’]t)?\s+(?:it|they|he|she|we|you|i))\s*\?\W{0,8}\Z",
    _I,
)
_RESTORES_QUESTION: Final = re.compile(
    r"\?|(?<!\w)(?:ask\w*|wonder\w*|question\w*|why|how|whether|doubt\w*|demand\w*|challenge\w*)(?!\w)", _I
)
_CLAUSE_END: Final = re.compile(r"[,;:.!?()–—]")


def governing(text: str, kept: Sequence[Span], excerpt: Excerpt) -> list[Operator]:
    """Find what an excerpt leaves out and what governs it, the gravest first.

    Args:
        text: the quote the excerpt was taken from.
        kept: where the excerpt stands in it, in order and without overlaps, in code points.
        excerpt: as the headline has it.

    >>> said = Excerpt("We will sail at dawn", "Captain:", is_statement=True, is_credited=True)
    >>> [one.phrase for one in governing("We will sail at dawn, if the wind turns.", [(0, 20)], said)]
    ['a condition is lost (“if the wind turns”)']
    """
    if excerpt.is_attributive:
        return []
    found = []
    for start, end, inside in sentences_with(text, kept):
        first, last = inside[0][0], inside[-1][1]
        sentence = _Sentence(text[start:first], text[last:end], text[slice(*last_clause(text, start, first))])
        for rule in (_negation, _condition, _comparison, _contrast, _number, _hedge, _question):
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
    if pattern is None or NEGATED.search(excerpt.around):
        return
    clause = sentence.clause
    cues = [found for found in pattern.finditer(clause) if not _keeps(clause, found)]
    if not cues or _LEFT_WORD.search(clause):
        return
    behind = clause[cues[-1].end() :]
    if _OTHER_CLAUSE.search(behind):
        return
    if not excerpt.is_statement:
        few = len(words(excerpt.text)) < 2 and len(words(behind)) > 1
        if few or not excerpt.is_credited or len(words(behind)) > _NEAR_NEGATION or _PRESUPPOSED.search(behind):
            return
    severity = SEVERITY["negation"] if excerpt.is_statement else _FRAGMENT
    yield Operator("negation", _shown(clause[max(0, cues[-1].start() - 12) :], cut=True), severity)


def _keeps(clause: str, cue: re.Match[str]) -> bool:
    """Whether a negation is in a frame that leaves what follows as it was."""
    return any(keep.start() <= cue.end() and cue.start() <= keep.end() for keep in _KEEPS.finditer(clause))


def _condition(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    states = excerpt.is_statement or _MODAL_BEFORE.search(sentence.clause)
    if not states or _RESTORES_CONDITION.search(excerpt.around):
        return
    for part, is_before in ((sentence.before, True), (sentence.after, False)):
        for found in _IF.finditer(part):
            asks = _ASKING.search(part[: found.start()])
            if is_before and not words(part[found.end() :]):  # the excerpt is the condition
                yield Operator("condition", _shown(part[max(0, found.start() - 20) :], cut=True), SEVERITY["negation"])
                return
            clause = _clause_from(part, found.start())
            if asks or _COUNTERFACTUAL.search(excerpt.text) or (is_before and _FACTIVE_THAT.search(part[found.end() :])):
                continue
            if stems(clause).isdisjoint(stems(excerpt.around)):
                yield Operator("condition", _shown(clause), SEVERITY["condition"])
                return
    granted = _EVEN_IF.search(sentence.after)
    if granted:
        yield Operator("condition", _shown(_clause_from(sentence.after, granted.start())), SEVERITY["hedge"])


def _clause_from(part: str, start: int) -> str:
    """A condition to the sign that ends its clause."""
    end = _CLAUSE_END.search(part, start)
    return part[start : end.start() if end else len(part)]


def _comparison(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    found = _THAN.match(sentence.after)
    if found and excerpt.is_statement and not re.search(r"(?<!\w)than(?!\w)", f"{excerpt.around} {excerpt.text}", _I):
        yield Operator("comparison", _shown(sentence.after), SEVERITY["comparison"])


def _contrast(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    if re.search(r"(?<!\w)or(?!\w)", excerpt.around, _I):
        return
    found, own = _OR.match(sentence.after), fold(excerpt.text).words
    if found and own and excerpt.is_statement and fold(found[1]).words[:1] == own[:1]:
        yield Operator("contrast", _shown(sentence.after), SEVERITY["contrast"])
        return
    for part in (sentence.before, sentence.after):
        said = _DISCLAIMED.search(part)
        if said and not _DISCLAIMED.search(excerpt.around):
            yield Operator("contrast", said[0], SEVERITY["contrast"])
            return


def _number(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    if _RESTORES_HEDGE.search(excerpt.around):
        return
    before = _GUESS.search(sentence.before)
    if before and _NUMBER.match(excerpt.text):
        yield Operator("number", _shown(before[1]), SEVERITY["number"])
        return
    after = _GUESS_AFTER.match(sentence.after)
    numbers = [found.end() for found in _NUMBER.finditer(excerpt.text)]
    if after and numbers and len(words(excerpt.text[numbers[-1] :])) <= 1:
        yield Operator("number", _shown(after[1]), SEVERITY["number"])


def _hedge(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    if _RESTORES_HEDGE.search(excerpt.around) or not excerpt.is_credited or len(words(excerpt.text)) < 2:
        return
    found = _MODAL.search(sentence.clause)
    if found and not _CONDITIONAL.search(excerpt.text):
        yield Operator("hedge", _shown(found[0]), SEVERITY["hedge"])


def _question(sentence: _Sentence, excerpt: Excerpt) -> Iterator[Operator]:
    asked = re.search(r"\?\W{0,8}\Z", sentence.after)
    if not asked or "?" in excerpt.text or _TAG.search(sentence.after) or not excerpt.is_statement:
        return
    if _RESTORES_QUESTION.search(excerpt.around) or _INVERTED.match(excerpt.text):
        return
    inverted = _INVERTED.match(sentence.clause.lstrip(" \"'“‘"))
    if inverted or len(words(sentence.after)) <= _NEAR_MODAL or not words(sentence.clause):
        yield Operator("question", "?", SEVERITY["question"])


def is_statement(text: str) -> bool:
    """Whether a text has a finite verb that can be told by its form: an auxiliary, or a pronoun before a word.

    >>> is_statement("will not look away"), is_statement("a failed attempt at humor"), is_statement("They know")
    (True, False, True)
    """
    return FINITE.search(text) is not None


def is_attributive(before: str, after: str) -> bool:
    """Whether a quote between two parts of a headline stands before a noun as its attribute.

    Args:
        before: the headline up to its opening mark.
        after: the headline from its closing mark on.

    >>> is_attributive("Obama's", " strategy could fail"), is_attributive("He calls it", ", aides say")
    (True, False)
    """
    noun = re.match(r"[\"'”’»]?\s+([\w’'-]+)", after)
    if noun is None or noun[1].lower() in FUNCTION:
        return False
    if noun[1].lower() in _ATTRIBUTE_NOUNS:
        return True
    determiner = re.search(r"([\w’'-]+)\s*[\"'“‘«]?$", before)
    return determiner is not None and (
        determiner[1].lower() in _DETERMINERS or re.search(r"['’]s$|s['’]$", determiner[1]) is not None
    )


_DETERMINERS: Final = frozenset("the a an this that these those my his her our their your its no any some".split())
#: Nouns that a quote before them names: what was said is known by it, and not said again here.
_ATTRIBUTE_NOUNS: Final = frozenset(
    """ad ads affair agenda allegation allegations approach argument attack ban bill boast campaign candidate cause chant
    charge claim claims clause comment comments concept conspiracy controversy crew crisis crowd culture deal debate defense
    doctrine effect era excuse experiment fallout flap furor gaffe gap idea incident jab joke label law letter line list mantra
    meme memo mob model moment monologue movement myth narrative order party phase plan pledge policy post posts prediction
    problem program prophecy proposal protest protests rally reference remark remarks report rhetoric rule rumor rumors scandal
    scheme slogan slur solution speech state states stereotype strategy syndrome talk tax test theory tour trap tweet tweets
    video vote vow wing zone zones""".split()
)


def _shown(part: str, *, cut: bool = False) -> str:
    """Words of a part in one line, at most ten of them: the last ones if it was cut at its start, else the first."""
    found = part.split()
    return (" ".join(found[-10:] if cut else found[:10])).strip(" ,;:—–-\"“”'‘’")

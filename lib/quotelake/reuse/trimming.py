"""Whether an omission changes the meaning of the kept words, and whether the article has it elsewhere. Pure.

*I hope we win, and perhaps we shall* loses nothing of *I hope we win*, and *she did not “support the plan”* has the
negation in front of the marks. The bounds are ours, set by reading what was flagged on real news.
"""

import re
from collections.abc import Sequence
from typing import Final

from quotelake.reuse.differences import LISTS, Difference, Kind
from quotelake.text.fold import Span, fold
from quotelake.text.omissions import cues_in, script_of
from quotelake.text.words import count_words, sentences

#: Words at most between a cue and the kept words behind it, and in front of it.
_AHEAD: Final = {Kind.OMITTED_NEGATION: 5, Kind.OMITTED_HEDGE: 1, Kind.OMITTED_CONDITION: 40, Kind.OMITTED_CONTRAST: 40}
_BEHIND: Final = {Kind.OMITTED_NEGATION: 1, Kind.OMITTED_HEDGE: 2, Kind.OMITTED_CONDITION: 2, Kind.OMITTED_CONTRAST: 1}
#: Words at most between the comma that ends a condition and the words it affects: *if it rains, then I say we stay*.
_AFTER_COMMA: Final = 4
#: Ends the scope of a cue, within a sentence too.
_BREAK: Final = re.compile(r"[;:(–—.!?…]|--|\s-\s")
_JOINED: Final = re.compile(r"(?<!\w)(?:and|or|but|because|so|which|who|while)(?!\w)", re.IGNORECASE)
#: Cues that are more often of time or reason than of condition; and a verb of another language.
_UNSURE: Final = frozenset(("when", "until", "given that", "falls", "quand", "lorsque", "solange", "sobald"))
#: Before *provided*: somebody provides something. After *if*: a turn of speech.
_VERB: Final = re.compile(
    r"(?:am|are|be|been|being|is|was|were|has|have|had|get|got|who|that|which)\s++$", re.IGNORECASE
)
_TURN: Final = re.compile(
    r"\s+(?:you\s+(?:ask|asked|look|want\s+to\s+know|(?:will|like)(?=\W*(?:$|[,.])))|i\s+may)(?!\w)", re.IGNORECASE
)
_WHY: Final = re.compile(r"(?<!\w)why\s++\w++$", re.IGNORECASE)
#: Words after a contrast that make it a clause: *however* alone does not affect the kept words.
_CLAUSE: Final = 3
#: Words on each side of an omission, among which another negation repeats it: *that's not our — that's not an aim*.
_REPEATED: Final = 4
#: Run of omitted words, the cue among them, by which an article has the omission elsewhere.
_RUN: Final = 3


def cue_affects_kept_words(reference: str, omission: Difference) -> bool:
    """Whether the cue of an omission may govern a kept word next to it."""
    cue, kind = omission.cue, omission.kind
    if cue is None or not _is_sure(reference, cue, omission):
        return False
    for between in (reference[word[1] : cue[0]] for word in omission.beside if word[1] <= cue[0]):
        if not _BREAK.search(between) and not _JOINED.search(between) and count_words(between) <= _BEHIND[kind]:
            return True
    return any(cue[1] <= word[0] and _leads(reference[cue[1] : word[0]], kind) for word in omission.beside)


def _is_sure(reference: str, cue: Span, omission: Difference) -> bool:
    """Whether the cue surely has the meaning of its class."""
    word = reference[slice(*cue)].lower()
    first, last = omission.reference
    if omission.kind is Kind.OMITTED_NEGATION:
        [sentence] = [part for part in sentences(reference) if part[0] <= cue[0] < part[1]]
        is_question = "?" in reference[slice(*sentence)] or _WHY.search(reference, 0, cue[0]) is not None
        beside = (" ".join(reference[:first].split()[-_REPEATED:]), " ".join(reference[last:].split()[:_REPEATED]))
        return not is_question and not any(cues_in("NEGATION", text, script_of(reference)) for text in beside)
    if omission.kind is Kind.OMITTED_CONTRAST:
        return count_words(reference[cue[1] : last]) >= _CLAUSE
    if word == "if":
        return not _TURN.match(reference, cue[1])
    return word not in _UNSURE and not (word == "provided" and _VERB.search(reference, 0, cue[0]))


def _leads(between: str, kind: Kind) -> bool:
    """Whether a cue before these words affects the words after them."""
    if _BREAK.search(between) or count_words(between) > _AHEAD[kind]:
        return False
    if kind in (Kind.OMITTED_CONDITION, Kind.OMITTED_CONTRAST):
        return "," not in between or count_words(between.rpartition(",")[2]) <= _AFTER_COMMA
    return not _JOINED.search(between)


def use_has_cue(text: str, omission: Difference, found: Sequence[Difference]) -> bool:
    """Whether a use has another cue of the class in its differing words (*I don't think we have*, *we have not*)."""
    spans = [each.span for each in found]
    return any(cues_in(name, text, script_of(text), spans) for name in LISTS[omission.kind])


def article_has_omission(reference: str, omission: Difference, before: str, after: str) -> bool:
    """Whether the article has the omission elsewhere: a run of its words near the use, or a cue in its sentence."""
    if omission.cue is None:
        return False
    # The cue and words behind it, or else before it, that are omitted too.
    (start, end), cue = omission.reference, omission.cue
    behind, ahead = fold(reference[cue[0] : end]).words, fold(reference[start : cue[1]]).words
    words = behind[:_RUN] if len(behind) >= _RUN else ahead[-_RUN:]
    run = f" {' '.join(words)} "
    if len(words) == _RUN and any(run in f" {' '.join(fold(text).words)} " for text in (before, after)):
        return True
    lists, script = LISTS[omission.kind], script_of(reference)
    return any(cues_in(name, text, script) for text in same_sentence(before, after) for name in lists)


def same_sentence(before: str, after: str) -> list[str]:
    """Parts of the sentence of a quote before and after it."""
    first, last = sentences(before)[-1:], sentences(after)[:1]
    return [before[start:end] for start, end in first] + [after[start:end] for start, end in last]

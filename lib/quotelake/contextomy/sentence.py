"""What the sentence around a span says of it: conditions, a question, what limits it or is set against it. Pure.

English, by lists in ``en.toml`` and signs; these operators reach all of their sentence. [ours; see
:mod:`quotelake.contextomy.factuality`]
"""

import re
from collections.abc import Iterator
from typing import Final

from quotelake.contextomy.operators import Clause, Operator
from quotelake.contextomy.reading import KEEPS, phrases
from quotelake.text.lexicon import table

_ASKS: Final = table("asks", "en", "quotelake.contextomy")
_UNIVERSAL: Final = table("universal", "en", "quotelake.contextomy")
_RESTRICTS: Final = re.compile(
    r"\s+(?:that|who|which|whose|where|just because|only because|because)\s[^,;:.!?]{1,60}", re.IGNORECASE
)
#: With fewer words between *if* and a span, the span is the condition itself [ours].
_MOST_BEFORE: Final = 3
#: Characters of a condition that are shown, whatever sign ends it.
_LEAST_SHOWN: Final = 8
#: Words that are shown of what else has to be done.
_ALTERNATIVE: Final = 7
#: Words at the left of a span in which a restriction limits it, and characters behind it [ours].
_SCOPE_WORDS, _SCOPE_BEHIND = 6, 40
CLAUSE_END: Final = re.compile(r"[,;:.!?()–—…\"”]")
_SENTENCE_END: Final = re.compile(r"[.;:!?]")
_CONDITION, _NO_CONDITION, _SCOPE = phrases("condition"), phrases("no_condition"), phrases("scope")
CONTRAST: Final = phrases("contrast")
#: A condition without a conjunction, at the beginning of a sentence.
_WITHOUT: Final = re.compile(r"\W*(?:without|absent|barring)\s[^,;.:]{3,80},\s*(?:(?:then|and)\s)?\W*\Z", re.IGNORECASE)
#: Whose view a statement is, at its beginning.
_VIEW_OF_OTHERS: Final = re.compile(
    r"\W*(?:(?:for|to) (?:them|him|her|some|many|others|critics|opponents)|"
    r"in (?:their|his|her) (?:view|opinion|eyes?|minds?|book)|"
    r"according to [^,;.:]{2,60}),\s*\W*\Z",
    re.IGNORECASE,
)
_NOT_ONLY: Final = re.compile(r"(?<!\w)not\s+(?:only|just|merely|simply)(?!\w)", re.IGNORECASE)
#: An adverbial before the comma that a span follows: *in some cases, [they fail]*.
_OPENING: Final = re.compile(r"(?:\A|[.;:,“\"])([^.;:,“\"]*),\s*\Z")
_ASKS_IF: Final = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_ASKS))})\s+(?:\w+\s+)?\Z", re.IGNORECASE)
#: Between a span and a condition that is another clause's.
_OF_ANOTHER: Final = re.compile(
    r"(?<!\w)(?:and\s+\Z|that|because|which|who)(?!\w)|[,;]\s*(?:and|but)(?!\w)", re.IGNORECASE
)
INVERTED: Final = re.compile(
    r"\W*(?:(?:and|but|so|well|now|then),?\s+)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|"
    r"did|can|could|will|would|should|shall|have|has|had|am|isn|aren|wasn|don|doesn|didn|won)(?!\w)",
    re.IGNORECASE,
)
_TAG: Final = re.compile(
    r"(?<!\w)(?:right|correct|okay|ok|huh|eh|yes|no|you\s+know|(?:is|are|was|were|do|does|did|has|have|wo|ca|would|"
    r"could)(?:n['’]t)?\s+(?:it|they|he|she|we|you|i))\s*\?\W*\Z",
    re.IGNORECASE,
)


def of_sentence(clause: Clause, reach: int) -> Iterator[Operator]:
    """Operators anywhere in the sentence: conditions, a question, what is set against the span, what limits it."""
    tokens, text = clause.reading.tokens, clause.reading.text
    start, end = tokens[clause.begin].start, tokens[clause.end - 1].end
    before, after = text[start : tokens[clause.first].start], text[tokens[clause.last].end : end]
    sign = text[end : end + 2]  # that ends the sentence, and a mark
    for part, is_before in ((before, True), (after, False)):
        figures = [each.span() for each in _NO_CONDITION.finditer(part)]
        for found in _CONDITION.finditer(part):
            lead = part[: found.start()]
            is_figure = any(low <= found.start() < high for low, high in figures)
            if is_figure or _ASKS_IF.search(lead) or (not is_before and _OF_ANOTHER.search(lead)):
                continue
            stop = CLAUSE_END.search(part, found.end() + _LEAST_SHOWN)
            words = part[found.start() : stop.start() if stop else len(part)]
            is_near = is_before and len(part[found.end() :].split()) < _MOST_BEFORE
            yield Operator("condition", " ".join(words.split()), is_near)
            break
    view = _VIEW_OF_OTHERS.match(before) if clause.inside is not None else None
    if view:
        yield Operator("reported", view[0].strip(" ,"))
    if _is_other_choice(clause):
        alternative = clause.reading.shown(max(clause.begin, clause.first - _ALTERNATIVE), clause.first - 1)
        yield Operator("condition", alternative, is_near=False)
    without = _WITHOUT.match(before)
    if without:
        yield Operator("condition", without[0].strip(" ,"), is_near=False)
    asked = [text[tokens[max(reach - back, clause.begin)].start : end] for back in (0, 1, 2)]
    ends_so = re.match(r"[^.;:!?]*\?", after + sign) and not _TAG.search(text[start:end] + sign)
    is_last = not after.strip() and tokens[clause.first].form != "let"  # the question mark alone makes it a question
    if ends_so and (is_last or any(map(INVERTED.match, (*asked, text[start:end])))):
        yield Operator("question", " ".join(asked[0].split()[:10]))
    contrast = CONTRAST.search(after)
    if contrast and not _NOT_ONLY.search(text[start:end]):
        yield Operator("contrast", " ".join(after[contrast.start() :].split()[:10]))
    nearby = [_SENTENCE_END.split(after[:_SCOPE_BEHIND])[0]]
    opening = _OPENING.search(before[-_SCOPE_BEHIND:])
    nearby += [opening[1]] if opening else []
    if clause.first > reach:
        nearby.append(text[tokens[max(reach, clause.first - _SCOPE_WORDS)].start : tokens[clause.first].start])
    limits = [_SCOPE.search(KEEPS.sub("", part)) for part in nearby]
    if any(token.form in _UNIVERSAL for token in tokens[clause.first : clause.last + 1]):
        limits.append(_RESTRICTS.match(after))
    yield from (Operator("scope", " ".join(limit[0].split())) for limit in limits if limit)


def _is_other_choice(clause: Clause) -> bool:
    """Whether a span says what happens if something else is not done: *pay, or [we leave]*."""
    reading, place = clause.reading, clause.first - 1
    if place <= clause.begin:
        return False
    form, before = reading.tokens[place].form, reading.tokens[place - 1].form
    is_or = form == "or" and not reading.between(place - 1).isspace()
    return is_or or form == "otherwise" or (form == "else" and before == "or")

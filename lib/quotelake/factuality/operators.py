"""Factuality of a span: negated, hedged, conditional, asked or reported; and what limits it or contrasts with it. Pure.

Event factuality (Saurí and Pustejovsky 2009, FactBank): polarity, certainty and source. English, without a parser: an
operator has a class, a side and a reach, by lists of ``en.toml``. A reach to the right ends where another clause
begins; conditions, questions and contrasts reach all of the sentence. docs/FACTUALITY.md explains it by examples.
[ours; operators chosen on development headlines]
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from quotelake.factuality.reading import NON_NEGATING, VERBS, WORDS, Reading, pattern, phrases
from quotelake.text.lexicon import NOT, reporting

_SAY: Final = frozenset(reporting("en", "say"))
_DENY_IN_HEADLINES: Final = WORDS["deny"] | WORDS["deny_in_headlines"]
HEDGES: Final = WORDS["perhaps"] | WORDS["likely"]
_OPENS_CLAUSE: Final = _SAY.union(
    *(WORDS[name] for name in ("believe", "deny", "chance", "reports", "that_after", "auxiliary"))
)
#: Between a verb of thinking and its subject.
_BESIDE_VERB: Final = WORDS["auxiliary"] | WORDS["weak"] | {NOT}
_FIRST_PERSON: Final = frozenset(("i", "we"))
_OBJECTS: Final = frozenset(("me", "us", "him", "her", "them", "you"))
_BE: Final = frozenset(("is", "are", "was", "were", "been", "being"))
#: Most words between a negation and a fragment that it may deny; a verb of naming may be among the first of them
#: (*would not call it [a disaster]*) [ours].
_NEAR, _NEAR_NAMING = 7, 3
_HARD: Final = re.compile(r"[;:()–—…]|\.\.|\s-+\s|--")
_RESTRICTS: Final = pattern("restricts")
#: With fewer words between *if* and a span, the span is the condition itself [ours].
_MOST_BEFORE: Final = 3
#: Characters of a condition that are shown, whatever sign ends it.
_LEAST_SHOWN: Final = 8
#: Words at the left of a span in which a restriction limits it, and characters behind it [ours].
_SCOPE_WORDS, _SCOPE_BEHIND = 6, 40
CLAUSE_END: Final = re.compile(r"[,;:.!?()–—…\"”]")
_SENTENCE_END: Final = re.compile(r"[.;:!?]")
_CONDITION, _NO_CONDITION, _SCOPE = phrases("condition"), phrases("no_condition"), phrases("scope")
CONTRAST: Final = phrases("contrast")
_CONCEDING: Final = pattern("conceding")
_VIEW_OF_OTHERS: Final = pattern("view_of_others")
_NOT_ONLY: Final = re.compile(r"(?<!\w)not\s+(?:only|just|merely|simply)(?!\w)", re.IGNORECASE)
_ASKS_IF: Final = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(WORDS['asks']))})\s+(?:\w+\s+)?\Z", re.IGNORECASE)
_OF_ANOTHER: Final = pattern("of_another")
INVERTED: Final = pattern("inverted")
_DOUBTING: Final = pattern("doubting")
_DENIED_PART: Final = pattern("denied_part")
_ASKS_FIRST: Final = pattern("asks_first")
_NEVER: Final = pattern("never")
_UNTRUE: Final = pattern("untrue")
_EXCLUSIVE: Final = pattern("exclusive")
_TAG: Final = pattern("tag")


class Operator(NamedTuple):
    """What governs a span from outside of it."""

    kind: str  #: negation, hedge, condition, question, reported, contrast or scope
    words: str  #: as the text has them, in one line
    is_near: bool = True  #: it governs a fragment too: a negation that denies it, a condition that it is itself
    is_sure: bool = True  #: a hedge that leaves it open (*perhaps*), not one that hardly weakens it (*probably*)
    at: int = 0  #: where the word that gives its kind begins, in code points of the reading's text


class Clause(NamedTuple):
    """A span of words and the sentence around it, as places of tokens; ``end`` is one past the last."""

    reading: Reading
    first: int
    last: int
    begin: int
    end: int
    #: First token that the speaker says, where the span is inside a quotation: reports before it are the newspaper's.
    #: None outside of one.
    inside: int | None = None
    is_headline: bool = False


def factuality(clause: Clause) -> list[Operator]:
    """Find what governs a span of a text: operators before it, from the nearest on, then those of the sentence."""
    found, reach = _before(clause)
    return [*found, *sentence_operators(clause, reach)]


def _before(clause: Clause) -> tuple[list[Operator], int]:
    """Operators from the span back to where its clauses begin, and the first token that they reach."""
    reading, first, begin = clause.reading, clause.first, clause.begin
    tokens = reading.tokens
    found: list[Operator] = []
    place = first - 1
    while place >= begin and not _ends_reach(clause, place):
        found += [one._replace(at=tokens[place].start) for one in _operators_at(clause, place)]
        place -= 1
    stop = tokens[place].form if place >= begin else ""
    is_asked = stop == "if" and place > begin and tokens[place - 1].form in WORDS["asks"]
    is_asked = (stop == "whether" or is_asked) and not clause.is_headline
    if is_asked and " or " not in reading.text[tokens[place].start : tokens[clause.end - 1].end]:
        found.append(Operator("question", reading.text_of(max(place - 1, begin), place), at=tokens[place].start))
    is_predicate = place + 1 < first and tokens[first].key in VERBS and tokens[place + 1].form in WORDS["auxiliary"]
    is_predicate = is_predicate and tokens[first - 1].form not in (*WORDS["modal"], "to")
    if stop in ("that", "who", "which") and is_predicate:
        found = []  # of a clause about the subject: *those who did not row [have won]*
    if stop in ("where", "how", "what", "who", "which", "whatever"):
        found = [one for one in found if not (one.kind == "hedge" and one.words.casefold().startswith("could"))]
    return found, place + 1


def _ends_reach(clause: Clause, place: int) -> bool:
    """Whether words up to a token do not govern what follows it."""
    reading, tokens = clause.reading, clause.reading.tokens
    form, following, gap = tokens[place].form, tokens[place + 1], reading.gap_after(place)
    if _HARD.search(gap) or form in ("if", "whether", "unless"):
        return True
    if clause.is_headline:
        return False
    starts_capital = reading.text[following.start].isupper() and following.form != "i"
    # *they think that, well, [we lost]*
    is_aside = form == "that" or form in WORDS["fillers"] or following.form in WORDS["fillers"]
    if ("," in gap and form not in HEDGES and not is_aside) or form in WORDS["subordinate"]:
        return True
    is_next = form == "and" and place == clause.first - 1  # *not sell or [lease]*, but *not sell and [lease]*
    if form == "and" and tokens[place + 2 : place + 3] and tokens[place + 2].form == NOT:
        return True  # *we can't and won't [row]* denies once
    if form in ("and", "or") and (following.form in WORDS["subjects"] or starts_capital or is_next):
        return True
    if form == "that" and place > clause.begin:
        before = tokens[place - 2 if tokens[place - 1].form in _OBJECTS else place - 1].form  # *they told us that*
        opens = before in _OPENS_CLAUSE or before == NOT
        relative = following.form in WORDS["subjects"] | WORDS["auxiliary"] and not opens  # *the plan that they made*
        return before in WORDS["know"] or relative
    return form in WORDS["know"] and following.form in WORDS["subjects"]


def _operators_at(clause: Clause, place: int) -> Iterator[Operator]:
    reading, tokens, first = clause.reading, clause.reading.tokens, clause.first
    form, following = tokens[place].form, tokens[place + 1]
    pair = reading.text_of(place, place + 1)
    is_reported = clause.inside is not None and place >= clause.inside
    denies = _DENY_IN_HEADLINES if clause.is_headline else WORDS["deny"]
    if form == NOT or (form in denies and following.form not in ("of", "from")):
        between = [token.form for token in tokens[place + 1 : first] if token.form != "from"]
        is_near = len(between) <= _NEAR and not WORDS["naming"].isdisjoint(between[:_NEAR_NAMING])
        yield Operator("negation", reading.text_of(place, min(place + 4, first)), is_near)
    elif form in HEDGES:
        suggests = any(token.form in WORDS["suggests"] for token in tokens[place + 1 : first])  # *maybe we should*
        is_next = place == first - 1  # it weakens the very words
        yield Operator("hedge", pair, is_near=is_next, is_sure=form in WORDS["perhaps"] and not suggests)
    elif form in WORDS["modal"] and reading.text[tokens[place].start :][:3] != "May":
        if clause.is_headline or WORDS["beside_modal"].issuperset(token.form for token in tokens[place + 1 : first]):
            yield Operator("hedge", pair, is_near=False)
    elif (
        form in WORDS["chance"]
        and (following.form in ("that", "to") or (following.form == "of" and place + 3 >= first))
    ) or (form in WORDS["seems"] and following.form in ("that", "to", "like", "as")):
        yield Operator("hedge", pair, is_near=False)
    elif form in WORDS["viewed"] and following.form == "as" and is_reported and tokens[place - 1].form in _BE:
        yield Operator("reported", reading.text_of(place - 1, place + 1))
    elif form in WORDS["view"] and is_reported and tokens[place - 1].form not in _FIRST_PERSON:
        if "as" in [token.form for token in tokens[place + 1 : first][:_NEAR_NAMING]]:
            yield Operator("reported", reading.text_of(place, first - 1))
    elif form in _SAY or form in WORDS["believe"]:
        yield from _thought(clause, place, is_reported=is_reported)
    elif form in WORDS["reports"] and is_reported and place < first - 1:
        opens = following.form == "that" or tokens[first - 1].form in ("that", "is")
        if opens:
            yield Operator("reported", reading.text_of(max(place - 1, clause.begin), first - 1))


def _thought(clause: Clause, place: int, *, is_reported: bool) -> Iterator[Operator]:
    """What a verb of saying or thinking makes of what follows: the speaker's guess, or what others say."""
    reading, tokens = clause.reading, clause.reading.tokens
    form, following = tokens[place].form, tokens[place + 1]
    if clause.is_headline:
        if form in WORDS["believe"]:
            yield Operator("hedge", form, is_near=False)
        return
    if following.form in _OBJECTS and place + 2 < len(tokens):  # *they told us that*
        following = tokens[place + 2]
    opens = following.form in WORDS["subjects"] or place == clause.first - 1 or reading.text[following.start].isupper()
    if not (opens and is_reported):
        return
    subject = place - 1
    while subject >= clause.begin and tokens[subject].form in _BESIDE_VERB:
        subject -= 1
    who = tokens[subject].form if subject >= clause.begin else ""
    if who in _FIRST_PERSON:
        is_denied = any(token.form == NOT for token in tokens[subject:place])  # *I don't think [we won]*
        if form in WORDS["weak"] or (form in WORDS["polite"] and not is_denied):
            yield Operator("hedge", reading.text_of(subject, place), is_near=False, is_sure=form in WORDS["weak"])
    elif (  # also *some who believe*
        who in WORDS["others"]
        or (who == "who" and subject > clause.begin and tokens[subject - 1].form in WORDS["others"])
        or (not who and form in ("believing", "thinking", "saying"))
        or (who and form in WORDS["contend"])
    ):
        yield Operator("reported", reading.text_of(max(subject, clause.begin), place))
    elif form not in WORDS["shows"] and _is_third_person(clause, subject, place):
        yield Operator("reported", reading.text_of(subject, place), is_near=False)


def _is_third_person(clause: Clause, subject: int, verb: int) -> bool:
    """Whether the subject of a verb is a name, or a noun behind a determiner."""
    tokens, text = clause.reading.tokens, clause.reading.text
    if subject < clause.begin or any(token.form == "to" for token in tokens[subject:verb]):
        return False
    is_name = text[tokens[subject].start].isupper() and tokens[subject].form not in WORDS["function"]
    determiners = (token.form for token in tokens[max(subject - 2, clause.begin) : subject])
    return is_name or any(form in WORDS["determiners"] for form in determiners)


def sentence_operators(clause: Clause, reach: int) -> Iterator[Operator]:
    """Operators anywhere in the sentence: conditions, a question, what is set against the span, what limits it."""
    tokens, text = clause.reading.tokens, clause.reading.text
    start, end = tokens[clause.begin].start, tokens[clause.end - 1].end
    last = tokens[clause.last].end
    before, after = text[start : tokens[clause.first].start], text[last:end]
    sign = text[end : end + 2]  # that ends the sentence, and a mark
    for part, is_before, offset in ((before, True, start), (after, False, last)):
        figures = [each.span() for each in _NO_CONDITION.finditer(part)]
        for found in _CONDITION.finditer(part):
            lead, between = part[: found.start()], part[found.end() :]
            is_near = is_before and len(between.split()) < _MOST_BEFORE and not CLAUSE_END.search(between)
            is_supposed = is_near and lead.casefold().endswith("even ")  # *even if [they won]*
            is_figure = not is_supposed and any(low <= found.start() < high for low, high in figures)
            is_aside = lead.rfind("(") > lead.rfind(")") and (not is_before or ")" in between)
            if is_figure or is_aside or _ASKS_IF.search(lead) or (not is_before and _OF_ANOTHER.search(lead)):
                continue
            stop = CLAUSE_END.search(part, found.end() + _LEAST_SHOWN)
            words = part[found.start() : stop.start() if stop else len(part)]
            # Only of the condition itself it is sure that it is not stated: fair headlines leave others out.
            yield Operator("condition", " ".join(words.split()), is_near, is_sure=is_near, at=offset + found.start())
            break
    view = _VIEW_OF_OTHERS.match(before) if clause.inside is not None else None
    if view:
        yield Operator("reported", view[0].strip(" ,"), at=start)
    before_span = [token.form for token in tokens[max(clause.first - 2, 0) : clause.first]]
    is_clause = any(token.key in VERBS for token in tokens[clause.first : clause.last + 1])
    is_clause = is_clause or (before_span[1:] == ["that"] and before_span[0] in WORDS["reports"])
    is_negated = any(token.key == NOT for token in tokens[clause.first : clause.last + 1])
    behind = (
        ("negation", _NEVER.match(after)),
        ("negation", _UNTRUE.match(after) if is_clause else None),
        ("condition", _EXCLUSIVE.match(after)),
        ("negation", _DENIED_PART.match(after) if is_negated else None),
    )
    for kind, match in behind:
        if match:
            words = match[0].lstrip(" ,")
            yield Operator(kind, " ".join(words.split()), at=last + len(match[0]) - len(words))
    doubting = _DOUBTING.match(before)
    if doubting:
        yield Operator("question", " ".join(doubting[0].split()), at=start)
    questions = [text[tokens[max(reach - back, clause.begin)].start : end] for back in (0, 1, 2)]
    ends_so = re.match(r"[^.;:!?]*\?", after + sign) is not None and not _TAG.search(text[start:end] + sign)
    is_last = not after.strip() and tokens[clause.first].form != "let"  # the question mark alone makes it a question
    asks = not after.strip() and not sign.strip(',"”’ ') and _ASKS_FIRST.match(text[start:end]) is not None
    if (ends_so or asks) and (is_last or any(map(INVERTED.match, (*questions, text[start:end])))):
        yield Operator("question", " ".join(questions[0].split()[:10]), at=end)
    contrast = CONTRAST.search(after)
    if contrast and not _NOT_ONLY.search(text[start:end]):
        yield Operator("contrast", " ".join(after[contrast.start() :].split()[:10]), at=last + contrast.start())
    conceding = _CONCEDING.match(before)
    if conceding:
        yield Operator("contrast", conceding[1], at=start + conceding.start(1))
    nearby = [_SENTENCE_END.split(after[:_SCOPE_BEHIND])[0]]
    if clause.first > reach:
        nearby.append(text[tokens[max(reach, clause.first - _SCOPE_WORDS)].start : tokens[clause.first].start])
    limits = [_SCOPE.search(NON_NEGATING.sub("", part)) for part in nearby]
    if any(token.form in WORDS["universal"] for token in tokens[clause.first : clause.last + 1]):
        limits.append(_RESTRICTS.match(after))
    yield from (Operator("scope", " ".join(limit[0].split())) for limit in limits if limit)

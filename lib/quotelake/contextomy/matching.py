"""Match a headline quote with the body: word for word, approximately or from two places, and in what they differ. Pure.

Event factuality of both sides is compared by :mod:`quotelake.contextomy.differences`; here is which words differ.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from quotelake.contextomy.differences import Difference, Kind, lost_operators
from quotelake.contextomy.passages import Near, Passage, find_passages
from quotelake.contextomy.quotes import Body, HeadlineQuote
from quotelake.factuality.reading import SMALL, VERBS, WORDS, Reading, Token, amounts_of, key_of, words_of
from quotelake.text.align import gaps
from quotelake.text.lexicon import NOT
from quotelake.text.numbers import all_differ

#: Share of a quote's words of content from which the utterance behind it is recognised; for few words, more [ours].
RECOGNISED, RECOGNISED_OF_FEW, FEW = 0.5, 0.66, 4
#: Share of a quote's words of content from which a passage supports it: four of five [ours; all such passages of 3,073
#: real headline quotes were read].
SUPPORTS: Final = 0.8
#: Most tokens between two places that are one statement in another order.
_SPLICED_NEAR: Final = 60
#: Least words of a quote in which another word counts as altered, as shorter quotes may simply be another statement;
#: and minimum length for substitutions [ours].
_LEAST_ALTERED, _LEAST_REPLACED = 5, 4
_WORD: Final = re.compile(r"\w")
_NEGATIVE: Final = re.compile(r"\A(?:un|in|im|il|ir|dis|non)(?=\w{3})")
#: Signs between two words at which a clause may end, and the next one begin.
_BOUNDARY: Final = re.compile(r"[,.;:!?–—\"“”]|--|\s-")
_POSSIBLE: Final = frozenset(("may", "could", "might"))
#: In place of a word that states something: the speaker tries, plans or guesses.
_TRIES: Final = frozenset(("hop", "try", "want", "plan", "seek", "suspect", "guess"))
_STATES: Final = frozenset(("will", "be", "do", "have", "must", "need"))
_DOUBTS: Final = frozenset(key_of(word) for name in ("perhaps", "likely") for word in WORDS[name])
_ALL: Final = frozenset(map(key_of, ("all", "every", "each", "both", "everyone", "always")))
_PARTLY: Final = frozenset(map(key_of, ("some", "most", "many", "few", "only")))


@dataclass(frozen=True, slots=True)
class Match:
    """The passage of a body that comes nearest to a headline quote, and the differences."""

    passage: Passage | None = None  #: None where the utterance behind the quote is not recognised
    differences: tuple[Difference, ...] = ()
    share: float = 0.0  #: share of the quote's words of content that it has, 0 to 1
    #: Passages with all words of the quote one after the other, one of each part between ellipses; else empty.
    chain: tuple[Passage, ...] = ()
    is_framed: bool = False  #: the passage has four fifths of all its words in the same order

    @property
    def is_exact(self) -> bool:
        """Whether it has all its words."""
        return bool(self.chain)

    @property
    def is_supported(self) -> bool:
        """Whether it says the same in nearly the same words."""
        return self.share >= SUPPORTS and not any(each.is_sure for each in self.differences if each.kind != Kind.ORDER)

    @property
    def n_differences(self) -> tuple[int, int]:
        """Number of the sure differences, and of all."""
        return sum(each.is_sure for each in self.differences), len(self.differences)


def match_quote(quote: HeadlineQuote, body: Body) -> Match:
    """Match a headline quote with a body; of passages that fit equally, the one with the mildest differences."""
    found = find_passages(quote, body)
    if found.chains:
        matches = [_match_parts(quote, each, body) for each in found.chains]
        return min(matches, key=lambda one: (*one.n_differences, not (one.passage and one.passage.quotes)))
    spliced = None if found.runs is None else _match_two_runs(*found.runs)
    if spliced is not None:
        return spliced
    matches = [_match_approximately(quote, found.tokens, each, body) for each in found.near]
    return min(matches, key=lambda one: (-one.share, *one.n_differences), default=Match())


def _match_parts(quote: HeadlineQuote, passages: Sequence[Passage], body: Body) -> Match:
    """A match word for word, and what the passages of the parts say otherwise, or joining them does."""
    found = [one for passage in passages for one in lost_operators(quote, passage, body)]
    text = body.without_reporting_clauses.text
    for one, other in pairwise(passages):
        if other.span[0] < one.span[0]:
            found.append(Difference(Kind.ORDER))
        elif not _begins_clause(other) and _WORD.search(text, one.span[1], other.span[0]):
            reading, last, inside = one.reading, one.last, one.reading.within(*other.span)
            same = bool(inside) and reading.sentences[last] == reading.sentences[inside[0]]
            same = same and text.find("\n", one.span[1], other.span[0]) < 0
            if not same or (last + 1 < len(reading.tokens) and not _BOUNDARY.match(reading.gap_after(last).lstrip())):
                found.append(Difference(Kind.SPLICED, f"{one.text} … {other.text}", is_sure=not same))
    return Match(passages[0], tuple(found), 1.0, tuple(passages))


def _begins_clause(passage: Passage) -> bool:
    reading, first = passage.reading, passage.first
    return first == reading.sentences[first][0] or _BOUNDARY.search(reading.gap_after(first - 1)) is not None


def _match_two_runs(one: Passage, other: Passage) -> Match | None:
    """A quote made from two runs of words of the body, without a mark of omission."""
    if any(SMALL.issuperset(each.keys) or each.first == each.last for each in (one, other)):
        return None
    reading, is_backwards = one.reading, other.first < one.first
    is_one_sentence = reading.sentences[one.last] == reading.sentences[other.first]
    has_subject = is_one_sentence and reading.tokens[other.first].key not in VERBS
    if is_backwards and (_begins_clause(other) or has_subject):
        is_near = one.first - other.last < _SPLICED_NEAR
        return Match(one, (Difference(Kind.ORDER),), 1.0) if is_near else None
    if is_one_sentence and not is_backwards:
        return None
    return Match(one, (Difference(Kind.SPLICED, one.text, other.text),), 1.0)


def _match_approximately(quote: HeadlineQuote, tokens: Sequence[Token], near: Near, body: Body) -> Match:
    keys, differing = [token.key for token in tokens], list(_differing(tokens, near))
    found = _changed_words(quote, keys, differing, near.passage.reading.text)
    content = [key for key in keys if key not in SMALL]
    missing = [token.key for gap in differing for token in gap.headline_tokens if token.key not in SMALL]
    numbers = [Reading(each.body_words).keys for each in found if each.kind == Kind.NUMBER]
    if any(key[0].isdigit() for keys_of_number in numbers for key in keys_of_number):
        missing = [key for key in missing if not key[0].isdigit()]  # another number: the same utterance
    share = 1 - len(missing) / len(content) if content else near.share
    is_framed = len(keys) >= _LEAST_ALTERED and near.share >= SUPPORTS  # *never seen anything as [comical] as this*
    if share < (RECOGNISED if len(content) >= FEW else RECOGNISED_OF_FEW) and not is_framed:
        return Match(share=share)
    changed = {each.body_words for each in found}  # a restriction in other words is no further one
    governing = [each for each in lost_operators(quote, near.passage, body) if each.body_words not in changed]
    both = [any(each.kind == Kind.NEGATION for each in side) for side in (found, governing)]
    found = [each for each in (*found, *governing) if each.kind != Kind.NEGATION or not all(both)]  # in other words
    return Match(near.passage, tuple(found), share, is_framed=is_framed)


class Gap(NamedTuple):
    """Words between two runs of shared words, or beside the first or last of these."""

    headline_tokens: Sequence[Token]
    body_tokens: Sequence[Token]
    is_edge: bool  #: before the first or behind the last shared word: the body's words beside it may be left out
    clause: int = 0  #: number of signs in front of it at which a clause of the body may end


def _differing(tokens: Sequence[Token], near: Near) -> Iterator[Gap]:
    """What differs, as far as the two sides do not spell the same in other words (*impossible*, *not possible*)."""
    for one in _unmatched(tokens, near):
        sides = _spelled_as(one.headline_tokens, one.body_tokens), _spelled_as(one.body_tokens, one.headline_tokens)
        if [token.key for token in sides[0]] != [token.key for token in sides[1]]:
            yield Gap(*sides, one.is_edge, one.clause)


def _spelled_as(tokens: Sequence[Token], others: Sequence[Token]) -> list[Token]:
    """*impossible* as two words, if others have *not* and *possible*; *Covid-19* without its number, if others do."""
    keys, found = {token.key for token in others}, list[Token]()
    for token in tokens:
        positive, name = _NEGATIVE.sub("", token.form), token.form.rstrip("0123456789")
        if NOT in keys and positive != token.form and key_of(positive) in keys:
            found += [token._replace(form=NOT, key=NOT), token._replace(form=positive, key=key_of(positive))]
        elif name and name != token.form and key_of(name) in keys:
            found.append(token._replace(form=name, key=key_of(name)))
        else:
            found.append(token)
    return found


def _unmatched(tokens: Sequence[Token], near: Near) -> Iterator[Gap]:
    reading = near.passage.reading
    said = [reading.tokens[place] for place in reading.compared]
    begin = said[near.blocks[0].second].start
    for own, other in gaps(near.blocks, len(tokens), len(said)):
        is_edge = own.start == 0 or own.stop == len(tokens)
        if own or not is_edge:
            beside = other if not is_edge else other[: len(own)] if own.start else other[-len(own) :]
            clause = len(_BOUNDARY.findall(reading.text, begin, said[other.start - 1].end)) if own.start else 0
            yield Gap([tokens[at] for at in own], [said[at] for at in beside], is_edge, clause)


def _changed_words(quote: HeadlineQuote, keys: Sequence[str], differing: Sequence[Gap], text: str) -> list[Difference]:
    """The differences of words between a quote, whose compared keys are given, and a text; from left to right."""
    found = []
    negations = Counter[int]()  # by clause: two in one are in another place, or make none
    for gap in differing:
        inside = (*gap.headline_tokens, *(() if gap.is_edge else gap.body_tokens))
        negations[gap.clause] += sum(token.key == NOT for token in inside)
    for gap in differing:
        kind = _kind(gap, frozenset(keys), quote, turned=negations[gap.clause] % 2 == 1)
        if kind is None and _is_anothers(gap, text):
            kind = Kind.ALTERED
        is_word_for_word = any(token.key not in SMALL for token in gap.body_tokens)
        if kind is Kind.ALTERED and len(keys) < (_LEAST_REPLACED if is_word_for_word else _LEAST_ALTERED):
            continue
        if kind is not None:
            found.append(Difference(kind, words_of(gap.body_tokens, text), words_of(gap.headline_tokens, quote.text)))
    return found


def _kind(gap: Gap, keys: frozenset[str], quote: HeadlineQuote, *, turned: bool) -> Kind | None:
    # A word without a form is of a phrase that denies nothing, such as *not only*.
    tokens = [[token for token in side if token.form] for side in (gap.headline_tokens, gap.body_tokens)]
    if not any(map(amounts_of, tokens)) or not all(map(amounts_of, tokens)):
        tokens = [[token for token in side if token.form != "one"] for side in tokens]  # a pronoun
    headline_keys, body_keys = ([token.key for token in side] for side in tokens)
    if turned and headline_keys.count(NOT) % 2 != body_keys.count(NOT) % 2 and not (gap.is_edge and NOT in body_keys):
        return Kind.NEGATION
    amounts = [amounts_of(side) for side in tokens]
    if amounts[0]:
        if not amounts[1]:
            return Kind.NUMBER
        return Kind.NUMBER if all_differ(*amounts) else None
    content = [[token for token in side if token.key not in SMALL] for side in tokens]
    if content[0]:
        if "*" in quote.text or "".join(headline_keys) == "".join(body_keys):
            return None
        is_name = not content[1] and not gap.is_edge
        is_name = is_name and all(quote.text[token.start].isupper() for token in content[0])  # instead of a pronoun
        return None if is_name else Kind.ALTERED
    if headline_keys and any(token.form in WORDS["deny"] for token in tokens[1]):
        return Kind.NEGATION  # *will [pay]* for *refuses to [pay]*
    tries = not _TRIES.isdisjoint(body_keys) and not _STATES.isdisjoint(headline_keys)
    possible = not _POSSIBLE.isdisjoint(body_keys) and keys.isdisjoint(_POSSIBLE | {"can"})
    able = not gap.is_edge and "can" in body_keys and "can" not in keys
    if tries or possible or (able and (headline_keys or "have" in body_keys)):
        return Kind.HEDGE
    if not (_PARTLY.isdisjoint(body_keys) or _ALL.isdisjoint(headline_keys)):
        return Kind.ALTERED
    if gap.is_edge:
        return None
    if not headline_keys and not _DOUBTS.isdisjoint(body_keys):
        return Kind.HEDGE
    if content[1] and not headline_keys:
        return Kind.ORDER
    if _PARTLY.isdisjoint(body_keys):
        return None
    return Kind.SCOPE if headline_keys else Kind.ALTERED  # a restriction cut between the marks, not beside them


def _is_anothers(gap: Gap, text: str) -> bool:
    """Whether the headline's *I* or *we* begins what the body says somebody with a name did."""
    forms, before = [token.form for token in gap.headline_tokens], gap.body_tokens[-1:]
    is_pronoun = gap.is_edge and forms in (["i"], ["we"])
    return is_pronoun and bool(before) and text[before[0].start].isupper() and before[0].form != forms[0]

"""Whether a body quote says with the words of a headline quote what that says, or something that contradicts it. Pure.

A quote with a negation dropped, a word turned into its opposite or another number shares nearly all n-grams with the
body quote and lies close to it for any encoder; so it is told by its words. Compared are only passages whose other
words are the same, small words such as auxiliaries and articles aside: together, with others between, or exchanged.
Words are those of :mod:`quotelake.text.wording`. Latin script only: Korean negations are endings.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from quotelake.contextomy.quotes import Text
from quotelake.text.fold import Span
from quotelake.text.forms import beginning
from quotelake.text.lexicon import NOT
from quotelake.text.numbers import differ
from quotelake.text.wording import Small, Word, Wording

#: With fewer words, negations aside, a match would be chance [ours]; with fewer that are no small words, the small
#: words must be the same too.
MIN_WORDS, MIN_CARRYING = 3, 3
#: So many passages of a body quote are compared; a headline quote that occurs more often is a refrain.
MOST_PASSAGES = 8
#: With fewer words of weight, words with others between, or exchanged, prove nothing [ours].
MIN_SCATTERED, MIN_EXCHANGED = 4, 5
#: A word that changes places with another has so many letters: shorter ones are prepositions and pronouns [ours].
MIN_LETTERS = 4
#: Two words change places without a change of meaning where only one of these is between.
_LISTED = frozenset(("and", "or"))
#: Small words that do not tell two texts apart where the small words must be the same.
_ARTICLES = frozenset(("a", "an", "the"))
#: Say that something is possible; and with one of the others a headline quote says no more than that.
_POSSIBLE = frozenset(("may", "might", "could"))
_NO_FACT = _POSSIBLE | {"May", "can", "would", "should", "shall"}
#: A clause after one of these is not asserted.
_UNASSERTED = frozenset(("if", "whether", "unless"))


class Turned(StrEnum):
    """What turns a headline quote round."""

    NEGATION = "a negation"  #: only one of the two is negated
    OPPOSITE = "an opposite"  #: a word of one is the opposite of the other's
    AMOUNT = "an amount"  #: they say another number, or all for some
    ORDER = "an order"  #: two words changed places


@dataclass(frozen=True, slots=True)
class Sense:
    """A passage of a body quote with the words of a headline quote; spans are code points of the body quote."""

    span: Span
    kind: Turned | None = None  #: how it contradicts the headline quote; None: it says the same
    turned: tuple[Span, ...] = ()  #: where; empty for a negation that only the headline has
    said: tuple[str, str] | None = None  #: the words that differ, those of the body first; None for a negation
    is_whole: bool = True  #: no other words stand between its words
    weakened: Span | None = None  #: where it says that it is possible and the headline quote states it as a fact

    @property
    def difference(self) -> str | None:
        """The contradiction in words to follow *but for*; None: it says the same."""
        if self.kind is None or self.said is None:
            return self.kind and self.kind.value
        return f"{self.kind}: “{self.said[0]}” in the body, “{self.said[1]}” in the headline"


class _Passage(NamedTuple):
    """Part of a body quote: place of its first and of its last word, and those of them that the headline quote has."""

    first: int
    last: int
    words: Sequence[Word]


def senses(headline: Text, quote: Text) -> list[Sense]:
    """Find the passages of a body quote with the words of a headline quote, and say whether they contradict it.

    Words one after the other are looked for first; only if there are none, with others between or two exchanged. A
    question, a condition and what a negation farther ahead in the clause governs (*I don't think it is safe*)
    contradict nothing: only plain statements do.

    >>> body = Text("We will not cut two of the eleven taxes.")
    >>> [sense.difference for sense in senses(Text("We will cut two of the eleven taxes"), body)]
    ['a negation']
    >>> [sense.difference for sense in senses(Text("We won't cut all eleven taxes"), body)]
    ['an amount: “two of the eleven” in the body, “all eleven” in the headline']
    """
    own = headline.wording
    if len(own.words) + len(_forms(own.smalls)) < MIN_WORDS:
        return []
    # A quick test spares reading most body quotes word by word.
    if not all(beginning(word.key) in quote.folded.letters for word in own.words if word.is_plain):
        return []
    body, n = quote.wording, len(own.words)
    found: list[Sense] = []
    whole = [
        _Passage(first, first + n - 1, body.words[first : first + n])
        for first in body.places([word.key for word in own.words], MOST_PASSAGES)
    ]
    whole = [each for each in whole if n >= MIN_CARRYING or _same_small_words(own.words, each.words)]
    for passage in whole or _scattered(own, body):
        found += _judged(own, body, passage)
    for passage, one, other in () if whole else _exchanged(own, body):
        for sense in _judged(own, body, passage):
            if sense.kind in (Turned.OPPOSITE, Turned.AMOUNT):  # *two for you, five for us*: told in another order
                continue
            said = f"{one.shown} … {other.shown}", f"{other.shown} … {one.shown}"
            places = (one.start, one.end), (other.start, other.end)
            found.append(sense if sense.kind else replace(sense, kind=Turned.ORDER, turned=places, said=said))
    return found


def _forms(small: Sequence[Small]) -> list[str]:
    return [each.form for each in small if each.form != NOT and each.form not in _ARTICLES]


def _same_small_words(headline: Sequence[Word], passage: Sequence[Word]) -> bool:
    for place, (own, other) in enumerate(zip(headline, passage, strict=True)):
        headline_forms, body_forms = _forms(own.before), _forms(other.before)
        if place == 0:  # what stands before the passage is left out, and no difference
            body_forms = body_forms[-len(headline_forms) :] if headline_forms else []
        if body_forms != headline_forms:
            return False
    return True


def _scattered(headline: Wording, body: Wording) -> Iterator[_Passage]:
    """Find the words in order within one clause, with no more others between than they are."""
    n = len(headline.words)
    if n < MIN_SCATTERED:
        return
    for first in body.places([headline.words[0].key], MOST_PASSAGES):
        found: list[int] = []
        for place in range(first, min(first + 2 * n, len(body.words))):
            if body.words[place].clause != body.words[first].clause:
                break
            if body.words[place].key == headline.words[len(found)].key:
                found.append(place)
                if len(found) == n:
                    yield _Passage(first, place, [body.words[at] for at in found])
                    break


def _exchanged(headline: Wording, body: Wording) -> Iterator[tuple[_Passage, Word, Word]]:
    """Find the words one after the other but for two that changed places; also these two, in the body's order."""
    n = len(headline.words)
    if n < MIN_EXCHANGED:
        return
    same = 0  # passages that have the same words in any order
    missing = Counter(word.key for word in headline.words)
    wrong = len(missing)  # keys of which there are too many or too few
    for last, word in enumerate(body.words):
        for key, step in [(word.key, -1)] + ([(body.words[last - n].key, 1)] if last >= n else []):
            wrong += missing[key] == 0
            missing[key] += step
            wrong -= missing[key] == 0
        if wrong or last < n - 1:
            continue
        first, same = last - n + 1, same + 1
        passage = body.words[first : last + 1]
        moved = [place for place in range(n) if passage[place].key != headline.words[place].key]
        if len(moved) == 2:
            one, other = (passage[place] for place in moved)
            between = {word.key for word in passage[moved[0] + 1 : moved[1]]}
            has_weight = all(each.is_plain and len(each.shown) >= MIN_LETTERS for each in (one, other))
            if between and not between <= _LISTED and has_weight:
                yield _Passage(first, last, passage), one, other
        if same == MOST_PASSAGES:
            return


def _judged(headline: Wording, body: Wording, passage: _Passage) -> Iterator[Sense]:
    """What a passage says, if it states it."""
    first, last, words = passage
    is_asked = words[0].clause in body.asked and not headline.asked
    is_unasserted = first > 0 and body.words[first - 1].key in _UNASSERTED
    pairs = list(zip(headline.words, words, strict=True))
    amounts = [(own, other) for own, other in pairs if own.amount and other.amount and differ(own.amount, other.amount)]
    # *Not all* neither is nor denies *most*.
    denies_amount = any(_negates(own.before) != _negates(other.before) for own, other in amounts)
    if is_asked or is_unasserted or denies_amount:
        return
    lead = _lead(headline.words[0].before, words[0])
    after = body.words[last + 1].before if last + 1 < len(body.words) else body.after
    if not _negates(headline.after):
        after = ()
    starts = [small.start for small in lead if small.form == NOT or not _negates(headline.words[0].before)]
    ends = [small.start + 1 for small in after if small.form == NOT]
    span = min([words[0].start, *starts]), max([words[-1].end, *ends])
    if _governed(body.words, first):
        yield Sense(span)
        return
    same = Sense(span, is_whole=last - first + 1 == len(words))
    turned = next(((own, other) for own, other in pairs if own.is_second != other.is_second), None)
    smalls = list(words[0].before if turned else lead)
    smalls += [small for word in words[1:] for small in word.before] + list(after)
    if _NO_FACT.isdisjoint(small.form for word in headline.words for small in word.before):  # no verb before the end
        possible = (each for each in smalls if each.form in _POSSIBLE)
        same = replace(same, weakened=next(((each.start, each.start + len(each.form)) for each in possible), None))
    if _negates(headline.smalls) != _negates(smalls):
        # Not safe and unsafe are the same; and a word between may negate: we refuse to sell.
        if not turned and (same.is_whole or _negates(smalls)):
            negations = tuple((each.start, each.start + 1) for each in smalls if each.form == NOT)
            same = replace(same, kind=Turned.NEGATION, turned=negations)
    elif turned or amounts:
        own, other = turned or amounts[0]
        kind = Turned.OPPOSITE if turned else Turned.AMOUNT
        same = replace(same, kind=kind, turned=((other.start, other.end),), said=(other.shown, own.shown))
    yield same


def _governed(words: Sequence[Word], first: int) -> bool:
    """Whether a negation stands before a passage in its clause, with a word of weight between."""
    clause = words[first].clause
    for place in range(first - 1, -1, -1):
        if words[place].clause != clause:
            return False
        if any(small.form == NOT and small.clause == clause for small in words[place].before):
            return True
    return False


def _negates(small: Sequence[Small]) -> bool:
    return any(each.form == NOT for each in small)


def _lead(own: Sequence[Small], first: Word) -> Sequence[Small]:
    """Those of the small words before a passage that belong to it, as far as the headline quote has any there.

    All back to the clause's beginning where the headline quote begins with a negation (*not safe* in *not be safe*);
    else from the small word on with which it begins, so that what is before an excerpt is left to the omissions.
    """
    smalls = [small for small in first.before if small.clause == first.clause]
    if not own:
        return ()
    if _negates(own):
        return smalls
    same = [place for place, small in enumerate(smalls) if small.form == own[0].form]
    return smalls[same[0] :] if same else smalls

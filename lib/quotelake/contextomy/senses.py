"""Whether a body quote says with the words of a headline quote what that says, or something that contradicts it. Pure.

A quote with a negation dropped, a word turned into its opposite or another number shares nearly all n-grams with the
body quote and lies close to it for any encoder; so it is told by its words. Compared are only passages whose other
words are the same, small words such as auxiliaries and articles aside. Latin script only: Korean negations are endings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from quotelake.contextomy.passages import Passage, exchanged, scattered, whole
from quotelake.text.cues import NOT
from quotelake.text.fold import Span
from quotelake.text.forms import beginning
from quotelake.text.numbers import differ
from quotelake.text.wording import Small, Word, Wording

#: With fewer words, negations aside, a match would be chance [ours]; with fewer that are no small words, the small
#: words must be the same too.
MIN_WORDS, MIN_CARRYING = 3, 3
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
    """A passage of a body quote with the words of a headline quote.

    Attributes:
        span: where it stands in the body quote, as (start, end) in code points.
        kind: how it contradicts the headline quote; None: it says the same.
        turned: where that stands in the body quote; empty for a negation that only the headline has.
        said: the words that differ, those of the body first; None for a negation.
        is_whole: no other words stand between its words.
        weakened: where the body quote says that it is possible and the headline quote states it as a fact.
    """

    span: Span
    kind: Turned | None = None
    turned: tuple[Span, ...] = ()
    said: tuple[str, str] | None = None
    is_whole: bool = True
    weakened: Span | None = None

    @property
    def difference(self) -> str | None:
        """The contradiction in words to follow *but for*; None: it says the same."""
        if self.kind is None:
            return None
        if self.said is None:
            return self.kind.value
        return f"{self.kind}: “{self.said[0]}” in the body, “{self.said[1]}” in the headline"


def may_contradict(headline: Wording, letters: str) -> bool:
    """Whether a body quote may have passages for :func:`senses`; a quick test that spares reading it word by word.

    Args:
        headline: the headline quote.
        letters: of the body quote, folded.
    """
    if len(headline.words) + len(_forms(headline.smalls)) < MIN_WORDS:
        return False
    return all(beginning(word.key) in letters for word in headline.words if word.is_plain)


def senses(headline: Wording, body: Wording) -> Iterator[Sense]:
    """Find the passages of a body quote with the words of a headline quote, and say whether they contradict it.

    Words one after the other are looked for first; only if there are none, with others between or two exchanged. A
    question, a condition and what a negation farther ahead in the clause governs (*I don't think it is safe*)
    contradict nothing: only plain statements do.

    >>> from quotelake.text.wording import read_wording
    >>> body = read_wording("We will not cut two of the eleven taxes.")
    >>> [sense.difference for sense in senses(read_wording("We will cut two of the eleven taxes"), body)]
    ['a negation']
    >>> [sense.difference for sense in senses(read_wording("We won't cut all eleven taxes"), body)]
    ['an amount: “two of the eleven” in the body, “all eleven” in the headline']
    """
    if not may_contradict(headline, body.text):
        return
    found = False
    for passage in whole(headline, body):
        if len(headline.words) >= MIN_CARRYING or _same_small_words(headline, passage.words):
            found = True
            yield from _judged(headline, body, passage)
    if not found:
        for passage in scattered(headline, body):
            yield from _judged(headline, body, passage)
        for passage, one, other in exchanged(headline, body):
            for sense in _judged(headline, body, passage):
                if sense.kind in (Turned.OPPOSITE, Turned.AMOUNT):  # *two for you, five for us*: told in another order
                    continue
                said = f"{one.shown} … {other.shown}", f"{other.shown} … {one.shown}"
                places = (one.start, one.end), (other.start, other.end)
                yield sense if sense.kind else replace(sense, kind=Turned.ORDER, turned=places, said=said)


def _judged(headline: Wording, body: Wording, passage: Passage) -> Iterator[Sense]:
    asked = passage.words[0].clause in body.asked and not headline.asked
    if not asked and not _unasserted(body.words, passage.first) and not _says_no_amount(headline, passage):
        span = _span(headline, body, passage)
        yield Sense(span) if _governed(body.words, passage.first) else _compared(span, headline, body, passage)


def _same_small_words(headline: Wording, passage: Sequence[Word]) -> bool:
    for place, (own, other) in enumerate(zip(headline.words, passage, strict=True)):
        headline_forms, body_forms = (_forms(word.before) for word in (own, other))
        if place == 0:  # what stands before the passage is left out, and no difference
            body_forms = body_forms[-len(headline_forms) :] if headline_forms else []
        if body_forms != headline_forms:
            return False
    return True


def _forms(small: Sequence[Small]) -> list[str]:
    return [each.form for each in small if each.form != NOT and each.form not in _ARTICLES]


def _unasserted(words: Sequence[Word], first: int) -> bool:
    return first > 0 and words[first - 1].key in _UNASSERTED


def _governed(words: Sequence[Word], first: int) -> bool:
    """Whether a negation stands before a passage in its clause, with a word of weight between."""
    clause = words[first].clause
    for place in range(first - 1, -1, -1):
        if words[place].clause != clause:
            return False
        if any(small.form == NOT and small.clause == clause for small in words[place].before):
            return True
    return False


def _compared(span: Span, headline: Wording, body: Wording, passage: Passage) -> Sense:
    same = Sense(span, is_whole=passage.is_whole)
    pairs = list(zip(headline.words, passage.words, strict=True))
    turned = next(((own, other) for own, other in pairs if own.is_second != other.is_second), None)
    first = passage.words[0]
    body_smalls = list(first.before if turned else _lead(headline.words[0].before, first))
    body_smalls += [small for word in passage.words[1:] for small in word.before]
    body_smalls += _after(body, passage) if _negates(headline.after) else ()
    if _NO_FACT.isdisjoint(small.form for word in headline.words for small in word.before):  # no verb before the end
        possible = next(
            ((each.start, each.start + len(each.form)) for each in body_smalls if each.form in _POSSIBLE), None
        )
        same = replace(same, weakened=possible)
    if _negates(headline.smalls) != _negates(body_smalls):
        if not passage.is_whole and not _negates(body_smalls):
            return same  # a word between may negate: we refuse to sell
        places = tuple((each.start, each.start + 1) for each in body_smalls if each.form == NOT)
        return same if turned else replace(same, kind=Turned.NEGATION, turned=places)  # not safe, unsafe: the same
    amounts = ((one, two) for one, two in pairs if one.amount and two.amount and differ(one.amount, two.amount))
    kind = Turned.OPPOSITE if turned else Turned.AMOUNT
    pair = turned or next(amounts, None)
    if pair is None:
        return same
    own, other = pair
    return replace(same, kind=kind, turned=((other.start, other.end),), said=(other.shown, own.shown))


def _says_no_amount(headline: Wording, passage: Passage) -> bool:
    """Whether one text denies an amount where the other states another one: *not all* neither is nor denies *most*."""
    return any(
        own.amount
        and other.amount
        and _negates(own.before) != _negates(other.before)
        and differ(own.amount, other.amount)
        for own, other in zip(headline.words, passage.words, strict=True)
    )


def _after(body: Wording, passage: Passage) -> Sequence[Small]:
    return body.words[passage.last + 1].before if passage.last + 1 < len(body.words) else body.after


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


def _span(headline: Wording, body: Wording, passage: Passage) -> Span:
    own = headline.words[0].before
    starts = [small.start for small in _lead(own, passage.words[0]) if small.form == NOT or not _negates(own)]
    ends = [small.start + 1 for small in _after(body, passage) if small.form == NOT and _negates(headline.after)]
    return min([body.words[passage.first].start, *starts]), max([body.words[passage.last].end, *ends])

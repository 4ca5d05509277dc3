"""Which words differ between a headline quote and the passage nearest to it, and whether that matters. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from quotelake.contextomy.differences import Difference, Kind
from quotelake.contextomy.passages import Near
from quotelake.contextomy.quotes import HeadlineQuote
from quotelake.contextomy.reading import SMALL, Token, key_of, shown
from quotelake.text.lexicon import NOT, table
from quotelake.text.numbers import amount_of, differ

_POSSIBLE: Final = frozenset(("may", "could", "might"))
#: In place of a word that states something: the speaker tries, plans or guesses.
_TRIES: Final = frozenset(("hop", "try", "want", "plan", "seek", "suspect", "guess"))
_STATES: Final = frozenset(("will", "be", "do", "have", "must", "need"))
#: Words of a quote from which other words in it count as altered: of fewer, a passage with most of them may be another
#: statement [ours].
_LEAST: Final = 5
#: The same of words that stand in the place of others.
_LEAST_REPLACED: Final = 4
_DOUBTS: Final = frozenset(
    key_of(word) for name in ("perhaps", "likely") for word in table(name, "en", "quotelake.contextomy")
)
_ALL: Final = frozenset(map(key_of, ("all", "every", "each", "both", "everyone", "always")))
_PARTLY: Final = frozenset(map(key_of, ("some", "most", "many", "few", "only")))


class Gap(NamedTuple):
    """Words between two runs of shared words, or beside the first or last of these: the headline's and the body's."""

    own: Sequence[Token]
    said: Sequence[Token]
    is_edge: bool  #: before the first or behind the last shared word: the body's words beside it may be left out


def changes(quote: HeadlineQuote, tokens: Sequence[Token], near: Near) -> list[Difference]:
    """Name the differences of words, from left to right.

    Args:
        quote: as the headline has it.
        tokens: its words, articles aside.
        near: the passage.
    """
    found = []
    keys = frozenset(token.key for token in tokens)
    gaps = list(_gaps(tokens, near))
    inside = [token.key for gap in gaps for token in (*gap.own, *(() if gap.is_edge else gap.said))]
    turned = inside.count(NOT) % 2 == 1  # else a negation stands in another place, or two make none
    for gap in gaps:
        kind = _kind(gap, keys, quote, turned=turned)
        if kind is None and _is_anothers(gap, near.passage.reading.text):
            kind = Kind.ALTERED
        is_word_for_word = any(token.key not in SMALL for token in gap.said)
        if kind is Kind.ALTERED and len(tokens) < (_LEAST_REPLACED if is_word_for_word else _LEAST):
            continue
        if kind is not None:
            text = near.passage.reading.text
            said = shown(text, gap.said[0].start, gap.said[-1].end) if gap.said else ""
            own = shown(quote.text, gap.own[0].start, gap.own[-1].end) if gap.own else ""
            found.append(Difference(kind, said, own))
    return found


def _gaps(tokens: Sequence[Token], near: Near) -> Iterator[Gap]:
    reading, n = near.passage.reading, len(tokens)
    heavy = [reading.tokens[place] for place in reading.heavy]
    first, last = near.blocks[0], near.blocks[-1]
    lead, rest = first.first, n - last.first - last.size
    if lead:
        yield Gap(tokens[:lead], heavy[max(first.second - lead, 0) : first.second], is_edge=True)
    for one, other in pairwise(near.blocks):
        own = tokens[one.first + one.size : other.first]
        yield Gap(own, heavy[one.second + one.size : other.second], is_edge=False)
    if rest:
        end = last.second + last.size
        yield Gap(tokens[n - rest :], heavy[end : end + rest], is_edge=True)


def _kind(gap: Gap, keys: frozenset[str], quote: HeadlineQuote, *, turned: bool) -> Kind | None:
    """The kind of the difference that a gap makes; None if it makes none."""
    own, said = ([token.key for token in side if token.form] for side in (gap.own, gap.said))
    if turned and own.count(NOT) % 2 != said.count(NOT) % 2 and not (gap.is_edge and NOT in said):
        return Kind.NEGATION
    numbers = [[key for key in side if key[0].isdigit()] for side in (own, said)]
    if numbers[0]:
        if not numbers[1]:
            return Kind.NUMBER
        amounts = [[amount_of([key.rstrip("stndrh")]) for key in side] for side in numbers]
        return Kind.NUMBER if all(differ(one, other) for one in amounts[0] for other in amounts[1]) else None
    # A word without a form is of a phrase that denies nothing, such as *not only*.
    content = [[token for token in side if token.form and token.key not in SMALL] for side in (gap.own, gap.said)]
    if content[0]:
        if "*" in quote.text or "".join(own) == "".join(said):
            return None
        is_name = not content[1] and not gap.is_edge
        is_name = is_name and all(quote.text[token.start].isupper() for token in content[0])  # instead of a pronoun
        return None if is_name else Kind.ALTERED
    tries = not _TRIES.isdisjoint(said) and not _STATES.isdisjoint(own)
    possible = not _POSSIBLE.isdisjoint(said) and keys.isdisjoint(_POSSIBLE | {"can"})
    able = not gap.is_edge and "can" in said and "can" not in keys and (bool(own) or "have" in said)
    if tries or possible or able:
        return Kind.HEDGE
    if not (_PARTLY.isdisjoint(said) or _ALL.isdisjoint(own)):
        return Kind.ALTERED
    if gap.is_edge:
        return None
    if not own and not _DOUBTS.isdisjoint(said):
        return Kind.HEDGE
    if content[1] and not own:
        return Kind.ORDER
    if _PARTLY.isdisjoint(said):
        return None
    return Kind.SCOPE if own else Kind.ALTERED  # a restriction that is cut between the marks, not beside them


def _is_anothers(gap: Gap, text: str) -> bool:
    """Whether the headline's *I* or *we* begins what the body says somebody with a name did."""
    own, said = [token.form for token in gap.own], gap.said[-1:]
    return (
        gap.is_edge
        and own in (["i"], ["we"])
        and bool(said)
        and text[said[0].start].isupper()
        and said[0].form != own[0]
    )

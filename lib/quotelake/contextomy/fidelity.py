"""What the body has of a headline quote, word for word, nearly or from two places, and in what they differ. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from quotelake.contextomy.changes import changes
from quotelake.contextomy.differences import Difference, Kind, lost
from quotelake.contextomy.passages import Near, Passage, by_parts, heavy, is_reordered, nearest, two_runs
from quotelake.contextomy.quotes import Body, HeadlineQuote
from quotelake.contextomy.reading import SMALL, VERBS, Reading, Token
from quotelake.text.fold import Folded
from quotelake.text.forms import beginning
from quotelake.text.lexicon import NOT

#: Share of a quote's words of content from which the utterance behind it is recognised; for few words, more [ours].
RECOGNISED, RECOGNISED_OF_FEW, FEW = 0.5, 0.66, 4
#: Share of its words, and of those of content, from which a passage carries it: four of five [ours; all such passages
#: of 3,073 real headline quotes were read].
CARRIES: Final = 0.8
#: Least words of a quote that may be spliced from two places without an ellipsis; most tokens between two places that
#: are one statement in another order.
_SPLICED_WORDS, _SPLICED_NEAR = 6, 60
_WORD: Final = re.compile(r"\w")
#: Signs between two words at which a clause may end, and the next one begin.
_BOUNDARY: Final = re.compile(r"[,.;:!?–—\"“”]|--|\s-")
#: Words in square or round brackets are the newspaper's; a bracket inside a word marks a letter.
_BRACKETS: Final = re.compile(r"(?<!\w)(?:\[[^\[\]]*+\]|\([^()]*+\))(?!\w)")


@dataclass(frozen=True, slots=True)
class Held:
    """The passage of a body that comes nearest to a headline quote, and the differences."""

    passage: Passage | None = None  #: None where the utterance behind the quote is not recognised
    differences: tuple[Difference, ...] = ()
    share: float = 0.0  #: share of the quote's words of content that it has, 0 to 1
    is_exact: bool = False  #: it has all words of the quote one after the other, or of each part between ellipses
    is_spliced: bool = False  #: its words come from two places

    @property
    def is_carried(self) -> bool:
        """Whether it says the same in nearly the same words."""
        return self.share >= CARRIES and not any(each.is_sure for each in self.differences if each.kind != Kind.ORDER)


def hold(quote: HeadlineQuote, parts: Sequence[Folded], body: Body, script: str | None) -> Held:
    """Hold a headline quote against a body; of several passages that fit equally, the one with the mildest differences.

    Args:
        quote: as the headline has it.
        parts: its parts between ellipses.
        body: the article.
        script: the quote's.
    """
    found = [
        Held(passages[0], tuple(_of_parts(quote, passages, body)), 1.0, is_exact=True)
        for passages in by_parts(body, parts, script)
    ]
    if found:
        return min(found, key=lambda held: (*_weight(held), held.passage is None or held.passage.quote(body) is None))
    brackets = [each.span() for each in _BRACKETS.finditer(quote.text)]
    tokens = [
        token for token in heavy(quote.reading.tokens) if not any(start <= token.start < end for start, end in brackets)
    ]
    if not tokens:
        return Held()
    keys = [token.key for token in tokens]
    content = [key for key in keys if key not in SMALL]
    beginnings = ["" if key[0].isdigit() else beginning(key) for key in content]
    reading = body.paragraphs_with(beginnings, max(1, len(content) // 4))
    near = nearest(keys, reading)
    if (not near or near[0].share < 1) and quote.kind == "direct" and len(keys) >= _SPLICED_WORDS:
        spliced = _spliced(keys, reading)
        if spliced is not None:
            return spliced
    held = [_nearly(quote, tokens, each, body) for each in near]
    return min(held, key=lambda each: (-each.share, *_weight(each)), default=Held())


def _weight(held: Held) -> tuple[int, int]:
    return sum(each.is_sure for each in held.differences), len(held.differences)


def _of_parts(quote: HeadlineQuote, passages: Sequence[Passage], body: Body) -> Iterator[Difference]:
    """What the passages of a quote's parts say otherwise, and whether joining them does."""
    for passage in passages:
        yield from lost(quote, passage, body)
    for one, other in pairwise(passages):
        if other.span[0] < one.span[0]:
            yield Difference(Kind.ORDER)
        elif not _begins_clause(other) and _WORD.search(body.spoken, one.span[1], other.span[0]):
            text = body.spoken
            same = text.find("\n", one.span[1], other.span[0]) < 0 and _one_sentence(one, other)
            if not same or not _ends_clause(one):
                yield Difference(Kind.SPLICED, f"{one.shown} … {other.shown}", is_sure=not same)


def _one_sentence(one: Passage, other: Passage) -> bool:
    reading = one.reading
    inside = reading.within(*other.span)
    return bool(inside) and reading.sentences[one.last] == reading.sentences[inside[0]]


def _begins_clause(passage: Passage) -> bool:
    reading, first, _ = passage
    return first == reading.sentences[first][0] or _BOUNDARY.search(reading.between(first - 1)) is not None


def _ends_clause(passage: Passage) -> bool:
    reading, _, last = passage
    return last + 1 == len(reading.tokens) or _BOUNDARY.match(reading.between(last).lstrip()) is not None


def _spliced(keys: Sequence[str], reading: Reading) -> Held | None:
    """A quote made from two runs of words of the body, without a mark of omission."""
    pair = two_runs(keys, reading)
    if pair is None or any(SMALL.issuperset(_keys(each)) or each.first == each.last for each in pair):
        return None
    one, other = pair
    is_backwards = other.first < one.first
    is_one_sentence = reading.sentences[one.last] == reading.sentences[other.first]
    has_subject = is_one_sentence and reading.tokens[other.first].key not in VERBS
    if is_backwards and (_begins_clause(other) or has_subject):
        is_near = one.first - other.last < _SPLICED_NEAR
        return Held(one, (Difference(Kind.ORDER),), 1.0) if is_near else None
    if is_one_sentence and not is_backwards:
        return None
    return Held(one, (Difference(Kind.SPLICED, one.shown, other.shown),), 1.0, is_spliced=True)


def _keys(passage: Passage) -> list[str]:
    return [token.key for token in passage.reading.tokens[passage.first : passage.last + 1]]


def _nearly(quote: HeadlineQuote, tokens: Sequence[Token], near: Near, body: Body) -> Held:
    """A passage that has most words of a quote."""
    keys = [token.key for token in tokens]
    content = [place for place, key in enumerate(keys) if key not in SMALL]
    shared = {place for block in near.blocks for place in range(block.first, block.first + block.size)}
    missing = [place for place in content if place not in shared]
    found = changes(quote, tokens, near)
    if any(each.kind == Kind.NUMBER and _has_number(each.said) for each in found):
        missing = [place for place in missing if not keys[place][0].isdigit()]  # another number: the same utterance
    share = 1 - len(missing) / len(content) if content else near.share
    if missing and is_reordered(keys, near.passage):
        moved = {Kind.ALTERED, Kind.NEGATION} if NOT in keys else {Kind.ALTERED}
        found = [*(each for each in found if each.kind not in moved), Difference(Kind.ORDER)]
        share = 1.0
    if share < (RECOGNISED if len(content) >= FEW else RECOGNISED_OF_FEW):
        return Held(share=share)
    changed = {each.said for each in found}  # a restriction in other words is no further one
    found += [each for each in lost(quote, near.passage, body) if each.said not in changed]
    if sum(each.kind == Kind.NEGATION for each in found) % 2 == 0:  # denied in other words
        found = [each for each in found if each.kind != Kind.NEGATION]
    return Held(near.passage, tuple(found), share)


def _has_number(text: str) -> bool:
    return any(key[0].isdigit() for key in Reading(text).keys)

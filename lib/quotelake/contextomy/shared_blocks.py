"""Blocks of words that a headline quote shares with its best two body quotes, as a person would mark them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from quotelake.contextomy.ngrams import ngram_size
from quotelake.contextomy.tiling import Block, inversions, tile
from quotelake.text.cues import cue_pattern
from quotelake.text.folding import dominant_script, fold, letter_spans
from quotelake.text.sentences import sentences

#: Letters of a headline quote that are tiled: more are no quote but a missing closing mark.
LONGEST = 2000
#: Keeps blocks from reaching over from one quote into the other; folded text has no such character.
_WALL = "\1"


@dataclass(frozen=True, slots=True)
class Blocks:
    """Greedy string tiling of a headline quote by two body quotes; a block has 4 letters or more, or 2 syllables.

    Attributes:
        tiled: share of its letters under blocks, 0 to 1.
        blocks: their number.
        longest_block: letters of the longest.
        inversions: pairs of blocks that stand in the other order in their body quote.
        negation_differs: either the headline quote or those sentences of the best quote that share blocks with it
            negate, but not both.
    """

    tiled: float
    blocks: int
    longest_block: int
    inversions: int
    negation_differs: bool


def blocks_of(headline: str, best: str, second: str | None) -> Blocks:
    """Tile a headline quote with its best body quote and, if there is one, the second.

    >>> blocks_of("We will never pay", "Never will we pay for it", None)
    Blocks(tiled=0.6428571428571429, blocks=2, longest_block=5, inversions=1, negation_differs=False)
    """
    letters, first = fold(headline).letters[:LONGEST], fold(best).letters
    if not letters:
        return Blocks(0.0, 0, 0, 0, False)
    both = first if second is None else first + _WALL + fold(second).letters
    found = tile(letters, both, shortest=ngram_size(letters))
    in_best = [block for block in found if block.place < len(first)]
    in_second = [block for block in found if block.place >= len(first)]
    return Blocks(
        tiled=sum(block.length for block in found) / len(letters),
        blocks=len(found),
        longest_block=max((block.length for block in found), default=0),
        inversions=inversions(in_best) + inversions(in_second),
        negation_differs=bool(in_best) and _negative(headline) != _negative(_sharing(best, in_best)),
    )


def _sharing(text: str, blocks: Sequence[Block]) -> str:
    """The sentences of a body quote that share blocks."""
    letters = letter_spans(text)
    spans = [(letters[block.place][0], letters[block.place + block.length - 1][1]) for block in blocks]
    held = [(start, end) for start, end in sentences(text) if any(a < end and start < b for a, b in spans)]
    return " ".join(text[start:end] for start, end in held)


def _negative(text: str) -> bool:
    pattern = cue_pattern("NEGATION", dominant_script(fold(text).letters) or "latin")
    return pattern is not None and pattern.search(text) is not None

"""What governs words of a text: the kinds of operators, and the clause they are looked for in. Pure."""

from typing import NamedTuple

from quotelake.contextomy.reading import Reading


class Operator(NamedTuple):
    """What governs a span from outside of it."""

    kind: str  #: negation, hedge, condition, question, reported, contrast or scope
    words: str  #: as the text has them, in one line
    is_near: bool = True  #: it governs a fragment too: a negation that denies it, a condition that it is itself
    is_sure: bool = True  #: a hedge that leaves it open (*perhaps*), not one that hardly weakens it (*probably*)


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

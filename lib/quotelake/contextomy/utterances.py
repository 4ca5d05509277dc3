"""Body quotes as they are compared: an utterance that a reporting clause interrupts is one quote. Pure."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from quotelake.contextomy.quotes import BodyQuote
from quotelake.contextomy.speakers import Who
from quotelake.quotes.keys import match_key


class Part(NamedTuple):
    """A quote of a body, as the table ``quotes`` has it; ``start`` counts code points of the body."""

    quote_id: str
    utterance_id: str
    start: int
    text: str
    match_key: str | None
    speaker: Who | None


def body_quotes(parts: Iterable[Part]) -> list[BodyQuote]:
    """Join the quotes that share an utterance: *"We lost," Ito said, "but we learned."*

    Where the reporting clause stood, the text has as many spaces, so that its offsets count from the first part's
    start in the body. The id is the first part's, the speaker the first known.

    Args:
        parts: in any order.

    Returns:
        In the order of the body.

    >>> first, second = (Part("a", "a", 1, "We lost,", "", None), Part("b", "a", 22, "but we learned.", "", None))
    >>> [(quote.quote_id, quote.said) for quote in body_quotes([first, second])]
    [('a', 'We lost, but we learned.')]
    """
    order = sorted(parts, key=lambda part: (part.utterance_id, part.start))
    quotes = [_joined(list(same)) for _, same in groupby(order, key=lambda part: part.utterance_id)]
    return sorted(quotes, key=lambda quote: (quote.start, quote.end))


def _joined(parts: list[Part]) -> BodyQuote:
    first = parts[0]
    if len(parts) == 1:
        return BodyQuote(first.quote_id, first.text, first.match_key, first.speaker, first.start)
    text = ""
    for part in parts:
        text = text.ljust(part.start - first.start) + part.text
    key = match_key(" ".join(part.text for part in parts))
    speaker = next((part.speaker for part in parts if part.speaker is not None), None)
    return BodyQuote(first.quote_id, text, key, speaker, first.start)

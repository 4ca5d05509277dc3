"""Rows of ``quotes`` → the two sides that the rules compare. Pure."""

from collections.abc import Sequence
from operator import itemgetter

from quotelake.contextomy.credit import is_credited
from quotelake.contextomy.quotes import Body, HeadlineQuote
from quotelake.contextomy.speakers import Who
from quotelake.contextomy.utterances import Part, body_quotes
from quotelake.quotes.extract import Row


def judged_quotes(quotes: Sequence[Row]) -> list[Row]:
    """Select the quotes of a headline that are held against its body, in the order of the headline.

    These are the outermost ones. A colon claim is left out: it stands in nobody's marks, so no body quote can be
    expected to carry it.

    Args:
        quotes: all quotes of a document, rows of ``quotes``.
    """
    judged = [
        row for row in quotes if row["field"] == "headline" and row["depth"] == 0 and row["kind"] != "colon_claim"
    ]
    return sorted(judged, key=itemgetter("start", "end"))


def headline_quote_of(quote: Row, headline: str) -> HeadlineQuote:
    """Make a headline quote of its row and the headline it stands in."""
    return HeadlineQuote(
        text=quote["text"],
        match_key=quote["match_key"],
        kind=quote["kind"],
        reason=quote["reason"],
        marks=quote["marks"],
        speaker=_who(quote["speaker"]),
        is_credited=is_credited(headline, quote["start"], quote["end"], quote["speaker"]),
        before=headline[: quote["start"]],
        after=headline[quote["end"] :],
    )


def body_of(document: Row, quotes: Sequence[Row]) -> Body:
    """Make a body of its document and the quotes of that.

    Args:
        document: ``body``, ``body_status`` and ``language`` of a row of ``documents``.
        quotes: all its quotes, rows of ``quotes``; those of the headline are left out.
    """
    parts = (_part(quote) for quote in quotes if quote["field"] == "body")
    return Body(document["body"], document["body_status"], body_quotes(parts), document["language"])


def _part(quote: Row) -> Part:
    return Part(
        quote_id=quote["quote_id"],
        utterance_id=quote["utterance_id"],
        start=quote["start"],
        text=quote["text"],
        match_key=quote["match_key"],
        speaker=_who(quote["speaker"]),
    )


def _who(speaker: Row | None) -> Who | None:
    return None if speaker is None else Who(*(speaker[name] for name in Who._fields))

"""Find the speaker of each direct quote, if the text names one, by the rules of its language. The time is linear."""

from quotelake.quotes.entities import unescape
from quotelake.quotes.lexicon import tables_of
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.clauses import Speaker
from quotelake.quotes.speakers.english import find_english
from quotelake.quotes.speakers.korean import find_korean
from quotelake.quotes.speakers.table_rules import find_by_tables
from quotelake.quotes.speakers.table_words import with_full_names

__all__ = ("Speaker", "find_speakers")


def find_speakers(
    text: str, quotes: list[Quote], mode: str = "body", language: str | None = "en"
) -> list[Speaker | None]:
    """Speaker of each quote; None for other kinds than ``direct`` and ``colon_claim``, and where the text names nobody.

    ``quotes`` are those that :func:`~quotelake.quotes.spans.find_quotes` finds in the raw field ``text``; ``mode`` is
    ``body``, ``headline`` or ``tweet``. In a ``language`` (ISO 639-1) without rules nobody is found.

    >>> from quotelake.quotes.spans import find_quotes
    >>> text = "“We lost,” said Mayor Ana Ruiz."
    >>> find_speakers(text, find_quotes(text))[0].text
    'Mayor Ana Ruiz'
    """
    read = unescape(text)
    if read is None:
        return speakers_in(text, quotes, mode, language)
    found = speakers_in(read.text, [quote.moved(read.text, read.read) for quote in quotes], mode, language)
    return [speaker and speaker.moved(text, read.raw) for speaker in found]


def speakers_in(text: str, quotes: list[Quote], mode: str, language: str | None) -> list[Speaker | None]:
    """:func:`find_speakers` of a text whose character references are decoded."""
    table = tables_of(language)
    if not quotes or (table is None and language not in ("en", "ko")):
        return [None] * len(quotes)
    said = [quote._replace(kind="scare") if quote.is_denied else quote for quote in quotes]  # denied words are nobody's
    if table:
        return with_full_names(text, find_by_tables(text, said, table), table)
    return find_korean(text, said, mode) if language == "ko" else find_english(text, said, mode)

"""Find the speaker of each direct quote, if the text names one, by the rules of its language. The time is linear."""

from quotelake.quotes.entities import unescape
from quotelake.quotes.lexicon import tables_of
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.clauses import Speaker
from quotelake.quotes.speakers.korean import find_korean
from quotelake.quotes.speakers.paragraphs import find_in_paragraphs

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
    if not quotes or language is None or (language not in ("en", "ko") and tables_of(language) is None):
        return [None] * len(quotes)
    said = [quote._replace(kind="scare") if quote.is_denied else quote for quote in quotes]  # denied words are nobody's
    if language == "ko":
        return find_korean(text, said, mode)
    return find_in_paragraphs(text, said, mode, language)

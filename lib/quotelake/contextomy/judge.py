"""Every quote of one headline held against the body: by the rules, and weighed where no rule settles it. Pure.

The nightly job and the check of a single article both run this, so they cannot differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quotelake.contextomy.adapt import body_of, headline_quote_of, judged_quotes
from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.decide import Detector, weigh
from quotelake.contextomy.judgement import Match
from quotelake.contextomy.rules import settle
from quotelake.contextomy.ruling import not_compared
from quotelake.quotes.extract import Row
from quotelake.settings import ContextomySettings

#: So many quotes of one headline are compared, from the left. Each is held against every quote of the body, so without
#: a bound a hostile article costs the product of both [measured: 8,663 news headlines have at most 3].
MOST_QUOTES = 32
#: Only quotes that end within so many characters of a headline are compared, for the same reason [measured: those
#: headlines have at most 231].
LONGEST_HEADLINE = 1000
_BEYOND = f"behind the first {MOST_QUOTES} quotes or {LONGEST_HEADLINE} characters of its headline"


@dataclass(frozen=True, slots=True)
class MatchedQuote:
    """A headline quote, as the rules left it.

    Attributes:
        quote: its row of ``quotes``.
        match: ``outcome`` is None where the detector must decide.
        candidates: texts of the body quotes to compare it with by cosine; none where a rule settled it.
    """

    quote: Row
    match: Match
    candidates: Sequence[str]


def match_headline_quotes(
    document: Row, quotes: Sequence[Row], *, settings: ContextomySettings, detector: Detector, languages: Languages
) -> Iterator[MatchedQuote]:
    """Match every headline quote of a document by strings and rules, and weigh what these leave open.

    Args:
        document: ``headline``, ``body``, ``body_status`` and ``language`` of a row of ``documents``.
        quotes: all its quotes, as :func:`~quotelake.quotes.extract.quotes_of_document` yields them.
        settings: thresholds.
        detector: weighs what no rule settles.
        languages: those that can be compared.
    """
    judged = judged_quotes(quotes)
    if not judged:
        return
    body = body_of(document, quotes)
    texts, said = [quote.text for quote in body.quotes], [quote.said for quote in body.quotes]
    for place, row in enumerate(judged):
        if place >= MOST_QUOTES or row["end"] > LONGEST_HEADLINE:
            yield MatchedQuote(row, not_compared(body, _BEYOND), ())
            continue
        settled = settle(headline_quote_of(row, document["headline"]), body, settings, languages)
        match = weigh(settled, row["text"], texts, detector)
        yield MatchedQuote(row, match, said if match.outcome is None else ())

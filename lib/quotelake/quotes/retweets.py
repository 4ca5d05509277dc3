"""Flag quotes in quote tweets typed by hand: they are by the author of the quoted tweet.

There are two forms: ``RT @x: …`` (also MT, QT), where all text after it is the quoted tweet, and ``"@x: …"``, where the
marks enclose it. The flag ``quote_tweet`` distinguishes such quotes from those of the tweet's author.
"""

import re
from typing import Final

from quotelake.quotes.pairing import Span

FLAG: Final = "quote_tweet"
_RETWEET: Final = re.compile(r"(?<![\w@#])(?:RT|MT|QT)\s?:?\s?@\w")
#: A user name has 15 characters at most.
_AUTHOR: Final = re.compile(r"@\w{1,15}\s?:\s*")


def find_retweet(tweet: str) -> int | None:
    """Offset at which a tweet begins to repeat another one; None if it does not.

    >>> find_retweet("So true. RT @ana: We won")
    9
    """
    found = _RETWEET.search(tweet)
    return found and found.start()


def mark_quote_tweets(tweet: str, spans: list[Span], retweet: int | None) -> list[Span]:
    """Flag the quotes that belong to a quoted tweet, and let them begin after the name of its author.

    A quote that holds nothing but the name is dropped.

    Args:
        tweet: the text.
        spans: quotes of it; they are changed.
        retweet: from :func:`find_retweet`.

    Returns:
        The spans that remain, in the same order.
    """
    kept = []
    for span in spans:
        start, end = span.segments[0]
        author = _AUTHOR.match(tweet, start, end)
        if author is not None:
            if author.end() == end:
                continue
            span.segments[0] = (author.end(), end)
        if author is not None or (retweet is not None and retweet < start):
            span.flags = (*span.flags, FLAG)
        kept.append(span)
    return kept

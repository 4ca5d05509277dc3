"""Quote tweets typed by hand: what stands in them was said by the author of the quoted tweet.

Two customs: ``RT @x: …`` (also MT, QT), where all that follows is the quoted tweet, and ``"@x: …"``, where the marks
hold it. The flag ``quote_tweet`` keeps such quotes apart from those of the tweet's own author.
"""

import re
from typing import Final

from quotelake.quotes.pairing import Span

FLAG: Final = "quote_tweet"
_RETWEET: Final = re.compile(r"(?<![\w@#])(?:RT|MT|QT)\s?:?\s?@\w")
#: A user name has 15 characters at most.
_AUTHOR: Final = re.compile(r"@\w{1,15}\s?:\s*")


def find_retweet(tweet: str) -> int | None:
    """Where a tweet begins to repeat another one, if it does.

    >>> find_retweet("So true. RT @ana: We won")
    9
    """
    found = _RETWEET.search(tweet)
    return found and found.start()


def mark_quote_tweets(tweet: str, spans: list[Span], retweet: int | None) -> list[Span]:
    """Flag the quotes that belong to a quoted tweet, and begin them behind the name of its author.

    A quote that holds nothing but the name is dropped.

    Args:
        tweet: the text.
        spans: quotes of it.
        retweet: where it begins to repeat another tweet, from :func:`find_retweet`.
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

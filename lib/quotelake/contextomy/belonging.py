"""Whether a body is the headline's, and whole: signs that it begins in the middle, or is another page's. Pure.

A quote that is not found in such a body says nothing about its headline.
"""

import re
from typing import Final

from quotelake.contextomy.wordclasses import stems
from quotelake.text.words import count_words

#: Words of content of a headline from which those that the body lacks tell something; share it must have [ours].
_LEAST_STEMS, _LEAST_SHARE = 3, 0.2
#: Code points in which a surname with a title and without its first name shows that the text begins in the middle.
_BEGINNING: Final = 400
_SURNAME: Final = re.compile(r"(?<!\w)(?:Mr|Mrs|Ms)\.?\s([A-Z][\w’'-]+)")
_VIDEO: Final = re.compile(r"\[?\(?\b(?:video|watch|live\s+(?:updates?|stream|blog))\b\]?\)?", re.IGNORECASE)
#: Words of a body that a headline calls a video; a transcript has more [ours].
_VIDEO_WORDS: Final = 150


def not_whole(around: str, body: str, speaker: str | None = None) -> str | None:
    """Say why a body is not the whole article of its headline; None without a sign.

    Args:
        around: the headline without its quote.
        body: the article.
        speaker: full name of the person that the headline credits, if it names one.

    >>> not_whole("Mayor Bell:", "and that was all he said on Friday.")
    'the body begins in the middle of a sentence'
    """
    begin = body.lstrip(" \n\t\"'“‘")[:1]
    if begin.islower() or body.lstrip().startswith(("…", "...")):
        return "the body begins in the middle of a sentence"
    n = count_words(body)
    if n < _VIDEO_WORDS and _VIDEO.search(around):
        return f"the body is the page of a video: {n} words"
    named = _SURNAME.search(body, 0, _BEGINNING)
    if named and not re.search(rf"(?<!\w){re.escape(named[1])}(?!\w)", body[: named.start()]):
        return f"the body begins in the middle: “{named[0]}” without a first name"
    if speaker is not None and len(speaker.split()) > 1 and stems(speaker).isdisjoint(stems(body)):
        return f"the body never names {speaker}"
    own = stems(around)
    if len(own) >= _LEAST_STEMS and len(own & stems(body)) < _LEAST_SHARE * len(own):
        return "the body is about something else: it has hardly a word of the headline"
    return None

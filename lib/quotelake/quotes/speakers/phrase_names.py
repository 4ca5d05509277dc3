"""Whether a name in the phrase of a speaker is the speaker's, or only tells whose aide or campaign speaks.

*Mayor Ana Ruiz of Avalon* names the speaker; *a Ruiz campaign official*, *Ruiz’s lawyer* and *an aide to Ruiz* do not.
"""

import re
from typing import Final

from quotelake.quotes.speakers.people import Mention, NameReader, plain

#: Behind the last of these, a phrase describes the person anew (*the panel’s chairman, Ana Ruiz*).
_DESCRIPTION: Final = re.compile(r"[,;:()—–]")
#: Suffixes of surnames, and other words that may follow a name that nothing modifies.
_BEHIND_NAMES: Final = frozenset(("jr", "sr", "ii", "iii", "iv", "himself", "herself", "earlier"))


def names_speaker(text: str, mention: Mention, start: int, head_end: int, reader: NameReader) -> bool:
    """Tell whether a name is that of the speaker.

    Args:
        text: the article.
        mention: the name, in the phrase.
        start: first character of the phrase.
        head_end: one past its last, apposition excluded.
        reader: the words of the language.

    >>> from quotelake.quotes.speakers.people import load_names
    >>> text = "an aide to Mayor Ana Ruiz"
    >>> names_speaker(text, Mention(17, 25, ()), 0, 25, load_names("en"))
    False
    >>> names_speaker(text, Mention(17, 25, ()), 11, 25, load_names("en"))
    True
    """
    return _ends_name(text[mention.end : head_end], reader) and not _depends(text[start : mention.start], reader)


def _ends_name(behind: str, reader: NameReader) -> bool:
    """Whether no noun follows that the name would only modify, and nobody else who speaks too."""
    if behind[:1] in ("'", "’"):
        return False
    if not behind[:1].isspace():
        return True
    following = behind.split(None, 1)
    word = plain(following[0]) if following else ""
    return not word[:1].isalpha() or word in _BEHIND_NAMES or word in reader.closed


def _depends(ahead: str, reader: NameReader) -> bool:
    """Whether the words before a name, its titles and roles aside, end in a preposition or *and*."""
    words = _DESCRIPTION.split(ahead)[-1].split()
    while words and plain(words[-1]) in reader.describing and words[-2:-1] != ["in"]:  # Editor in Chief
        words.pop()
    return bool(words) and (plain(words[-1]) in reader.prepositions or words[-1] in ("and", "&"))

"""Which of the headlines that a page states is that of its article. Pure.

A page states its headline for readers, for search engines and for networks, and not always the same. The wrong one
would accuse an outlet of what it did not print, so no place is believed alone.
"""

import html
import re
from collections.abc import Mapping, Sequence

_WORDS = re.compile(r"[^\W_]+")


def word_list(text: str) -> list[str]:
    """Words of a headline in lower case, without what separates them.

    >>> word_list("“We lost” &#8211; Mayor_News")
    ['we', 'lost', 'mayor', 'news']
    """
    return _WORDS.findall(html.unescape(text).casefold())


def agree(one: str, other: str) -> bool:
    """Whether one text has the words with which the other begins or ends, and these are at least half of its letters.

    The rest may be the name of the site, or what an ellipsis cut.

    >>> agree("“We lost”: Mayor", "We lost, mayor | The Gazette"), agree("News", "We lost, mayor | News"), agree("", "")
    (True, False, False)
    """
    short, long = sorted((word_list(one), word_list(other)), key=len)
    is_half = 2 * len("".join(short)) >= len("".join(long)) > 0
    return is_half and short in (long[: len(short)], long[-len(short) :])


def choose_headline(places: Mapping[str, Sequence[str]], site: str) -> str | None:
    """Choose the headline that most kinds of places agree on; None if no two do.

    Args:
        places: what each kind states; of equally good ones the first is taken, and none that an ellipsis cuts, nor that
            of ``title``, which names the site too.
        site: names of the outlet and its host, which no headline consists of.
    """
    names = {*word_list(site)}
    texts = {kind: [text for text in found if not names.issuperset(word_list(text))] for kind, found in places.items()}
    best, most = None, 0
    for place, stated in texts.items():
        for text in stated if place != "title" else ():
            agreeing = sum(any(agree(text, each) for each in texts[other]) for other in texts if other != place)
            if agreeing > most and not text.endswith(("…", "...")):
                best, most = text, agreeing
    return best

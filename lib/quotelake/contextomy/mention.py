"""Whether a headline's marks name something instead of quoting somebody: an attribute, a coinage, an epithet. Pure."""

import re
from typing import Final

from quotelake.contextomy.excerpts import is_attributive
from quotelake.contextomy.sides import HeadlineQuote
from quotelake.contextomy.wordclasses import is_credited
from quotelake.quotes.lexicon import table

#: Words of an attribute, and of a phrase that nobody is credited with [ours].
MOST_ATTRIBUTE, MOST_PHRASE = 6, 3
#: Nouns of what somebody said or wrote: before them the marks quote (*'LIBERATE!' tweets*).
_SPEECH: Final = table(
    """tweet tweets comment comments remark remarks speech statement letter memo email emails claim claims allegation
    allegations monologue rant answer reply response"""
)
_NEXT_WORD: Final = re.compile(r"[\"'”’»]?\s++([\w’'-]++)")
_COPULA: Final = table("is are was were isn't isn’t aren't has have becomes became remains means")
_NAME_AFTER: Final = re.compile(r"[\"'”’»]?\s++([A-Z][\w’'-]++\s++[A-Z][\w’'-]++)")


def mention_of(quote: HeadlineQuote, body: str) -> str | None:
    """Say as what the marks name something; None if they may quote.

    Args:
        quote: a quote of a headline.
        body: the article, in which an epithet's bearer is named.

    >>> mention_of(HeadlineQuote("arm the rebels", None, "direct", before="Bell's “", after="” strategy fails"), "")
    'an attribute of what follows'
    """
    tokens = quote.text.replace("- ", "-").split()
    following = _NEXT_WORD.match(quote.after)
    noun = following[1].lower() if following else ""
    if len(tokens) <= MOST_ATTRIBUTE and noun not in _SPEECH and is_attributive(quote.before, quote.after):
        return "an attribute of what follows"
    opens = not quote.before.strip(" \"'“‘«")
    if opens and noun in _COPULA and not quote.text.rstrip().endswith((",", ".", "!", "?")):
        return "the subject of the headline"
    name = _NAME_AFTER.match(quote.after)
    if len(tokens) <= MOST_PHRASE and name and re.sub(r"['’]s$", "", name[1]) in body:
        return "an epithet of the name that follows"
    if len(tokens) == 1 and "-" in tokens[0].strip("-"):
        return "a coinage"
    is_within = quote.around.strip(" \"'“”‘’«»")
    if len(tokens) <= MOST_PHRASE and is_within and not is_credited(quote.around):
        return "a few words credited to nobody"
    return None

"""Whether a headline's marks name something instead of quoting somebody: an attribute, a coinage, an epithet. Pure."""

import re
from typing import Final

from quotelake.contextomy.excerpts import is_attributive
from quotelake.contextomy.quotes import HeadlineQuote
from quotelake.contextomy.wordclasses import FUNCTION, is_credited
from quotelake.quotes.lexicon import REPORTING_VERBS
from quotelake.text.lexicon import word_set

#: Words of an attribute, of a phrase that nobody is credited with, and of a label before a noun [ours].
MOST_ATTRIBUTE, MOST_PHRASE, MOST_LABEL = 6, 3, 2
#: Nouns of what somebody said or wrote: before them the marks quote (*'LIBERATE!' tweets*).
_SPEECH: Final = word_set(
    "tweet comment remark speech statement letter memo email claim allegation monologue rant answer reply response"
)
_NEXT_WORD: Final = re.compile(r"[\"'”’»]?\s++([\w’'-]++)")
_COPULA: Final = word_set("is are was were isn't isn’t aren't has have becomes became remains means")
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
    if len(tokens) <= MOST_ATTRIBUTE and noun and noun.removesuffix("s") not in _SPEECH:
        is_uttered = noun in FUNCTION or noun in REPORTING_VERBS  # what follows is no noun
        ends = quote.text.rstrip().endswith((",", ".", "!", "?"))  # as utterances do
        is_label = not ends and (len(tokens) <= MOST_LABEL or not is_credited(quote.around))
        if is_attributive(quote.before, quote.after) or (is_label and not is_uttered and noun not in _COPULA):
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
    if len(tokens) <= MOST_PHRASE and is_within and not is_credited(quote.around, plainly=True):
        return "a few words credited to nobody"
    return None

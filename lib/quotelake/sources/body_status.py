"""Whether the text of a document is all there, by how it ends. Pure.

The rules were chosen by reading what 4,176 US news articles as scraped (2012-2020) and 2,225 BBC articles begin and end
with. One that finds nothing says so: it never guesses.
"""

import re

from quotelake.sources import lists
from quotelake.sources.endings import BOILERPLATE, last_lines

#: Characters at the beginning in which a dateline stands, a caption before it included.
_HEAD = 600
_TRUNCATED = re.compile("|".join(lists.TRUNCATION_NOTICES), re.IGNORECASE)
_DEVELOPING = re.compile("|".join(lists.DEVELOPING_NOTICES), re.IGNORECASE)
_ELLIPSIS = re.compile(r"(?:…|\.\.\.|\[(?:…|\.\.\.)\]|\((?:…|\.\.\.)\))$")
_COMPLETE = re.compile(r"""[.!?。．！？।؟۔…]['"’”»›“‘」』）)\]*]*\s*[■□◼▪♦]?$|[”"»」』]$""")
_TWEET_CUT = re.compile(r"…(?:\s*https?://t\.co/\w*)?$")


def body_status_of(kind: str, body: str, genre: str) -> str:
    """Tell whether the text is all there: truncated, live_update, complete or unknown.

    The end of the text decides, after notices that follow articles (copyright, newsletters, contributors) are read
    over. ``truncated``: it ends with an ellipsis, a count of characters that are missing ("[+812 chars]") or an
    invitation to read or pay for the rest. ``live_update``: a live page, or one that says that it is still being
    written. ``complete``: it ends with a sentence's punctuation or a closing mark. Tweets are ``truncated`` where
    Twitter cut them (a single character …), else ``unknown``.
    """
    text = body.rstrip()
    if kind == "tweet":
        return "truncated" if _TWEET_CUT.search(text) else "unknown"
    last, notice = _end_of(text)
    if notice or _is_cut(last):
        return "truncated"
    if genre == "live" or _DEVELOPING.search(text[:_HEAD]) or _DEVELOPING.search(text[-_HEAD:]):
        return "live_update"
    return "complete" if _COMPLETE.search(last) else "unknown"


def _end_of(text: str) -> tuple[str, bool]:
    """Last line of the text itself, and whether a notice after it, or in it, says that more follows elsewhere."""
    last = ""
    for line in last_lines(text):
        last = line
        if _TRUNCATED.search(line):
            return line, True
        if not BOILERPLATE.search(line):
            break
    return last, False


def _is_cut(line: str) -> bool:
    # An ellipsis after an address is how embedded tweets end; one before a closing mark is somebody's pause.
    before = line.removesuffix("…").split()[-1:] if line.endswith("…") else []
    return bool(_ELLIPSIS.search(line)) and not any("http://" in word or "https://" in word for word in before)

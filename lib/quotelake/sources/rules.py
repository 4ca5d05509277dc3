"""What a record does not state: genre, body status, wire credit, repost, by documented rules over data in ``lists``.

Each rule was chosen by reading what 4,176 US news articles as scraped (2012-2020) and 2,225 BBC articles begin and end
with. A rule that finds nothing says so (``unknown``, None): it never guesses.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from quotelake.sources import lists

#: Lines at the end of a text in which notices are looked for and read over.
_TAIL_LINES = 12
#: Characters at the beginning in which a dateline stands, a caption before it included.
_HEAD = 600

# Blanks are read as a whole, and from their first only, in these: texts may have thousands of them in a row.
_LEADING_LABEL = re.compile(r"\W*+(\w[\w'’-]*+(?: ++[\w'’-]++)*?)\s*+(?:[:|\]]|(?<=\s)[-–—]\s)")
_LIVE_HEADLINE = re.compile(
    r"^\W*live(?:\s+(?:updates?|blog|coverage|ticker))?\s*(?:[:|]|\s[-–—]\s)|^\W*live updates\b"
    r"|[-–—:|]\s*(?:live(?: updates| blog)?|as it happened)\W*$",
    re.IGNORECASE,
)
_TRUNCATED = re.compile("|".join(lists.TRUNCATION_NOTICES), re.IGNORECASE)
_BOILERPLATE = re.compile("|".join(lists.BOILERPLATE), re.IGNORECASE)
_DEVELOPING = re.compile("|".join(lists.DEVELOPING_NOTICES), re.IGNORECASE)
_ELLIPSIS = re.compile(r"(?:…|\.\.\.|\[(?:…|\.\.\.)\]|\((?:…|\.\.\.)\))$")
_COMPLETE = re.compile(r"""[.!?。．！？।؟۔…]['"’”»›“‘」』）)\]*]*\s*[■□◼▪♦]?$|[”"»」』]$""")
_TWEET_CUT = re.compile(r"…(?:\s*https?://t\.co/\w*)?$")

_SEPARATOR = r"\s*[-–—―:]+\s*"
_LISTED = "|".join(re.escape(name) for name in sorted(lists.AGENCIES, key=len, reverse=True))
#: CITY (Agency) - ... with a listed agency: any city or none, other agencies after a slash.
_DATELINE = re.compile(
    rf"^[^\n()]{{0,60}}\((?:\w+/)??({_LISTED})(?:/[\w ./]+)?\){_SEPARATOR}", re.IGNORECASE | re.MULTILINE
)
#: The same with a name that is not listed: then the place must begin in capitals, as agencies write it.
_CAPITALS = "A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ"
_OTHER_DATELINE = re.compile(
    rf"^[^\S\n]*[{_CAPITALS}][{_CAPITALS}.'’-]+(?:[ ,/][^\n()]{{0,40}})? ?"
    rf"\((?![DRI]-)([^\W\d_][\w .&'’-]{{1,30}})\){_SEPARATOR}",
    re.MULTILINE,
)
#: (서울=연합뉴스) and [서울=뉴시스]: the Korean agencies' own form.
_KOREAN_DATELINE = re.compile(rf"^[(\[][^\n()\[\]=]{{1,30}}=\s*({_LISTED})[)\]]", re.IGNORECASE | re.MULTILINE)
#: A line of its own, or the last thing in brackets, at the end of the text.
_CREDIT_LINE = re.compile(
    rf"^(?:[-–—―*©\s(\[]|source:|credit:|copyright|\(c\)|by|via|from|\d{{4}}|the|quelle:|source :)*({_LISTED})"
    r"(?:\s+staff)?[\s)\].,]*(?:all rights reserved\b.*|\d{4}\W*)?$",
    re.IGNORECASE,
)
_CREDIT_IN_BRACKETS = re.compile(rf"\(({_LISTED})\)\W*$", re.IGNORECASE)
#: "(Reporting by A; Editing by B)" is how Reuters, and no one else, signs.
_REUTERS_REPORTING = re.compile(r"\((?:additional |writing and )?reporting (?:and \w+ )?by ", re.IGNORECASE)
_REUTERS_EDITING = re.compile(r"\bediting by\b", re.IGNORECASE)
_AGENCY_WORD = re.compile("|".join(lists.AGENCY_WORDS), re.IGNORECASE)
_BYLINE_PARTS = re.compile(r"(?:(?<!\s)\s++)?+[,|/;(]\s*+|(?<!\s)\s++-\s++")
_DESK = re.compile(r"(?<!\s)\s++(?:staff|writers?|reporters?|news service)$", re.IGNORECASE)


def genre_of(kind: str, url: str | None, section: str | None, headline: str | None, outlet_raw: str | None) -> str:
    """Tell the genre of a document: opinion, satire, live or news; tweets are ``unknown``.

    The first that speaks: a part of the URL's path (/opinion/) or its host (opinion.example.com), the section, a label
    before the headline ("Opinion:"), a label after the outlet ("Example Times - Opinion").

    >>> genre_of("news", "https://a.example/opinion/2024/why", None, "Why", None)
    'opinion'
    """
    if kind == "tweet":
        return "unknown"
    for label in _labels(url, section, headline, outlet_raw):
        found = lists.GENRE_LABELS.get(re.sub(r"[\s_-]+", "-", label.strip().casefold()))
        if found:
            return found
    return "live" if headline and _LIVE_HEADLINE.search(headline) else "news"


def _labels(url: str | None, section: str | None, headline: str | None, outlet_raw: str | None) -> Iterator[str]:
    if url:
        try:
            parts = urlsplit(url)
        except ValueError:  # brackets that are no IPv6 address: the URL says nothing
            parts = urlsplit("")
        # The last part is the article's own name.
        yield from parts.path.split("/")[1:-1]
        yield _if_name(parts.netloc.partition(".")[0])
    if section:
        yield section
        yield from re.split(r"[/|>,;:]", section)
    if headline and (label := _LEADING_LABEL.match(headline)):
        yield label[1]
    if outlet_raw:
        yield from re.split(r"\s[-–—|:]\s|[()]", outlet_raw)[1:]
        yield _if_name(outlet_raw.rpartition(" ")[2])


def _if_name(word: str) -> str:
    """The label, if it also speaks as a part of a name: "Example News Opinion" does, "Example Tribune" does not."""
    return word if word.casefold() in lists.OPINION_NAMES else ""


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
    for line in _last_lines(text):
        last = line
        if _TRUNCATED.search(line):
            return line, True
        if not _BOILERPLATE.search(line):
            break
    return last, False


def _is_cut(line: str) -> bool:
    # An ellipsis after an address is how embedded tweets end; one before a closing mark is somebody's pause.
    before = line.removesuffix("…").split()[-1:] if line.endswith("…") else []
    return bool(_ELLIPSIS.search(line)) and not any("http://" in word or "https://" in word for word in before)


def _last_lines(text: str) -> Iterator[str]:
    end = len(text)
    for _ in range(_TAIL_LINES):
        start = text.rfind("\n", 0, end) + 1
        if line := text[start:end].strip():
            yield line
        if start == 0:
            return
        end = start - 1


def wire_credit_of(body: str, byline: str | None, outlet: str | None) -> str | None:
    """Name the news agency that the text is credited to; None for own copy, that of an agency as outlet included.

    The first that speaks: the byline, if an agency is all of it or follows the only name; the dateline, ``CITY
    (Agency) -``; a credit at the end. "Agency contributed to this report" is own copy. An agency that is not listed
    counts in a dateline whose place is in capitals, or if its name says what it is ("Union Wire").
    """
    agency = _in_byline(byline) or _in_dateline(body[:_HEAD]) or _at_the_end(body.rstrip())
    if agency is None or (outlet and _same(agency, outlet)):
        return None
    return agency


def _same(agency: str, outlet: str) -> bool:
    """Whether the outlet is the agency, or a part of it such as its commentary desk."""
    ours = re.sub(r"^the ", "", outlet.strip().casefold())
    theirs = agency.casefold()
    if lists.AGENCIES.get(ours, ours) == agency:
        return True
    return f"{ours} ".startswith(f"{theirs} ") or theirs.startswith(f"{ours} ")


def _listed(name: str) -> str | None:
    return lists.AGENCIES.get(re.sub(r"\s+", " ", name.strip()).casefold())


def _in_byline(byline: str | None) -> str | None:
    if not byline:
        return None
    text = re.sub(r"^\s*(?:by|von|par|por)\s+", "", byline, flags=re.IGNORECASE).strip()
    parts = [part for part in _BYLINE_PARTS.split(text.rstrip(")")) if part]
    if not parts or len(parts) > 2:  # a list of names that a scraper gathered says nothing of the text
        return None
    name = _DESK.sub("", parts[-1])
    return _listed(name) or (name if _AGENCY_WORD.search(name) else None)


def _in_dateline(head: str) -> str | None:
    found = _DATELINE.search(head) or _KOREAN_DATELINE.search(head)
    if found:
        return _listed(found[1])
    other = _OTHER_DATELINE.search(head)
    return other[1].strip() if other and other[1].casefold() not in lists.NOT_AGENCIES else None


def _at_the_end(text: str) -> str | None:
    for line in _last_lines(text):
        reporting = _REUTERS_REPORTING.search(line)
        if reporting and _REUTERS_EDITING.search(line, reporting.end()):
            return "Reuters"
        found = _CREDIT_LINE.search(line) or _CREDIT_IN_BRACKETS.search(line)
        if found:
            return _listed(found[1])
        if not _BOILERPLATE.search(line):
            return None
    return None


def is_repost_text(body: str) -> bool:
    """Whether a tweet is a retweet in the old form, "RT @name: ..."."""
    return body.startswith("RT @")

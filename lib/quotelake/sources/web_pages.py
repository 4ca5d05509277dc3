"""A web page → the record of its article, or the reason why it has none. Pure.

The body is what trafilatura takes for the article, without comments of readers and without the headline. All else is
what the page states in its tags and in JSON-LD (schema.org). A page states its headline for readers, for search engines
and for networks, and not always the same: the wrong one would accuse an outlet of what it did not print, so no place is
believed alone.
"""

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import unescape
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import trafilatura
from trafilatura.utils import detect_encoding

from quotelake.sources.markup import block_marks
from quotelake.sources.rejects import FieldProblem, Problem, RawRecord, Reason, oversized
from quotelake.text.addresses import parts_of
from quotelake.text.lexicon import load_lexicon

#: More elements than the page of any article has; and so many that trafilatura's second opinions, whose time grows with
#: the square, are left out. Of 112 pages of 76 outlets none has 3,000.
MAX_ELEMENTS, _MANY_ELEMENTS = 100_000, 10_000
#: A body of fewer characters, or of a smaller share of those of the article in JSON-LD, or of all paragraphs, is taken
#: for a part of the article: the rest is behind a paywall, or the page was not understood.
_SHORTEST, _SHARE_OF_STATED, _SHARE_OF_PAGE = 250, 0.7, 0.3
#: Lines at the top of a body that may be the headline; characters shown of headlines that differ.
_TOP, _SHOWN = 3, 500
_LISTS: Final = load_lexicon("readers", __package__)
_STATED_ENCODING = re.compile(rb"""<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?([A-Za-z0-9_-]{1,40})""", re.IGNORECASE)
#: References to control characters, which trafilatura answers with no text at all.
_CONTROL = re.compile(r"&#(?:x0*+1?[0-9a-f]|0*+(?:[12]?\d|3[01]))(?:;|(?![0-9a-f]))", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")
_ARTICLE = re.compile(r"(?:Article|BlogPosting|Report)\b")
_SUBDOMAIN = re.compile(r"^(?:www|m|amp|edition)\.")
#: In the attributes of a date, or before it.
_UPDATE = re.compile(r"modif|updat|revis|correct", re.IGNORECASE)


def page_record(
    position: int, data: bytes, limit: int, *, charset: str | None = None, url: str | None = None
) -> RawRecord:
    """Make the record of a page, of the fields of ``conf/sources/html.toml``; ``filtered`` if it is no article.

    ``headline`` is None, a problem, if the places that state one do not agree. ``body_status`` is ``truncated`` for a
    body that seems to be a part of the article, ``live_update`` for a live page. More than ``limit`` bytes are
    ``oversized``; ``charset`` and ``url`` are what the server states and where the page was fetched from.
    """
    if len(data) > limit:
        return oversized(position, data[:limit], len(data), limit)
    try:
        tree = trafilatura.load_html(_CONTROL.sub(" ", decoded(data, charset)))
        size = 0 if tree is None else sum(1 for _ in tree.iter())
        if size > MAX_ELEMENTS:
            return RawRecord(position, None, data, Reason.OVERSIZED, f"{size:,} elements, more than {MAX_ELEMENTS:,}")
        value = page_fields(tree, url) if size else "no HTML"
    except Exception as error:  # no page may stop every night to come
        return RawRecord(position, None, data, Reason.FAILED, type(error).__name__)
    if isinstance(value, str):
        return RawRecord(position, None, None, Reason.FILTERED, value)
    stated = "; ".join(value.pop("headlines"))[:_SHOWN]
    differ = () if value["headline"] or not stated else (FieldProblem(Problem.HEADLINES_DIFFER, "headline", stated),)
    return RawRecord(position, value, data, problems=differ).reject_if_undecodable("headline", "body")


def decoded(data: bytes, charset: str | None = None) -> str:
    """Text of a page in UTF-8, else in the encoding that the server or the page states, else in one that looks right.

    The first of these that knows every byte is taken. If none does, bytes become U+FFFD.
    """
    stated, known = _STATED_ENCODING.search(data[:4096]), ["utf-8-sig"]
    for name in filter(None, (charset, stated and stated[1].decode("ascii"))):
        with suppress(LookupError, ValueError):
            found = codecs.lookup(name).name
            known.append(_LISTS["larger_encodings"].get(found, found))
    for encoding in known:
        with suppress(UnicodeError):
            return data.decode(encoding)
    return data.decode((known[1:] or detect_encoding(data) or known)[0], "replace")


def page_fields(tree: Any, url: str | None) -> dict[str, Any] | str:
    """Fields of the record of a page, whose tree this changes; or why the page is no article."""
    metas: dict[str, str] = {}
    for each in tree.iter("meta"):
        name = each.get("property") or each.get("name") or each.get("itemprop") or ""
        metas.setdefault(name.strip().lower(), _plain(each.get("content")))
    articles = [each for each in _linked_data(tree) if _ARTICLE.search(str(each.get("@type")))]
    times = _times(tree)
    dates = {which: [*map(metas.get, names), *times[which]] for which, names in _LISTS["dates"].items()}
    is_other = metas.get("og:type", "").lower() in ("website", "profile", "product")
    if is_other and not articles and not any(dates["published"]):
        return f"og:type is {metas['og:type']!r}, and nothing in the page is an article or a date"
    address = _address([*tree.xpath("//link[@rel='canonical']/@href"), metas.get("og:url", "")], url)
    if address and urlsplit(address).path in ("", "/"):
        return "its address is that of a front page"
    publishers = (_plain(each["publisher"]) for each in articles if "publisher" in each)
    outlet = metas.get("og:site_name") or next(publishers, "")
    stated = {
        "h1": [_text(each) for each in tree.iter("h1")],
        "ld": [_plain(each.get("headline")) for each in articles],
        "h2": [_text(each) for each in tree.iter("h2", "h3")],
        "og": [metas.get("og:title", ""), metas.get("twitter:title", "")],
        "title": [_text(each) for each in tree.iter("title")][:1],
    }
    headline = choose_headline(stated, f"{outlet} {_host(address)}")
    about = [each for each in articles if headline and agree(_plain(each.get("headline")), headline)]
    article: Mapping[str, Any] = about[0] if about else articles[0] if len(articles) == 1 else {}
    on_page = sum(len(_text(each)) for each in tree.iter("p"))
    body = _body(tree, {text for kind in stated for text in stated[kind] if kind != "h2"})
    return {
        "url": address,
        "headline": headline,
        "headlines": [f"{kind}: {text}" for kind in stated if kind != "h2" for text in stated[kind] if text],
        "body": body,
        "body_status": _status(len(body or ""), on_page, article),
        "published": _date([article.get("datePublished"), *dates["published"]]),
        "updated": _date([article.get("dateModified"), *dates["modified"]]),
        "outlet": outlet,
        "author": _plain(article.get("author")) or metas.get("author"),
        "section": _plain(article.get("articleSection")) or metas.get("article:section"),
        "language": tree.get("lang") or _plain(article.get("inLanguage")) or metas.get("og:locale"),
    }


def word_list(text: str) -> list[str]:
    """Words of a headline in lower case, without what separates them."""
    return _WORDS.findall(unescape(text).casefold())


def agree(one: str, other: str) -> bool:
    """Whether one text begins or ends the other, with half of its letters: a site's name or a cut may be the rest."""
    short, long = sorted((word_list(one), word_list(other)), key=len)
    is_half = 2 * len("".join(short)) >= len("".join(long)) > 0
    return is_half and short in (long[: len(short)], long[-len(short) :])


def choose_headline(places: Mapping[str, Sequence[str]], site: str) -> str | None:
    """Choose the headline that most kinds of ``places`` agree on; None if no two do.

    Of equally good ones the first is taken, and none that an ellipsis cuts, nor that of ``title``, which names the site
    too. No headline consists of the names in ``site``, of the outlet and its host.
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


def _linked_data(tree: Any) -> Iterator[dict[str, Any]]:
    """Objects of the JSON-LD of a page, at its top, in lists, in ``@graph`` or as what the page is about."""
    for script in tree.xpath("//script[@type='application/ld+json']/text()"):
        try:
            left = [json.loads(script, strict=False)]  # many write line breaks into strings
        except (ValueError, RecursionError):
            continue  # malformed on many real pages, which state the same elsewhere
        while left:
            value = left.pop()
            if isinstance(value, list):
                left += value[::-1]
            elif isinstance(value, dict):
                yield value
                left += [value[name] for name in ("mainEntityOfPage", "mainEntity", "@graph") if name in value]


def _plain(value: object) -> str:
    """Text of a value of JSON-LD, of a thing its name, of a list all of them; empty for what has none."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_plain, value)))
    if isinstance(value, Mapping):
        return _plain(value.get("name"))
    return " ".join(unescape(value).split()) if isinstance(value, str) else ""


def _date(stated: list[Any]) -> str | None:
    """The first date that begins with a year; else the first, which shows as one that cannot be read."""
    found = [text for text in map(_plain, stated) if text]
    return next((text for text in found if text[:4].isdigit()), next(iter(found), None))


def _times(tree: Any) -> dict[str, list[str]]:
    """Dates of ``time`` in a page, those of the article first: what is marked as an update is no publication."""
    times: dict[str, list[str]] = {"published": [], "modified": []}
    for each in (*tree.xpath("//article//time[@datetime]"), *tree.xpath("//time[@datetime]")):
        parent = each.getparent()
        about = [parent.text, *(one.get(name) for one in (each, parent) for name in ("itemprop", "class", "id"))]
        is_update = _UPDATE.search(" ".join(filter(None, about))) is not None
        times["modified" if is_update else "published"].append(each.get("datetime"))
    return times


def _mark_quotations(tree: Any) -> None:
    """Give what a page marks as a quotation by its tags the signs that readers see."""
    for each in list(tree.iter("q")):
        each.tag = "span"  # trafilatura makes a paragraph of the other
        _put_between(each, "“", "”")
    for block in tree.iter("blockquote"):
        parts = list(block.iter("p")) or [block]
        for part, marks in zip(parts, block_marks([part.text_content() for part in parts]), strict=True):
            _put_between(part, *marks)


def _put_between(element: Any, opening: str, closing: str) -> None:
    element.text = opening + (element.text or "").lstrip() if opening else element.text
    if closing and len(element):
        element[-1].tail = (element[-1].tail or "").rstrip() + closing
    elif closing:
        element.text = (element.text or "").rstrip() + closing


def _text(element: Any) -> str:
    for each in element.iter("br"):
        each.tail = f" {each.tail or ''}"
    return " ".join(element.text_content().split())


def _host(url: str | None) -> str:
    return _SUBDOMAIN.sub("", parts_of(url).hostname or "")


def _address(links: list[str], url: str | None) -> str | None:
    """The first address on the host that the page came from, or a part of that: a page may not speak for another."""
    for link in filter(None, links):
        address = urljoin(url or "", link.strip()) if "[" not in link else ""
        host, origin = f".{_host(address)}", f".{_host(url or address)}"
        if len(origin) > 1 and len(host) > 1 and (host.endswith(origin) or origin.endswith(host)):
            return address
    return url


def _body(tree: Any, headlines: set[str]) -> str | None:
    _mark_quotations(tree)
    is_large = sum(1 for _ in tree.iter()) > _MANY_ELEMENTS
    found = trafilatura.bare_extraction(
        tree, fast=is_large, favor_precision=True, include_comments=False, include_tables=False
    )
    lines = (getattr(found, "text", None) or "").split("\n")
    # A headline is no evidence for what it quotes.
    top = [line for line in lines[:_TOP] if not any(agree(line, each) for each in headlines)]
    return "\n".join([*top, *lines[_TOP:]]).strip() or None


def _status(length: int, on_page: int, article: Mapping[str, Any]) -> str | None:
    if "LiveBlogPosting" in str(article.get("@type")):
        return "live_update"
    stated = len(_plain(article.get("articleBody")))
    is_short = length < max(_SHORTEST, _SHARE_OF_STATED * stated, _SHARE_OF_PAGE * on_page)
    return "truncated" if is_short or str(article.get("isAccessibleForFree")).lower() == "false" else None

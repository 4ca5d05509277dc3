"""A page → its record: the article alone, the headline as printed, and nothing that the page may not say."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear
from tests.sources.web_files import ADDRESS, HEADLINE, PARAGRAPHS, page

pytest.importorskip("trafilatura", reason="the packages of quotelake[web] are not installed")

from quotelake.sources import web_pages
from quotelake.sources.rejects import RawRecord, Reason
from quotelake.sources.web_pages import agree, choose_headline, decoded, page_record

ARTICLE: dict[str, Any] = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": HEADLINE}
OTHER = ARTICLE | {"headline": "Ferry sinks", "datePublished": "1999-01-01", "isAccessibleForFree": False}
BODY = "\n".join(PARAGRAPHS)


def record(text: str, url: str | None = ADDRESS) -> RawRecord:
    return page_record(0, text.encode(), 10_000_000, url=url)


def fields(text: str, url: str | None = ADDRESS) -> dict[str, Any]:
    made = record(text, url)
    assert made.value is not None, made.detail
    return made.value


def test_the_body_is_the_article_without_its_headline():
    """A headline that stood in the body would be the evidence for its own quotes."""
    found = fields(page())
    assert (found["headline"], found["body"], found["body_status"]) == (HEADLINE, BODY, None)


def test_what_a_page_states_of_itself():
    author = [{"@type": "Person", "name": "Ana Reyes"}, "Ben Okoro"]
    stated = ARTICLE | {"datePublished": "2024-07-01T10:00:00+02:00", "author": author, "articleSection": ["City", "x"]}
    head = (
        '<meta property="og:site_name" content="Port Sable Gazette &amp; Post">'
        '<meta property="article:modified_time" content="2024-07-02T08:00:00Z">'
    )
    found = fields(page(head=head, data={"@graph": [{"@type": "WebSite", "name": "x"}, stated]}))
    assert (found["published"], found["updated"]) == ("2024-07-01T10:00:00+02:00", "2024-07-02T08:00:00Z")
    assert (found["outlet"], found["author"]) == ("Port Sable Gazette & Post", "Ana Reyes, Ben Okoro")
    assert (found["section"], found["language"], found["url"]) == ("City, x", "en-GB", ADDRESS)


def test_a_date_in_words_gives_way_to_one_that_can_be_read():
    head, above = '<meta name="date" content="Tuesday">', '<time datetime="2024-07-01">Monday</time>'
    assert fields(page(head=head, above=above))["published"] == "2024-07-01"
    assert fields(page(head=head))["published"] == "Tuesday"
    assert fields(page(data=ARTICLE | {"datePublished": [7]}))["published"] is None


UPDATED = "2024-03-05T10:00:00Z"


@pytest.mark.parametrize(
    "update",
    [
        f"<time itemprop='dateModified' datetime='{UPDATED}'>x</time>",
        f"<time class='entry-date updated' datetime='{UPDATED}'>x</time>",
        f"<span class='last-modified'><time datetime='{UPDATED}'>x</time></span>",
        f"<p>Updated: <time datetime='{UPDATED}'>x</time></p>",
        f"<p>Last corrected on <time datetime='{UPDATED}'>x</time></p>",
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_an_update_is_no_publication(update: str, *, is_first: bool):
    published = "<time itemprop='datePublished' datetime='2024-03-01T10:00:00Z'>y</time>"
    found = fields(page(above="".join([update, published] if is_first else [published, update])))
    assert (found["published"], found["updated"]) == ("2024-03-01T10:00:00Z", UPDATED)
    alone = fields(page(above=update))
    assert (alone["published"], alone["updated"]) == (None, UPDATED)


def test_quotations_that_tags_mark_have_marks():
    texts = ("Mayor Ana Ruiz said on Monday that <q>we will <b>rebuild</b> the bridge</q> and left the hall.",)
    block = "<blockquote><p>We will pay for the bridge by a toll.</p><p>Nobody else will pay for it.</p></blockquote>"
    found = fields(page(paragraphs=(*PARAGRAPHS, *texts)).replace("</article>", f"{block}</article>"))
    assert "that “we will rebuild the bridge” and" in found["body"]
    assert "“We will pay for the bridge by a toll.\n“Nobody else will pay for it.”" in found["body"]
    inner = "<blockquote><p>Tom Bell told me <q>nobody will pay</q> and then he left.</p></blockquote>"
    found = fields(page(paragraphs=PARAGRAPHS).replace("</article>", f"{inner}</article>"))
    assert "«Tom Bell told me “nobody will pay” and then he left.»" in found["body"]


@pytest.mark.parametrize(
    "broken", ["{", '[{"@type": "Article", "headline": 7}]', "[" * 100_000, '{"@type": [], "headline": null}', "null"]
)
def test_broken_linked_data_costs_nothing(broken: str):
    found = fields(page(head=f'<script type="application/ld+json">{broken}</script>'))
    assert (found["headline"], found["body"]) == (HEADLINE, BODY)


def test_of_several_articles_on_a_page_only_that_of_the_headline_speaks():
    found = fields(page(data=[OTHER, ARTICLE | {"datePublished": "2024-07-01"}]))
    assert (found["published"], found["body_status"]) == ("2024-07-01", None)


@pytest.mark.parametrize(
    ("canonical", "expected"),
    [
        ("/city/bridge-2", "https://gazette.example/city/bridge-2"),
        ("https://www.gazette.example/x", "https://www.gazette.example/x"),
        ("https://gazette.example.evil.example/x", ADDRESS),  # another outlet's article is not corrected from here
        ("https://evil-gazette.example/x", ADDRESS),
        ("https://example/x", "https://example/x"),
        ("javascript:alert(1)", ADDRESS),
        ("https://[x", ADDRESS),
    ],
)
def test_a_page_has_no_address_on_another_host(canonical: str, expected: str):
    assert fields(page(head=f'<link rel="canonical" href="{canonical}">'))["url"] == expected


def test_a_headline_that_only_one_place_states_is_left_out_and_shown():
    made = record(page(title="Ferry sinks off the coast"))
    assert made.value is not None and (made.value["headline"], made.value["body"]) == (None, BODY)
    [problem] = made.problems
    assert problem.problem == "headlines_differ"
    assert problem.found == f"h1: {HEADLINE}; title: Ferry sinks off the coast | Port Sable Gazette"


@pytest.mark.parametrize(
    ("made", "status"),
    [
        (page(paragraphs=PARAGRAPHS[:2]), "truncated"),  # shorter than an article is
        (page(data=ARTICLE | {"isAccessibleForFree": "False"}), "truncated"),
        (page(data=ARTICLE | {"articleBody": " ".join(PARAGRAPHS * 2)}), "truncated"),
        (page(data=ARTICLE | {"articleBody": " ".join(PARAGRAPHS)}), None),
        (page(data=ARTICLE | {"@type": "LiveBlogPosting"}), "live_update"),
    ],
)
def test_a_body_that_may_lack_a_part_counts_against_no_outlet(made: str, status: str | None):
    assert fields(made)["body_status"] == status


def test_pages_that_say_they_are_no_article_are_filtered():
    website = '<meta property="og:type" content="website">'
    assert [record(text).reason for text in (page(head=website), "", "<!-- -->")] == [Reason.FILTERED] * 3
    assert record(page(), "https://gazette.example/").reason is Reason.FILTERED
    assert fields(page(head=website, data=ARTICLE))["headline"] == HEADLINE


@pytest.mark.parametrize(
    ("charset", "meta", "encoding"),
    [
        ("windows-1251", "euc-kr", "cp1251"),  # the server's word goes before that of the page
        (None, "iso-8859-1", "cp1252"),  # browsers read that as its superset, with the quotation marks
        (None, "euc-kr", "cp949"),
        ("nonsense", "", "utf-8"),
        (None, "nonsense", "utf-8-sig"),
        ("utf-8", "windows-1252", "cp1252"),  # the server is wrong
        (None, "", "cp1252"),
        (None, "", "utf-16"),
    ],
)
def test_pages_of_any_encoding_are_read(charset: str | None, meta: str, encoding: str):
    text = f'<html><head><meta charset="{meta}"></head><body><p>“We will rebuild,” said the mayor.</p></body></html>'
    text = text.replace("mayor", "мэр") if encoding == "cp1251" else text
    assert decoded(text.encode(encoding), charset) == text


@pytest.mark.parametrize("reference", ["&#2;", "&#x1F", "&#x00b;", "&#0013;", "&#31"])
def test_references_to_control_characters_cost_no_text(reference: str):
    found = fields(page(paragraphs=(*PARAGRAPHS, f"It ended{reference} at &#8220;2024&#x201D; &#160;on 1&#x2F;2.")))
    assert found["body"] == f"{BODY}\nIt ended at “2024” on 1/2."


def test_a_page_of_bytes_without_a_text_is_refused():
    """Offsets and quotes would refer to characters that the page does not have."""
    made = page_record(0, page().encode().replace(b"council", b"c\xff\xfe\x81ncil"), 10_000_000)
    assert (made.reason, made.value) == (Reason.WRONG_ENCODING, None)


def test_a_page_that_is_too_large_or_fails_is_one_record(monkeypatch: pytest.MonkeyPatch):
    assert page_record(7, b"x" * 11, 10).reason is Reason.OVERSIZED
    monkeypatch.setattr(web_pages, "MAX_ELEMENTS", 10)
    assert record(page()).detail.endswith("elements, more than 10")
    monkeypatch.setattr(web_pages, "decoded", lambda data, charset: 1 / 0)
    assert (record(page()).reason, record(page()).detail) == (Reason.FAILED, "ZeroDivisionError")


def test_a_large_page_gets_no_second_opinion(monkeypatch: pytest.MonkeyPatch):
    """Its time grows with the square of the paragraphs."""
    asked: list[object] = []
    monkeypatch.setattr(web_pages.trafilatura, "bare_extraction", lambda tree, **given: asked.append(given["fast"]))
    for most in (10_000, 10):
        monkeypatch.setattr(web_pages, "_MANY_ELEMENTS", most)
        record(page())
    assert asked == [False, True]


@pytest.mark.parametrize(
    "piece", ["<div>", "<p>“x”</p>", "<a href=x>y</a>", "<b>x", "<h1>x</h1>", '<meta charset="', "<h2>a | b</h2>"]
)
def test_hostile_pages_cost_time_in_proportion_to_their_size(piece: str):
    assert_linear(lambda size: partial(record, page(above=piece * size)), 200)


QUOTED = "Mayor: “We will rebuild the bridge”"
SITE = "Port Sable Gazette gazette.example"
TEXTS = st.sampled_from(["Port Sable", "a - b", "a | b: c", "x …", "", "“x”", "a b c d e f - Gazette"])


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ({"h1": [QUOTED], "title": [f"{QUOTED} | Port Sable Gazette"]}, QUOTED),
        ({"h1": [QUOTED], "og": ["Mayor: 'We will rebuild the bridge'"]}, QUOTED),  # as readers see it
        ({"h1": ["Port Sable Gazette", QUOTED], "title": [f"{QUOTED} - Port Sable Gazette"]}, QUOTED),
        ({"h1": ["City", QUOTED], "og": [QUOTED], "title": [f"City | {QUOTED} | Gazette"]}, QUOTED),
        ({"h1": ["CityMayor quits"], "og": ["Mayor quits"], "title": ["Mayor quits"]}, "Mayor quits"),
        # Two headlines, each stated twice: that which readers see counts.
        ({"h1": [QUOTED], "ld": [QUOTED], "og": ["Mayor's plan"], "title": ["Mayor's plan"]}, QUOTED),
        # What two places have in common is no headline: a quotation would be gone.
        ({"h1": ["Gates on Russia: 'Be friends'"], "title": ["Gates on Russia: 'No enemies'"]}, None),
        ({"h2": ["Ferry sinks", QUOTED], "title": [f"{QUOTED}_City_Gazette"]}, QUOTED),
        ({"h1": ["短缺药品保供稳价"], "title": ["短缺药品保供稳价-新华网"]}, "短缺药品保供稳价"),
        ({"og": ["Mayor: “We will rebuild …"], "h1": [QUOTED]}, QUOTED),
        ({"h1": ["Ferry sinks off the coast"], "title": [QUOTED], "og": ["Taxes to rise"]}, None),
        ({"h1": ["Port Sable Gazette"], "title": ["Port Sable Gazette"]}, None),
        ({"title": [QUOTED]}, None),
        ({"h1": [""], "title": [""]}, None),
    ],
)
def test_the_headline_that_most_places_agree_on_is_taken(places: dict[str, list[str]], expected: str | None):
    assert choose_headline(places, SITE) == expected


@given(st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3))
def test_what_is_chosen_is_stated_whole_outside_the_title(headings: list[str], titles: list[str]):
    assert choose_headline({"h1": headings, "title": titles}, "Gazette") in (None, *headings)


@given(TEXTS, TEXTS)
def test_agreement_is_mutual(one: str, other: str):
    assert agree(one, other) == agree(other, one)

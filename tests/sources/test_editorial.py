"""What editors decide, on what outlets write: labels of genres, how texts end, and whom they credit."""

import pytest

from quotelake.sources.editorial import body_status_of, genre_of, wire_credit_of

TEXT = "The bridge opened on Monday.\n\nThe mayor said it was late."


@pytest.mark.parametrize(
    ("url", "section", "headline", "outlet", "expected"),
    [
        ("https://a.example/news/2024/bridge", "politics", "Bridge opens", "A", "news"),
        (None, None, None, None, "news"),
        ("https://a.example/2024/opinion/bridge?x=/live/", None, "Why a bridge", "A", "opinion"),
        ("https://a.example/commentisfree/2024/bridge", None, None, None, "opinion"),
        ("https://opinion.a.example/bridge", None, None, None, "opinion"),
        ("https://a.example/news/opinion", None, "Public Opinion Shifts", None, "news"),  # the article's own name
        ("https://tribune.example/x/y", None, None, "Harbour Tribune", "news"),
        ("https://[a.example/opinion/x", None, None, None, "news"),  # no address at all
        (None, "Opinion", None, None, "opinion"),
        (None, "Comment / Editorials", None, None, "opinion"),
        (None, "사설", None, None, "opinion"),
        (None, None, "OPINION: The bridge", None, "opinion"),
        (None, None, "[칼럼] 다리", None, "opinion"),
        (None, None, "Perspective | The bridge", None, "opinion"),
        (None, None, "The opinion: divided", None, "news"),
        (None, None, "Bridge", "Harbour Times - Opinion", "opinion"),
        (None, None, "Bridge", "Harbour News Editorial", "opinion"),
        ("https://a.example/us-news/live/2024/jan/30/bridge-live", None, "Bridge", None, "live"),
        ("https://a.example/live-updates/bridge", None, "Bridge", None, "live"),
        (None, None, "Live: bridge opens", None, "live"),
        (None, None, "LIVE UPDATES: Bridge opens", None, "live"),
        (None, None, "Bridge opens – as it happened", None, "live"),
        (None, None, "Live music returns to the bridge", None, "news"),
        (None, None, "Where they live: a bridge", None, "news"),
        (None, "Satire", "Bridge opens itself", None, "satire"),
    ],
)
def test_genre(url: str | None, section: str | None, headline: str | None, outlet: str | None, expected: str):
    assert genre_of("news", url, section, headline, outlet) == expected


def test_tweets_have_no_genre():
    assert genre_of("tweet", "https://a.example/opinion/1/2", "Opinion", None, "A - Opinion") == "unknown"


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("", "complete"),
        ('\n\n"It is late," she said. "Very late."', "complete"),
        ("\n\n“We waited…”", "complete"),
        ("\n\n시장은 말했다.", "complete"),
        ("\n\nCopyright © 2024 Harbour Times. Click here for reprint permission.", "complete"),
        ("\n\nA. Writer contributed to this report.\n\n___\n\nFollow us on Twitter", "complete"),
        ("\n\nRead or Share this story: https://a.example/x", "complete"),
        ("\n\nAdvertisement\n\nSign up for our newsletter", "complete"),
        ("\n\nRead more:", "complete"),  # a heading over links
        ("\n\nRead more from Harbour Times", "complete"),
        ("\n\nThe council is to", "unknown"),
        ("\n\nRelated: bridges", "complete"),
        ("\n\nThe council is to…", "truncated"),
        ("\n\nThe council is to...", "truncated"),
        ("\n\nThe council is to [...]", "truncated"),
        ("\n\nThe council is to [+2310 chars]", "truncated"),
        ("\n\nThe council… [+1,310 chars]", "truncated"),
        ("\n\nRead more", "truncated"),
        ("\n\nContinue reading »", "truncated"),
        ("\n\nSubscribe to continue reading", "truncated"),
        ("\n\nThis article is for subscribers only.\n\nAlready a subscriber? Log in", "truncated"),
        ("\n\nSubscribe to the podcast.", "complete"),
        ("\n\nThis is a developing story. Check back for updates.", "live_update"),
        ("\n\nThis story will be updated.", "live_update"),
        ("\n\n[기사 전문 보기]", "truncated"),
        ("\n\nWeiterlesen", "truncated"),
    ],
)
def test_body_status(end: str, expected: str):
    assert body_status_of("news", TEXT + end, "news") == expected
    assert body_status_of("news", TEXT + end + "\n \n", "news") == expected


def test_a_live_page_is_live_unless_it_is_cut():
    assert body_status_of("news", TEXT, "live") == "live_update"
    assert body_status_of("news", TEXT + "…", "live") == "truncated"


def test_tweets_are_truncated_only_where_twitter_cut_them():
    ends = {".": "unknown", "...": "unknown", "…": "truncated", "… https://t.co/abc123": "truncated"}
    assert {end: body_status_of("tweet", f"RT @a: bridge op{end}", "unknown") for end in ends} == ends


@pytest.mark.parametrize(
    ("body", "byline", "outlet", "expected"),
    [
        (TEXT, None, "A", None),
        (f"LONDON (Reuters) - {TEXT}", None, "A", "Reuters"),
        (f"A caption.\n\nNEW YORK, N.Y. (AP) — {TEXT}", None, "A", "Associated Press"),
        (f"Paris (AFP) – {TEXT}", None, "A", "AFP"),
        (f"Berlin (dpa/AFP) - {TEXT}", None, "A", "dpa"),
        (f"(Reuters) - {TEXT}", None, "A", "Reuters"),
        (f"(서울=연합뉴스) 홍 기자 = {TEXT}", None, "A", "Yonhap"),
        (f"PORT SABLE (Union Wire) - {TEXT}", None, "A", "Union Wire"),
        (f"PORT SABLE, Westmark (Union Wire) — {TEXT}", None, "A", "Union Wire"),
        (f"The plan (Union Plan) - {TEXT}", None, "A", None),
        (f"SEN. DOE (R-Texas) - {TEXT}", None, "A", None),
        (f"WASHINGTON (CNN) -- {TEXT}", None, "CNN", None),  # its own
        (f"LONDON (Reuters) - {TEXT}", None, "Reuters", None),
        (f"LONDON (Reuters) - {TEXT}", None, "Reuters Breakingviews", None),
        (f"LONDON (AP) - {TEXT}", None, "The Associated Press", None),
        (TEXT, "Union Wire", "A", "Union Wire"),
        (TEXT, "By The Associated Press", "A", "Associated Press"),
        (TEXT, "Reuters Staff", "A", "Reuters"),
        (TEXT, "By JANE ROE, Associated Press", "A", "Associated Press"),
        (TEXT, "Jane Roe, John Doe, Associated Press", "A", None),  # gathered from the page
        (TEXT, "Jane Roe", "A", None),
        (f"{TEXT}\n\n— AP", None, "A", "Associated Press"),
        (f"{TEXT} (ANI)", None, "A", "ANI"),
        (f"{TEXT}\n\nSource: Reuters", None, "A", "Reuters"),
        (f"{TEXT}\n\nCopyright 2013 The Associated Press. All rights reserved.", None, "A", "Associated Press"),
        (f"{TEXT}\n\n(Reporting by Jane Roe; Editing by John Doe)", None, "A", "Reuters"),
        (f"{TEXT}\n\nThe Associated Press contributed to this report.", None, "A", None),
        (f"{TEXT}\n\nReuters reported the delay first.", None, "A", None),
        (f"{TEXT}\n\nPhoto: Jane Roe", None, "A", None),
    ],
)
def test_wire_credit(body: str, byline: str | None, outlet: str, expected: str | None):
    assert wire_credit_of(body, byline, outlet) == expected

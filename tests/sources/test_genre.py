"""The genre of a document, on labels as outlets write them."""

import pytest

from quotelake.sources.genre import genre_of


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

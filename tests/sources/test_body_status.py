"""Whether a text is all there, on what articles end with."""

import pytest

from quotelake.sources.body_status import body_status_of

TEXT = "The bridge opened on Monday.\n\nThe mayor said it was late."


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bridge opens.", "unknown"),
        ("bridge opens...", "unknown"),  # a way of speaking
        ("RT @a: bridge op…", "truncated"),
        ("bridge op… https://t.co/abc123", "truncated"),
    ],
)
def test_tweets_are_truncated_only_where_twitter_cut_them(text: str, expected: str):
    assert body_status_of("tweet", text, "unknown") == expected

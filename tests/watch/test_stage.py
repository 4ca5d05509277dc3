"""Rows of watched texts: which field and context they have, which quote is the same use, and what has no context."""

from typing import Any

import pytest

from quotelake.quotes.extract import quotes_of_document
from quotelake.settings import Settings, WatchedText, load_settings
from quotelake.topics.contexts import DESCRIBED, mask
from quotelake.watch.lists import checked
from quotelake.watch.stage import WatchList, hits_of_document

STITCH = "A stitch in time saves nine"
WATCH = WatchList(tuple(checked([("list", WatchedText(id="stitch", text=STITCH))])), given=True)


def hits(settings: Settings, **changes: Any) -> list[dict[str, Any]]:
    """Hits in an article, of which the base row is changed."""
    document = {
        "doc_id": "d",
        "kind": "news",
        "language": "en",
        "headline": None,
        "body": f"Nobody at the depot was surprised. “{STITCH},” said Bell, and closed the valve.",
        "native_key": "n",
        "outlet": "o",
        "author_key": None,
        "is_repost": False,
        "period": "2024-03",
    } | changes
    quotes = list(quotes_of_document(document, "rules"))
    return hits_of_document(document, lambda: quotes, WATCH, settings, "rules")[0]


def test_a_use_in_marks_is_that_of_the_quote_and_its_context_is_masked_alike(settings: Settings):
    [hit] = hits(settings)
    assert (hit["field"], hit["status"], hit["score"], hit["in_marks"]) == ("body", "ok", 1.0, True)
    assert hit["quote_id"] is not None
    body = f"Nobody at the depot was surprised. “{STITCH},” said Bell, and closed the valve."
    assert body[hit["start"] : hit["end"]] == STITCH
    masked = mask(body, hit["start"], hit["end"], hit["context_start"], hit["context_end"])
    assert masked == "Nobody at the depot was surprised. “ - ,” said Bell, and closed the valve."


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"body": f"They say that {STITCH.lower()} in this trade, and mean it."}, ("body", "ok", False, False)),
        ({"body": f"“{STITCH}.”"}, ("body", "too_short", True, True)),
        ({"body": "", "headline": f"Mayor: ‘{STITCH}’"}, ("headline", "headline", True, True)),
        ({"kind": "tweet", "body": f"{STITCH} they told me on the pier today"}, ("tweet", "ok", False, False)),
        ({"kind": "tweet", "is_repost": True, "body": f"RT @a: {STITCH}"}, ("tweet", "repost", False, False)),
        (
            {"body": f"“Well, as my mother used to say when the nets tore, {STITCH.lower()}, and so on,” he said."},
            ("body", "ok", True, False),
        ),
    ],
)  # fmt: skip
def test_what_a_hit_says_of_its_place(settings: Settings, changes: dict[str, Any], expected: tuple[object, ...]):
    [hit] = hits(settings, **changes)
    assert (hit["field"], hit["status"], hit["in_marks"], hit["quote_id"] is not None) == expected
    assert (hit["masked_hash"] is None) == (hit["status"] in ("headline", "repost"))


def test_without_a_list_nothing_is_asked(settings: Settings):
    def fail() -> list[dict[str, Any]]:
        raise AssertionError("no quotes are needed")

    assert hits_of_document({"kind": "tweet", "body": STITCH}, fail, WatchList(), settings, "rules") == ([], 0)


@pytest.mark.parametrize(("most", "kept"), [(1, 1), (3, 3), (9, 5)])
def test_of_a_text_that_a_document_repeats_the_first_uses_are_kept_and_the_others_counted(most: int, kept: int):
    """The headline counts too; another text of the list is kept by itself."""
    settings = load_settings(overrides=[f"watch.per_document={most}"])
    other = WatchedText(id="valve", text="The valve is closed")
    watch = WatchList((*WATCH.texts, *checked([("list", other)])), given=True)
    document = {"kind": "news", "headline": STITCH, "body": f"{STITCH}. " * 4 + other.text, "is_repost": True}
    document |= dict.fromkeys(DESCRIBED, "x") | {"kind": "news"}
    rows, left_out = hits_of_document(document, list, watch, settings, "rules")
    places = [(row["field"], row["start"]) for row in rows if row["watch_id"] == "stitch"]
    whole = [("headline", 0), *(("body", n * len(f"{STITCH}. ")) for n in range(4))]
    assert (places, left_out) == (whole[:kept], 5 - kept)
    assert [row["watch_id"] for row in rows if row["watch_id"] != "stitch"] == ["valve"]

"""What scores need is cut out of an article once: a later night reads the articles of its new uses alone."""

from typing import Any

import pytest
from tests.nightly.batches import batch_of

from quotelake.lake.tables import Lake
from quotelake.nightly.scores import write_comparisons
from quotelake.spark.arrow import table_of

pytestmark = pytest.mark.spark

SAID = "the harbour will open before the winter comes"
SHOWN = ("start", "end", "named_speaker", "speaker_type")


def article(name: str) -> dict[str, Any]:
    """An article of an outlet of its own, in which a mayor says :data:`SAID`; the second one leaves a word out."""
    said = SAID.replace(" before", "", 1) if name == "b" else SAID
    return {
        "doc_id": name, "native_key": name, "outlet": f"Outlet {name}", "body": f"In {name}, “{said},” said the mayor.",
        **{"source": "news", "kind": "news", "genre": "news", "language": "en", "body_status": "complete"},
        **{"is_repost": False, "file_id": "file", "position": 0},
    }  # fmt: skip


def use(name: str) -> dict[str, Any]:
    body = article(name)["body"]
    start, end = body.index("“") + 1, body.index(",”")
    return {
        "variant_id": f"v{len(body)}", "quote_id": f"q{name}", "doc_id": name, "native_key": name,
        **{"outlet": f"Outlet {name}", "speaker": "Ana Ruiz", "start": start, "end": end, "rule_version": "1"},
        **{"context_start": 0, "context_end": len(body), "raw_hash": "", "masked_hash": "", "words_left": 5},
        **{"direct": True, "status": "ok", "named_speaker": f"Mayor {name}", "speaker_type": "person"},
    }  # fmt: skip


@pytest.mark.parametrize("small", [False, True], ids=["by Spark", "by the driver"])
def test_an_article_whose_use_was_compared_is_not_read_again(lake: Lake, monkeypatch: pytest.MonkeyPatch, small: bool):
    read = list[list[str]]()
    found = Lake.rows_of

    def rows_of(self: Lake, table: str, keys: Any, *given: Any) -> Any:
        if table == "documents":
            read.append(sorted(table_of(keys).column("doc_id").to_pylist()))
        return found(self, table, keys, *given)

    monkeypatch.setattr(Lake, "rows_of", rows_of)
    groups = [{"variant_id": use(name)["variant_id"], "group_id": "g"} for name in "ab"]
    members = lake.spark.createDataFrame(groups, "variant_id STRING, group_id STRING")
    lake.append(lake.frame([article(name) for name in "abc"], "documents"), "documents")
    for night, names in enumerate(("ab", "abc")):
        with batch_of(lake, night, small=small) as batch:
            uses = lake.frame([use(name) for name in names], "contexts")
            write_comparisons(batch, uses, members, [])
    assert read == [["a", "b"], ["c"]]
    rows = {row["quote_id"]: row for row in lake.read("quote_comparisons").collect()}
    assert [rows[f"q{name}"]["text"] == SAID for name in "abc"] == [True, False, True]
    assert [rows[f"q{name}"]["before"] for name in "abc"] == [f"In {name}, “" for name in "abc"]
    assert {row["after"] for row in rows.values()} == {",” said the mayor."}
    assert [each["kind"] for each in rows["qb"]["differences"]] == ["omitted"]
    for name in "abc":  # what pages show of a use beside its text
        assert {column: rows[f"q{name}"][column] for column in SHOWN} == {column: use(name)[column] for column in SHOWN}

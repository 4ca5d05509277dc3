"""Nights in any order leave the pairs and groups that one run leaves, and those that the texts have without Spark."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.nightly.batches import batch_of, content

from quotelab.synthetic.mutations import CHANGES, join
from quotelake.files.jsonl import json_lines
from quotelake.lake.tables import Lake
from quotelake.nightly.groups import find_groups, write_groups, write_pairs
from quotelake.quotes.keys import canonical_text, variant_id
from quotelake.quotes.spans import find_quotes
from quotelake.reuse.clusters import group_texts

pytestmark = pytest.mark.spark

TABLES = {
    "variant_edges": ("a", "b", "measure", "contained", "jaccard"),
    "variant_groups": ("variant_id", "group_id", "component_id"),
    "variant_postings": ("token", "variant_id", "words", "prefix", "probe", "signature_low", "signature_high"),
}


def night(lake: Lake, texts: Sequence[str], number: int, partitions: int = 2) -> None:
    """Bring the groups up to date with texts, as a batch does."""
    named = {variant_id(text): canonical_text(text) for text in texts}
    found = [
        {"variant_id": variant, "canonical_text": text, "words": len(text.split())}
        for variant, text in named.items()
        if variant is not None and text is not None
    ]
    variants = lake.frame(found, "variants").repartition(partitions)
    with batch_of(lake, number) as batch:
        groups = find_groups(batch, variants)
        lake.append_new(variants, "variants")
        write_pairs(batch, groups)
        write_groups(batch, groups)


def reused(texts: Sequence[str], rng: random.Random) -> list[str]:
    """Texts and what writers make of some of them, excerpts before the whole."""
    changed = [change(text, rng) for text in texts[:40] for change in CHANGES.values() if suits(text, change, rng)]
    return [*changed, *texts, *(join(one, other) for one, other in zip(texts[:20], texts[20:40], strict=True))]


def suits(text: str, change: Callable[[str, random.Random], str], rng: random.Random) -> bool:
    """Whether a text is long enough for a change, and has the words it changes."""
    try:
        change(text, random.Random(rng.random()))
    except (ValueError, IndexError):
        return False
    return True


@pytest.fixture
def quotes(data: Callable[[str], Path]) -> list[str]:
    """Quotes of real articles and their variants."""
    bodies = [article["text"] for _, article in json_lines(data("news/us_news_quoted_2k.jsonl.gz"))][:40]
    texts = [" ".join(quote.text.split()) for body in bodies for quote in find_quotes(body) if quote.kind == "direct"]
    long = [text for text in dict.fromkeys(texts) if len(text.split()) >= 12]
    return [*texts, *reused(long, random.Random(7))]


@pytest.mark.slow
def test_nights_in_any_order_and_on_any_partitions_leave_what_one_run_leaves(
    new_lake: Callable[[str], Lake], quotes: list[str], monkeypatch: pytest.MonkeyPatch
):
    full = new_lake("full")
    night(full, quotes, 0)
    whole = content(full, TABLES)
    assert len(whole["variant_edges"]) > 100
    with monkeypatch.context() as patch:
        patch.setattr("quotelake.nightly.groups._VARIANTS_PER_PART", 200)
        patch.setattr("quotelake.nightly.groups._ON_DRIVER", 0)
        patch.setattr("quotelake.nightly.groups._PER_PART", 20)
        dealt = new_lake("dealt")
        night(dealt, quotes, 0, 4)
        assert content(dealt, TABLES) == whole, "compared and placed part by part by Spark, not on the driver"
    for nights, partitions in ((3, 1), (2, 8), (2, 200)):
        lake, shuffled = new_lake(f"nights{partitions}"), random.Random(partitions).sample(quotes, len(quotes))
        for number in range(nights):
            night(lake, shuffled[number::nights], number, partitions)
        assert content(lake, TABLES) == whole
    groups = {row["variant_id"]: row["group_id"] for row in full.read("variant_groups").collect()}
    for text, group in zip(quotes, group_texts(quotes), strict=True):
        assert groups.get(variant_id(text)) == group


def test_a_longer_quote_of_a_later_night_takes_the_group_over_and_the_change_is_kept(new_lake: Callable[[str], Lake]):
    lake = new_lake("lake")
    whole = "The council will close the harbour road for repairs until the first week of November"
    part = "close the harbour road for repairs until the first week"
    other = "The council should never have sold the ferries to a company nobody had heard of"
    night(lake, [part, other], 1)
    night(lake, [part], 2)
    assert lake.read("group_lineage").isEmpty(), "nothing new, nothing changed"
    night(lake, [whole], 3)
    groups = {row["variant_id"]: row["group_id"] for row in lake.read("variant_groups").collect()}
    assert groups == {variant_id(part): variant_id(whole)} | {
        variant_id(text): variant_id(text) for text in (whole, other)
    }
    [change] = lake.read("group_lineage").collect()
    assert (change["old_group_id"], change["group_id"], change["change"], change["variants"]) == (
        variant_id(part), variant_id(whole), "renamed", 1,
    )  # fmt: skip

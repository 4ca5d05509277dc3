"""Nights find the pairs by meaning that one run finds, and keep the vectors they were found by."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pyspark.sql import DataFrame

from quotelake.embeddings.embed import COLUMNS
from quotelake.lake.tables import Lake, Transaction
from quotelake.nightly import meanings
from quotelake.nightly.regrouping import compare, keep_groups, new_variants, regroup
from quotelake.quotes.keys import canonical_text, variant_id
from quotelake.settings import load_settings
from quotelake.spark.materialise import Materialised

pytestmark = [pytest.mark.spark, pytest.mark.slow]

TEXTS = [
    "The keeper of the lighthouse mended the lantern before the winter storms arrived",
    "Before the storms of winter came, the lighthouse keeper had repaired his lantern",
    "The keeper of the lighthouse never mended the lantern before the winter storms arrived",
    "Our ferries will sail to the islands twice a week from the end of next month",
    "Starting at the end of next month there will be two ferries to the islands a week",
    "Too short to compare",
    "생선 비린내가 밴 시집이라니 그것도 나름대로 멋있지 않습니까 여러분 모두 그렇게 생각하지요",
]


def embed(batch: Any, texts: DataFrame) -> DataFrame | None:
    """Vectors by what the texts are about, in the place of a model's."""
    rows = [
        ("model", row["text_hash"], np.eye(3)[int("keeper" in row["text"])].tolist(), "ok") for row in texts.collect()
    ]
    return batch.lake.spark.createDataFrame(rows, COLUMNS) if rows else None


def night(lake: Lake, texts: Sequence[str], number: int) -> None:
    base = load_settings()
    settings = base.model_copy(update={"reuse": base.reuse.model_copy(update={"semantic": True})})
    versions = SimpleNamespace(rule_version="1", fingerprint="model")
    found = [
        {"variant_id": variant_id(text), "canonical_text": canonical_text(text), "words": len(text.split())}
        for text in texts
    ]
    with Materialised() as materialise:
        chain = SimpleNamespace(settings=settings, versions=versions)
        batch: Any = SimpleNamespace(chain=chain, lake=lake, materialise=materialise)
        new = materialise(new_variants(lake, lake.frame(found, "variants"), "1"))
        lake.append_new(lake.frame(found, "variants"), "variants")
        compared = meanings.add_meanings(batch, compare(lake, new, "1", materialise))
        regrouped = regroup(lake, compared, "1", materialise)
        for frame, table in ((compared.edges, "variant_edges"), (compared.postings, "variant_postings")):
            lake.append(frame, table, Transaction("test", number))
        if compared.vectors is not None:
            lake.append_new(compared.vectors, "embeddings")
        keep_groups(lake, regrouped)


def content(lake: Lake) -> tuple[list[Any], list[Any], int]:
    edges = lake.read("variant_edges").select("a", "b", "measure", "cosine", "fingerprint").collect()
    groups = lake.read("variant_groups").select("variant_id", "group_id", "component_id").collect()
    return sorted(map(tuple, edges)), sorted(map(tuple, groups)), lake.read("embeddings").count()


def test_nights_find_the_pairs_by_meaning_that_one_run_finds(
    new_lake: Callable[[str], Lake], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(meanings, "embed", embed)
    full, lake = new_lake("full"), new_lake("nights")
    night(full, TEXTS, 0)
    for number, texts in enumerate((TEXTS[1::2], TEXTS[::2])):
        night(lake, texts, number)
    edges, groups, vectors = content(full)
    assert content(lake) == (edges, groups, vectors)
    assert vectors == 5, "neither the short text nor that of another language"
    meant = {frozenset(edge[:2]) for edge in edges if edge[2] == "semantic"}
    one, other, negated, ferries, sailing, *_ = map(variant_id, TEXTS)
    assert {frozenset((one, other)), frozenset((ferries, sailing))} <= meant
    assert not any(negated in pair for pair in meant)

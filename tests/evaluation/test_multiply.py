import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.conftest import TEST_TIME

from quotelake.contracts import contract
from quotelake.digest import digests
from quotelake.errors import InputError
from quotelake.evaluation.multiply import IDS, NAMES, SAME, TEXTS, VECTORS, multiplied_tables, multiply
from quotelake.sample import sample_inputs
from quotelake.stream import has_news
from quotelake.tables import Lake
from quotelake.versions import active

TIMES = 3
CLASSES = (IDS, NAMES, TEXTS, VECTORS, SAME)
#: Column and table it refers to, by the column of the same rows there.
REFERENCES = [
    ("quotes", "doc_id", "documents", "doc_id"),
    ("quotes", "parent", "quotes", "quote_id"),
    ("quotes", "utterance_id", "quotes", "quote_id"),
    ("quotes", "variant_id", "variants", "variant_id"),
    ("contexts", "quote_id", "quotes", "quote_id"),
    ("contexts", "native_key", "documents", "native_key"),
    ("contexts", "masked_hash", "embeddings", "text_hash"),
    ("contexts", "variant_id", "variant_groups", "variant_id"),
    ("contextomy", "best_quote_id", "quotes", "quote_id"),
    ("topic_variation", "group_id", "variant_groups", "group_id"),
    ("documents", "file_id", "files", "file_id"),
    ("rejects", "file_id", "files", "file_id"),
]


def test_every_text_column_is_in_one_class_that_says_how_a_copy_of_it_differs():
    for table in multiplied_tables():
        names = {c.name: c.type for c in contract(table).columns if c.name in contract(table).content_columns}
        for name, kind in names.items():
            classes = [each for each in CLASSES if name in each]
            if "STRING" in kind or kind == "ARRAY<FLOAT>":
                assert len(classes) == 1, f"{table}.{name} is in {len(classes)} classes of evaluation/multiply.py"
            else:
                assert classes in ([], [SAME]), f"{table}.{name} is no text, but evaluation/multiply.py changes it"


def test_no_class_names_a_column_that_is_gone():
    there = {name for table in multiplied_tables() for name in contract(table).content_columns}
    assert set().union(*CLASSES) <= there


@pytest.fixture(scope="module")
def before(spark: SparkSession, sample_lake: str) -> Lake:
    return Lake(spark, sample_lake, "test", TEST_TIME)


@pytest.fixture(scope="module")
def after(spark: SparkSession, sample_lake: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    root = tmp_path_factory.mktemp("multiplied") / "lake"
    shutil.copytree(sample_lake, root)
    multiply(spark, root, TIMES)
    yield Lake(spark, str(root), "test", TEST_TIME)
    shutil.rmtree(root)


def content(rows: DataFrame) -> tuple[int, int]:
    row = rows.agg(F.count("*").alias("n"), F.sum(F.xxhash64(F.to_json(F.struct("*"))) % 1_000_000_007)).first()
    assert row is not None
    return int(row[0]), int(row[1] or 0)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("table", multiplied_tables())
def test_rows_that_were_there_stay_and_each_has_its_copies_under_keys_of_their_own(table, before, after):
    old, new = before.read(table), after.read(table)
    runs = old.select("run_id").distinct()
    kept = new.join(F.broadcast(runs), "run_id", "left_semi").select(*old.columns)
    assert content(kept) == content(old)
    assert new.count() == TIMES * old.count()
    assert new.select(*contract(table).key).distinct().count() == new.count()


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize(("table", "column", "other", "key"), REFERENCES)
def test_references_meet_as_often_as_before(table, column, other, key, before, after):
    def met(lake: Lake) -> int:
        rows = lake.read(table).select(F.col(column).alias("value"))
        return rows.join(lake.read(other).select(F.col(key).alias("value")), "value").count()

    assert met(before) > 0 or column == "parent"
    assert met(after) == TIMES * met(before)


@pytest.mark.spark
@pytest.mark.slow
def test_offsets_of_quotes_still_cut_their_text_out_of_the_body(after):
    quotes = (
        after.read("quotes").where("field = 'body' AND size(segments) = 1").select("doc_id", "start", "end", "text")
    )
    cut = quotes.join(after.read("documents").select("doc_id", "body"), "doc_id").selectExpr(
        "substring(body, start + 1, end - start) = text AS same"
    )
    assert cut.where("same").count() == cut.count() > 0


@pytest.mark.spark
@pytest.mark.slow
def test_cosines_within_a_copy_are_those_of_the_first(before, after):
    def cosines(lake: Lake) -> list[float]:
        uses = lake.read("contexts").selectExpr("variant_id", "masked_hash AS text_hash").distinct()
        vectors = uses.join(lake.read("embeddings").where("vector IS NOT NULL"), "text_hash")
        a, b = vectors.alias("a"), vectors.alias("b")
        pairs = a.join(b, F.expr("a.variant_id = b.variant_id AND a.text_hash < b.text_hash")).selectExpr(
            "aggregate(zip_with(a.vector, b.vector, (x, y) -> cast(x * y AS double)), 0D, (s, x) -> s + x) AS cosine"
        )
        return sorted(row["cosine"] for row in pairs.collect())

    first = cosines(before)
    assert first
    assert cosines(after) == pytest.approx(sorted(first * TIMES), abs=1e-5)


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_with_nothing_new_does_nothing(after, score: Callable[..., Lake], monkeypatch):
    versions = active(after)
    assert versions is not None
    assert not has_news(after, "documents", f"documents-{versions.checkpoint_id}")
    told = digests(after)
    score(Path(after.root), sample_inputs())
    assert digests(after) == told


@pytest.mark.spark
@pytest.mark.slow
def test_what_cannot_be_multiplied_is_said(lake: Lake, before: Lake):
    with pytest.raises(InputError, match="no lake with a complete run"):
        multiply(lake.spark, lake.root, 2)
    with pytest.raises(InputError, match="by 0"):
        multiply(lake.spark, before.root, 0)

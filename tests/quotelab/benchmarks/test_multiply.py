import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyspark.sql import SparkSession
from tests.conftest import TEST_TIME

from quotelab.benchmarks.night import IDS, NAMES, TEXTS, VECTORS, multiplied_tables, multiply
from quotelake.lake.contracts import columns, contract
from quotelake.lake.local import make_view
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.nightly.versions import active
from quotelake.sample import sample_inputs

TIMES = 3
#: Labels, versions and the like: equal in a copy.
SAME = {
    "source", "kind", "outlet", "outlet_raw", "genre", "language", "body_status", "wire_credit", "field", "marks",
    "reason", "flags", "outcome", "alert", "to_check", "status", "period", "representation", "rule_version",
    "detector_version", "fingerprint", "measure", "detail", "field_problems", "settings_digest", "stated_speaker",
    "kept", "difference", "differences", "variants", "by_kind", "details", "excerpt", "reader_version",
    "model", "verdict", "sentence", "speaker_type",
}  # fmt: skip
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
    ("contexts", "text_id", "story_texts", "text_id"),
    ("stories", "text_id", "story_texts", "text_id"),
    ("stories", "story_id", "stories", "text_id"),
    ("story_edges", "a", "stories", "text_id"),
    ("contextomy", "best_quote_id", "quotes", "quote_id"),
    ("documents", "file_id", "files", "file_id"),
    ("rejects", "file_id", "files", "file_id"),
]


def test_every_text_column_is_in_one_class_that_says_how_a_copy_of_it_differs():
    there = set()
    for table in multiplied_tables():
        for column in (each for each in contract(table).columns if each.name in columns(table)):
            there.add(column.name)
            classes = [each for each in CLASSES if column.name in each]
            if "STRING" in column.type or column.type == "ARRAY<FLOAT>":
                assert len(classes) == 1, f"{table}.{column.name}: see the classes in benchmarks/night.py"
            else:
                assert classes in ([], [SAME]), f"{table}.{column.name} is no text, but a copy changes it"
    assert set().union(*CLASSES) <= there, "a column that is gone"


@pytest.fixture(scope="module")
def after(spark: SparkSession, sample_lake: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    root = tmp_path_factory.mktemp("multiplied") / "lake"
    shutil.copytree(sample_lake, root)
    multiply(spark, root, TIMES)
    yield Lake(spark, str(root), "test", TEST_TIME)
    shutil.rmtree(root)


RunSql = Callable[[str], list[Any]]


@pytest.fixture(scope="module")
def asks(sample_lake: str, after: Lake) -> Iterator[tuple[RunSql, RunSql]]:
    """Questions to the tables before and after: DuckDB answers them in a tenth of Spark's time."""
    with duckdb.connect() as old, duckdb.connect() as new:
        for root, connection in ((sample_lake, old), (after.root, new)):
            for table in multiplied_tables():
                make_view(Path(root), table, None, connection)
        yield tuple(lambda query, of=of: [value for (value,) in of.execute(query).fetchall()] for of in (old, new))


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize(("table", "name", "other", "key"), REFERENCES)
def test_references_meet_as_often_as_before(asks: tuple[RunSql, RunSql], table: str, name: str, other: str, key: str):
    query = f"SELECT count(*) FROM {table} a JOIN {other} b ON a.{name} = b.{key}"
    [met], [met_after] = (run_sql(query) for run_sql in asks)
    assert met > 0 or name == "parent"
    assert met_after == TIMES * met


@pytest.mark.spark
@pytest.mark.slow
def test_offsets_of_quotes_cut_their_text_and_cosines_within_a_copy_stay(asks: tuple[RunSql, RunSql]):
    old, new = asks
    same = new(
        """SELECT substring(d.body, q.start + 1, q."end" - q.start) = q.text
        FROM quotes q JOIN documents d USING (doc_id) WHERE q.field = 'body' AND len(q.segments) = 1"""
    )
    assert same and all(same)
    query = """WITH vectors AS (
        SELECT DISTINCT c.variant_id, e.text_hash, CAST(e.vector AS DOUBLE[]) AS vector
        FROM contexts c JOIN embeddings e ON c.masked_hash = e.text_hash WHERE e.vector IS NOT NULL
    ) SELECT list_inner_product(a.vector, b.vector) AS cosine FROM vectors a JOIN vectors b
    ON a.variant_id = b.variant_id AND a.text_hash < b.text_hash ORDER BY cosine"""
    first = old(query)
    assert first and new(query) == pytest.approx(sorted(first * TIMES), abs=1e-5)


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_with_nothing_new_does_nothing(after: Lake, score: Callable[..., Lake]):
    versions = active(after)
    assert versions is not None
    follow(after, "documents", versions.checkpoint_id, 1, lambda rows, *_: pytest.fail("copies are no news"))
    told = digests(after)
    score(Path(after.root), sample_inputs())
    assert digests(after) == told

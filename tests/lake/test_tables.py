"""The lake: contracts are enforced, an older lake gains their columns, other engines can read it; and a stream
of it is started only where there may be something to see."""

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable as RustTable
from deltalake.exceptions import DeltaError
from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from tests.lake.rows import by_spark, ids, variants

from quotelake.errors import ContractError, InputError
from quotelake.lake import local
from quotelake.lake.contracts import columns, contract, table_names
from quotelake.lake.frames import check
from quotelake.lake.local import rows_by_keys
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction

pytestmark = pytest.mark.spark


def test_a_frame_off_its_contract_is_told_every_fault_at_once(lake: Lake):
    wrong = variants(lake, "a").withColumn("words", F.lit("2")).withColumn("tmp", F.lit(1)).drop("canonical_text")
    with pytest.raises(ContractError) as caught:
        check(wrong, "variants")
    assert str(caught.value) == (
        "variants: missing [canonical_text]; unexpected [tmp]; wrong type [words: string, expected int]"
    )


@pytest.mark.parametrize("by", [by_spark, lambda df: df], ids=["by Spark", "by the driver"])
@pytest.mark.parametrize("table", ["embeddings", "variants"])
def test_no_page_has_more_rows_than_the_contract_says_as_a_look_up_reads_whole_pages(lake: Lake, table: str, by: Any):
    rows: list[dict[str, Any]] = [{"text_hash": f"{n:032}", "fingerprint": "m", "status": "ok"} for n in range(1000)]
    if table == "variants":
        rows = [{"variant_id": row["text_hash"], "canonical_text": "some words", "words": 2} for row in rows]
    lake.append(by(lake.frame(rows, table)), table)
    jvm, configuration, pages = lake.spark._jvm, lake.spark._jsparkSession.sessionState().newHadoopConf(), 0
    for file in Path(lake.path(table)).glob("*.parquet"):
        path = jvm.org.apache.hadoop.fs.Path(str(file))
        where = jvm.org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(path, configuration)
        reader = jvm.org.apache.parquet.hadoop.ParquetFileReader.open(where)
        for block in reader.getRowGroups():
            pages += reader.readOffsetIndex(block.getColumns()[0]).getPageCount()
        reader.close()
    most = len(rows) // contract(table).page_rows
    assert most - 1 <= pages <= most  # Spark's first page may have a hundred


@pytest.mark.parametrize("by", [by_spark, lambda df: df], ids=["by Spark", "by the driver"])
def test_files_are_laid_out_so_that_a_look_up_reads_little(lake: Lake, by: Any):
    """Protects: ten bodies of 420,000 were looked for in all of 46 files, as random ids lie in the range of each."""
    rows = [{"variant_id": f"{n:032}", "canonical_text": f"{n // 4:032}", "words": 2} for n in range(0, 17_000, 2)]
    lake.append(by(lake.frame(rows, "variants")), "variants")
    files = [str(file) for file in Path(lake.path("variants")).glob("*.parquet")]
    groups = duckdb.sql(f"SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata({files})").fetchall()
    assert sorted(rows for _, rows in groups) == [500, 8000], "DuckDB reads whole groups"

    def groups_to_read(key: str) -> int:
        probed = f"SELECT count_if(NOT bloom_filter_excludes) FROM parquet_bloom_probe({files}, 'variant_id', '{key}')"
        return duckdb.sql(probed).fetchall()[0][0]

    assert [groups_to_read(f"{n:032}") for n in (0, 500, 16_998)] == [1, 1, 1]
    assert sum(groups_to_read(f"{n:032}") for n in range(1, 400, 2)) <= 10, "about one of a thousand"
    schema, group = pq.ParquetFile(files[0]).schema_arrow.names, pq.ParquetFile(files[0]).metadata.row_group(0)
    indexed = [name for at, name in enumerate(schema) if group.column(at).has_column_index]
    assert indexed == ["variant_id"], "a look-up reads the index of the pages of all columns"
    size = group.column(schema.index("canonical_text")).total_uncompressed_size
    assert size > 200_000, "a dictionary of all texts, which takes 156,000, would be read for each of them"


def test_keys_looked_for_in_their_pages_or_in_whole_columns_have_the_same_rows(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
):
    """Protects: the driver's look-ups by DataFusion and by DuckDB are one look-up."""
    for part in (["it's", "a"], [f"{n:032}" for n in range(700)]):
        lake.append(variants(lake, *part), "variants")
    columns = ["variant_id", "canonical_text", "ingested_at"]
    stored = {row["variant_id"] for row in lake.read("variants").collect()}
    assert len(stored) == 702
    for wanted in ([], ["it's", None, "none"], ["a"] * 3, [f"{n:032}" for n in range(0, 900, 9)]):
        keys, found = pa.table({"variant_id": pa.array(wanted, pa.string())}), list[list[dict[str, Any]]]()
        for most in (2000, -1):
            monkeypatch.setattr(local, "_KEYS_BY_PAGES", most)
            rows = rows_by_keys(lake.root, "variants", keys, columns, "words > 0").to_pylist()
            found.append(sorted(({**row, "ingested_at": str(row["ingested_at"])[:19]} for row in rows), key=str))
        assert found[0] == found[1]
        assert [row["variant_id"] for row in found[0]] == sorted(stored & {*wanted})


def forget_contracts(lake: Lake, *tables: str) -> None:
    """Have the lake note other contracts of some tables, as an older one does."""
    noted = Path(lake.root, "_contracts.json")
    noted.write_text(json.dumps({**json.loads(noted.read_text("utf-8")), **dict.fromkeys(tables, "older")}), "utf-8")


def test_an_older_lake_gains_the_columns_that_may_be_null_and_the_constraints_of_today(lake: Lake):
    lake.append(variants(lake, "a"), "variants", Transaction("checkpoint-1", 0))
    path = lake.path("quotes")
    lake.spark.sql(f"ALTER TABLE delta.`{path}` SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    lake.spark.sql(f"ALTER TABLE delta.`{path}` DROP COLUMNS (speaker, reason)")
    judged = f"delta.`{lake.path('contextomy')}`"
    lake.spark.sql(f"ALTER TABLE {judged} DROP CONSTRAINT known_outcome")
    lake.spark.sql(f"ALTER TABLE {judged} ADD CONSTRAINT known_outcome CHECK (outcome IN ('identical'))")
    pairs, statement = lake.path("variant_edges"), contract("variant_edges").statement
    shutil.rmtree(pairs)
    older = statement.replace("(\n", "(\n  jaccard DOUBLE NOT NULL,\n", 1)
    lake.spark.sql(older.replace("TABLE variant_edges", f"TABLE delta.`{pairs}`", 1))
    forget_contracts(lake, "quotes", "contextomy", "variant_edges")
    lake.create()
    properties = {row["key"]: row["value"] for row in lake.spark.sql(f"SHOW TBLPROPERTIES {judged}").collect()}
    assert "'absent'" in properties["delta.constraints.known_outcome"]
    assert set(lake.read("quotes").columns) == {column.name for column in contract("quotes").columns}
    assert ids(lake) == ["a"]
    row = {"a": "1", "b": "2", "measure": "wording", "contained": None, "words_a": 4, "words_b": 4}
    lake.append(lake.frame([row | {"rule_version": "1"}], "variant_edges"), "variant_edges")
    assert [row["jaccard"] for row in lake.read("variant_edges").collect()] == [None], "no longer in the contract"
    lake.spark.sql(f"ALTER TABLE delta.`{path}` DROP COLUMNS (marks)")
    forget_contracts(lake, "quotes")
    with pytest.raises(ContractError, match=r"quotes in .* without \[marks\]: score the corpus into a new lake"):
        lake.create()


def test_constraints_hold_in_the_table_itself(lake: Lake):
    row = ("f", "s", "p", 1, datetime(2024, 1, 1), 3, 1, 1, 0, None, 0, 0, "d")
    lost = dict(zip(columns("files"), row, strict=True))
    with pytest.raises(DeltaError, match="failed validation check"):
        lake.append(lake.frame([lost], "files"), "files")
    with pytest.raises(Py4JJavaError, match="nothing_lost"):
        lake.append(by_spark(lake.frame([lost], "files")), "files")
    lake.append(lake.frame([lost | {"filtered": 1}], "files"), "files")


def test_every_table_is_readable_by_engines_of_reader_version_1(lake: Lake):
    lake.append_new(variants(lake, "a", "b"), "variants")
    for table in table_names():
        assert RustTable(lake.path(table)).protocol().min_reader_version == 1
    assert sorted(RustTable(lake.path("variants")).to_pyarrow_table()["variant_id"].to_pylist()) == ids(lake)


def test_an_address_without_a_file_system_is_told_as_such(lake: Lake):
    with pytest.raises(InputError, match="nowhere://bucket/lake: no file system for this address"):
        Lake(lake.spark, "nowhere://bucket/lake", "r", lake.started).exists("runs")


def test_each_row_is_seen_once_and_nothing_is_noted_for_nothing(lake: Lake):
    seen: list[tuple[str, int]] = []
    commits = Path(lake.root) / "_checkpoints" / "variants-c1" / "commits"

    def process(rows: DataFrame, txn: Transaction, size: int) -> None:
        seen.extend((row["variant_id"], txn.version) for row in rows.collect())

    def go() -> list[tuple[str, int]]:
        seen.clear()
        follow(lake, "variants", "c1", 10**6, process)
        return seen

    assert go() == [], "a table that was only made"
    assert not (Path(lake.root) / "_checkpoints").exists()
    lake.append_new(variants(lake, "a"), "variants")
    assert go() == [("a", 0)]
    assert go() == []
    lake.append_new(variants(lake, "b"), "variants")
    assert go() == [("b", 1)]
    (commits / "1").unlink()  # as a run leaves it that dies in a batch
    assert go() == [("b", 1)], "under the same number, so that its writes are known"
    lake.rewrite("variants", 1)
    lake.delete("variants", "variant_id", ["a"])
    assert go() == [], "other files, and fewer rows, are no news"
    lake.append_new(variants(lake, "c"), "variants")
    assert [name for name, _ in go()] == ["c"]
    seen.clear()
    follow(lake, "variants", "c2", 1, process)
    assert sorted(name for name, _ in seen) == ["b", "c"] and [batch for _, batch in seen] == [0, 1], "a file each"

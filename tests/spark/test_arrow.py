"""Tables of the driver: none of their rows is lost on the way to tasks, and large ones do not stand in plans."""

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from quotelake.spark.arrow import column_of, count_rows, frame_of_table, known_table, rows_in_arrays
from quotelake.spark.kept import materialised
from quotelake.spark.session import LOCAL_BYTES

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("count", [0, 3, LOCAL_BYTES // 16, LOCAL_BYTES // 4])
def test_a_table_keeps_its_rows_in_their_order_and_a_large_one_stays_out_of_the_plan(spark: SparkSession, count: int):
    table = pa.table({"number": pa.array(range(count), pa.int64())})
    frame = frame_of_table(spark, table)
    assert frame.toArrow().column("number").to_pylist() == list(range(count))
    plan = frame._jdf.queryExecution().optimizedPlan().toString()
    assert ("LocalRelation" in plan) == (table.nbytes <= LOCAL_BYTES)
    assert frame.rdd.getNumPartitions() <= spark.sparkContext.defaultParallelism, "not a task for each 2,000 rows"


@pytest.mark.parametrize("most", [2, 3])
def test_few_rows_are_kept_on_the_driver_and_give_what_spark_gives(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, most: int
):
    monkeypatch.setattr("quotelake.spark.arrow.MOST_ON_DRIVER", most)
    rows = [{"doc": "a", "quotes": [{"id": 1, "text": "x"}, {"id": 2, "text": None}]}, {"doc": "b", "quotes": []}]
    rows.append({"doc": "c", "quotes": [{"id": 3, "text": "y"}]})
    given = frame_of_table(spark, pa.Table.from_pylist(rows)).where("true")
    with materialised(small=True) as keep_few, materialised() as keep:
        few, many = keep_few(given), keep(given)
        assert keep_few(few) is few or most == 2
        assert [known_table(each) is not None for each in (few, many)] == [most == 3, False]
        assert count_rows(few) == count_rows(many) == 3
        for columns in ((), ("text",)):
            one, other = (rows_in_arrays(each, "quotes", columns) for each in (few, many))
            assert one.columns == other.columns and sorted(map(str, one.collect())) == sorted(map(str, other.collect()))
        one, other = (column_of(each, "doc") for each in (few, many))
        assert sorted(map(str, one.collect())) == sorted(map(str, other.collect()))


def test_a_table_without_any_chunk_is_an_empty_frame(spark: SparkSession):
    schema = pa.schema([("at", pa.timestamp("us", "UTC")), ("each", pa.list_(pa.struct([("n", pa.int32())])))])
    table = pa.table([pa.chunked_array([], field.type) for field in schema], schema)
    assert frame_of_table(spark, table).collect() == []

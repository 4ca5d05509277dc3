"""Tables of the driver: none of their rows is lost on the way to tasks, and large ones do not stand in plans."""

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from quotelake.spark.arrow import frame_of_table
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

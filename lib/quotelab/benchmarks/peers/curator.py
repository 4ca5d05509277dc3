"""Adapter: distributed-curator, on local Spark with all cores.

Its groups are the ``representative_id`` of each text. Without options the tool has its defaults, 1,000 partitions
among them, and Spark its own but for the driver's memory.
"""

import os
import shutil
import sys
import tempfile

from quotelab.benchmarks.peers.contract import EVENT_LOG, adapter_parser, given, read_texts, write_groups


def main() -> None:
    """Group the texts."""
    from distributed_curator import get_jar_path, partition_aware_deduplicate
    from pyspark.sql import SparkSession

    parser = adapter_parser(__doc__)
    parser.add_argument("--similarity-threshold", type=float)
    parser.add_argument("--num-hashes", type=int)
    parser.add_argument("--num-bands", type=int)
    parser.add_argument("--ngram", type=int, help="characters of a shingle")
    parser.add_argument("--num-partitions", type=int)
    parser.add_argument("--memory", default="4g", help="of the driver, which is all of local Spark (default: 4g)")
    options = parser.parse_args()
    names = ("similarity_threshold", "num_hashes", "num_bands", "ngram", "num_partitions")
    logged = {**EVENT_LOG, "spark.eventLog.dir": f"file:{options.event_log}"} if options.event_log else {}
    settings = {"spark.jars": get_jar_path(), "spark.driver.memory": options.memory, "spark.ui.enabled": "false"}
    if options.num_partitions:
        settings["spark.sql.shuffle.partitions"] = str(options.num_partitions)  # as its README advises
    builder = SparkSession.builder.master("local[*]").config("spark.driver.host", "localhost")
    for name, value in {**settings, **logged}.items():
        builder = builder.config(name, value)
    os.environ["PYSPARK_PYTHON"] = sys.executable  # Spark's workers need the tool too
    with tempfile.TemporaryDirectory() as checkpoints:
        spark = builder.config("spark.sql.warehouse.dir", checkpoints).getOrCreate()
        rows = spark.read.schema("id STRING, text STRING").json(str(options.texts)).withColumnRenamed("id", "doc_id")
        made = partition_aware_deduplicate(
            spark=spark, input_df=rows, is_input_doc_id_unique=True, **given(options, *names)
        )
        groups = {row[0]: row[1] for row in made.select("doc_id", "representative_id").collect()}
        kept = spark.sparkContext._jsc.sc().getCheckpointDir()  # below a folder that the tool chooses
        shutil.rmtree(kept.get().removeprefix("file:"))
        spark.stop()
    write_groups((groups[str(number)] for number in range(len(read_texts(options.texts)))), options.groups)


if __name__ == "__main__":
    main()

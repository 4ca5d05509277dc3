"""An archive of the classes that Spark loads at its start: Java maps it instead of reading them from 300 jars.

``python -m quotelake.spark.class_archive`` makes it where there is none: Spark starts, does a little of what every run
does, and Java writes the archive, of 200 MB, when it ends. ``conf/spark-env.sh`` says when it is taken. Without one all
works as well, only slower. After a change of Java remove the folder ``quotelake`` in that of pyspark and install again.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from quotelake.spark.installation import spark_folder


def ensure_archive(spark: Path) -> str | None:
    """Make the archive of Spark in a folder if it is not there. Returns why that failed; None if it is there."""
    archive = spark / "quotelake" / "classes.jsa"
    if archive.exists():
        return None
    print("quotelake: making an archive of Spark's classes")
    (archive.parent / "empty").mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "QUOTELAKE_ARCHIVE": "ArchiveClassesAtExit"}
    done = subprocess.run(
        [sys.executable, "-c", "from quotelake.spark.class_archive import start; start()"],
        env=environment, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if archive.exists():
        return None
    archive.touch()  # it is not tried again; Java passes over it
    return f"{done.stdout}{done.stderr}"[-1000:] or "Java wrote none"


def start() -> None:
    """Start Spark, write rows that Python made into a Delta table, change and read them."""
    from quotelake.spark.session import end_session, get_session

    spark = get_session("class_archive")
    with tempfile.TemporaryDirectory() as folder:
        rows = spark.range(4, numPartitions=1).mapInArrow(lambda batches: batches, "id BIGINT")
        for _ in range(2):
            rows.write.format("delta").mode("append").save(folder)
        stored = spark.read.format("delta").load(folder)
        stored.join(rows, "id", "left").groupBy("id").count().orderBy("id").toArrow()
        spark.sql(f"DELETE FROM delta.`{folder}` WHERE id = 1")
    end_session(spark)


if __name__ == "__main__":
    if problem := ensure_archive(spark_folder()):
        print(f"quotelake: no archive of classes, so Spark starts more slowly: {problem}", file=sys.stderr)

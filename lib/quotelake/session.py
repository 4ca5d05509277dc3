"""The Spark session of a job: Delta switched on, whatever started the process. Spark lives here and in the shells."""

import os
import sys

from pyspark.sql import SparkSession

#: What every session needs. ``conf/spark-defaults.conf`` says the same where ``spark-submit`` starts the JVM; here it
#: covers plain ``python`` and tests. Settings of memory and cores are the operator's and stay out.
_REQUIRED = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
}


def get_session(name: str, **settings: str) -> SparkSession:
    """Start (or join) the Spark session of a job.

    Args:
        name: application name, shown by the cluster manager.
        settings: further Spark settings with dots as double underscores, such as ``spark__ui__enabled="false"``.
    """
    builder = SparkSession.builder.appName(name)
    for key, value in _REQUIRED.items():
        builder = builder.config(key, value)
    # Workers run the Python of the job: without this a plain ``python job.py`` takes whatever python3 is on PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for key, value in settings.items():
        builder = builder.config(key.replace("__", "."), value)
    return builder.getOrCreate()

"""What a run says at its end of sources that rejected too many of their records, or left too many undated."""

from collections.abc import Mapping

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.tables import Lake
from quotelake.nightly.intake import Intake
from quotelake.settings import Settings
from quotelake.sources.rejects import UNREAD_DATE
from quotelake.sources.shares import Commonest, complaint, exceeded


def complaints(lake: Lake, intake: Intake, settings: Settings) -> list[str]:
    """One line for each source and kind of fault that exceeds the share; the tables are asked only where there is one.

    Args:
        lake: as the run left it.
        intake: what the run read.
        settings: hold the share of each source.
    """
    said = []
    for name, counts in intake.counts.items():
        for what in exceeded(name, counts, settings):
            paths = {file.file_id: file.path for file in intake.read if file.source == name}
            places = lake.spark.createDataFrame(pa.table({"path": pa.array(list(paths.values()), pa.string())}))
            faults = (
                lake.rows_of("rejects", places).where(F.col("source") == name)
                if what == "rejects"
                else _unread_dates(lake, name)
            )
            said.append(complaint(name, what, counts, _commonest(faults, paths), settings))
    return said


def _unread_dates(lake: Lake, source: str) -> DataFrame:
    """Unread dates of the documents of a source. Grain: a field of a document; columns as of ``rejects``."""
    documents = lake.read("documents").where(F.col("source") == source)
    each = documents.select("file_id", "position", F.explode("field_problems").alias("each"))
    dates = each.where(F.col("each.problem").isin(sorted(UNREAD_DATE)))
    detail = F.concat("each.field", F.lit(" is "), "each.found")
    return dates.select(
        "file_id", "position", F.lit(None).alias("path"), F.col("each.problem").alias("reason"), detail.alias("detail")
    )


def _commonest(faults: DataFrame, paths: Mapping[str, str]) -> Commonest | None:
    """None where the records are duplicates of documents that were read better before."""
    example = F.min(F.struct("file_id", "position", "detail", "path")).alias("example")
    grouped = faults.groupBy("reason").agg(F.count("*").alias("number"), example)
    row = grouped.orderBy(F.desc("number"), "reason").select("reason", "number", "example.*").first()
    if row is None:
        return None
    path = row["path"] or paths.get(row["file_id"], f"the file {row['file_id']}")
    return Commonest(row["reason"], row["number"], path, row["position"], row["detail"])

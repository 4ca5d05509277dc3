"""What the alert page shows, read from the views of a lake. Spark."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.window import Window

from quotelake.contextomy.omissions import CLASSES
from quotelake.reporting.page import Alert, Report
from quotelake.tables import Lake

#: Alerts of one class a page can hold and still be read.
LIMIT = 500
_AT_ONCE = 4
_SPANS = ("matched", "omitted")
_QUERIES = {
    "coverage": "SELECT * FROM corpus_coverage ORDER BY source",
    "outcomes": (
        "SELECT outcome, count(*) AS quotes, count(alert) AS alerts FROM headline_quotes GROUP BY outcome "
        "ORDER BY quotes DESC, outcome"
    ),
    "rejects": (
        "SELECT source, reason, count(*) AS records FROM rejects GROUP BY source, reason "
        "ORDER BY source, records DESC, reason"
    ),
    "versions": "SELECT rule_version, detector_version, model FROM active_version",
}


def read_report(lake: Lake, limit: int = LIMIT) -> Report:
    """Read what the page shows.

    Args:
        lake: where the views are; they are registered.
        limit: alerts of each class, highest score first; 1 or more.
    """
    frames = {name: lake.spark.sql(query) for name, query in _QUERIES.items()}
    frames["alerts"] = first_of_each_class(lake.spark.table("headline_alerts"), limit)
    with ThreadPoolExecutor(_AT_ONCE) as pool:  # each waits for the driver more than for the data
        rows = dict(zip(frames, pool.map(_rows, frames.values()), strict=True))
    return Report(
        alerts=[_alert(row) for row in rows["alerts"]],
        n_alerts={row["alert"]: row["n_of_class"] for row in rows["alerts"]},
        coverage=rows["coverage"],
        outcomes=rows["outcomes"],
        rejects=rows["rejects"],
        versions=rows["versions"][0] if rows["versions"] else {},
        written_at=lake.started,
    )


def first_of_each_class(alerts: DataFrame, limit: int | None) -> DataFrame:
    """The alerts of each class with the highest scores, in order; ``n_of_class`` counts all of the class.

    Args:
        alerts: rows of the view ``headline_alerts``.
        limit: how many of each class; None: all.
    """
    order = (F.desc_nulls_last("score"), F.col("quote_id"))
    of_class = Window.partitionBy("alert")
    counted = alerts.withColumns({"n_of_class": F.count("*").over(of_class)})
    placed = counted.withColumn("place", F.row_number().over(of_class.orderBy(*order)))
    first = placed if limit is None else placed.where(F.col("place") <= limit)
    return first.orderBy("alert", "place").drop("place")


def _alert(row: dict[str, Any]) -> Alert:
    values = {field.name: row[field.name] for field in fields(Alert) if field.name in row}
    for name in _SPANS:
        values[name] = tuple((span["start"], span["end"]) for span in row[name])
    return Alert(**values, omitted_classes=[name for name in CLASSES if row[f"omitted_{name}"]])


def _rows(frame: DataFrame) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in frame.collect()]

"""Alerts out of a lake to be labelled, and the labels back into ``alert_reviews``. Spark."""

from dataclasses import asdict
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.errors import InputError
from quotelake.reporting.alerts import first_of_each_class
from quotelake.reporting.reviews import IDS, Review, changed, to_csv
from quotelake.tables import Lake, table_schema
from quotelake.views import view_text


def export_alerts(lake: Lake, alert: str | None, first: int | None) -> str:
    """Alerts as CSV: the ``first`` of each class by score, or all of them."""
    alerts = lake.spark.table("headline_alerts")
    wanted = alerts if alert is None else alerts.where(F.col("alert") == alert)
    return to_csv(row.asDict() for row in first_of_each_class(wanted, first).collect())


def add_reviews(lake: Lake, reviews: list[Review]) -> int:
    """Append the labels that say something new; returns how many.

    Raises:
        InputError: an alert was never shown by this lake; nothing is written.
    """
    if not reviews:
        return 0
    named = _frame(lake, reviews)
    shown = lake.read("contextomy").where("alert IS NOT NULL").select(*IDS)
    unknown = [row["quote_id"] for row in named.select(*IDS).join(shown, list(IDS), "left_anti").limit(5).collect()]
    if unknown:
        raise InputError(f"this lake has no such alert: {', '.join(unknown)}; the file was exported from another one")
    archive = lake.read("alert_reviews").where(F.col("reviewer") == reviews[0].reviewer)
    new = changed(reviews, (row.asDict() for row in archive.collect()))
    if new:
        lake.append(_frame(lake, new), "alert_reviews")
    return len(new)


def precision(lake: Lake) -> list[dict[str, Any]]:
    """Rows of the view ``alert_precision``, with the labels as they are now."""
    lake.read("alert_reviews").createOrReplaceTempView("alert_reviews")
    return [row.asDict() for row in lake.spark.sql(view_text("alert_precision")[1]).collect()]


def _frame(lake: Lake, reviews: list[Review]) -> DataFrame:
    return lake.spark.createDataFrame([asdict(review) for review in reviews], table_schema("alert_reviews"))

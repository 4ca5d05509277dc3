"""Headline quotes that a language model has not read yet, read after all else of a night; failures never end it.

A quote is read once: by another model or instruction only if a run is started to do so. Each batch of readings is a
commit, so a killed run is taken up behind it. What failed is tried again in the next runs.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

from quotelake.contextomy.quotes import CUT
from quotelake.errors import SettingsError
from quotelake.lake.runs import StageCounts
from quotelake.nightly.night import Night
from quotelake.reader.answers import Reading
from quotelake.reader.client import Reader
from quotelake.reader.instruction import Question, reader_version
from quotelake.settings import Which

#: Which rows of ``contextomy`` are read.
WHICH: Final[dict[Which, str]] = {"alerts": "alert IS NOT NULL", "differences": "size(differences) > 0", "all": "true"}
#: Runs in which a failed request is made again at most, and requests per task between two commits [ours].
MOST_ATTEMPTS: Final = 5
_PER_TASK: Final = 8
_PLACES: Final = ("best", "second", "body")


def read_headlines(night: Night, stage: StageCounts, again: Which | None = None) -> None:
    """Have the model of the settings read what no model has read; of ``again`` also what only others have read."""
    settings, run = night.settings.reader, night.run
    try:
        reader = Reader(settings)
    except SettingsError as error:
        run.report(f"  nothing is read: {error}")
        return
    waiting = _waiting(night, again)
    rows = waiting.limit(settings.budget).collect()
    left = waiting.count() - len(rows) if len(rows) == settings.budget else 0
    size = _PER_TASK * settings.tasks
    with reader:
        for first in range(0, len(rows), size):
            run.set_progress("readings", "quotes", len(rows), done=first)
            part = rows[first : first + size]
            answers = list(zip(part, reader.read_all(_questions(night, part)), strict=True))
            made = [_row(row, reading, reader) for row, reading in answers if reading is not None]
            if made:
                night.lake.append_new(night.lake.frame(made, "readings"), "readings")
            for one in made:
                count = {one["verdict"] or one["status"]: 1}
                stage.count(asked=1, **count, tokens_in=one["tokens_in"], tokens_out=one["tokens_out"])
            left += len(part) - len(made)
    stage.count(left_for_the_next_run=left)
    if reader.has_given_up:
        run.report(
            f"  {settings.url} failed too often in a row ({reader.last_failure}): the rest waits for the next run"
        )


def _waiting(night: Night, again: Which | None) -> DataFrame:
    """Rows of ``contextomy`` to be read, with ``attempt``: what failed last, alerts and what is new first."""
    lake, versions, this = night.lake, night.versions, reader_version(night.settings.reader)
    judged = lake.read("contextomy").where(
        (F.col("rule_version") == versions.rule_version) & (F.col("detector_version") == versions.detector_version)
    )
    is_this, has_failed = F.col("reader_version") == this, F.col("status") == "failed"
    known = (
        lake.stored("readings")
        .groupBy("quote_id")
        .agg(
            F.max(~has_failed).alias("by_any"),
            F.max(~has_failed & is_this).alias("by_this"),
            F.sum((has_failed & is_this).cast("int")).alias("failures"),
        )
    )
    unread = f"({WHICH[night.settings.reader.which]}) AND NOT coalesce(by_any, false)"
    anew = f"({WHICH[again]}) AND NOT coalesce(by_this, false)" if again else "false"
    rows = judged.join(known, "quote_id", "left").withColumn("attempt", F.coalesce("failures", F.lit(0)) + 1)
    order = ("attempt", F.col("alert").isNull(), F.desc("ingested_at"), F.desc("severity"), "quote_id")
    rows = rows.where(f"(({unread}) OR ({anew})) AND attempt <= {MOST_ATTEMPTS}").orderBy(*order)
    places = (f"{name}_{part}" for name in _PLACES for part in ("start", "end"))
    return rows.select("quote_id", "doc_id", "attempt", *places)


def _questions(night: Night, rows: Sequence[Row]) -> list[Question]:
    lake, articles = night.lake, night.lake.ids("doc_id", (row["doc_id"] for row in rows))
    texts = lake.rows_of("documents", articles, ("headline", "body", "body_status")).collect()
    documents = {row["doc_id"]: row for row in texts}
    of_rules = F.col("rule_version") == night.versions.rule_version
    quotes = lake.rows_of("quotes", articles, ("quote_id", "start", "end", "field", "rule_version"))
    found = quotes.where(of_rules & (F.col("field") == "headline")).collect()
    spans = {row["quote_id"]: (row["start"], row["end"]) for row in found}
    questions = []
    for row in rows:
        article = documents[row["doc_id"]]
        places = tuple((row[f"{n}_start"], row[f"{n}_end"]) for n in _PLACES if row[f"{n}_start"] is not None)
        texts = (article["headline"], *spans[row["quote_id"]], article["body"])
        questions.append(Question(*texts, places, article["body_status"] not in CUT))
    return questions


def _row(row: Row, reading: Reading, reader: Reader) -> dict[str, Any]:
    ids = {name: row[name] for name in ("quote_id", "doc_id", "attempt")}
    ids |= {"reader_version": reader.version, "model": reader.settings.model}
    found = asdict(reading) | {"evidence": [{"start": start, "end": end} for start, end in reading.evidence]}
    return ids | {name: found[name] for name in found if name != "words"}

"""Headline quotes that a language model has not read yet, read after all else of a night; failures never end it.

A quote is read once, by another model or instruction only if a run is started to do so. A killed run goes on behind its
last commit. What failed is tried again in the next runs.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from pyspark.sql import Row

from quotelake.contextomy.quotes import CUT
from quotelake.errors import SettingsError
from quotelake.lake.runs import StageCounts
from quotelake.nightly.night import Night
from quotelake.query.catalog import named_statements
from quotelake.reader.answers import Reading
from quotelake.reader.client import Reader
from quotelake.reader.instruction import Question
from quotelake.settings import Which

#: Runs in which a request that fails is made, at most; and requests per task between two commits [ours].
MOST_ATTEMPTS: Final = 5
_PER_TASK: Final = 8
_WAITING, _TEXTS = named_statements("quotelake.nightly", "readings.sql").values()


def read_headlines(night: Night, stage: StageCounts, again: Which | None = None) -> None:
    """Have the model of the settings read what no model has read; of ``again`` also what only others have read."""
    lake, versions, settings = night.lake, night.versions, night.settings.reader
    try:
        reader = Reader(settings)
    except SettingsError as error:
        night.run.report(f"  nothing is read: {error}")
        return
    waiting = lake.spark.sql(
        _WAITING, judged=lake.read("contextomy"), readings=lake.stored("readings"), version=reader.version,
        rules=versions.rule_version, detector=versions.detector_version, which=settings.which, again=again or "",
        most=MOST_ATTEMPTS,
    )  # fmt: skip
    rows = waiting.limit(settings.budget).collect()
    left = waiting.count() if len(rows) == settings.budget else len(rows)
    size = _PER_TASK * settings.tasks
    for first in range(0, len(rows), size):
        night.run.set_progress("readings", "quotes", len(rows), done=first)
        part = rows[first : first + size]
        pairs = zip(part, reader.read_all(_questions(night, part)), strict=True)
        made = [_row(row, reading, reader) for row, reading in pairs if reading is not None]
        if made:
            lake.append_new(lake.frame(made, "readings"), "readings")
        for one in made:
            stage.count(asked=1, tokens_in=one["tokens_in"], tokens_out=one["tokens_out"])
            stage.count(**{one["verdict"] or one["status"]: 1})
        left -= len(made)
        if len(made) < len(part):
            night.run.report("  too many requests failed in a row (readings has the reasons): the next run goes on")
            break
    stage.count(left_for_the_next_run=left)


def _questions(night: Night, rows: Sequence[Row]) -> list[Question]:
    lake, articles = night.lake, night.lake.ids("doc_id", (row["doc_id"] for row in rows))
    documents, quotes = (lake.rows_of(table, articles) for table in ("documents", "quotes"))
    rules = night.versions.rule_version
    texts = lake.spark.sql(_TEXTS, quotes=quotes, documents=documents, rules=rules).collect()
    found = {text.quote_id: text for text in texts}
    pairs = [(found[row["quote_id"]], tuple(map(tuple, row["places"]))) for row in rows]
    return [Question(t.headline, t.start, t.end, t.body, places, t.body_status not in CUT) for t, places in pairs]


def _row(row: Row, reading: Reading, reader: Reader) -> dict[str, Any]:
    found = asdict(reading) | {"reader_version": reader.version, "model": reader.settings.model}
    found |= {"evidence": [{"start": start, "end": end} for start, end in reading.evidence]}
    return found | {name: row[name] for name in ("quote_id", "doc_id", "attempt")}

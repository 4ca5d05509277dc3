"""What is computed again: what depends on dates that files, read again, give; and all scores of topics.

**Dates.** A document is never read twice but for this: a date that could not be read is NULL in ``documents``, and
other settings may read it. The dates are no part of its id, so no quote and no outcome changes: only the months of its
contexts, and the topic variation of these months. ``documents`` comes last, so a run that was killed is taken up again
by the next.

**Scores.** All groups are scored again where a run has another representation of contexts or another topic head than
the lake. What is stored of a text does not depend on either, so only texts without a vector are embedded: none, if the
new representation is made of the same texts. The old scores stay beside the new ones; views follow when the run is
complete.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.runs import COMPLETE, StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly.annotate import MONTH
from quotelake.nightly.intake import records_of, rows_of, undated, write_files
from quotelake.nightly.night import Batch, Night
from quotelake.nightly.scores import score_archive
from quotelake.nightly.versions import Versions
from quotelake.sources.files import Due, in_batches
from quotelake.spark.session import materialised, set_parallelism
from quotelake.topics.selection import MIN_WORDS
from quotelake.watch.stage import uses_of_hits, watched_groups

_READ: Final = ("published_at", "published_on", "date_only", "updated_at", "field_problems")
#: Bytes of ``contexts`` whose groups are scored together.
_BYTES_PER_PART: Final = 120_000_000


def correct_dates(night: Night, todo: Due, stage: StageCounts, process: Callable[[Batch, DataFrame], None]) -> None:
    """Read files once more whose documents lack dates, and bring all tables to what this reading gives.

    Every document of the lake must be scored: a stream would pass over a document that is corrected before.
    ``process`` brings what depends on documents up to date; of those that are scored, nothing but their months.
    """
    lake, every = night.lake, undated(todo)
    for number, files in enumerate(in_batches(every, night.settings.run.batch_bytes)):
        night.run.set_progress("scores: correcting dates", "files", len(every), in_hand=len(files))
        with materialised() as keep:
            records = keep(records_of(night, files))
            corrected = keep(corrected_documents(lake, records))
            count = corrected.count()
            stage.count(documents_corrected=count)
            if count:
                months = corrected.selectExpr("doc_id", f"{MONTH} AS period")
                lake.correct(months, "contexts", "doc_id")
                days = corrected.selectExpr("doc_id", "published_on AS published")
                lake.correct(days, "story_texts", "doc_id")
                if lake.bytes_of("watch_hits"):
                    lake.correct(months, "watch_hits", "doc_id")
                txn = Transaction(f"dates-{night.run.run_id}", number)
                with replace(night, rereads=True).batch(StageCounts("corrections"), txn) as batch:
                    process(batch, corrected)
                lake.correct(corrected.select("doc_id", *_READ), "documents", "doc_id")
            write_files(lake, rows_of(night, files, records)[0], {file.file_id for file in files})


def corrected_documents(lake: Lake, records: DataFrame) -> DataFrame:
    """Rows of ``documents`` with the dates that a new reading gives. Grain: a document whose dates or problems differ.

    Only the record that a document was first read from corrects it, and only a document with a problem is corrected.
    """
    usable = records.where("reason IS NULL")
    read = usable.select("file_id", "position", "document.doc_id", *(f"document.{name}" for name in _READ))
    stored = lake.rows_of("documents", read.select("doc_id")).where("field_problems IS NOT NULL")
    differ = " OR ".join(f"NOT (old.{name} <=> new.{name})" for name in _READ)
    pairs = stored.alias("old").join(read.alias("new"), ["doc_id", "file_id", "position"], "inner").where(differ)
    taken = {name: f"new.{name}" for name in _READ}
    return pairs.select(*(F.col(taken.get(name, name)).alias(name) for name in columns("documents")))


def scores_are_whole(night: Night, before: Versions | None) -> bool:
    """Whether all scores of the run's representation are there, of the documents that its versions have scored.

    The active versions, ``before``, name the representation of the last complete run. Only a run that was killed since
    then can have scored documents by another one; and one of other versions, whenever it was.
    """
    versions, lake = night.versions, night.lake
    of_others = F.col("representation") != versions.representation
    if before is not None and before == versions:
        if before.representation != versions.representation:
            return False
        last = lake.last_run()
        if last is not None and last.versions.get("topic_variation") == lake.version("topic_variation"):
            return True
        complete = lake.read("runs").where(F.col("stage") == COMPLETE).select("run_id")
        return lake.read("topic_variation").where(of_others).join(complete, "run_id", "left_anti").isEmpty()
    if not lake.bytes_of("topic_variation"):
        return True
    same = (F.col("rule_version") == versions.rule_version) & (F.col("fingerprint") == versions.fingerprint)
    return lake.read("topic_variation").where(same & of_others).isEmpty()


def rescore(night: Night, stage: StageCounts) -> None:
    """Score all groups of the lake, some of them at a time."""
    lake = night.lake
    size = lake.bytes_of("contexts") + lake.bytes_of("watch_hits")
    set_parallelism(lake.spark, size)
    parts = max(-(-size // _BYTES_PER_PART), 1)
    for part in range(parts):
        night.run.set_progress(f"rescored: {night.versions.representation}", "parts", parts, in_hand=1)
        with night.batch(stage) as batch:
            is_in_part = F.pmod(F.xxhash64("group_id"), F.lit(parts)) == part
            groups = batch.read("variant_groups").where(is_in_part).select("variant_id", "group_id")
            long = lake.read("variants").where(F.col("words") >= MIN_WORDS).select("variant_id")
            scored = groups.join(long, "variant_id", "left_semi").select("group_id").dropDuplicates()
            hits = batch.read("watch_hits")
            watched = watched_groups(hits).where(is_in_part)
            members = batch.keep(groups.join(scored, "group_id", "left_semi").unionByName(watched))
            found = uses_of_hits(hits)
            uses = batch.read("contexts").select(*found.columns).unionByName(found)
            score_archive(batch, batch.keep(uses.join(members, "variant_id", "left_semi")), members)

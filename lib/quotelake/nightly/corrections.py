"""Dates of documents that were read undated, corrected in every table when their files are read again.

A document is never read twice but for this: a date that could not be read is NULL in ``documents``, and other settings
may read it. The dates are no part of its id, so no quote and no outcome changes: only the months of its contexts, and
the topic variation of these months. ``documents`` comes last, so a run that was killed is taken up again by the next.
"""

from dataclasses import replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Lake, Transaction
from quotelake.nightly.batch import process
from quotelake.nightly.chain import Batch, Chain
from quotelake.nightly.intake import Intake, count_records, digests, records_of, write_files
from quotelake.sources import documents as docs
from quotelake.sources.files import in_batches
from quotelake.spark.materialise import Materialised

_READ = ("published_at", "updated_at", "field_problems")


def correct_dates(chain: Chain, intake: Intake, stage: StageCounts) -> None:
    """Read files once more whose documents lack dates, and bring all tables to what this reading gives.

    Every document of the lake must be scored: a stream would pass over a document that is corrected before.
    """
    lake = chain.lake
    for number, files in enumerate(in_batches(intake.undated, chain.settings.run.batch_bytes)):
        chain.run.at("scores: correcting dates", "files", len(intake.undated), in_hand=len(files))
        with Materialised() as materialise:
            records = materialise(records_of(chain, files))
            corrected = materialise(corrected_documents(lake, records))
            count = corrected.count()
            stage.count(documents_corrected=count)
            if count:
                months = corrected.select("doc_id", F.date_format("published_at", "yyyy-MM").alias("period"))
                lake.correct(months, "contexts", "doc_id")
                if lake.bytes_of("watch_hits"):
                    lake.correct(months, "watch_hits", "doc_id")
                _score_again(chain, corrected, materialise, number)
                lake.correct(corrected.select("doc_id", *_READ), "documents", "doc_id")
            rows = docs.rows_of_files(files, count_records(lake, records), digests(chain.settings))
            write_files(lake, rows, {file.file_id for file in files})


def corrected_documents(lake: Lake, records: DataFrame) -> DataFrame:
    """Rows of ``documents`` with the dates that a new reading gives. Grain: a document whose dates or problems differ.

    Only the record that a document was first read from corrects it, and only a document with a problem is corrected.

    Args:
        lake: holds the documents.
        records: as :func:`quotelake.sources.read.read_records_frame` gives them.
    """
    usable = records.where("reason IS NULL")
    read = usable.select("file_id", "position", "document.doc_id", *(f"document.{name}" for name in _READ))
    stored = lake.rows_of("documents", read.select("doc_id")).where("field_problems IS NOT NULL")
    differ = " OR ".join(f"NOT (old.{name} <=> new.{name})" for name in _READ)
    pairs = stored.alias("old").join(read.alias("new"), ["doc_id", "file_id", "position"], "inner").where(differ)
    taken = {name: f"new.{name}" for name in _READ}
    return pairs.select(*(F.col(taken.get(name, name)).alias(name) for name in columns("documents")))


def _score_again(chain: Chain, documents: DataFrame, materialise: Materialised, number: int) -> None:
    """Bring up to date what depends on the months of documents that are scored; nothing else is written."""
    txn = Transaction(f"dates-{chain.run.run_id}", number)
    again = replace(chain, rereads=True)
    process(Batch(again, txn, StageCounts("corrections"), materialise, chain.lake), documents)

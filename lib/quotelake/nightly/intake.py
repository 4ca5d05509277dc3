"""What comes in: files → ``documents``, ``rejects`` and ``files``.

Each file is read once, and again where other settings may mend it. Then its rejects and its row of ``files`` are
replaced, records that were rejected may become documents, and dates that could not be read are corrected: no quote and
no outcome depends on them. ``documents`` is corrected last, so the next run takes up a killed one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.errors import InputError
from quotelake.lake.contracts import columns
from quotelake.lake.damage import DamageError
from quotelake.lake.runs import Run, StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly.annotate import MONTH
from quotelake.nightly.forget_requests import add_deletions
from quotelake.nightly.night import Batch, Night
from quotelake.program import shipped
from quotelake.quotes.spans import find_quotes
from quotelake.settings import Settings
from quotelake.sources import documents as docs
from quotelake.sources import files as sources
from quotelake.sources.check import check_mapping
from quotelake.sources.files import Due, InputFile
from quotelake.sources.keyed_hashes import author_key, has_author_key, key_place
from quotelake.sources.rejects import ASKED_FOR, UNREAD_DATE, Fault, Reason, complaint, exceeded
from quotelake.spark.kept import materialised
from quotelake.spark.session import default_files, is_small, set_parallelism, start_workers
from quotelake.text.ids import content_id

#: Counts of files and of records by their fate, per source.
Counts = dict[str, Counter[str]]
#: Columns of ``documents`` that a new reading corrects.
_CORRECTED: Final = ("published_at", "published_on", "date_only", "updated_at", "field_problems")
#: What is known of a file while it is read again.
_KEPT: Final = (*sources.COUNTS, *sources.PROBLEM_COUNTS)


def find_inputs(
    lake: Lake, run: Run, settings: Settings, inputs: Sequence[tuple[str, str]], reread: Collection[str] = ()
) -> list[InputFile]:
    """Files of all ``inputs``, sources with a glob each, once; warns of settings that do not fit files to be read.

    An InputError: an input cannot be listed, a source to read again is none of the inputs, or the first records of a
    file lack a body or headline.
    """
    absent = sorted(set(reread) - {source for source, _ in inputs})
    if absent:
        raise InputError(f"--reread {absent[0]}: there is no --input {absent[0]}=GLOB that names its files")
    listed = (file for source, pattern in inputs for file in sources.list_files(source, pattern, default_files()))
    files = list({file.file_id: file for file in listed}.values())
    with lake.reporting_damage():
        unread = due(lake, files, settings, reread).files
    if unread:
        start_workers(lake.spark)
    for warning in check_mapping(unread, settings, find_quotes):
        run.report(warning)
    return files


def due(lake: Lake, files: Sequence[InputFile], settings: Settings, reread: Collection[str]) -> Due:
    """Files to read, by the rows of ``files`` now."""
    if not lake.exists("files"):
        return sources.due_files(files, (), (), settings)
    known = {row["file_id"] for row in lake.small_rows("files", ["file_id"])}
    rows = lake.small_rows("files", sources.DUE_COLUMNS, "true" if reread else sources.FAULTY)
    return sources.due_files(files, known, rows, settings, reread)


def check_author_key(lake: Lake, settings: Settings) -> None:
    """Refuse, by a DamageError, a lake whose tweet authors were hashed by a secret that is gone."""
    place = key_place(settings.ingest.author_key_file, lake.root)
    if has_author_key(place) or not lake.exists("documents"):
        return
    hashed = lake.exists("forgotten") and bool(lake.small_rows("forgotten", ["mark"]))
    if hashed or not lake.read("documents").where("author_key IS NOT NULL").isEmpty():
        raise DamageError(
            f"{lake.root}: the lake is damaged: the secret {place}, by which the authors of its "
            "tweets are hashed, is missing; under a new one the same authors would have other hashes. Put the file "
            "back from a backup, or name its place with --set ingest.author_key_file=FILE: see "
            f"{shipped('docs/NIGHTLY.md')}, “A damaged lake”"
        )


def undated(todo: Due) -> list[InputFile]:
    """Files read again that had unread dates: these are corrected when all documents are scored."""
    return [file for file in todo.again if todo.before[file.file_id]["unread_dates"]]


def read_files(night: Night, todo: Due, stage: StageCounts) -> Counts:
    """Files → ``documents``, ``rejects`` and, last, ``files``. Returns counts of records by their fate, per source."""
    counts: Counts = defaultdict(Counter)
    if todo.again:  # noted before anything of them changes
        stage.count(files_read_again=len(todo.again))
        kept = {file: {name: todo.before[file.file_id][name] for name in _KEPT} for file in todo.again}
        rows = [asdict(file) | {"settings_digest": sources.UNFINISHED, **row} for file, row in kept.items()]
        write_files(night.lake, rows)
    read = 0
    for batch in sources.in_batches(todo.files, night.settings.run.batch_bytes):
        night.run.set_progress("documents: reading", "files", len(todo.files), in_hand=len(batch), done=read)
        read += len(batch)
        small = is_small(sum(file.size for file in batch))
        with materialised(small=small) as keep:
            lake, records = replace(night.lake, small=small), keep(records_of(night, batch))
            for source, numbers in _write_records(replace(night, lake=lake), batch, records, todo, stage).items():
                always = *sources.COUNTS, "files"
                named = [(name, number) for name, number in numbers.items() if number or name in always]
                shown = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in named)
                night.run.report(f"  {source}: {shown}")
                stage.count(**{name: number for name, number in named if name != "files"})
                counts[source].update(numbers)
    return counts


def records_of(night: Night, files: Sequence[InputFile]) -> DataFrame:
    """Records of files, read by the settings of the run (:func:`quotelake.sources.documents.read_records_frame`)."""
    lake, settings = night.lake, night.settings
    set_parallelism(lake.spark, sum(file.size for file in files), lake.bytes_of("documents"))
    key = author_key(key_place(settings.ingest.author_key_file, lake.root))
    marks = {row["mark"] for row in lake.small_rows("forgotten", ["mark"])}
    return docs.read_records_frame(lake.spark, files, settings, author_key=key, now=night.now, marks=marks)


def _write_records(
    night: Night, files: Sequence[InputFile], records: DataFrame, todo: Due, stage: StageCounts
) -> Counts:
    """Write documents, rejects and files of a batch; returns counts of records by their fate, per source."""
    lake, again, unreadable = night.lake, {file.file_id for file in files} & {*todo.before}, set[str]()
    if again:
        ids = records.where(F.col("reason") == Reason.UNREADABLE_FILE.value).select("file_id").collect()
        unreadable = {row["file_id"] for row in ids} & again
    readable = [file for file in files if file.file_id not in unreadable]
    for file in files:
        if file.file_id in unreadable:
            night.run.report(f"  {file.path}: cannot be opened now; what was read of it before stays")
    lake.append_new(docs.documents_of(records), "documents")
    rows, counted = rows_of(night, files, records)
    _write_rejects(lake, docs.rejects_of(records), readable, is_new=any(row["rejects"] for row in counted))
    if any(night.settings.sources[file.source].deletion for file in files):
        deletions = records.where(F.col("reason") == Reason.DELETION.value).select("source", "raw").distinct().collect()
        unknown = add_deletions(lake, night.settings, {content_id(*row) for row in deletions})
        stage.count(**({"deletions_of_unknown": unknown} if unknown else {}))
    later = {file.file_id for file in undated(todo)}
    write_files(lake, [row for row in rows if row["file_id"] not in later])
    return docs.counts_by_source(files, counted, {file_id: row["documents"] for file_id, row in todo.before.items()})


def rows_of(
    night: Night, files: Sequence[InputFile], records: DataFrame
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows of ``files``, once their documents are written; and those of ``docs.count_files``."""
    ids = records.where("reason IS NULL").select("document.doc_id")
    stored = night.lake.rows_of("documents", ids, ("file_id", "position"))
    counted = [row.asDict() for row in docs.count_files(records, stored).collect()]
    digests = {name: sources.reading_digest(name, night.settings) for name in night.settings.sources}
    return docs.rows_of_files(files, counted, digests), counted


def write_files(lake: Lake, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of ``files``, in place of those of an earlier reading."""
    if rows:
        lake.replace(lake.frame(rows, "files"), "files")


def _write_rejects(lake: Lake, rejects: DataFrame, files: Sequence[InputFile], *, is_new: bool) -> None:
    """Write the rejects of files, among others, over those that an earlier reading of them left, complete or not.

    ``is_new``: there are some now.
    """
    named = [file.file_id for file in files]
    listed = ", ".join(f"'{file_id}'" for file_id in named) or "NULL"  # hexadecimal: nothing to escape
    stale = sorted({row["file_id"] for row in lake.small_rows("rejects", ["file_id"], f"file_id IN ({listed})")})
    if not is_new and not stale:
        return
    ids = lake.ids("file_id", named)
    stored = lake.rows_of("rejects", lake.ids("path", [file.path for file in files]))
    # A file that left rejects has all that its last reading leaves; documents that are set aside stay so.
    is_stale = F.col("file_id").isin(stale)
    new = docs.new_rejects(rejects.where(~is_stale).join(ids, "file_id", "left_semi"), stored)
    aside = stored.where(is_stale & (F.col("reason") == Reason.SET_ASIDE.value)).select(*rejects.columns)
    lake.replace(new.unionByName(rejects.where(is_stale)).unionByName(aside), "rejects", stale)


def correct_dates(night: Night, todo: Due, stage: StageCounts, process: Callable[[Batch, DataFrame], None]) -> None:
    """Read files again whose documents, all scored, lack dates; correct these in all tables, by ``process`` too."""
    lake, every = night.lake, undated(todo)
    for number, files in enumerate(sources.in_batches(every, night.settings.run.batch_bytes)):
        night.run.set_progress("scores: correcting dates", "files", len(every), in_hand=len(files))
        with materialised() as keep:
            records = keep(records_of(night, files))
            corrected = keep(corrected_documents(lake, records))
            count = corrected.count()
            stage.count(documents_corrected=count)
            if count:
                month, day = f"{MONTH} AS period", "published_on AS published"
                for table, date in (("contexts", month), ("story_texts", day), ("watch_hits", month)):
                    lake.correct(corrected.selectExpr("doc_id", date), table, "doc_id")
                txn = Transaction(f"dates-{night.run.run_id}", number)
                with replace(night, rereads=True).batch(StageCounts("corrections"), txn) as batch:
                    process(batch, corrected)
                lake.correct(corrected.select("doc_id", *_CORRECTED), "documents", "doc_id")
            write_files(lake, rows_of(night, files, records)[0])


def corrected_documents(lake: Lake, records: DataFrame) -> DataFrame:
    """Rows of ``documents`` whose dates differ in a new reading of the record that each was first read from."""
    usable = records.where("reason IS NULL")
    read = usable.select("file_id", "position", "document.doc_id", *(f"document.{name}" for name in _CORRECTED))
    stored = lake.rows_of("documents", read.select("doc_id")).where("field_problems IS NOT NULL")
    differ = " OR ".join(f"NOT (old.{name} <=> new.{name})" for name in _CORRECTED)
    pairs = stored.alias("old").join(read.alias("new"), ["doc_id", "file_id", "position"], "inner").where(differ)
    taken = {name: f"new.{name}" for name in _CORRECTED}
    return pairs.select(*(F.col(taken.get(name, name)).alias(name) for name in columns("documents")))


def complaints(lake: Lake, todo: Due, counts: Counts, settings: Settings) -> list[str]:
    """One line for each source and kind of fault whose share is exceeded, by the counts of records that a run read."""
    lines = []
    for name, numbers in counts.items():
        for what in exceeded(name, numbers, settings):
            paths = {file.file_id: file.path for file in todo.files if file.source == name}
            of_source = F.col("source") == name
            if what == "rejects":
                stored = lake.rows_of("rejects", lake.ids("path", paths.values())).where(of_source)
                faults = stored.where(~F.col("reason").isin(Reason.SET_ASIDE.value, *sorted(ASKED_FOR)))
            else:
                each = lake.read("documents").where(of_source).select("*", F.explode("field_problems").alias("each"))
                detail = "concat(each.field, ' is ', each.found) AS detail"
                faults = each.where(F.col("each.problem").isin(sorted(UNREAD_DATE))).selectExpr(
                    "file_id", "position", "NULL AS path", "each.problem AS reason", detail
                )
            lines.append(complaint(name, what, numbers, _commonest(faults, paths), settings))
    return lines


def _commonest(faults: DataFrame, paths: Mapping[str, str]) -> Fault | None:
    """None where the records are duplicates of documents that were read better before."""
    example = F.min(F.struct("position", "file_id", "detail", "path")).alias("example")  # the first of a file
    grouped = faults.groupBy("reason").agg(F.count("*").alias("number"), example)
    row = grouped.orderBy(F.desc("number"), "reason").select("reason", "number", "example.*").first()
    if row is None:
        return None
    path = row["path"] or paths.get(row["file_id"], f"the file {row['file_id']}")
    return Fault(row["reason"], path, row["position"], row["detail"], row["number"])

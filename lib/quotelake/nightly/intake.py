"""Input files → ``documents``, ``rejects`` and ``files``: each file once, and again where other settings may mend it.

A file that is read again has its rejects and its row of ``files`` replaced. Its documents are found by their ids, so
what an earlier reading gave stays as it is, and only the records that it rejected become new documents.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.errors import InputError
from quotelake.lake.damage import DamageError
from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Lake
from quotelake.nightly.chain import Chain
from quotelake.settings import Settings
from quotelake.sources import documents as docs
from quotelake.sources.authors import author_key, has_author_key, key_place
from quotelake.sources.files import COUNTS, PROBLEM_COUNTS, InputFile, in_batches, list_files
from quotelake.sources.read import read_records_frame
from quotelake.sources.rejects import Reason
from quotelake.sources.rereading import ASKED, FAULTY, UNFINISHED, Due, due_files, reading_digest
from quotelake.spark.materialise import Materialised
from quotelake.spark.session import fit
from quotelake.spark.together import together


@dataclass
class Intake:
    """What the stages of one run hand on.

    Attributes:
        files: all input files, those of earlier runs included.
        reread: sources of which every file is read again.
        new_bytes: bytes of the files that this run read; 0 where all were read before.
        read: files that this run read.
        counts: what became of their records, by source.
        undated: files read again that had unread dates: their dates are corrected when all documents are scored.
    """

    files: Sequence[InputFile]
    reread: Collection[str] = ()
    new_bytes: int = 0
    read: list[InputFile] = field(default_factory=list)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    undated: list[InputFile] = field(default_factory=list)


def listed(lake: Lake, inputs: Sequence[tuple[str, str]], reread: Collection[str]) -> list[InputFile]:
    """Files of all inputs, each once: two patterns may name the same file.

    Raises:
        InputError: an input cannot be listed, or a source to read again is none of the inputs.
    """
    absent = sorted(set(reread) - {source for source, _ in inputs})
    if absent:
        raise InputError(f"--reread {absent[0]}: there is no --input {absent[0]}=GLOB that names its files")
    default = lake.spark._jsc.hadoopConfiguration().get("fs.defaultFS", "file:///")  # of paths without a scheme
    files = [file for source, pattern in inputs for file in list_files(source, pattern, default)]
    return list({file.file_id: file for file in files}.values())


def due(lake: Lake, files: Sequence[InputFile], settings: Settings, reread: Collection[str]) -> Due:
    """Files to read, as the lake stands now."""
    if not lake.exists("files"):
        return due_files(files, (), (), settings)
    known = {row["file_id"] for row in lake.small_rows("files", ["file_id"])}
    rows = lake.small_rows("files", ASKED, "true" if reread else FAULTY)
    return due_files(files, known, rows, settings, reread)


def check_author_key(lake: Lake, settings: Settings) -> None:
    """Refuse a lake whose tweet authors were hashed by a secret that is gone: a new one would hash them differently.

    Raises:
        DamageError: the secret is missing, and documents with hashed authors are there.
    """
    path = settings.ingest.author_key_file
    if has_author_key(path, lake.root) or not lake.exists("documents"):
        return
    if not lake.read("documents").where("author_key IS NOT NULL").isEmpty():
        raise DamageError(
            f"{lake.root}: the lake is damaged: the secret {key_place(path, lake.root)}, by which the authors of its "
            "tweets are hashed, is missing; under a new one the same authors would have other hashes. Put the file "
            "back from a backup, or name its place with --set ingest.author_key_file=FILE: see docs/NIGHTLY.md, "
            "“A damaged lake”"
        )


def read_files(chain: Chain, intake: Intake, stage: StageCounts) -> None:
    """Files → ``documents``, ``rejects`` and, last, ``files``."""
    lake, settings = chain.lake, chain.settings
    todo = due(lake, intake.files, settings, intake.reread)  # asked again: a run that this one waited for may have read
    stage.count(files=len(todo.new), files_read_before=len(intake.files) - len(todo.new))
    if not todo.files:
        return
    if todo.again:
        stage.count(files_read_again=len(todo.again))
        _mark(lake, todo)
    intake.read = todo.files
    intake.new_bytes = sum(file.size for file in todo.files)
    intake.undated = [file for file in todo.again if todo.before[file.file_id]["unread_dates"] != 0]
    read = 0
    for batch in in_batches(todo.files, settings.run.batch_bytes):
        chain.run.at("documents: reading", "files", len(todo.files), in_hand=len(batch), done=read)
        read += len(batch)
        with Materialised() as materialise:
            _keep_records(chain, intake, batch, materialise(records_of(chain, batch)), stage, todo.before)


def records_of(chain: Chain, files: Sequence[InputFile]) -> DataFrame:
    """Records of files, read by the settings of the run (:func:`quotelake.sources.read.read_records_frame`)."""
    lake, settings = chain.lake, chain.settings
    fit(lake.spark, sum(file.size for file in files))
    key = author_key(settings.ingest.author_key_file, lake.root)
    return read_records_frame(lake.spark, files, settings, author_key=key, now=chain.run.started)


def digests(settings: Settings) -> Mapping[str, str]:
    """Digest of the settings that each source is read by."""
    return {name: reading_digest(name, settings) for name in settings.sources}


def _mark(lake: Lake, todo: Due) -> None:
    """Note that files are being read again, before anything of them changes."""
    kept = (*COUNTS, *PROBLEM_COUNTS)
    rows = [
        asdict(file) | {name: todo.before[file.file_id][name] for name in kept} | {"settings_digest": UNFINISHED}
        for file in todo.again
    ]
    lake.replace(lake.frame(rows, "files"), "files", "file_id", [file.file_id for file in todo.again])


def _keep_records(
    chain: Chain,
    intake: Intake,
    files: Sequence[InputFile],
    records: DataFrame,
    stage: StageCounts,
    before: Mapping[str, Mapping[str, Any]],
) -> None:
    lake = chain.lake
    again = [file for file in files if file.file_id in before]
    gone = _unreadable(records, again)
    for file in again:
        if file.file_id in gone:
            chain.run.say(f"  {file.path}: cannot be opened now; what was read of it before stays")
    together(
        lambda: lake.append_new(docs.documents_of(records), "documents"),
        lambda: _write_rejects(lake, docs.rejects_of(records), [file for file in files if file.file_id not in gone]),
    )
    counted = count_records(lake, records)
    rows = docs.rows_of_files(files, counted, digests(chain.settings))
    known = {file.file_id: int(before[file.file_id]["documents"]) for file in again}
    for source, counts in docs.counts_by_source(files, counted, known).items():
        shown = [(name, number) for name, number in counts.items() if number or name in COUNTS or name == "files"]
        chain.run.say(f"  {source}: " + ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in shown))
        stage.count(**{name: number for name, number in shown if name != "files"})
        sums = intake.counts.setdefault(source, {})
        for name, number in counts.items():
            sums[name] = sums.get(name, 0) + number
    later = {file.file_id for file in intake.undated}
    write_files(lake, [row for row in rows if row["file_id"] not in later], {file.file_id for file in again})


def count_records(lake: Lake, records: DataFrame) -> list[dict[str, Any]]:
    """Rows of :func:`quotelake.sources.documents.count_files`, when the documents of the records are written."""
    ids = records.where("reason IS NULL").select("document.doc_id")
    found = docs.count_files(records, lake.rows_of("documents", ids, ("file_id", "position"))).collect()
    return [row.asDict() for row in found]


def write_files(lake: Lake, rows: Sequence[Mapping[str, Any]], again: Collection[str]) -> None:
    """Write rows of ``files``: those of files read again over the rows that are there."""
    old = [row for row in rows if row["file_id"] in again]
    if old:
        lake.replace(lake.frame(old, "files"), "files", "file_id", [row["file_id"] for row in old])
    if len(old) < len(rows):
        lake.append_new(lake.frame([row for row in rows if row["file_id"] not in again], "files"), "files")


def _unreadable(records: DataFrame, files: Sequence[InputFile]) -> list[str]:
    """Those of some files that could not be opened."""
    if not files:
        return []
    ids = records.where(F.col("reason") == Reason.UNREADABLE_FILE.value).select("file_id").collect()
    return sorted({row["file_id"] for row in ids} & {file.file_id for file in files})


def _write_rejects(lake: Lake, rejects: DataFrame, files: Sequence[InputFile]) -> None:
    """Write the rejects of files over those that an earlier reading left, complete or not.

    Args:
        lake: where they go.
        rejects: of these files, and maybe of others, which are passed over.
        files: those whose rejects are written.
    """
    ids = lake.spark.createDataFrame(pa.table({"file_id": pa.array([file.file_id for file in files], pa.string())}))
    stale = sorted({row["file_id"] for row in lake.rows_of("rejects", ids).select("file_id").distinct().collect()})
    if stale:
        lake.replace(rejects, "rejects", "file_id", stale)
    paths = lake.spark.createDataFrame(pa.table({"path": pa.array([file.path for file in files], pa.string())}))
    new = docs.new_rejects(rejects.join(F.broadcast(ids), "file_id", "left_semi"), lake.rows_of("rejects", paths))
    lake.append_new(new, "rejects")

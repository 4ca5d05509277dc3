"""The chain: files → documents → quotes → contextomy, contexts → topic variation. Each stage once, in this order.

Spark's own engine drives it: ``documents`` is a stream, each batch is remembered in a checkpoint of the lake, and every
write inside a batch names it. So a run that was killed is taken up where it stopped, and the same run again finds
nothing to do.
"""

from collections.abc import Sequence

from pyspark.sql import DataFrame

from quotelake.annotate import Rules
from quotelake.batch import Batch, Chain
from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import load_detector
from quotelake.embeddings import models
from quotelake.lake.lease import hold
from quotelake.lake.runs import Run, Stage
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake, Transaction
from quotelake.materialise import Materialised
from quotelake.session import fit, tasks_for
from quotelake.settings import Settings
from quotelake.sources import documents as docs
from quotelake.sources.authors import author_key
from quotelake.sources.files import InputFile, in_batches, list_files
from quotelake.sources.read import check_mapping, read_records_frame
from quotelake.together import together
from quotelake.versions import active, admit, flip, versions_of
from quotelake.versions.progress import others_are_ahead


def score_corpus(
    lake: Lake, run: Run, settings: Settings, inputs: Sequence[tuple[str, str]], *, activate: bool = False
) -> None:
    """Read new files, and bring every table up to date with them.

    Args:
        lake: where the tables are; made if they are not there.
        run: told what each stage did, and written last.
        settings: those of the run.
        inputs: (name of a source in the settings, glob of its files).
        activate: compute the whole archive anew if rules or model changed, instead of refusing.
    """
    listed = [file for source, pattern in inputs for file in list_files(lake.spark, source, pattern)]
    files = list({file.file_id: file for file in listed}.values())  # two patterns may name the same file
    known = {row["file_id"] for row in lake.small_rows("files", ["file_id"])} if lake.exists("files") else set()
    for warning in check_mapping([file for file in files if file.file_id not in known], settings):
        run.say(warning)
    model = settings.model.name or models.DEFAULT
    models.locate(model)  # what is wrong with the input or a model is said before anything is written
    detector = load_detector(settings.contextomy)
    with hold(lake.spark, lake.root, run.run_id, settings.run, run.say):
        run.at("making the tables")
        lake.create()
        before = active(lake)
        dtype = before.dtype if settings.model.dtype == "auto" and before is not None else settings.model.dtype
        found = models.find(model, dtype)
        knows = detector.knows(model)  # another model's cosines mean nothing to its term of the cosine
        versions = versions_of(settings, detector, found.fingerprint, model, found.dtype, knows=knows)
        activating = admit(lake, before, versions, activate=activate)
        languages = languages_of(settings, settings.model.languages if knows else ())
        rules = Rules(settings, detector, languages, versions.rule_version)
        rereads = others_are_ahead(lake, "documents", versions.checkpoint_id)
        chain = Chain(lake, run, settings, rules, versions, rereads)
        with run.stage("documents") as stage:
            size = read_files(chain, files, stage)
        with run.stage("scores") as stage:

            def process(documents: DataFrame, txn: Transaction) -> None:
                spark = documents.sparkSession
                fit(spark, size)
                with Materialised() as materialise:
                    batch = Batch(chain, txn, stage, materialise, lake.within(spark))
                    batch.process(documents, tasks_for(spark, size))

            follow(lake, "documents", versions.checkpoint_id, settings.run.batch_bytes, process)
        run.at("completing")
        if activating:
            flip(lake, versions)
        run.complete(lake)


def read_files(chain: Chain, found: Sequence[InputFile], stage: Stage) -> int:
    """Files → ``documents``, ``rejects`` and, last, ``files``: only files that were not read before.

    Returns:
        Bytes of the new files, at most those of one batch: about what the stages behind work on at a time.
    """
    lake, settings = chain.lake, chain.settings
    known = {row["file_id"] for row in lake.small_rows("files", ["file_id"])}
    new = [file for file in found if file.file_id not in known]
    stage.count(files=len(new), files_read_before=len(found) - len(new))
    if not new:
        return settings.run.batch_bytes  # what an earlier run left is of unknown size
    key = author_key(settings.ingest.author_key_file, lake.root)
    read, read_bytes = 0, sum(file.size for file in new)
    for batch in in_batches(new, settings.run.batch_bytes):
        chain.run.at("documents: reading", "files", len(new), in_hand=len(batch), done=read)
        read += len(batch)
        fit(lake.spark, sum(file.size for file in batch))
        with Materialised() as materialise:
            frame = read_records_frame(lake.spark, batch, settings, author_key=key, now=chain.run.started)
            _keep_records(chain, batch, materialise(frame), stage)
    return min(read_bytes, settings.run.batch_bytes)


def _keep_records(chain: Chain, files: Sequence[InputFile], records: DataFrame, stage: Stage) -> None:
    lake = chain.lake
    together(
        lambda: lake.append_new(docs.documents_of(records), "documents"),
        lambda: lake.append_new(docs.rejects_of(records), "rejects"),
    )
    ids = records.where("reason IS NULL").select("document.doc_id")
    counted = docs.count_files(records, lake.rows_of("documents", ids, ("file_id", "position"))).collect()
    rows = docs.rows_of_files(files, [row.asDict() for row in counted])
    for source, counts in docs.counts_by_source(files, [row.asDict() for row in counted]).items():
        chain.run.say(f"  {source}: " + ", ".join(f"{number:,} {name}" for name, number in counts.items()))
        stage.count(**{name: number for name, number in counts.items() if name != "files"})
    lake.append_new(lake.frame(rows, "files"), "files")

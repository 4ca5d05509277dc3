"""The chain: files → documents → quotes → contextomy, contexts → topic variation. Each stage once, in this order.

Spark's own engine drives it: ``documents`` and ``contexts`` are streams, each batch is remembered in a checkpoint of
the lake, and every write inside a batch names it. So a run that was killed is taken up where it stopped, and the same
run again finds nothing to do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake import documents as docs
from quotelake.contextomy.detector import Detector, load_detector
from quotelake.contextomy.languages import languages_of
from quotelake.contextomy.score import match_headlines, score_headlines, texts_to_embed
from quotelake.embeddings import models
from quotelake.embeddings.embed import embed_texts, gpu_profile
from quotelake.lease import hold
from quotelake.materialise import Materialised
from quotelake.quotes.extract import extract, quotes_of, variants_of
from quotelake.reuse.groups import groups_of
from quotelake.runs import Run, Stage
from quotelake.settings import Settings
from quotelake.sources.authors import author_key
from quotelake.sources.files import InputFile, in_batches, list_files
from quotelake.sources.read import check_mapping, read_records_frame
from quotelake.tables import Lake, Transaction
from quotelake.topics.score import score_variation
from quotelake.topics.uses import (
    contexts_of,
    count_uses,
    eligible_uses,
    masked_texts,
    sample_uses,
    weigh_contexts,
)
from quotelake.versions import Versions, active, admit, flip, versions_of

#: Loading a model costs a worker seconds: a handful of texts is left to few workers.
_TEXTS_PER_ENCODER = 32


@dataclass(frozen=True)
class Chain:
    """What every stage of one run works with."""

    lake: Lake
    run: Run
    settings: Settings
    detector: Detector
    versions: Versions
    rereads: bool  # the archive is read again by other versions, so a row may be there already

    def append(self, df: DataFrame, table: str, txn: Transaction) -> None:
        """Append the rows of new documents; where the archive is read again, those that are not there yet.

        A detector or model has a checkpoint of its own, but shares quotes and contexts with others of its rule version.
        """
        if self.rereads:
            self.lake.append_new(df, table, txn)
        else:
            self.lake.append(df, table, txn)

    @property
    def rule_version(self) -> str:
        """Version of the rules."""
        return self.versions.rule_version

    def current(self, table: str) -> DataFrame:
        """Rows of a table that were computed by this run's rules."""
        return self.lake.read(table).where(F.col("rule_version") == self.rule_version)

    def vectors(self) -> DataFrame:
        """Vectors by this run's model: ``text_hash``, ``vector``."""
        mine = F.col("fingerprint") == self.versions.fingerprint
        return self.lake.read("embeddings").where(mine).select("text_hash", "vector")


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
    for warning in check_mapping(files, settings):
        run.say(warning)
    model = settings.model.name or models.DEFAULT
    models.locate(model)  # what is wrong with the input or a model is said before anything is written
    detector = load_detector(settings.contextomy)
    with hold(lake.spark, lake.root, run.run_id, settings.run, run.say):
        lake.create()
        versions = choose_versions(lake, settings, detector, model)
        activating = admit(lake, versions, activate=activate)
        chain = Chain(lake, run, settings, detector, versions, rereads=activating and active(lake) is not None)
        with run.stage("documents") as stage:
            read_files(chain, files, stage)
        with run.stage("quotes") as stage:
            follow(chain, "documents", process_documents, stage)
        with run.stage("topics") as stage:
            follow(chain, "contexts", process_contexts, stage)
        if activating:
            flip(lake, versions)
        run.complete(lake)


def choose_versions(lake: Lake, settings: Settings, detector: Detector, name: str) -> Versions:
    """Versions this run computes by; the number format is the lake's own where the settings leave it open."""
    before = active(lake)
    dtype: str = settings.model.dtype
    if dtype == "auto" and before is not None:
        dtype = before.dtype
    model = models.find(name, dtype)
    return versions_of(settings, detector, model.fingerprint, name, model.dtype)


def read_files(chain: Chain, found: Sequence[InputFile], stage: Stage) -> None:
    """Files → ``documents``, ``rejects`` and, last, ``files``: only files that were not read before."""
    lake, settings = chain.lake, chain.settings
    known = {row["file_id"] for row in lake.read("files").select("file_id").collect()}
    new = [file for file in found if file.file_id not in known]
    stage.count(files=len(new), files_read_before=len(found) - len(new))
    key = author_key(settings.ingest.author_key_file, lake.root)
    for batch in in_batches(new, settings.run.batch_bytes):
        with Materialised() as materialise:
            _read_batch(chain, batch, key, stage, materialise)


def _read_batch(chain: Chain, files: Sequence[InputFile], key: bytes, stage: Stage, materialise: Materialised) -> None:
    lake = chain.lake
    records = materialise(read_records_frame(lake.spark, files, chain.settings, author_key=key, now=chain.run.started))
    lake.append_new(materialise(docs.documents_of(records)), "documents")
    lake.append_new(docs.rejects_of(records), "rejects")
    counted = materialise(docs.count_files(records, lake.read("documents"), files))
    for source, counts in docs.assert_nothing_lost(counted).items():
        chain.run.say(f"  {source}: " + ", ".join(f"{number:,} {name}" for name, number in counts.items()))
        stage.count(**{name: number for name, number in counts.items() if name != "files"})
    lake.append_new(docs.readable(counted, records), "files")


def follow(
    chain: Chain,
    table: str,
    process: Callable[[Chain, DataFrame, Transaction, Stage, Materialised], None],
    stage: Stage,
) -> None:
    """Pass every row of ``table`` that this version has not seen through ``process``, in remembered batches."""
    lake = chain.lake
    name = f"{table}-{chain.versions.checkpoint_id}"

    def batch(rows: DataFrame, number: int) -> None:
        with Materialised() as materialise:
            process(chain, rows, Transaction(name, number), stage, materialise)

    stream = lake.spark.readStream.format("delta")
    stream = stream.option("maxBytesPerTrigger", chain.settings.run.batch_bytes).option("skipChangeCommits", "true")
    query = (
        stream.load(lake.path(table))
        .writeStream.foreachBatch(batch)
        .option("checkpointLocation", lake.checkpoint(name))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def process_documents(
    chain: Chain, batch: DataFrame, txn: Transaction, stage: Stage, materialise: Materialised
) -> None:
    """New documents → ``quotes``, ``variants``, ``contexts``, ``contextomy``. Nothing older is looked at."""
    lake, settings = chain.lake, chain.settings
    documents = materialise(batch)
    extracted = materialise(extract(documents, chain.rule_version))
    quotes = quotes_of(extracted)
    chain.append(quotes, "quotes", txn)
    lake.append_new(materialise(variants_of(extracted)), "variants", txn)
    chain.append(contexts_of(documents, quotes, settings.contexts, chain.rule_version), "contexts", txn)
    # The term of the cosine was made for one model, so another one's cosines mean nothing to it.
    languages = settings.model.languages if chain.detector.knows(settings.model.name or models.DEFAULT) else ()
    matched = match_headlines(documents, quotes, settings.contextomy, chain.detector, languages_of(settings, languages))
    matches = materialise(matched)
    embedded = embed_missing(chain, texts_to_embed(matches, languages), materialise)
    scored = score_headlines(
        matches,
        chain.vectors(),
        settings.contextomy,
        chain.detector,
        languages=languages,
        rule_version=chain.rule_version,
        detector_version=chain.versions.detector_version,
    )
    chain.append(scored, "contextomy", txn)
    stage.count(
        documents=documents.count(), quotes=quotes.count(), headline_quotes=matches.count(), texts_embedded=embedded
    )


def process_contexts(chain: Chain, batch: DataFrame, _: Transaction, stage: Stage, materialise: Materialised) -> None:
    """New contexts → ``variant_groups``, ``topic_variation``: the groups they touch, scored over all their contexts."""
    lake, settings = chain.lake, chain.settings
    new = materialise(batch.where(F.col("rule_version") == chain.rule_version))
    variants = lake.read("variants").select("variant_id", "words")
    used = variants.join(F.broadcast(new.select("variant_id")), "variant_id", "left_semi")
    lake.append_new(materialise(groups_of(used, chain.rule_version)), "variant_groups")
    groups = chain.current("variant_groups")
    touched = groups.join(new.select("variant_id"), "variant_id", "left_semi").select("group_id").dropDuplicates()
    members = materialise(groups.join(touched, "group_id", "left_semi").select("variant_id", "group_id"))
    uses = materialise(eligible_uses(chain.current("contexts"), members, variants, settings.topics))
    counts = materialise(count_uses(uses))
    sampled = materialise(sample_uses(uses, counts, settings.topics.sample))
    embedded = embed_missing(chain, masked_texts(sampled, lake.read("documents")), materialise)
    scored = materialise(
        score_variation(
            weigh_contexts(sampled),
            chain.vectors(),
            counts,
            rule_version=chain.rule_version,
            fingerprint=chain.versions.fingerprint,
            materialise=materialise,
        )
    )
    groups_scored = scored.where("period = 'all'").count()
    if groups_scored:
        lake.merge(scored, "topic_variation")
    stage.count(contexts=new.count(), groups_scored=groups_scored, texts_embedded=embedded)


def embed_missing(chain: Chain, texts: DataFrame, materialise: Materialised) -> int:
    """Embed the texts that have no vector by this model yet, and keep the vectors. Returns how many there were."""
    needed = materialise(texts)
    known = chain.vectors().select("text_hash").join(F.broadcast(needed.select("text_hash")), "text_hash", "left_semi")
    missing = materialise(needed.join(known, "text_hash", "left_anti"))
    count = missing.count()
    if count:
        slots = chain.settings.model.partitions or chain.lake.spark.sparkContext.defaultParallelism
        vectors = embed_texts(
            missing,
            model=chain.versions.model,
            dtype=chain.versions.dtype,
            fingerprint=chain.versions.fingerprint,
            partitions=min(slots, -(-count // _TEXTS_PER_ENCODER)),
            profile=gpu_profile(chain.lake.spark),
        )
        chain.lake.append_new(materialise(vectors), "embeddings")
    return count

"""A batch of new documents → every table behind ``documents``: what each says by itself, then the groups they touch."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from quotelake.annotate import (
    Rules,
    annotate,
    contexts_of,
    count_annotations,
    matches_of,
    quotes_of,
    reused_variants_of,
    variants_of,
)
from quotelake.contextomy.stage import score_headlines, texts_to_embed
from quotelake.embeddings.embed import embed_texts, gpu_profile
from quotelake.lake.runs import Run, Stage
from quotelake.lake.tables import Lake, Transaction
from quotelake.materialise import Materialised
from quotelake.reuse.groups import groups_of, members_of
from quotelake.settings import Settings
from quotelake.together import together
from quotelake.topics.contexts_stage import masked_texts
from quotelake.topics.score import score_variation
from quotelake.topics.selection import count_uses, eligible_uses, sample_uses, weigh_contexts
from quotelake.versions import Versions

#: Loading a model costs a worker as much as embedding some hundred texts: so few workers for few texts.
_TEXTS_PER_ENCODER = 512
#: A task of many texts: about a minute on one core, so that progress is seen and a lost task costs little.
_TEXTS_PER_TASK = 2048


@dataclass(frozen=True)
class Chain:
    """What every stage of one run works with."""

    lake: Lake
    run: Run
    settings: Settings
    rules: Rules
    versions: Versions
    rereads: bool  # other versions have read documents that these have not, so a row may be there already


@dataclass(frozen=True)
class Batch:
    """One batch of new documents on its way through the tables.

    Args:
        chain: the run it belongs to.
        txn: names what it writes.
        stage: told what was found.
        materialise: keeps a frame that is read more than once.
        lake: in the session of the batch, so that all its frames are of one.
    """

    chain: Chain
    txn: Transaction
    stage: Stage
    materialise: Materialised
    lake: Lake

    def process(self, documents: DataFrame, tasks: int) -> None:
        """Bring every table up to date with new documents.

        Args:
            documents: rows of ``documents``; one file of theirs is one task, however many articles it holds.
            tasks: that the pass over their text is cut into.
        """
        chain, lake = self.chain, self.lake
        total = self._documents_left()
        chain.run.at("scores: finding quotes", "documents", total, in_hand=total or 0)
        if tasks > 1:
            documents = documents.repartition(tasks, "doc_id")
        annotated = self.materialise(annotate(documents, chain.rules))
        self.stage.count(**count_annotations(annotated))
        chain.run.at("scores: writing quotes and contexts")
        used = contexts_of(annotated).select("variant_id").dropDuplicates()
        together(
            lambda: self._append(quotes_of(annotated), "quotes"),
            lambda: lake.append_new(variants_of(annotated), "variants", self.txn),
            lambda: self._append(contexts_of(annotated), "contexts"),
            lambda: lake.append_new(groups_of(used, chain.versions.rule_version), "variant_groups"),
        )
        chain.run.at("scores: looking up what was said before")
        matches = matches_of(annotated)
        sampled, counted = self._uses(annotated)
        known, made = self._vectors(matches, sampled)
        vectors = known if made is None else known.union(made.select("text_hash", "vector"))
        if made is None:
            chain.run.at("scores: deciding")
        scores: list[Callable[[], None]] = [
            lambda: self._append_scores(matches, vectors),
            lambda: self._score_groups(sampled, counted, vectors),
        ]
        if made is not None:
            scores.append(partial(lake.append_new, made, "embeddings"))
        together(*scores)

    def _documents_left(self) -> int | None:
        """Documents this run read and has not scored yet; None where it takes up what another run read."""
        read = next((stage.counts.get("documents", 0) for stage in self.chain.run.stages), 0)
        return max(read - self.stage.counts.get("documents", 0), 0) or None

    def _append(self, df: DataFrame, table: str) -> None:
        """Append the rows of new documents; where others may have read these before, those that are not there yet.

        A detector or model has a checkpoint of its own, but shares quotes and contexts with others of its rule version.
        """
        if self.chain.rereads:
            self.lake.append_new(df, table, self.txn)
        else:
            self.lake.append(df, table, self.txn)

    def _uses(self, annotated: DataFrame) -> tuple[DataFrame, DataFrame]:
        """Uses that are compared of the groups these documents touch, archive included; and the counts of all uses."""
        settings = self.chain.settings.topics
        members = members_of(reused_variants_of(annotated, settings))
        contexts = self.lake.rows_of("contexts", members.select("variant_id")).where(self._by_these_rules())
        uses = self.materialise(eligible_uses(contexts, members, settings))
        counted = self.materialise(count_uses(uses))
        return self.materialise(sample_uses(uses, counted, settings.sample)), counted

    def _vectors(self, matches: DataFrame, sampled: DataFrame) -> tuple[DataFrame, DataFrame | None]:
        """Vectors of the texts that the scores of this batch need.

        Returns:
            Those that are in the table, as ``text_hash`` and ``vector``; and rows of ``embeddings`` for the others,
            None where there are no others.
        """
        lake, versions = self.lake, self.chain.versions
        own = texts_to_embed(matches, self.chain.rules.languages.compared)
        masked = sampled.select(F.col("masked_hash").alias("text_hash"))
        needed = self.materialise(own.select("text_hash").union(masked).dropDuplicates())
        archive = lake.rows_of("embeddings", needed).where(F.col("fingerprint") == versions.fingerprint)
        known = self.materialise(archive.select("text_hash", "vector"))
        missing = needed.join(known, "text_hash", "left_anti")
        cut = sampled.join(missing.withColumnRenamed("text_hash", "masked_hash"), "masked_hash", "left_semi")
        bodies = lake.rows_of("documents", cut.select("doc_id"))
        texts = own.join(missing, "text_hash", "left_semi").union(masked_texts(cut, bodies))
        return known, self._embed(self.materialise(texts.dropDuplicates(["text_hash"])))

    def _embed(self, texts: DataFrame) -> DataFrame | None:
        """Rows of ``embeddings`` for texts; None where there are no texts."""
        count = texts.count()
        self.stage.count(texts_embedded=count)
        if not count:
            return None
        self.chain.run.at("scores: embedding", "texts", count, in_hand=count)
        versions, spark = self.chain.versions, self.lake.spark
        slots = self.chain.settings.model.partitions or spark.sparkContext.defaultParallelism
        vectors = embed_texts(
            texts,
            model=versions.model,
            dtype=versions.dtype,
            fingerprint=versions.fingerprint,
            partitions=max(min(slots, -(-count // _TEXTS_PER_ENCODER)), -(-count // _TEXTS_PER_TASK)),
            profile=gpu_profile(spark),
        )
        return self.materialise(vectors)

    def _append_scores(self, matches: DataFrame, vectors: DataFrame) -> None:
        chain = self.chain
        scored = score_headlines(
            matches,
            vectors,
            chain.settings.contextomy,
            chain.rules.detector,
            languages=chain.rules.languages.compared,
            rule_version=chain.versions.rule_version,
            detector_version=chain.versions.detector_version,
        )
        self._append(scored, "contextomy")

    def _score_groups(self, sampled: DataFrame, counted: DataFrame, vectors: DataFrame) -> None:
        versions = self.chain.versions
        scored = score_variation(
            weigh_contexts(sampled),
            vectors,
            counted,
            rule_version=versions.rule_version,
            fingerprint=versions.fingerprint,
        )
        scored = self.materialise(scored)
        groups = scored.where("period = 'all'").count()
        self.stage.count(groups_scored=groups)
        if groups:
            self.lake.merge(scored, "topic_variation")

    def _by_these_rules(self) -> Column:
        return F.col("rule_version") == self.chain.versions.rule_version

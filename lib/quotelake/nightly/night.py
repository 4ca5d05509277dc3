"""A night, as all its steps see it: lake, settings, rules, versions; and one batch of documents with its writes."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.embeddings.embed import embed_texts, gpu_profile
from quotelake.lake.runs import Run, StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly.annotate import Rules
from quotelake.nightly.versions import Versions
from quotelake.settings import Settings
from quotelake.spark.arrow import count_rows
from quotelake.spark.kept import Materialise, materialised
from quotelake.topics.head import Representation

#: Loading a model costs a worker as much as embedding some hundred texts: so few workers for few texts.
_TEXTS_PER_ENCODER: Final = 512
#: A task of many texts: about a minute on one core, so that progress is seen and a lost task costs little.
_TEXTS_PER_TASK: Final = 2048
_TEXTS_PER_GPU_TASK: Final = 60_000  # a second or less; a GPU that starts a task for fewer texts mostly waits


class Origin(NamedTuple):
    """Where the record of a document was read."""

    file_id: str
    position: int


@dataclass(frozen=True)
class Night:
    """Lake, settings, rules and versions of one run."""

    lake: Lake
    run: Run
    settings: Settings
    rules: Rules
    versions: Versions
    representation: Representation
    now: datetime  # start of this run, or of the last one if that is later: no date lies far after it
    rereads: bool  # other versions have processed documents that these have not, so a row may be there already
    #: Documents that no pass over the text reads; it grows (:mod:`quotelake.nightly.set_aside`).
    set_aside: set[Origin] = field(default_factory=set)

    @contextmanager
    def batch(
        self, stage: StageCounts, txn: Transaction | None = None, *, small: bool | None = None
    ) -> Iterator["Batch"]:
        """Open a batch; frames that it keeps are released at the end of the block.

        Rows of a ``small`` one are kept on the driver; None: it is if the writes of the night's lake are.
        """
        small = self.lake.small if small is None else small
        with materialised(small=small) as keep:
            yield Batch(self, replace(self.lake, small=small), stage, keep, txn)


@dataclass(frozen=True)
class Batch:
    """One batch of documents, and reads and writes under the rules of its run."""

    night: Night
    lake: Lake
    stage: StageCounts
    keep: Materialise
    txn: Transaction | None = None  # None where every write is of rows by their keys

    @property
    def rule_version(self) -> str:
        """Version of the rules of the run."""
        return self.night.versions.rule_version

    def read(self, table: str) -> DataFrame:
        """Rows of a table under the rules of the run."""
        return self.lake.stored(table).where(F.col("rule_version") == self.rule_version)

    def rows_of(self, table: str, keys: DataFrame, columns: Sequence[str] = ()) -> DataFrame:
        """Rows of a table under the rules of the run by keys, as :meth:`quotelake.lake.tables.Lake.rows_of`."""
        return self.lake.rows_of(table, keys, columns, f"rule_version = '{self.rule_version}'")

    def append(self, df: DataFrame | None, table: str, *, new: bool = False) -> None:
        """Append rows of new documents, if any; of ``new`` ones, or where other versions may have written some, only
        those whose key is not in the table.
        """
        if df is not None:
            append = self.lake.append_new if new or self.night.rereads else self.lake.append
            append(df, table, self.txn)

    def replace(self, df: DataFrame | None, table: str, emptied: Collection[str] = ()) -> None:
        """Replace all rows of groups, and leave none of other ``emptied`` ones, under the rules of the run."""
        if df is not None:
            self.lake.replace(df, table, emptied, self.rule_version, self.txn)

    def embed(self, texts: DataFrame) -> DataFrame | None:
        """Rows of ``embeddings`` for materialised texts, ``text_hash`` and ``text``; None where there are no texts."""
        count = count_rows(texts)
        self.stage.count(texts_embedded=count)
        if not count:
            return None
        self.night.run.set_progress("scores: embedding", "texts", count, in_hand=count)
        versions, spark = self.night.versions, self.lake.spark
        profile = gpu_profile(spark, self.night.settings.model.tasks_per_gpu)
        slots = 1 if profile else min(spark.sparkContext.defaultParallelism, -(-count // _TEXTS_PER_ENCODER))
        parts = max(slots, -(-count // (_TEXTS_PER_GPU_TASK if profile else _TEXTS_PER_TASK)))
        return self.keep(embed_texts(
            texts, model=versions.model, dtype=versions.dtype, fingerprint=versions.fingerprint, partitions=parts,
            profile=profile,
        ))  # fmt: skip

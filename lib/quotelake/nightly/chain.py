"""What the steps of a run work with: the run's own, a batch of documents, and the frames that its steps hand on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pyspark.sql import DataFrame

from quotelake.lake.runs import Run, StageCounts
from quotelake.lake.tables import Lake, Transaction
from quotelake.nightly.annotate import Rules
from quotelake.nightly.regrouping import Compared, Regrouped
from quotelake.nightly.same_story import Storied
from quotelake.nightly.versions import Versions
from quotelake.settings import Settings
from quotelake.spark.materialise import Materialised
from quotelake.topics.representation import Representation


@dataclass(frozen=True)
class Chain:
    """What every stage of one run works with."""

    lake: Lake
    run: Run
    settings: Settings
    rules: Rules
    versions: Versions
    representation: Representation
    rereads: bool  # other versions have read documents that these have not, so a row may be there already


Do = TypeVar("Do", bound=Callable[..., object])


@dataclass(frozen=True)
class Step(Generic[Do]):
    """A step of the chain or of a batch.

    Args:
        name: what it makes; of a stage of the chain, its name in ``runs`` too.
        do: its function.
        reads: tables whose rows it works with. What a write asks of its own table is not counted.
        writes: tables it appends rows to; in ``topic_variation`` and ``topic_details`` it replaces rows by key as well.
    """

    name: str
    do: Do
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


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
    stage: StageCounts
    materialise: Materialised
    lake: Lake

    def append(self, df: DataFrame, table: str) -> None:
        """Append the rows of new documents; where others may have read these before, those that are not there yet.

        A detector or model has a checkpoint of its own, but shares quotes and contexts with others of its rule version.
        """
        if self.chain.rereads:
            self.append_new(df, table)
        else:
            self.lake.append(df, table, self.txn)

    def append_new(self, df: DataFrame, table: str) -> None:
        """Append the rows whose key the table does not hold yet, once for this batch."""
        self.lake.append_new(df, table, self.txn)


@dataclass
class Frames:
    """What the steps of a batch hand on; each frame is set by the step that makes it.

    Attributes:
        documents: rows of ``documents``.
        annotated: what each document says by itself (:func:`quotelake.nightly.annotate.annotate`).
        compared: variants that are new, and the pairs they are in.
        regrouped: reuse groups as they are with them.
        storied: stories as they are with the new texts.
        retold: ``variant_id`` of the quotes of earlier texts whose story changed; None where there are none.
        retold_watched: watched texts used in these, by digest.
        matches: headline quotes as strings left them.
        members: ``variant_id``, ``group_id`` of all members of the groups that the documents touch, archive included.
        contexts: rows of ``contexts`` of these members.
        sampled: uses that are compared, of the groups that the documents touch, archive included.
        counted: all uses of these groups, counted.
        texts: ``text_hash``, ``text`` and ``is_masked`` of contexts that are embedded or explained.
        vectors: ``text_hash``, ``vector`` of every text the scores need.
        embedded: rows of ``embeddings`` that are not in the table yet; None where there are none.
    """

    documents: DataFrame
    annotated: DataFrame = field(init=False)
    compared: Compared = field(init=False)
    regrouped: Regrouped = field(init=False)
    storied: Storied = field(init=False)
    retold: DataFrame | None = field(init=False)
    retold_watched: list[str] = field(default_factory=list)
    matches: DataFrame = field(init=False)
    members: DataFrame = field(init=False)
    contexts: DataFrame = field(init=False)
    sampled: DataFrame = field(init=False)
    counted: DataFrame = field(init=False)
    texts: DataFrame = field(init=False)
    vectors: DataFrame = field(init=False)
    embedded: DataFrame | None = field(init=False)

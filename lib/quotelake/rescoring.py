"""All groups scored again where a run has another representation of contexts or another topic head than the lake.

What is stored of a text does not depend on either, so only texts without a vector are embedded: none, if the new
representation is made of the same texts. The old scores stay beside the new ones; the views follow at the end of the
run. A run that is killed is begun again by the next one.
"""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.chain import Batch, Chain, Frames
from quotelake.contextomy.stage import match_schema
from quotelake.intake import Intake
from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Transaction
from quotelake.materialise import Materialised
from quotelake.scoring import choose_uses, find_vectors, merge_topics
from quotelake.session import fit
from quotelake.watch.stage import uses_of_hits, watched_groups

#: Name of the stage in ``runs``.
STAGE: Final = "rescored"
#: Bytes of ``contexts`` whose groups are scored together.
_BYTES_PER_PART: Final = 200_000_000


def is_due(chain: Chain) -> bool:
    """Whether the scores that the lake shows are of another representation than the run's."""
    before = chain.before
    return before == chain.versions and before.representation != chain.versions.representation


def rescore(chain: Chain, _: Intake, stage: StageCounts) -> None:
    """Score all groups of the lake."""
    lake = chain.lake
    size = lake.bytes_of("contexts") + lake.bytes_of("watch_hits")
    fit(lake.spark, size)
    parts = max(-(-size // _BYTES_PER_PART), 1)
    for part in range(parts):
        chain.run.at(f"{STAGE}: {chain.versions.representation}", "parts", parts, in_hand=1)
        with Materialised() as materialise:
            batch = Batch(chain, Transaction(STAGE, part), stage, materialise, lake)
            frames = Frames(lake.read("documents"))
            frames.matches = lake.spark.createDataFrame([], match_schema())
            choose_uses(batch, frames, *_uses(batch, part, parts))
            find_vectors(batch, frames)
            if frames.embedded is not None:
                lake.append_new(frames.embedded, "embeddings")
            merge_topics(batch, frames)


def _uses(batch: Batch, part: int, parts: int) -> tuple[DataFrame, DataFrame]:
    """Uses of the groups of one part, and their ``variant_id`` and ``group_id``."""
    lake, chain = batch.lake, batch.chain
    of_these_rules = F.col("rule_version") == chain.versions.rule_version
    of_part = F.pmod(F.xxhash64("group_id"), F.lit(parts)) == part
    long = lake.read("variants").where(F.col("words") >= chain.settings.topics.min_words).select("variant_id")
    groups = lake.read("variant_groups").where(of_these_rules & of_part).select("variant_id", "group_id")
    reused = groups.join(long, "variant_id", "left_semi").select("group_id").dropDuplicates()
    hits = lake.read("watch_hits").where(of_these_rules)
    members = groups.join(reused, "group_id", "left_semi").unionByName(watched_groups(hits).where(of_part))
    members = batch.materialise(members)
    quoted = lake.read("contexts").where(of_these_rules)
    uses = uses_of_hits(hits)
    both = quoted.select(*uses.columns).unionByName(uses)
    return batch.materialise(both.join(members, "variant_id", "left_semi")), members

"""All groups scored again where a run has another representation of contexts or another topic head than the lake.

What is stored of a text does not depend on either, so only texts without a vector are embedded: none, if the new
representation is made of the same texts. The old scores stay beside the new ones.

A small file of the lake notes, for each rules and model, of which representation all scores are there. It is changed
before any other scores are written, and when a rescoring is done. So whatever was killed, a run scores all groups again
unless those of its representation are whole. Views follow when the run is complete.
"""

import json
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.contextomy.stage import match_schema
from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Transaction
from quotelake.nightly.chain import Batch, Chain, Frames
from quotelake.nightly.intake import Intake
from quotelake.nightly.scoring import choose_uses, find_vectors, merge_topics
from quotelake.spark.materialise import Materialised
from quotelake.spark.session import fit
from quotelake.watch.stage import uses_of_hits, watched_groups

#: Name of the stage in ``runs``.
STAGE: Final = "rescored"
#: Notes the representation of the scores.
_NOTE: Final = "_representations.json"
#: Bytes of ``contexts`` whose groups are scored together.
_BYTES_PER_PART: Final = 200_000_000


def is_due(chain: Chain) -> bool:
    """Whether the scores of the run's representation may not be whole; of a new lake, they are from the start."""
    noted = _noted(chain).get(_key(chain))
    if noted is None and not chain.lake.bytes_of("topic_variation"):
        _note(chain)
        return False
    return noted != chain.versions.representation


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
    _note(chain)


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


def _key(chain: Chain) -> str:
    return f"{chain.versions.rule_version} {chain.versions.fingerprint}"


def _noted(chain: Chain) -> dict[str, str]:
    try:
        noted = json.loads(chain.lake.storage.read(_NOTE) or "{}")
    except ValueError:  # cut by a run that was killed
        return {}
    return noted if isinstance(noted, dict) else {}


def _note(chain: Chain) -> None:
    noted = {**_noted(chain), _key(chain): chain.versions.representation}
    chain.lake.storage.write(_NOTE, json.dumps(noted, indent=1))

"""The watch-list of a run, and the search of the archive for texts that are new on it.

The annotation searches new documents for the whole list. ``watch_texts`` states of each text whether the archive was
searched and it was on the list of every run since. After a killed run the next one searches again.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.place import CHECKPOINTS
from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Lake
from quotelake.nightly.annotate import rows_in, search
from quotelake.nightly.night import Batch, Night
from quotelake.nightly.scores import score_archive, watched_uses
from quotelake.nightly.set_aside import annotate_or_set_aside
from quotelake.spark.session import set_parallelism
from quotelake.watch.lists import Watched
from quotelake.watch.stage import WatchList

_COLUMNS: Final = ("text_digest", "watch_id", "text", "variants", "exact", "is_current", "searched")


def list_to_follow(lake: Lake, given: Sequence[Watched] | None, rule_version: str) -> WatchList:
    """The watch-list of a run: the given one, or for None that of the last run, by the rules of the lake."""
    if given is not None:
        return WatchList(tuple(sorted(given)), given=True)
    rows = [row for row in _known(lake, rule_version) if row["is_current"]]
    texts = [
        Watched(row["watch_id"], row["text_digest"], (row["text"], *row["variants"]), row["exact"]) for row in rows
    ]
    return WatchList(tuple(sorted(texts)))


def follow_list(night: Night, stage: StageCounts) -> None:
    """Search the archive for texts that are new on the list, then write the list, and which texts are off it."""
    lake, watch, rule_version = night.lake, night.rules.watch, night.versions.rule_version
    known = {row["text_digest"]: row for row in _known(lake, rule_version)}
    followed = {digest for digest, row in known.items() if row["is_current"] and row["searched"]}
    new = tuple(text for text in watch.texts if text.digest not in followed)
    stage.count(texts=len(watch.texts), texts_found_exactly_only=sum(text.exact for text in watch.texts))
    current = {text.digest for text in watch.texts}
    dropped = [row for row in known.values() if row["text_digest"] not in current and row["is_current"]]
    # Documents were processed before this run, by whatever versions; else all are still to be searched.
    if new and any(name.startswith("documents-") for name in lake.storage.names(CHECKPOINTS)):
        _search_archive(night, WatchList(new), stage)
    done = {"is_current": True, "searched": True}
    rows = [
        {"text_digest": text.digest, "watch_id": text.watch_id, "exact": text.exact, "text": first, "variants": others}
        for text in new
        for first, *others in [text.wordings]
    ]
    unwatched = [{**row, "is_current": False, "searched": False} for row in dropped]
    if changed := [row | {"rule_version": rule_version} for row in (*unwatched, *(row | done for row in rows))]:
        lake.replace(lake.frame(changed, "watch_texts"), "watch_texts")


def write_hits(batch: Batch, annotated: DataFrame) -> None:
    """Write the uses of watched texts that the search of the archive has not written yet."""
    if batch.night.rules.watch.texts:
        [found] = annotated.agg(F.sum(F.size("watch_hits")), F.sum("hits_left_out")).collect()
        hits, left_out = (number or 0 for number in found)
        batch.stage.count(watch_hits=hits, **({"watch_hits_left_out": left_out} if left_out else {}))
        batch.lake.append_new(rows_in(annotated, "watch_hits"), "watch_hits")


def _search_archive(night: Night, watch: WatchList, stage: StageCounts) -> None:
    """Find texts in all documents of the lake, and compute their topic variation."""
    lake = night.lake
    night.run.set_progress(f"watched: searching the archive for {len(watch.texts):,} texts")
    stage.count(texts_searched_in_archive=len(watch.texts))
    set_parallelism(lake.spark, lake.bytes_of("documents"))
    with night.batch(stage) as batch:
        documents = lake.read("documents")
        found, _ = annotate_or_set_aside(batch, documents, partial(search, rules=night.rules, watch=watch))
        write_hits(batch, found)
        score_archive(batch, *watched_uses(batch, found))


def _known(lake: Lake, rule_version: str) -> list[dict[str, Any]]:
    """Texts that are or were watched under a version of the rules, as ``watch_texts`` has them."""
    return lake.small_rows("watch_texts", _COLUMNS, f"rule_version = '{rule_version}'")

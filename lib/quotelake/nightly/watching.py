"""The watch-list of a lake: which texts a run follows, and the search of the archive for those that are new.

Documents are searched as they come in, for the whole list, in the pass over their text. A text that is new on the
list is searched for in the archive first. ``watch_texts`` remembers, for each text, whether that was done and whether
the text has been on the list of every run since. A run that is killed leaves it as it was: the next one searches again,
and writes the hits that are not there yet.
"""

from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

from quotelake.lake.files import CHECKPOINTS
from quotelake.lake.runs import StageCounts
from quotelake.lake.stream import Checkpoint
from quotelake.lake.tables import Lake, Transaction
from quotelake.nightly.annotate import search
from quotelake.nightly.batch import write_hits
from quotelake.nightly.chain import Batch, Chain, Frames
from quotelake.nightly.intake import Intake
from quotelake.nightly.scoring import score_watched
from quotelake.spark.materialise import Materialised
from quotelake.spark.session import fit
from quotelake.watch.lists import Watched
from quotelake.watch.stage import WatchList

#: Name of the stage in ``runs``.
STAGE = "watched"
_COLUMNS = ("text_digest", "watch_id", "text", "variants", "exact", "is_current", "searched")


def list_to_follow(lake: Lake, given: Sequence[Watched] | None, rule_version: str) -> WatchList:
    """The watch-list of a run: the one it was given, or that of the last run.

    Args:
        lake: knows the list of the last run.
        given: None where the run was given none; an empty one ends all watching.
        rule_version: version of the rules that the lake was last computed by.
    """
    if given is not None:
        return WatchList(tuple(sorted(given)), given=True)
    rows = [row for row in _known(lake, rule_version) if row["is_current"]]
    texts = (Watched(row["watch_id"], row["text_digest"], (row["text"], *row["variants"])) for row in rows)
    return WatchList(tuple(sorted(texts)))


def follow_list(chain: Chain, _: Intake, stage: StageCounts) -> None:
    """Search the archive for texts that are new on the list, then remember the list.

    That a text is no longer watched is remembered before other documents are processed: watched again, it is searched
    for in all documents.
    """
    lake, watch, rule_version = chain.lake, chain.rules.watch, chain.versions.rule_version
    known = {row["text_digest"]: row for row in _known(lake, rule_version)}
    followed = {digest for digest, row in known.items() if row["is_current"] and row["searched"]}
    new = tuple(text for text in watch.texts if text.digest not in followed)
    stage.count(texts=len(watch.texts), texts_found_exactly_only=sum(text.exact for text in watch.texts))
    current = {text.digest for text in watch.texts}
    dropped = [row for row in known.values() if row["text_digest"] not in current and row["is_current"]]
    _remember(lake, [{**row, "is_current": False, "searched": False} for row in dropped], rule_version)
    if new and _has_archive(lake):
        _search_archive(chain, WatchList(new), stage)
    _remember(lake, [_row(text) for text in new], rule_version)


def _search_archive(chain: Chain, watch: WatchList, stage: StageCounts) -> None:
    """Find texts in all documents of the lake, and compute their topic variation."""
    lake = chain.lake
    chain.run.at(f"{STAGE}: searching the archive for {len(watch.texts):,} texts")
    stage.count(texts_searched_in_archive=len(watch.texts))
    fit(lake.spark, lake.bytes_of("documents"))
    with Materialised() as materialise:
        batch = Batch(chain, Transaction(STAGE, 0), stage, materialise, lake)
        frames = Frames(lake.read("documents"))
        frames.annotated = materialise(search(frames.documents, chain.rules, watch))
        write_hits(batch, frames)
        score_watched(batch, frames)


def _has_archive(lake: Lake) -> bool:
    """Whether documents were processed before this run, by whatever versions; else all are still to be searched."""
    names = [name for name in lake.storage.names(CHECKPOINTS) if name.startswith("documents-")]
    return any(Checkpoint(lake.storage, name).begun() for name in names)


def _known(lake: Lake, rule_version: str) -> list[dict[str, Any]]:
    """Texts that are or were watched under a version of the rules, as ``watch_texts`` has them."""
    return lake.small_rows("watch_texts", _COLUMNS, f"rule_version = '{rule_version}'")


def _row(text: Watched) -> dict[str, Any]:
    return {
        "text_digest": text.digest,
        "watch_id": text.watch_id,
        "text": text.wordings[0],
        "variants": list(text.wordings[1:]),
        "exact": text.exact,
        "is_current": True,
        "searched": True,
    }


def _remember(lake: Lake, rows: Sequence[dict[str, Any]], rule_version: str) -> None:
    """Write rows of ``watch_texts`` over those that are there; none, where there is nothing to write."""
    if rows:
        frame: DataFrame = lake.frame([{**row, "rule_version": rule_version} for row in rows], "watch_texts")
        lake.merge(frame, "watch_texts")

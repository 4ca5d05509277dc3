"""Short excerpts that a batch touches → the groups they join now.

Touched is an excerpt that is used or in a component that new pairs touch, or is held by such a text. Of these all pairs
and uses are read, those of the batch and of all nights before, and decided on the driver: few texts are short excerpts
of others.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.writing import broadcast_if_few
from quotelake.nightly.night import Batch, frame_of_ids
from quotelake.nightly.places import EDGE
from quotelake.reuse.excerpts import JOINED, PHRASE, Decision, UseOf, decide, month_of
from quotelake.reuse.verify import EXCERPT_PAIR, pairs_of

_USE: Final = ("variant_id", "text_id", "period", "speaker")


class Row(NamedTuple):
    """What ``variant_groups`` says of an excerpt."""

    group_id: str
    component_id: str
    excerpt: str | None


class Excerpts(NamedTuple):
    """Excerpts by their ids: what is to be in ``variant_groups``, and what is, of those that are there."""

    now: dict[str, Row]
    before: dict[str, Row]

    def rows(self, batch: Batch, ids: Iterable[str]) -> DataFrame:
        """Rows of ``variant_groups`` of some of them."""
        stamp = {"rule_version": batch.rule_version}
        rows = [{"variant_id": each, **self.now[each]._asdict(), **stamp} for each in sorted(ids)]
        return batch.lake.frame(rows, "variant_groups")

    @property
    def new(self) -> set[str]:
        """Those that are not in ``variant_groups`` yet."""
        return self.now.keys() - self.before.keys()

    @property
    def changed(self) -> set[str]:
        """Those that are to be there otherwise than they are, new ones included."""
        return {each for each, row in self.now.items() if row != self.before.get(each)}

    def went(self) -> Counter[tuple[str, str]]:
        """How many that are there went from which group to which; those that stayed are counted too."""
        return Counter((row.group_id, self.now[each].group_id) for each, row in self.before.items())

    @property
    def groups(self) -> set[str]:
        """Groups that they are in or left."""
        return {row.group_id for rows in (self.now, self.before) for row in rows.values()}


def touched(batch: Batch, used: DataFrame, placed: DataFrame, edges: DataFrame | None = None) -> set[str]:
    """Excerpts to be decided: those that are, or are held by, one of some variants.

    Args:
        batch: what is worked with.
        used: ``variant_id`` of variants with a use more or less. A known phrase is not looked at because of them.
        placed: of variants that may have another group by their pairs.
        edges: pairs that are not stored yet.
    """
    stored, new = (rows.where(F.col("measure") == EXCERPT_PAIR) for rows in _stored_and_new(batch, edges))
    found = new.select("contained")  # a new pair has a variant that is used
    if batch.lake.bytes_of("variant_edges"):
        sides = stored.select("contained", F.explode(F.array("a", "b")).alias("variant_id"))
        ends = broadcast_if_few(used.union(placed).dropDuplicates())
        found = found.union(sides.join(ends, "variant_id", "left_semi").select("contained"))
    phrases = batch.read("variant_groups").where(F.col("excerpt") == PHRASE).select("variant_id")
    known = phrases.join(placed, "variant_id", "left_anti").withColumnRenamed("variant_id", "contained")
    found = found.distinct().join(known, "contained", "left_anti")
    return {row[0] for row in found.collect()}


def decide_touched(
    batch: Batch,
    excerpts: set[str],
    edges: DataFrame | None = None,
    placed: DataFrame | None = None,
    uses: DataFrame | None = None,
) -> Excerpts:
    """Decide which of some excerpts join a group.

    Args:
        batch: what is worked with.
        excerpts: their ids.
        edges: pairs that are not stored yet.
        placed: ``variant_id``, ``group_id``, ``component_id`` of variants whose groups are not stored yet: those that
            excerpts have without joining any.
        uses: rows of ``contexts`` that may not be stored yet.
    """
    if not excerpts:
        return Excerpts({}, {})
    lake, asked = batch.lake, F.broadcast(frame_of_ids(batch.lake, "variant_id", excerpts))
    sides = DataFrame.unionByName(*_stored_and_new(batch, edges)).withColumn("variant_id", F.explode(F.array("a", "b")))
    alike = sides.join(asked, "variant_id", "left_semi").select(*EDGE).dropDuplicates(["a", "b"]).collect()
    # Of an excerpt that one of these holds, not all pairs are here.
    pairs = [pair for pair in pairs_of(alike) if pair.measure != EXCERPT_PAIR or pair.part_and_whole[0] in excerpts]
    ids = frame_of_ids(lake, "variant_id", {*excerpts, *(end for pair in pairs for end in (pair.a, pair.b))})
    stored = batch.rows_of("variant_groups", ids, Row._fields).select("variant_id", *Row._fields)
    before = {variant: Row(*row) for variant, *row in stored.collect()}
    alone = {each: Row(each, row.component_id, None) for each, row in before.items() if row.excerpt == JOINED}
    core = before | {each: row for each, row in alone.items() if each in excerpts}
    if placed is not None:
        now = placed.join(F.broadcast(ids), "variant_id", "left_semi").select("variant_id", *Row._fields[:2])
        core |= {variant: Row(group, component, None) for variant, group, component in now.collect()}
    said = batch.rows_of("contexts", ids, _USE[1:]).select(*_USE)
    if uses is not None:
        said = said.unionByName(uses.join(F.broadcast(ids), "variant_id", "left_semi").select(*_USE))
    by_variant: dict[str, set[UseOf]] = defaultdict(set)
    for variant, text, period, speaker in said.distinct().collect():
        by_variant[variant].add(UseOf(text, month_of(period), speaker))
    decided = decide(pairs, {each: row.group_id for each, row in core.items()}, by_variant)
    nothing = {each: Decision(core[each].group_id, None) for each in excerpts if each in core}
    found = (nothing | decided).items()
    return Excerpts(
        {each: Row(group, core[each].component_id, mark) for each, (group, mark) in found},
        {each: before[each] for each in excerpts if each in before},
    )


def _stored_and_new(batch: Batch, edges: DataFrame | None) -> tuple[DataFrame, DataFrame]:
    """Pairs, stored ones and new ones."""
    stored = batch.read("variant_edges").select(*EDGE)
    return stored, stored.limit(0) if edges is None else edges.select(*EDGE)

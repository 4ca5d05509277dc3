"""New pairs → places: the groups, formed anew, of all components of stored pairs that new pairs touch."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.tables import Lake
from quotelake.reuse.clusters import A_IN_B, B_IN_A, NEITHER, Pair, Place, cluster


class Graph(NamedTuple):
    """Tables of pairs and of places.

    Attributes:
        edges: pairs, with the columns of ``variant_edges`` that :class:`~quotelake.reuse.clusters.Pair` names.
        places: place of each text, with ``component_id``.
        member: column of the id of a text in ``places``.
        group: column of its group there.
        cluster: forms the groups of whole components.
    """

    edges: str
    places: str
    member: str
    group: str
    cluster: Callable[[list[Pair]], dict[str, Place]] = cluster


def place(lake: Lake, graph: Graph, edges: DataFrame, rule_version: str) -> tuple[dict[str, Place], dict[str, Place]]:
    """Place the texts of new pairs, and anew those of all components that these touch: on the driver, which holds them.

    Args:
        lake: holds pairs and places of earlier nights.
        graph: where.
        edges: rows of ``graph.edges``: the new pairs.
        rule_version: version of the rules.

    Returns:
        Places, as stored, of the earlier texts in the components touched; and as they are now, of these and of the new
        texts.
    """
    pairs = pairs_of(edges, rule_version)
    before = _touched(lake, graph, pairs, rule_version)
    if before:
        pairs += pairs_of(lake.rows_of(graph.edges, frame_of_ids(lake, "a", before)), rule_version)
    return before, graph.cluster(pairs)


def frame_of_ids(lake: Lake, name: str, ids: Iterable[str]) -> DataFrame:
    """A frame of one column of ids."""
    return lake.spark.createDataFrame(pa.table({name: pa.array(sorted(ids), pa.string())}))


def frame_of_places(lake: Lake, graph: Graph, places: Mapping[str, Place]) -> DataFrame:
    """A frame of places, with the columns that ``graph`` names and ``component_id``."""
    rows = [(text, *found) for text, found in sorted(places.items())]
    columns_of = [pa.array(column, pa.string()) for column in (zip(*rows, strict=True) if rows else ([], [], []))]
    return lake.spark.createDataFrame(pa.Table.from_arrays(columns_of, names=_columns(graph)))


def _columns(graph: Graph) -> list[str]:
    return [graph.member, graph.group, "component_id"]


def pairs_of(edges: DataFrame, rule_version: str) -> list[Pair]:
    """Rows of a table of pairs on the driver: a night touches few."""
    of_these_rules = edges.where(F.col("rule_version") == rule_version)
    table = of_these_rules.select("a", "b", "measure", "contained", "words_a", "words_b").toArrow()
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return [
        Pair(a, b, measure, A_IN_B if contained == a else B_IN_A if contained == b else NEITHER, *words)
        for a, b, measure, contained, *words in rows
    ]


def _touched(lake: Lake, graph: Graph, pairs: list[Pair], rule_version: str) -> dict[str, Place]:
    """Places, as stored, of all earlier texts in the components that pairs touch."""
    if not pairs or not lake.bytes_of(graph.places):
        return {}
    of_these_rules = F.col("rule_version") == rule_version
    ends = frame_of_ids(lake, graph.member, {text for pair in pairs for text in (pair.a, pair.b)})
    found = lake.rows_of(graph.places, ends, ["component_id", "rule_version"]).where(of_these_rules)
    components = {row[0] for row in found.select("component_id").distinct().collect()}
    if not components:
        return {}
    rows = lake.rows_of(graph.places, frame_of_ids(lake, "component_id", components)).where(of_these_rules)
    return {row[0]: Place(row[1], row[2]) for row in rows.select(*_columns(graph)).collect()}

"""Protocol ``edges``: whether pairs of variants that are verified as the same quote are, by the judgement of a reader.

A reader judged of pairs of real quotes whether one reuses the other, wholly or in part. Wrong are phrases that
different people say about different things, and names. A short excerpt is linked by more than its words, so a pair with
one counts as an edge if both are in one group of the lake.
"""

from collections import defaultdict
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from quotelab.labels.texts import read_rows
from quotelab.report import Report
from quotelab.statistics import ratio, share_figures
from quotelake.files.jsonl import refuse
from quotelake.query.engines import RunSql
from quotelake.reuse.verify import EXCERPT_PAIR, verify
from quotelake.reuse.words import tokenize

_VARIANTS: Final = (
    "SELECT variant_id, canonical_text, coalesce(group_id, variant_id) AS group_id "
    "FROM variants LEFT JOIN variant_groups USING (variant_id) "
    "WHERE variant_id IN ({ids})"
)
VariantId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class LabelledPair(BaseModel):
    """Ids of two variants, and whether a reader takes them for the same quote, wholly or in part."""

    model_config = ConfigDict(frozen=True)

    a: VariantId
    b: VariantId
    same: bool


def evaluate(path: Path, run_sql: RunSql) -> Report:
    """Verify the pairs of a JSONL file; ``run_sql`` queries the lake that their variants are in.

    Figures: ``absent``: pairs of which a text is not known, left out of what follows; ``edges``: pairs that are
    verified. ``precision`` is the share of the edges that are the same quote, ``kept`` the share of the same quotes
    that are edges, with Wilson's 95 % interval; ``edges_MEASURE`` and ``precision_MEASURE`` are of one measure. Rows
    are pairs that are wrongly an edge or none.
    """
    pairs = [pair for _, pair in read_rows(LabelledPair, path)]
    ids = ", ".join(sorted({f"'{id_}'" for pair in pairs for id_ in (pair.a, pair.b)}))
    variants = {row["variant_id"]: row for row in run_sql(_VARIANTS.format(ids=ids))}
    known = [pair for pair in pairs if pair.a in variants and pair.b in variants]
    if not known:
        none = f"{len(pairs)} pairs, none with both texts"
        refuse(f"--data {path}", none, "name a lake of the corpora they are from")
    same: dict[str | None, list[bool]] = defaultdict(list)
    rows = []
    for pair in known:
        a, b = variants[pair.a], variants[pair.b]
        edge = verify(tokenize(a["canonical_text"]), tokenize(b["canonical_text"]))
        measure = edge and edge.measure
        if measure == EXCERPT_PAIR and a["group_id"] != b["group_id"]:
            measure = None
        same[measure].append(pair.same)
        if pair.same != (measure is not None):
            rows.append({**pair.model_dump(), "measure": measure})
    missed = sum(same.pop(None, ()))
    edges = [each for found in same.values() for each in found]
    figures: dict[str, float] = {"pairs": len(pairs), "absent": len(pairs) - len(known), "edges": len(edges)}
    figures |= share_figures("precision", sum(edges), len(edges))
    figures |= share_figures("kept", sum(edges), sum(edges) + missed)
    for name, found in sorted(same.items(), key=str):
        figures |= {f"edges_{name}": len(found), f"precision_{name}": ratio(sum(found), len(found))}
    return Report("edges", figures, rows)

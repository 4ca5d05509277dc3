"""Protocol ``trac_lake``: the topic variation of watched texts in a lake against scores by people (TRaC).

Given are the texts alone: the lake found and scored their uses (Periti et al. 2024, §4 and §5.2).
"""

import math
from pathlib import Path
from typing import Final

from quotelab.labels.judged import read_variation
from quotelab.report import Report
from quotelab.statistics import spearman
from quotelake.files.jsonl import refuse
from quotelake.query.engines import RunSql

#: Variation of each watched text over all time.
QUERY: Final = (
    "SELECT quote, variation, variation_all, variation_low, n_documents, n_distinct_contexts, n_sampled "
    "FROM topic_variation_ranking WHERE kind = 'watch' AND period = 'all'"
)


def evaluate(path: Path, run_sql: RunSql) -> Report:
    """Compare the ranking of a lake with scores by people: CSV of ``lemma``, a watched text, and ``topic_variation``.

    Figures: ``texts`` scored by people and ``missing`` in the lake; ``uses``: distinct contexts of those that are
    there; Spearman correlation with the scores of people of ``variation`` (``trac_spearman``), with copies
    (``trac_spearman_all``) and of the lower bound that ranks (``trac_spearman_low``). Rows: texts.
    """
    gold = read_variation(path)
    scored = {row["quote"]: row for row in run_sql(QUERY)}
    found = [text for text in gold if text in scored and scored[text]["variation"] is not None]
    if len(found) < 3:
        few = f"{len(found)} of its {len(gold)} texts scored by the lake"
        refuse(str(path), few, "score the corpus with --watch and a list of these texts")
    uses = sum(scored[text]["n_distinct_contexts"] for text in found)
    figures: dict[str, float] = {"texts": len(gold), "missing": len(gold) - len(found), "uses": uses}
    for name, column in (("", "variation"), ("_all", "variation_all"), ("_low", "variation_low")):
        pairs = [(gold[text], scored[text][column]) for text in found if scored[text][column] is not None]
        figures[f"trac_spearman{name}"] = spearman(*zip(*pairs, strict=True)) if len(pairs) > 2 else math.nan
    rows = [{"text": text, "gold": gold[text], **scored[text]} for text in sorted(found, key=gold.__getitem__)]
    return Report("trac_lake", figures, rows)

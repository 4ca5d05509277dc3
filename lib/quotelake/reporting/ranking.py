"""The TRaC ranking as a table and as a CSV file. Imports no Spark."""

import csv
from pathlib import Path

from rich.console import Console

from quotelake.errors import InputError
from quotelake.reading.ask import Ask, Rows
from quotelake.reporting.cells import text_cell
from quotelake.reporting.console import make_table

_COLUMNS = (
    "period", "position", "quote", "variation", "variation_low", "variation_high", "variation_all", "n_documents",
    "n_contexts", "n_distinct_contexts", "n_sampled", "group_id", "rule_version", "fingerprint",
)  # fmt: skip


def rank_groups(ask: Ask, *, monthly: bool, min_contexts: int) -> Rows:
    """Rank groups within each period by the lower bound of the interval. Grain: group × period.

    Args:
        ask: queries the lake.
        monthly: one ranking per month of publication, instead of one over all time.
        min_contexts: least distinct contexts of a group. With few contexts the ranking is mostly noise: on subsamples
            of TRoTR, the Spearman correlation with gold is .39 at 2 contexts, .61 at 5, .71 at 10, .82 at 30.
    """
    return ask(ranking_query(monthly=monthly, min_contexts=min_contexts))


def ranking_query(*, monthly: bool, min_contexts: int) -> str:
    """Statement of :func:`rank_groups`, with the same arguments."""
    rows = (
        "SELECT * EXCEPT (position), row_number() OVER (PARTITION BY period ORDER BY variation_low DESC, group_id) "
        f"AS position FROM topic_variation_ranking WHERE period {'<>' if monthly else '='} 'all' "
        f"AND n_distinct_contexts >= {int(min_contexts)} AND variation_low IS NOT NULL AND status <> 'watched'"
    )
    return f"SELECT {', '.join(_COLUMNS)} FROM ({rows}) ranked ORDER BY period, position"


def show_ranking(ranking: Rows, top: int, console: Console) -> None:
    """Print the first ``top`` groups of each period."""
    names = ["period", *_COLUMNS[1:6], "n_documents", "n_distinct_contexts"]
    rows = [row for row in ranking if row["position"] <= top]
    console.print(
        make_table(None, names, rows) if rows else "no group has enough distinct contexts; see --min-contexts"
    )


def write_csv(ranking: Rows, path: Path) -> int:
    """Write the ranking as CSV with a header and no formula in any cell; return the number of rows.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(_COLUMNS)
            writer.writerows([text_cell(row[name]) for name in _COLUMNS] for row in ranking)
    except OSError as error:
        raise InputError(f"--out {path}: {error.strerror}") from None
    return len(ranking)

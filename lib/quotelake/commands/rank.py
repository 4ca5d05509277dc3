"""The command ``rank``: the TRaC ranking as a table or a file."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from rich.console import Console

from quotelake.answers.ranking import COLUMNS, Wanted, ranking_query
from quotelake.commands.console import make_console, make_table, say
from quotelake.commands.starting import spark_for
from quotelake.files.answers import write_answer
from quotelake.query.ask import AutoEngine, Rows


def run_rank(arguments: Namespace) -> None:
    """Rank, show, and write with ``--out``."""
    root, as_of = arguments.lake, arguments.as_of
    engine = AutoEngine(root, spark_for("rank_topics", root, as_of), as_of=as_of)
    wanted = Wanted(arguments.period, arguments.kind, arguments.outlet, arguments.min_contexts)
    if arguments.out is None:
        show_ranking(engine.answer(ranking_query(wanted, arguments.top)).rows, wanted, make_console())
        return
    count, shown = write_ranking(engine.batches(ranking_query(wanted)), arguments.out, arguments.top)
    show_ranking(shown, wanted, make_console())
    print(f"{count:,} rows written to {arguments.out}")


def write_ranking(batches: pa.RecordBatchReader, path: Path, top: int) -> tuple[int, Rows]:
    """Write a ranking as it comes, in the format that the ending of the path names.

    Returns:
        Number of rows written; the first ``top`` of each period.

    Raises:
        InputError: the file cannot be written.
    """
    shown: Rows = []

    def passing() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            shown.extend(batch.filter(pc.less_equal(batch["position"], top)).to_pylist())
            yield batch

    count = write_answer(pa.RecordBatchReader.from_batches(batches.schema, passing()), path)
    return count, shown


def show_ranking(ranking: Rows, wanted: Wanted, console: Console) -> None:
    """Print the groups, or what was asked of them if there is none."""
    if ranking:
        names = ["period", *COLUMNS[1:6], "n_documents", "n_distinct_contexts"]
        console.print(make_table(None, names, ranking))
        return
    conditions = [f"at least {wanted.min_contexts} distinct contexts (--min-contexts)"]
    conditions += [] if wanted.kind == "all" else [f"in sources of kind {wanted.kind} (--kind)"]
    conditions += [] if wanted.period == "all" else [f"in one month (--period {wanted.period})"]
    conditions += [] if wanted.outlet is None else [f"of a quote that {wanted.outlet!r} uses (--outlet)"]
    say(console, f"no quote has {', '.join(conditions)}")

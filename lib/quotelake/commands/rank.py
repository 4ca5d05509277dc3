"""Rank reused quotes by how much their topic varies from use to use (TRaC); print the ranking or write it.

Groups are ranked by the lower bound of their interval, ties by id. --kind ranks the uses in news or in tweets
alone; --outlet keeps the quotes that one outlet uses, by all of their uses. A file is written as it is read, of any
size.
"""

from argparse import Namespace
from difflib import get_close_matches
from functools import partial

from quotelake.answers.ranking import ranking_query
from quotelake.answers.statements import STATEMENTS
from quotelake.commands.console import make_console, make_table, print_line
from quotelake.commands.lake_access import lake_engine
from quotelake.errors import InputError
from quotelake.files.answers import write_answer

#: Columns of the ranking on the console.
_SHOWN = (
    "period", "position", "quote", "variation", "variation_low", "variation_high", "n_documents",
    "n_distinct_contexts",
)  # fmt: skip


def run(arguments: Namespace) -> None:
    """Rank, show, and write with ``--out``."""
    engine = lake_engine("rank_topics", arguments.lake, arguments.as_of)
    if arguments.outlet is not None:
        known = [row["outlet"] for row in engine.sql(STATEMENTS["outlet_names"])]
        if arguments.outlet not in known:
            near = get_close_matches(arguments.outlet, known, cutoff=0)
            raise InputError(f"--outlet {arguments.outlet!r}: no document has it; the nearest are: {', '.join(near)}")
    query = partial(ranking_query, arguments.period, arguments.kind, arguments.outlet, arguments.min_contexts)
    count = None if arguments.out is None else write_answer(engine.batches(query()), arguments.out)
    if ranking := engine.sql(query(arguments.top)):
        make_console().print(make_table(None, ranking, _SHOWN))
    else:
        conditions = [f"at least {arguments.min_contexts} distinct contexts (--min-contexts)"]
        conditions += [] if arguments.kind == "all" else [f"in sources of kind {arguments.kind} (--kind)"]
        conditions += [] if arguments.period == "all" else [f"in one month (--period {arguments.period})"]
        conditions += [] if arguments.outlet is None else [f"of a quote that {arguments.outlet!r} uses (--outlet)"]
        print_line(make_console(), f"no quote has {', '.join(conditions)}")
    if count is not None:
        print(f"{count:,} rows written to {arguments.out}")

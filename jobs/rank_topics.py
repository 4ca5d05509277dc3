"""Rank reused quotes by how much their topic varies from use to use (TRaC); print the ranking or write it to a file.

Groups are ranked by the lower bound of their interval, ties by id. --kind ranks the uses in news or in tweets alone;
--outlet keeps the quotes that one outlet uses, by all of their uses. A file is written as it is read, of any size.
"""

import argparse
import re
from pathlib import Path

from quotelake.commands import job_parser
from quotelake.errors import InputError, exit_with
from quotelake.jobs import spark_for
from quotelake.query.ask import AutoEngine
from quotelake.reporting.console import make_console
from quotelake.reporting.ranking import ENDINGS, Wanted, ranking_query, show_ranking, write_ranking


def main() -> None:
    """Rank, show, write."""
    parser = job_parser("rank_topics.py", __doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    parser.add_argument(
        "--period",
        type=_period,
        default="all",
        metavar="all|month|YYYY-MM",
        help="over all time (default), month by month, or one month",
    )
    parser.add_argument("--kind", choices=("all", "news", "tweet"), default="all", help="uses in these sources alone")
    parser.add_argument("--outlet", metavar="NAME", help="only quotes that this outlet uses")
    parser.add_argument(
        "--min-contexts", type=int, default=10, metavar="N", help="distinct contexts needed (default: 10)"
    )
    parser.add_argument("--top", type=int, default=20, metavar="K", help="groups shown per period (default: 20)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the whole ranking there: .csv or .parquet")
    arguments = parser.parse_args()
    if arguments.min_contexts < 3:
        raise InputError(f"--min-contexts {arguments.min_contexts}: an interval needs at least 3 contexts")
    if arguments.top < 1:
        raise InputError(f"--top {arguments.top}: must be 1 or more")
    if arguments.out is not None and arguments.out.suffix not in ENDINGS:
        raise InputError(f"--out {arguments.out}: name a file that ends in {' or '.join(ENDINGS)}")

    engine = AutoEngine(arguments.lake, spark_for("rank_topics", arguments.lake))
    wanted = Wanted(arguments.period, arguments.kind, arguments.outlet, arguments.min_contexts)
    if arguments.out is None:
        show_ranking(engine.answer(ranking_query(wanted, arguments.top)).rows, wanted, make_console())
        return
    count, shown = write_ranking(engine.pages(ranking_query(wanted)), arguments.out, arguments.top)
    show_ranking(shown, wanted, make_console())
    print(f"{count:,} rows written to {arguments.out}")


def _period(text: str) -> str:
    if text not in ("all", "month") and not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise argparse.ArgumentTypeError(f"{text!r}: expected all, month or a month such as 2024-03")
    return text


if __name__ == "__main__":
    exit_with(main)

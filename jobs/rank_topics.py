"""Rank reused quotes by how much their topic varies from use to use (TRaC); print the ranking or write it as CSV."""

from pathlib import Path

from quotelake.commands import job_parser
from quotelake.errors import InputError, exit_with
from quotelake.reading.ask import Engine, reader_of
from quotelake.reporting.console import make_console
from quotelake.reporting.ranking import rank_groups, show_ranking, write_csv


def main() -> None:
    """Rank, show, write."""
    parser = job_parser("rank_topics.py", __doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    parser.add_argument("--period", choices=("all", "month"), default="all", help="over all time, or month by month")
    parser.add_argument(
        "--min-contexts", type=int, default=10, metavar="N", help="distinct contexts needed (default: 10)"
    )
    parser.add_argument("--top", type=int, default=20, metavar="K", help="groups shown per period (default: 20)")
    parser.add_argument("--out", type=Path, metavar="FILE.csv", help="write the whole ranking there")
    arguments = parser.parse_args()
    if arguments.min_contexts < 3:
        raise InputError(f"--min-contexts {arguments.min_contexts}: an interval needs at least 3 contexts")

    def start_spark() -> Engine:
        from quotelake.lake.views import start_engine  # only here: importing Spark takes longer than the ranking

        return start_engine("rank_topics", arguments.lake)

    ask = reader_of(arguments.lake, start_spark)
    ranking = rank_groups(ask, monthly=arguments.period == "month", min_contexts=arguments.min_contexts)
    show_ranking(ranking, arguments.top, make_console())
    if arguments.out:
        print(f"{write_csv(ranking, arguments.out):,} rows written to {arguments.out}")


if __name__ == "__main__":
    exit_with(main)

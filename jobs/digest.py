"""Print one digest of the content of each table, to compare two lakes, or a lake before and after a run."""

from quotelake.commands import job_parser
from quotelake.jobs import open_lake, run_job
from quotelake.lake.digest import digests
from quotelake.lake.guard import explained


def main() -> None:
    """Print table, rows and digest."""
    parser = job_parser("digest.py", __doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    lake = open_lake("digest", parser.parse_args().lake)
    with explained(lake):
        for table, (rows, digest) in digests(lake).items():
            print(f"{table:<17} {rows:>10,}  {digest}")


if __name__ == "__main__":
    run_job(main)

"""Run the commands of docs/FIRST_HOURS.md in an empty folder, and write what they print now into it. Some minutes.

A test compares the document with what its commands print; run this when it fails for a change that is meant.
"""

import argparse
from pathlib import Path

from quotelab.benchmarks.walks import Step, folder_with_environment, record, run
from quotelake.errors import InputError, exit_with
from quotelake.files.outputs import write_whole

DOCUMENT = Path(__file__).parents[1] / "docs" / "FIRST_HOURS.md"


def main() -> None:
    """Run each step in order, in one folder."""
    parser = argparse.ArgumentParser(prog="record_walks.py", description=__doc__)
    parser.add_argument("document", nargs="?", type=Path, default=DOCUMENT, help=f"default: docs/{DOCUMENT.name}")
    path = parser.parse_args().document
    if not path.is_file():
        raise InputError(f"{path}: found no such document; name one with commands and what they print")
    with folder_with_environment() as folder:

        def do(step: Step) -> str:
            print(f"$ {step.command}" if step.command else f"writes {step.file}", flush=True)
            return run(step, folder)

        write_whole(path, record(path.read_text("utf-8"), do))


if __name__ == "__main__":
    exit_with(main)

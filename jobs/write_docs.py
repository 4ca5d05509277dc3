"""Write docs/TABLES.md and docs/SETTINGS.md from the contracts, the views and the settings. Plain python, no Spark."""

import argparse
from pathlib import Path

from quotelake.errors import exit_with
from quotelake.files.outputs import write_whole
from quotelake.reporting.reference import settings_page, tables_page

DOCS = Path(__file__).parents[1] / "docs"


def main() -> int:
    """Write the pages, or with --check name those that are out of date; return the exit code."""
    parser = argparse.ArgumentParser(prog="write_docs.py", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is out of date")
    check = parser.parse_args().check
    pages = {DOCS / "TABLES.md": tables_page(), DOCS / "SETTINGS.md": settings_page()}
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        print(f"{path.name} is stale: run `make docs`" if check else f"wrote docs/{path.name}")
        if not check:
            write_whole(path, pages[path])
    return 1 if check and stale else 0


if __name__ == "__main__":
    exit_with(main)

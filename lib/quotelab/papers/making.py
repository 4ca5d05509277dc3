"""Compute every table of the papers that the data here allows, and write them on one page beside the published figures.

    quotelab papers --data FOLDER [--out FOLDER] [--work FOLDER] [--again] [--fine-tune]

FOLDER holds trotr/, contextomy/korean_1600.jsonl and, where you were given them, str/sem_text_rel_ranked.csv and
str/best_worst.csv; the page says what is absent. The report of each protocol is kept in --work and used again.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from quotelab.papers import tables
from quotelab.papers.tables import Table, Written
from quotelake.errors import InputError, Status
from quotelake.files.jsonl import refuse
from quotelake.files.outputs import write_atomically

TITLE: Final = "The papers' tables"
INTRODUCTION: Final = (
    "Figures of the three papers behind Quotelake, computed here, beside the published ones. This page is written "
    "by make papers; DATA is a folder with the public corpora. All choices were made on training or development parts."
)
ASK: Final = "its terms forbid passing it on; ask its authors, and put it there"
SENTENCES: Final = "str/sem_text_rel_ranked.csv"
MOST_ROWS: Final = 17  # rows of the longest table that the Markdown shows


class Part(NamedTuple):
    """A protocol: what it reads below the data folder, and the tables of its report."""

    title: str
    protocol: str
    data: str
    tables: Callable[[Written], list[Table]]
    absent: str = "it is public; put it there"
    tuned: str = ""  # options that add rows of fine-tuned encoders


class Section(NamedTuple):
    """The tables of a paper; ``skipped`` says why there are none."""

    title: str
    command: str
    tables: Sequence[Table] = ()
    skipped: str = ""


PARTS: Final = (
    Part("QuoteCSE (Song et al. 2023)", "quotecse", "contextomy/korean_1600.jsonl", tables.quotecse),
    Part("TRoTR (Periti et al. 2024)", "trotr", "trotr", tables.trotr, tuned="--fine-tune --cross"),
    Part("TRoTR: annotation", "agreement", "trotr", tables.agreement),
    Part("STR-2022 (Abdalla et al. 2023)", "relatedness", SENTENCES, tables.relatedness, ASK, "--fine-tune"),
    Part("STR-2022: annotation", "bws", "str/best_worst.csv", tables.scaling, ASK),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="public corpora")
    parser.add_argument("--out", type=Path, default=Path("docs"), metavar="FOLDER", help="of PAPERS.md (default: docs)")
    parser.add_argument("--work", type=Path, default=Path(".papers"), metavar="FOLDER", help="of reports (.papers)")
    parser.add_argument("--again", action="store_true", help="compute reports again that are there")
    parser.add_argument("--fine-tune", action="store_true", help="fine-tune encoders: hours on CPUs, minutes on a GPU")


def run(options: Namespace) -> None:
    """Compute, write, say where."""
    if not options.data.is_dir():
        raise InputError(f"--data {options.data}: found no such folder; name the one that holds trotr/ and contextomy/")
    sections = []
    for part in PARTS:
        tuned = part.tuned if options.fine_tune else ""
        report = _report(part, tuned, options.data, options.work, options.again)
        command = f".venv/bin/quotelab evaluate {part.protocol} --data DATA/{part.data} {tuned}".rstrip()
        skipped = "" if report else f"DATA/{part.data} is not there ({part.absent})"
        sections.append(Section(part.title, command, part.tables(report) if report else (), skipped))
    write_atomically(options.out / "PAPERS.md", as_markdown(sections))
    print(f"wrote {options.out / 'PAPERS.md'}")


def _report(part: Part, tuned: str, data: Path, work: Path, again: bool) -> Written | None:
    """The report of a protocol, computed unless it is kept; None where its data is absent."""
    path, kept = data / part.data, work / f"{part.protocol}{'_tuned' if tuned else ''}.json"
    if not path.exists():
        return None
    if again or not kept.exists():
        print(f"evaluating {part.protocol}", flush=True)
        work.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(".partial")
        # In a process of its own, whose memory and threads end with it.
        program = [sys.executable, "-c", "from quotelab.cli import main; main()"]
        arguments = ["evaluate", part.protocol, "--data", str(path), "--json", str(partial), *tuned.split()]
        arguments += ["--work", str(work)] if tuned else []
        if subprocess.run([*program, *arguments], check=False, stdout=subprocess.DEVNULL).returncode != Status.DONE:
            raise InputError(f"{path}: found no {part.protocol} report (the reason is above); correct or move it")
        partial.rename(kept)
    try:
        report = json.loads(kept.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        report = None
    if not isinstance(report, dict) or report.get("protocol") != part.protocol:
        refuse(str(kept), f"no report of {part.protocol}", "remove the file, or compute it anew with --again")
    return report


def as_markdown(sections: Sequence[Section]) -> str:
    """Write Markdown; the rows of long tables are in the reports only."""
    lines = [f"# {TITLE}", "", INTRODUCTION, ""]
    for section in sections:
        lines += [f"## {section.title}", "", f"`{section.command}`", ""]
        lines += [f"Not computed: {section.skipped}.", ""] if section.skipped else []
        for table in section.tables:
            written = [f"{len(table.rows)} rows, in the report (`--json`)."]
            if len(table.rows) <= MOST_ROWS:
                rows = [table.columns, ["---"] * len(table.columns), *table.rows]
                written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
            lines += [f"### {table.title}", "", *written, *(line for note in table.notes for line in ("", note)), ""]
    return "\n".join(lines).rstrip() + "\n"

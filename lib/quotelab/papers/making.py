"""Compute every table of the papers that the data here allows, and write them on one page beside the published figures.

    quotelab papers --data FOLDER [--out FOLDER] [--work FOLDER] [--again]

FOLDER holds trotr/, contextomy/korean_1600.jsonl and, where their owners gave them to you, str/sem_text_rel_ranked.csv
and str/best_worst.csv; what is absent is skipped, and the page says so. Writes PAPERS.md into --out, and papers.html,
which has a plot of the ranking too, into --work. The report of each protocol is kept in --work as PROTOCOL.json and
used again, unless --again is given.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from quotelab.papers import others, trotr
from quotelab.papers.page import Section, Table, Written, as_html, as_markdown, ranking_svg
from quotelake.errors import InputError, Status
from quotelake.files.jsonl import refuse
from quotelake.files.outputs import write_whole

ASK = "its terms forbid passing it on; ask its authors, and put it there"


class Part(NamedTuple):
    """A protocol: what it reads below the data folder, and the tables of its report."""

    title: str
    protocol: str
    data: str
    tables: Callable[[Written], list[Table]]
    absent: str = "it is public; put it there"


PARTS = (
    Part("QuoteCSE (Song et al. 2023)", "quotecse", "contextomy/korean_1600.jsonl", others.quotecse_tables),
    Part("TRoTR (Periti et al. 2024)", "trotr", "trotr", trotr.tables),
    Part("TRoTR: annotation", "agreement", "trotr", lambda report: [trotr.agreement_table(report)]),
    Part(
        "STR-2022 (Abdalla et al. 2023)",
        "relatedness",
        "str/sem_text_rel_ranked.csv",
        others.relatedness_tables,
        ASK,
    ),
    Part("STR-2022: annotation", "bws", "str/best_worst.csv", lambda report: [others.scaling_table(report)], ASK),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="public corpora")
    parser.add_argument("--out", type=Path, default=Path("docs"), metavar="FOLDER", help="of PAPERS.md (default: docs)")
    parser.add_argument("--work", type=Path, default=Path(".papers"), metavar="FOLDER", help="of reports, papers.html")
    parser.add_argument("--again", action="store_true", help="compute reports again that are there")


def run(options: Namespace) -> None:
    """Compute, write, say where."""
    if not options.data.is_dir():
        raise InputError(f"--data {options.data}: found no such folder; name the one that holds trotr/ and contextomy/")
    reports = {part.protocol: _report(part, options.data, options.work, options.again) for part in PARTS}
    sections = [_section(part, reports[part.protocol]) for part in PARTS]
    topics = reports["trotr"]
    svg = ranking_svg(topics["rows"]) if topics else None
    pages = {
        options.out / "PAPERS.md": as_markdown(sections),
        options.work / "papers.html": as_html(sections, svg),
    }
    for path, text in pages.items():
        write_whole(path, text)
        print(f"wrote {path}")


def _section(part: Part, report: Written | None) -> Section:
    command = f".venv/bin/quotelab evaluate {part.protocol} --data DATA/{part.data}"
    if report is None:
        return Section(part.title, command, skipped=f"DATA/{part.data} is not there ({part.absent})")
    return Section(part.title, command, part.tables(report))


def _report(part: Part, data: Path, work: Path, again: bool) -> Written | None:
    """The report of a protocol, computed unless it is kept; None where its data is absent."""
    path, kept = data / part.data, work / f"{part.protocol}.json"
    if not path.exists():
        return None
    if again or not kept.exists():
        print(f"evaluating {part.protocol}", flush=True)
        work.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(".partial")
        # In a process of its own, whose memory and threads end with it.
        program = "from quotelab.cli import main; main()"
        command = [
            sys.executable,
            "-c",
            program,
            "evaluate",
            part.protocol,
            "--data",
            str(path),
            "--json",
            str(partial),
        ]
        if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != Status.DONE:
            raise InputError(f"{path}: found no {part.protocol} report (the reason is above); correct or move it")
        partial.rename(kept)
    return read_kept(kept, part.protocol)


def read_kept(path: Path, protocol: str) -> Written:
    """A report as ``quotelab evaluate --json`` wrote it.

    Raises:
        InputError: the file cannot be read, or is no report of the protocol.
    """
    try:
        report = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        report = str(error)
    if not isinstance(report, dict) or report.get("protocol") != protocol:
        found = report if isinstance(report, str) else "something else"
        refuse(str(path), f"no report of {protocol} ({found})", "remove the file, or compute it anew with --again")
    return report

"""Label headline quotes of a corpus: draw a sample to be read, and take the labels of two or more people back.

    label_headlines.py draw  --texts CORPUS.jsonl.gz … --labels FILE.jsonl --reading FILE.txt [--per-stratum 50]
    label_headlines.py merge --labels FILE.jsonl --pass ANNA.csv --pass BEN.csv [--adjudicated FINAL.csv]

draw writes a label file without any text, and a file to read, which shows neither outcome nor score. A pass is a CSV
with the columns item and label, and may have reason; the adjudicated one needs only the items people disagree on.
merge names these, and writes the labels into the label file. docs/CODEBOOK.md says what the labels mean; evaluate.py
headlines gives the figures, agreement among them.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from quotelab.labels.drawing import Drawn, as_line, counts, draw, merge
from quotelab.labels.headlines import HeadlineLabels, Label
from quotelab.labels.rows import checked
from quotelab.labels.tables import table_rows
from quotelake.commands import job_parser
from quotelake.errors import InputError, exit_with
from quotelake.files.jsonl import json_lines, refuse
from quotelake.files.outputs import write_whole
from quotelake.settings import load_settings


def main() -> None:
    """Draw or merge."""
    arguments = _arguments()
    if arguments.action == "draw":
        if arguments.per_stratum < 1:
            raise InputError(f"--per-stratum {arguments.per_stratum}: must be 1 or more")
        if arguments.labels.exists():
            raise InputError(f"--labels {arguments.labels}: exists, and may hold labels; move it, or name another file")
        sample = draw(arguments.texts, arguments.per_stratum, load_settings())
        _write(arguments.labels, (as_line(drawn.labels) for drawn in sample))
        _write(arguments.reading, (_to_read(item, drawn) for item, drawn in enumerate(sample, 1)))
        for stratum, (n, inclusion) in sorted(counts(sample).items()):
            print(f"{stratum:<20} {n:>6,} drawn with probability {inclusion:.4g}")
        print(f"{len(sample):,} quotes to label in {arguments.reading}; their rows are in {arguments.labels}")
        return
    rows = [checked(HeadlineLabels, place, value) for place, value in json_lines(arguments.labels)]
    if not rows:
        refuse(f"--labels {arguments.labels}", "no row", "name the file that draw wrote")
    passes = [{item: label for item, (label, _) in read_answers(path, len(rows)).items()} for path in arguments.passes]
    adjudicated = read_answers(arguments.adjudicated, len(rows)) if arguments.adjudicated else {}
    disputed = [item for item in range(1, len(rows) + 1) if len({answers.get(item) for answers in passes}) > 1]
    print(f"{len(rows) - len(disputed):,} of {len(rows):,} items agreed; disputed: {disputed or 'none'}")
    _write(arguments.labels, map(as_line, merge(rows, passes, adjudicated)))


def read_answers(path: Path, items: int) -> dict[int, tuple[str, str]]:
    """Item to label and reason.

    Raises:
        InputError: the file cannot be read, lacks a column, or has an item or label that is none, or one twice.
    """
    answers: dict[int, tuple[str, str]] = {}
    for place, row in table_rows(path, ("item", "label"), optional=("reason",)):
        item = int(row["item"]) if row["item"].isdecimal() and len(row["item"]) < 10 else 0
        if not 1 <= item <= items:
            refuse(place, f"item {row['item']!r}", f"items are 1 to {items}")
        if row["label"] not in set(Label):
            refuse(place, f"label {row['label']!r}", f"labels are {', '.join(Label)}")
        if item in answers:
            refuse(place, f"item {item} again", "leave one of them out")
        answers[item] = (row["label"], row["reason"])
    return answers


def _write(path: Path, lines: Iterable[str]) -> None:
    # A headline may hold a lone surrogate, which UTF-8 cannot encode.
    write_whole(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def _to_read(item: int, drawn: Drawn) -> str:
    start, end = drawn.labels.quote
    headline = f"{drawn.headline[:start]}⟦{drawn.headline[start:end]}⟧{drawn.headline[end:]}"
    return f"=== item {item}\n{headline}\n\n{drawn.body.strip()}\n"


def _arguments() -> argparse.Namespace:
    parser = job_parser("label_headlines.py", __doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    drawing = actions.add_parser("draw", help="draw a sample to be labelled")
    drawing.add_argument("--texts", nargs="+", required=True, metavar="CORPUS", help="JSONL with id, title and text")
    drawing.add_argument("--per-stratum", type=int, default=50, metavar="N", help="of what strings settle (50)")
    drawing.add_argument("--reading", type=Path, required=True, metavar="FILE.txt", help="articles to read")
    merging = actions.add_parser("merge", help="take labels back")
    merging.add_argument("--pass", dest="passes", action="append", type=Path, required=True, metavar="FILE.csv")
    merging.add_argument("--adjudicated", type=Path, metavar="FILE.csv", help="final labels of disputed items")
    for action in (drawing, merging):
        action.add_argument("--labels", type=Path, required=True, metavar="FILE.jsonl", help="the label file")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)

"""Label headline quotes of a corpus: draw a sample to be read, and take the labels of two or more people back.

    label_headlines.py draw  --texts CORPUS.jsonl.gz … --labels FILE.jsonl --reading FILE.txt [--per-stratum 50]
    label_headlines.py merge --labels FILE.jsonl --pass ANNA.csv --pass BEN.csv [--adjudicated FINAL.csv]

draw writes a label file without any text, and a file to read, which shows neither outcome nor score. A pass is a CSV
with the columns item and label, and may have reason; the adjudicated one needs only the items people disagree on.
merge names these, and writes the labels into the label file. docs/CODEBOOK.md says what the labels mean; evaluate.py
headlines gives the figures, agreement among them.
"""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

from quotelake.commands import job_parser
from quotelake.errors import exit_with
from quotelake.evaluation.drawing import Drawn, as_line, counts, draw, merge
from quotelake.jsonl import json_lines, refuse
from quotelake.labels.headlines import HeadlineLabels, Label
from quotelake.settings import load_settings


def main() -> None:
    """Draw or merge."""
    arguments = _arguments()
    if arguments.action == "draw":
        sample = draw(arguments.texts, arguments.per_stratum, load_settings())
        _write(arguments.labels, [as_line(drawn.labels) for drawn in sample])
        _write(arguments.reading, [_to_read(item, drawn) for item, drawn in enumerate(sample, 1)])
        for stratum, (n, inclusion) in sorted(counts(sample).items()):
            print(f"{stratum:<20} {n:>6,} drawn with probability {inclusion:.4g}")
        print(f"{len(sample):,} quotes to label in {arguments.reading}; their rows are in {arguments.labels}")
        return
    rows = [HeadlineLabels.model_validate(value) for _, value in json_lines(arguments.labels)]
    passes = [{item: label for item, (label, _) in read_answers(path, len(rows)).items()} for path in arguments.passes]
    adjudicated = read_answers(arguments.adjudicated, len(rows)) if arguments.adjudicated else {}
    disputed = [item for item in range(1, len(rows) + 1) if len({answers.get(item) for answers in passes}) > 1]
    print(f"{len(rows) - len(disputed):,} of {len(rows):,} items agreed; disputed: {disputed or 'none'}")
    _write(arguments.labels, [as_line(row) for row in merge(rows, passes, adjudicated)])


def read_answers(path: Path, items: int) -> dict[int, tuple[str, str]]:
    """Item to label and reason.

    Raises:
        InputError: the file cannot be read, lacks a column, or has an item or label that is none, or one twice.
    """
    answers: dict[int, tuple[str, str]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                place = f"{path}: item {row.get('item')}"
                if not (row.get("item") or "").isdigit() or not 1 <= int(row["item"]) <= items:
                    refuse(place, "no such item", f"items are 1 to {items}")
                if row.get("label") not in set(Label):
                    refuse(place, f"label {row.get('label')!r}", f"labels are {', '.join(Label)}")
                if int(row["item"]) in answers:
                    refuse(place, "it twice", "leave one of them out")
                answers[int(row["item"])] = (row["label"], row.get("reason") or "")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        refuse(str(path), f"a file that cannot be read ({error})", "give CSV in UTF-8 with the columns item and label")
    return answers


def _to_read(item: int, drawn: Drawn) -> str:
    start, end = drawn.labels.quote
    headline = f"{drawn.headline[:start]}⟦{drawn.headline[start:end]}⟧{drawn.headline[end:]}"
    return f"=== item {item}\n{headline}\n\n{drawn.body.strip()}\n"


def _write(path: Path, lines: Sequence[str]) -> None:
    try:
        path.write_text("\n".join(lines) + "\n", "utf-8")
    except OSError as error:
        refuse(str(path), f"a file that cannot be written ({error.strerror})", "name another one")


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

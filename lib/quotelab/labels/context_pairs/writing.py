"""Writes what :mod:`quotelab.labels.context_pairs.reading` reads."""

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from quotelab.labels.context_pairs.reading import (
    JUDGMENT_COLUMNS,
    PAIR_COLUMNS,
    SCALE,
    UNDECIDED,
    USE_COLUMNS,
    Judgment,
    UsePair,
)
from quotelab.labels.trotr import Use
from quotelake.files.outputs import whole, write_whole

_BREAK = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


def write_uses(uses: Iterable[Use], path: Path) -> None:
    """Write uses; a break in a text becomes a space, so that offsets stay."""
    rows = ((use.use_id, use.context, f"{use.start}:{use.end}", f"0:{len(use.context)}", use.target) for use in uses)
    write_rows(path, USE_COLUMNS, rows)


def write_pairs(pairs: Iterable[UsePair], path: Path) -> None:
    """Write pairs in their order."""
    scale = ",".join(map(str, SCALE))
    write_rows(path, PAIR_COLUMNS, ((p.instance_id, f"{p.first},{p.second}", scale, UNDECIDED) for p in pairs))


def write_judgments(judgments: Iterable[Judgment], path: Path) -> None:
    """Write judgments in their order."""
    rows = ((j.instance_id, UNDECIDED if j.value is None else str(j.value), j.comment, j.annotator) for j in judgments)
    write_rows(path, JUDGMENT_COLUMNS, rows)


def write_rows(path: Path, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table with tabs between fields; a break in a field becomes a space."""
    lines = ["\t".join(names), *("\t".join(_BREAK.sub(" ", field) for field in row) for row in rows)]
    write_whole(path, "\n".join(lines) + "\n")


def write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table with commas, quoted where needed."""
    with whole(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *rows])

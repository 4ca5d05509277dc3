"""Uses of quotes whose groups people or a generator state: JSONL rows of text, group and, optionally, kind."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictStr

from quotelab.labels.texts import checked
from quotelake.files.jsonl import json_lines, refuse

Integers = npt.NDArray[np.int64]

#: Different kinds in a file: each has four figures.
MOST_KINDS: Final = 100
_SUFFIXES: Final = ("_items", "_low", "_high")


def _named(kind: str) -> str:
    if kind.endswith(_SUFFIXES):
        raise ValueError(f"a kind must not end in {', '.join(_SUFFIXES)}: figures of other kinds do")
    return kind


class LabelledUse(BaseModel):
    """A row of the file; further fields are allowed and ignored.

    Attributes:
        text: a quote as it was used, without its marks.
        group: name of the quote it is a use of; a number is taken as its digits.
        kind: how its words differ from that quote, such as ``base``, ``copy``, ``truncated``.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    text: StrictStr
    group: Annotated[str, Field(min_length=1)]
    kind: Annotated[str, Field(min_length=1), AfterValidator(_named)] | None = None


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """The rows of a file, in order: text, line, and the numbers of their groups and kinds (-1: none)."""

    texts: list[str]
    lines: list[int]
    groups: Integers
    group_names: list[str]
    kinds: Integers
    kind_names: list[str]


def read_groups(path: Path) -> LabelledTexts:
    """Read a file, gzipped if its name ends in .gz; empty lines are skipped.

    Groups are numbered in the order of their first rows, kinds in the order of their names.

    Raises:
        InputError: the file cannot be read, holds no row or too many kinds, or a row is wrong; it names file and line.
    """
    texts: list[str] = []
    lines: list[int] = []
    groups: list[int] = []
    kinds: list[int] = []
    group_numbers: dict[str, int] = {}
    kind_numbers: dict[str | None, int] = {None: -1}
    for place, value in json_lines(path):
        row = checked(LabelledUse, place, value)
        texts.append(row.text)
        lines.append(int(place.rpartition(" ")[2]))
        groups.append(group_numbers.setdefault(row.group, len(group_numbers)))
        kinds.append(kind_numbers.setdefault(row.kind, len(kind_numbers) - 1))
        if len(kind_numbers) - 1 > MOST_KINDS:
            refuse(f"{place}: field kind", f"more than {MOST_KINDS} different kinds", "name few: each has its figures")
    if not texts:
        refuse(str(path), "no row", "give a file with one JSON object a line: text, group and, optionally, kind")
    names = sorted(kind for kind in kind_numbers if kind is not None)
    renumbered = [names.index(kind) for kind in kind_numbers if kind is not None]
    order = np.array([*renumbered, -1], np.int64)  # the last one is number -1
    return LabelledTexts(texts, lines, np.array(groups, np.int64), list(group_numbers), order[np.array(kinds)], names)

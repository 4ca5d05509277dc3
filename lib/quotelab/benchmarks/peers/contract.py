"""What every adapter does: parse its arguments, read the texts, write the groups. Standard library only."""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

#: Settings with which a Spark tool writes the log of events that shuffled bytes are read from.
EVENT_LOG: Final = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}


def adapter_parser(summary: str | None) -> argparse.ArgumentParser:
    """Parser with the arguments that every adapter takes; an adapter adds its options."""
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("texts", type=Path, help="JSON Lines of id and text")
    parser.add_argument("groups", type=Path, help="file to write: the group of each text, one a line")
    parser.add_argument("--event-log", metavar="DIR", help="folder for the event log of a tool on Spark")
    return parser


def given(options: argparse.Namespace, *names: str) -> dict[str, float]:
    """Options that were given, by name: what is not given stays at the tool's default."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def write_texts(texts: Iterable[str], path: Path) -> int:
    """Write texts as adapters read them; return their number. A text holds no lone surrogates, see ``read_groups``."""
    number = -1
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": number, "text": text}) + "\n")
    return number + 1


def read_texts(path: Path) -> list[str]:
    """Texts of a file of :func:`write_texts`, in order."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def write_groups(groups: Iterable[object], path: Path) -> None:
    """Write the group of each text, in order; None: the text shares its group with no other."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{'' if group is None else group}\n" for group in groups)


def read_groups(path: Path, texts: int) -> list[str | None]:
    """Groups of a file of :func:`write_groups`.

    Raises:
        ValueError: the file has another number of lines than there are texts.
    """
    with path.open(encoding="utf-8") as lines:
        groups = [line.rstrip("\n") or None for line in lines]
    if len(groups) != texts:
        raise ValueError(f"{len(groups)} groups for {texts} texts: an adapter must write one line a text")
    return groups


def components(items: int, pairs: Iterable[Sequence[int]]) -> list[int]:
    """Component of each item, as the least item in it, where pairs are linked.

    >>> components(5, [(0, 3), (3, 4)])
    [0, 1, 2, 0, 0]
    """
    parents = list(range(items))

    def root(item: int) -> int:
        while parents[item] != item:
            parents[item] = item = parents[parents[item]]
        return item

    for one, other in pairs:
        low, high = sorted((root(one), root(other)))
        parents[high] = low
    return [root(item) for item in range(items)]

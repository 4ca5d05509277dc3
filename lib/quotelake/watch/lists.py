"""The watch-list: read from a file or the settings, and checked. Pure: no Spark."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from quotelake.files.jsonl import json_lines, opened, refuse
from quotelake.files.outputs import filled_rows
from quotelake.settings import WatchedText
from quotelake.text.ids import content_id
from quotelake.watch.words import pattern_of, tokens

#: Between the wordings in a cell of CSV.
SEPARATOR = "|"
#: Words of a wording that is not ``exact``: fewer are found everywhere.
MIN_WORDS = 2


class Watched(NamedTuple):
    """A watched text: the user's id, digest of id and words, its wordings; whether no changed uses are wanted."""

    watch_id: str
    digest: str
    wordings: tuple[str, ...]
    only_unchanged: bool = False

    @property
    def exact(self) -> bool:
        """Whether only unchanged uses are found: as the user wants, or for want of content words."""
        return self.only_unchanged or all(pattern_of(0, wording).exact for wording in self.wordings)


def read_list(path: Path) -> list[Watched]:
    """Read a file: JSON Lines, gzipped if its name ends in .gz, or CSV if it ends in .csv; an empty one has no texts.

    Fields are those of :class:`WatchedText`; in CSV ``variants`` has ``|`` between them. Others are ignored. An
    InputError: the file cannot be read, or a text cannot be searched for; it names file and line.
    """
    texts = []
    for place, value in _csv_rows(path) if path.suffix == ".csv" else json_lines(path):
        if not isinstance(value, dict):
            refuse(place, json.dumps(value)[:80], "give a JSON object with id, text and, optionally, variants")
        try:
            text = WatchedText.model_validate({name: value[name] for name in WatchedText.model_fields if name in value})
        except ValidationError as error:
            first = error.errors()[0]
            value_found = "nothing" if first["type"] == "missing" else json.dumps(first["input"], default=str)[:80]
            refuse(f"{place}: field {first['loc'][0]}", value_found, first["msg"])
        texts.append((place, text))
    return checked(texts)


def list_of(texts: Sequence[WatchedText]) -> list[Watched]:
    """The watch-list of the settings; an InputError names the number of a text that cannot be searched for."""
    return checked((f"watch.texts, number {number}", text) for number, text in enumerate(texts, 1))


def checked(texts: Iterable[tuple[str, WatchedText]]) -> list[Watched]:
    """Check texts, each with the place it was read from, and give each its digest.

    An InputError: a wording has fewer than two words, or one that is ``exact`` none; an id or a wording is there twice.
    """
    found: list[Watched] = []
    ids: dict[str, str] = {}
    known: dict[tuple[str, ...], str] = {}
    for place, text in texts:
        if text.id in ids:
            refuse(f"{place}: field id", f"{text.id!r}, which is also in {ids[text.id]}", "give each text its own id")
        ids[text.id] = place
        folded = []
        for wording in (text.text, *text.variants):
            words = tuple(tokens(wording))
            if len(words) < MIN_WORDS and not (words and text.exact):
                remedy = f"give at least {MIN_WORDS} words, or exact = true for one: it is found everywhere"
                refuse(f"{place}: text", repr(wording), remedy)
            if words in known:
                refuse(f"{place}: text", f"{wording!r}, whose words are also in {known[words]}", "give it once")
            known[words] = place
            folded.append(" ".join(words))
        digest = content_id("watch exact" if text.exact else "watch", text.id, *folded)
        found.append(Watched(text.id, digest, (text.text, *text.variants), text.exact))
    return found


def _csv_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and fields of each row of a CSV file in UTF-8, a byte order mark or none before it."""
    with opened(path) as file:
        data = file.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        refuse(str(path), "bytes that are not UTF-8", "convert the file to UTF-8")
    for line, row in filled_rows(text, str(path), ("id", "text")) if text.strip() else ():
        parts = map(str.strip, row.get("variants", "").split(SEPARATOR))
        yield f"{path}, line {line}", row | {"variants": [*filter(None, parts)], "exact": row.get("exact") or False}

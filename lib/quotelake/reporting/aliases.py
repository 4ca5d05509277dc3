"""Who the names of speakers are: listed as CSV with proposals, read back as rows of ``speaker_aliases``. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from quotelake.errors import InputError
from quotelake.files.filled import filled_rows
from quotelake.files.outputs import csv_text, original_text
from quotelake.quotes.lexicon import DETERMINERS, PRONOUNS
from quotelake.reporting.console import visible

#: In place of a canonical name: what was said of the name before is withdrawn.
WITHDRAWN: Final = "-"
#: Columns of the file, in order; the first three are read back.
COLUMNS: Final = ("name", "canonical", "wikidata_id", "proposed", "proposed_share", "quotes", "articles")
_ITEM: Final = re.compile(r"Q[1-9]\d*")


@dataclass(frozen=True, slots=True)
class Alias:
    """Who a name is, with the time it was said, UTC: content columns of ``speaker_aliases``."""

    name: str
    canonical: str | None
    wikidata_id: str | None
    imported_at: datetime


#: Statement for all rows of a lake.
ARCHIVE: Final = f"SELECT {', '.join(field.name for field in fields(Alias))} FROM speaker_aliases"
#: Statement for the names of persons, and how often each is quoted.
NAMES: Final = (
    "SELECT speaker, count(full_name) > 0 AS is_full, count(*) AS quotes, count(DISTINCT doc_id) AS articles "
    "FROM speaker_quotes WHERE version_number = n_versions AND NOT is_repost AND speaker_type = 'person' "
    "GROUP BY speaker ORDER BY quotes DESC, speaker"
)
#: Statement for the full names that articles give for shorter ones.
MEANT: Final = (
    "SELECT as_written, full_name, count(*) AS quotes FROM speaker_quotes WHERE full_name IS NOT NULL "
    "AND as_written <> full_name AND version_number = n_versions AND NOT is_repost GROUP BY as_written, full_name"
)


def to_csv(
    names: Sequence[Mapping[str, Any]],
    meant: Iterable[Mapping[str, Any]],
    archive: Iterable[Mapping[str, Any]],
    most: int | None = None,
) -> str:
    """Write names, rows of :data:`NAMES`, as CSV, with what the lake says of each and a proposal; ``most`` or all.

    Proposed for a shorter name is the full name that most quotes under it, or under its last word, have where articles
    give one (of :data:`MEANT`), and their share; for a full name a more frequent one with the same given name and
    surname. Pronouns and descriptions (*the chairman*) are left out.
    """
    known = latest_aliases(archive)
    fuller = _fuller({row["speaker"]: row["quotes"] for row in names if row["is_full"]})
    by_name = defaultdict[str, Counter[str]](Counter)
    for row in meant:
        by_name[row["as_written"]][fuller.get(row["full_name"], row["full_name"])] += row["quotes"]
    rows = []
    for row in names:
        name, alias = row["speaker"], known.get(row["speaker"])
        first, last = name.lower().partition(" ")[0], name.rpartition(" ")[2]
        if is_no_name(name) or name[:1].islower() or first in DETERMINERS:
            continue
        proposed, share = fuller.get(name) if row["is_full"] else None, None
        counts = by_name[name] or by_name[last]  # President Ito: as Ito, where no article gives a full name for it
        if not row["is_full"] and counts:
            [(proposed, most_quotes)] = counts.most_common(1)
            share = round(most_quotes / counts.total(), 2)
        given = {"canonical": alias and alias.canonical, "wikidata_id": alias and alias.wikidata_id}
        counted = {"quotes": row["quotes"], "articles": row["articles"], "proposed_share": share}
        texts = {"name": name, "proposed": proposed, **given}
        rows.append(counted | {key: text and visible(text) for key, text in texts.items()})
    return csv_text(COLUMNS, rows[:most])


def from_csv(text: str, name: str, imported_at: datetime) -> list[tuple[int, Alias]]:
    """Read what a file says of names, each with its line; rows without canonical name and Wikidata id say nothing.

    ``name`` is that of the file, for messages. A row with a Wikidata id alone keeps its name.

    Raises:
        InputError: a column is missing, a name is empty, a pronoun or given twice, or an id is none; lines are named.
    """
    found: dict[str, tuple[int, Alias]] = {}
    faults = []
    for line, row in filled_rows(text, name, COLUMNS[:3]):
        alias, canonical, item = (original_text(row[column].strip()) for column in COLUMNS[:3])
        if not canonical and not item:
            continue
        if not alias:
            faults.append(f"line {line}: the name is empty")
        elif is_no_name(alias):
            faults.append(f"line {line}: {alias!r} is another person in each article: leave its row empty")
        elif alias in found:
            faults.append(f"line {line}: {alias!r} stands in line {found[alias][0]} too")
        elif item and not _ITEM.fullmatch(item):
            faults.append(f"line {line}: wikidata_id {item!r}: give Q and digits, such as Q42, or leave it empty")
        elif canonical == WITHDRAWN:
            found[alias] = line, Alias(alias, None, None, imported_at)
        else:
            found[alias] = line, Alias(alias, canonical or alias, item or None, imported_at)
    _refuse(name, faults)
    return list(found.values())


def new_aliases(archive: Iterable[Mapping[str, Any]], given: Sequence[tuple[int, Alias]], name: str) -> list[Alias]:
    """Leave out what the lake says already, so that a file read twice adds nothing; the others are dated after that.

    Raises:
        InputError: with these a canonical name would stand for another one, or have two Wikidata ids; lines are named.
    """
    before = latest_aliases(archive)
    after = before | {alias.name: alias for _, alias in given}
    items = defaultdict[str, dict[str, str]](dict)
    for alias in after.values():
        if alias.canonical and alias.wikidata_id:
            items[alias.canonical].setdefault(alias.wikidata_id, alias.name)
    faults, new = [], []
    for line, alias in given:
        last, whole = before.get(alias.name), after.get(alias.canonical or "")
        if whole is not None and whole.canonical not in (None, alias.canonical):
            faults.append(f"line {line}: {alias.canonical!r} itself stands for {whole.canonical!r}: give that name")
        if alias.wikidata_id and len(items[alias.canonical or ""]) > 1:
            ids = ", ".join(f"{item} by the name {by!r}" for item, by in items[alias.canonical or ""].items())
            faults.append(f"line {line}: {alias.canonical!r} has two Wikidata ids: {ids}; give one for all its names")
        if (last and (last.canonical, last.wikidata_id)) != (alias.canonical, alias.wikidata_id):
            later = (
                alias.imported_at if last is None else last.imported_at.replace(tzinfo=UTC) + timedelta(microseconds=1)
            )
            new.append(Alias(alias.name, alias.canonical, alias.wikidata_id, max(alias.imported_at, later)))
    _refuse(name, faults)
    return new


def latest_aliases(archive: Iterable[Mapping[str, Any]]) -> dict[str, Alias]:
    """What the lake says of each name, of rows of ``speaker_aliases`` in any order."""
    aliases = sorted((Alias(**row) for row in archive), key=lambda alias: alias.imported_at)
    return {alias.name: alias for alias in aliases}


def is_no_name(name: str) -> bool:
    """Whether a speaker as written is a pronoun.

    >>> is_no_name("He"), is_no_name("Mr. Ito")
    (True, False)
    """
    return name.lower() in PRONOUNS


def _fuller(quotes: Mapping[str, int]) -> dict[str, str]:
    """For full names the most quoted one with the same first or last but one word, and the same last word.

    >>> _fuller({"Ana Ruiz": 9, "Ana B. Ruiz": 2, "Mayor-elect Ana Ruiz": 1, "Leo Ruiz": 1})
    {'Ana B. Ruiz': 'Ana Ruiz', 'Mayor-elect Ana Ruiz': 'Ana Ruiz'}
    """
    best: dict[tuple[str, str], str] = {}
    for name in sorted(quotes, key=lambda name: (-quotes[name], name)):
        best.setdefault((name.split()[0], name.split()[-1]), name)
    found = {}
    for name in quotes:
        *others, surname = name.split()
        near = [best[word, surname] for word in (*others[:1], *others[-1:]) if (word, surname) in best]
        if near and (most := max(near, key=lambda one: quotes[one])) != name:
            found[name] = most
    return found


def _refuse(name: str, faults: Sequence[str]) -> None:
    if faults:
        raise InputError(f"{name}: nothing was read\n  " + "\n  ".join(faults))

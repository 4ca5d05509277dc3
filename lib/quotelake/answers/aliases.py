"""Who the names of speakers are: listed as CSV with proposals, read back as rows of ``speaker_aliases``. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from quotelake.errors import InputError
from quotelake.files.outputs import csv_text, filled_rows, original_text
from quotelake.query.engines import Rows
from quotelake.text.lexicon import table
from quotelake.text.words import visible

#: In place of a canonical name: what was said of the name before is withdrawn.
WITHDRAWN: Final = "-"
#: Columns of the file, in order; the first three are read back.
COLUMNS: Final = ("name", "canonical", "wikidata_id", "proposed", "proposed_share", "quotes", "articles")
_PRONOUNS: Final = table("pronouns")
_DETERMINERS: Final = table("determiners")
_ITEM: Final = re.compile(r"Q[1-9]\d*")


@dataclass(frozen=True, slots=True)
class Alias:
    """Who a name is, with the time it was said, UTC: content columns of ``speaker_aliases``."""

    name: str
    canonical: str | None
    wikidata_id: str | None
    imported_at: datetime


def to_csv(names: Rows, meant: Rows, archive: Rows, most: int | None = None) -> str:
    """Write names, rows of the statement ``names``, as CSV, with what the lake has of each and a proposal.

    Proposed for a shorter name is the full name that most quotes under it, or under its last word, have where articles
    give one (rows of ``full_names``), and their share; for a full name a more frequent one with the same given name and
    surname. Pronouns and descriptions (*the chairman*) are left out. At most ``most`` names are written.
    """
    known = latest_aliases(archive)
    fuller = _fuller({row["speaker"]: row["quotes"] for row in names if row["is_full"]})
    by_name = defaultdict[str, Counter[str]](Counter)
    for row in meant:
        full: str = row["full_name"]
        by_name[row["as_written"]][fuller.get(full, full)] += row["quotes"]
    rows = []
    for row in names:
        name, alias = row["speaker"], known.get(row["speaker"])
        if name[:1].islower() or name.lower() in _PRONOUNS or name.lower().partition(" ")[0] in _DETERMINERS:
            continue
        proposed, share = fuller.get(name) if row["is_full"] else None, None
        counts = by_name[name] or by_name[name.split()[-1]]  # President Ito: as Ito
        if not row["is_full"] and counts:
            [(proposed, most_quotes)] = counts.most_common(1)
            share = round(most_quotes / counts.total(), 2)
        given = (alias.canonical, alias.wikidata_id) if alias else (None, None)
        texts = (text and visible(text) for text in (name, *given, proposed))
        rows.append(dict(zip(COLUMNS, (*texts, share, row["quotes"], row["articles"]), strict=True)))
    return csv_text(COLUMNS, rows[:most])


def read_aliases(
    text: str, name: str, archive: Rows, imported_at: datetime, accept: float | None = None
) -> tuple[list[str], list[Alias]]:
    """Read a file, given with its name: the names with an entry, and the entries that the lake does not have.

    A row without canonical name and Wikidata id is no entry, unless its proposal has a share (0 to 1) of at least
    ``accept``; with an id alone the name stands for itself. What is new is dated ``imported_at``, UTC, or after what it
    revises. An InputError: a column is missing, or lines cannot be right: each is named.
    """
    before = latest_aliases(archive)
    given: dict[str, tuple[int, Alias]] = {}
    faults, new = [], []
    for line, row in filled_rows(text, name, COLUMNS[:3] if accept is None else COLUMNS[:5]):
        alias, canonical, item = (original_text(row[column].strip()) or None for column in COLUMNS[:3])
        if accept is not None and not canonical and not item:
            share = row["proposed_share"].strip().replace(",", ".")
            if share.replace(".", "", 1).isdecimal() and float(share) >= accept:
                canonical = original_text(row["proposed"].strip())
        if not canonical and not item:
            continue
        if not alias:
            faults.append(f"line {line}: the name is empty")
        elif alias.lower() in _PRONOUNS:
            faults.append(f"line {line}: {alias!r} is another person in each article: leave its row empty")
        elif alias in given:
            faults.append(f"line {line}: {alias!r} stands in line {given[alias][0]} too")
        elif item and not _ITEM.fullmatch(item):
            faults.append(f"line {line}: wikidata_id {item!r}: give Q and digits, such as Q42, or leave it empty")
        else:
            gone = canonical == WITHDRAWN
            given[alias] = line, Alias(alias, None if gone else canonical or alias, None if gone else item, imported_at)
    after = before | {alias: one for alias, (_, one) in given.items()}
    items = defaultdict[str | None, dict[str | None, str]](dict)
    for one in after.values():
        items[one.canonical].setdefault(one.wikidata_id, one.name)
    for one in after.values():
        whole, others = after.get(one.canonical or "", one), {None: "", **items[one.canonical]}
        line = given.get(one.name, given.get(whole.name, (0,)))[0]
        if line and whole.canonical not in (None, one.canonical):
            other = f"which is {whole.canonical!r}: give that"
            faults.append(f"line {line}: {one.name!r} would be {one.canonical!r}, {other}")
        if line and one.wikidata_id and one.canonical and len(others) > 2:
            ids = ", ".join(f"{item} by the name {by!r}" for item, by in others.items() if item)
            faults.append(f"line {line}: {one.canonical!r} has two Wikidata ids: {ids}; give one for all its names")
    for alias, (_, one) in given.items():
        last = before.get(alias, replace(one, canonical="", imported_at=datetime.min))
        if (last.canonical, last.wikidata_id) != (one.canonical, one.wikidata_id):
            later = last.imported_at.replace(tzinfo=UTC) + timedelta(microseconds=1)
            new.append(replace(one, imported_at=max(imported_at, later)))
    if faults:
        raise InputError(f"{name}: nothing was read\n  " + "\n  ".join(faults))
    return list(given), new


def latest_aliases(archive: Rows) -> dict[str, Alias]:
    """What the lake says of each name, of rows of ``speaker_aliases`` in any order."""
    aliases = sorted((Alias(**row) for row in archive), key=lambda alias: alias.imported_at)
    return {alias.name: alias for alias in aliases}


def _fuller(quotes: Mapping[str, int]) -> dict[str, str]:
    """For full names the most quoted one with the same first or last but one word, and the same last word."""
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

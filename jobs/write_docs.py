"""Write TABLES.md and SETTINGS.md into docs/reference from contracts, views and settings. Plain python, no Spark.

A column or a setting without a comment is an error.
"""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib import resources
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from quotelake.errors import ContractError, SettingsError, exit_with
from quotelake.files.outputs import write_atomically
from quotelake.lake.contracts import Contract, contract, table_names
from quotelake.query.catalog import columns_of, view_names, view_text
from quotelake.settings import Settings, load_settings
from quotelake.source_settings import SourceSettings

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
_NOTICE = "<!-- Written by `make docs`. Change the source named below, not this file. -->"
_TABLES_INTRO = (
    "Written from `schemas/*.sql` and `schemas/views/*.sql`. Ids are 32 hexadecimal characters, the first 128 bits of",
    "SHA-256 over length-prefixed fields. Times are UTC. Offsets count code points from 0; an end is one past the",
    "last character. What the terms mean stands in [CODEBOOK.md](../CODEBOOK.md).",
)
_HEADER = re.compile(r"^\[(?P<name>[\w.]+)\]\s*(?:#\s*(?P<comment>.*))?$")
_SETTING = re.compile(r'^(?P<key>\w+) *=(?P<value>(?:"[^"]*"|[^"#])*)(?:#\s*(?P<comment>.*))?$')
_SOURCE_KEY = re.compile(r"^  (?P<key>\w+): (?P<comment>.+)$")
_CONSTRAINT = re.compile(r"'delta\.constraints\.(?P<name>\w+)' = '(?P<check>(?:[^']|'')*)'")
_SIMPLE = {int: "integer", float: "number", str: "text", bool: "true or false", date: "date"}
_BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than", "min_length": "at least"}


def main() -> int:
    """Write the pages; return the exit code."""
    parser = argparse.ArgumentParser(prog="write_docs.py", description=__doc__)
    parser.add_argument("--out", type=Path, default=REFERENCE, help="folder of the pages (default: docs/reference)")
    out = parser.parse_args().out
    for name, text in {"TABLES.md": tables_page(), "SETTINGS.md": settings_page()}.items():
        write_atomically(out / name, text)
        print(f"wrote {out / name}")
    return 0


@dataclass
class Notes:
    """Comments of a settings file: on the file, on each section, and on each key."""

    file: list[str] = field(default_factory=list)
    sections: dict[str, list[str]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)


def read_notes(toml: str) -> Notes:
    """Collect the comments of a settings file.

    A comment belongs to the key of its line; alone on its line, to the key above it if it is indented, else to the key
    or section below it. Comments before the first blank line belong to the file.

    >>> notes = read_notes("[a]  # ten\\nx = 1  # how many\\n    # and why\\n\\n# About b.\\n[b]\\n# Long.\\ny = 2")
    >>> notes.keys, notes.sections
    ({'a.x': 'how many and why', 'b.y': 'Long.'}, {'a': ['ten'], 'b': ['About b.']})
    """
    notes, section, above, last = Notes(), "", list[str](), ""
    for line in toml.splitlines():
        bare = line.strip()
        if bare.startswith("#"):
            text = bare.removeprefix("#").removeprefix(" ")
            if line[0] == " " and last:
                notes.keys[last] += f" {text}"
            else:
                above.append(text)
        elif header := _HEADER.match(line):
            section, last = header["name"], ""
            notes.sections[section], above = [*above, *filter(None, [header["comment"]])], []
            if "." in section:  # a key of the section before the dot
                notes.keys[section] = " ".join(notes.sections[section])
        elif setting := _SETTING.match(line):
            last = f"{section}.{setting['key']}"
            notes.keys[last] = " ".join([*filter(None, [setting["comment"]]), *above])
            above = []
        elif not bare and not section and not notes.file:
            notes.file, above = above, []
    return notes


def tables_page() -> str:
    """Text of ``TABLES.md``: every table with its key, columns and constraints, and every view with its columns.

    Raises:
        ContractError: a table, column or view has no description; each is named.
    """
    tables, views = [contract(name) for name in table_names()], sorted(view_names())
    missing = [found.table for found in tables if not found.description.strip()]
    missing += [f"{found.table}.{column.name}" for found in tables for column in found.columns if not column.comment]
    missing += [name for name in views if not view_text(name)[0].strip()]
    missing += [f"{name}.{column}" for name in views for column, comment in columns_of(name).items() if not comment]
    if missing:
        raise ContractError(f"schemas/: no comment says what these are: {', '.join(missing)}")
    lines = [_NOTICE, "# Tables and views", "", *_TABLES_INTRO, ""]
    lines += ["Tables: " + _links(table_names()), "", "Views: " + _links(views), "", "## Tables"]
    for found in tables:
        lines += _table_section(found)
    lines += ["", "## Views", "", "They show the tables as the last complete run left them, under the active version."]
    lines += ['The types of their columns: `.venv/bin/quotelake query "DESCRIBE headline_alerts"`.']
    for name in views:
        rows = [(f"`{column}`", comment) for column, comment in columns_of(name).items()]
        lines += ["", f"### {name}", "", f"{view_text(name)[0]} [Query](../../schemas/views/{name}.sql)", ""]
        lines += _markdown(("column", "what it holds"), rows)
    return "\n".join(lines) + "\n"


def settings_page(toml: str | None = None) -> str:
    """Text of ``SETTINGS.md``: every key with its type, its default and what it means.

    Args:
        toml: settings file with the comments; ``conf/base.toml`` if None.

    Raises:
        SettingsError: settings have no comment; each is named.
    """
    notes = read_notes(base_toml() if toml is None else toml)
    sources = _source_notes(notes)
    sections = {name: info.annotation for name, info in Settings.model_fields.items() if name != "sources"}
    keys = [f"{name}.{key}" for name, model in sections.items() for key in _fields(model)]
    missing = [key for key in keys if not notes.keys.get(key)]
    missing += [f"sources.NAME.{key}" for key in SourceSettings.model_fields if not sources.get(key)]
    if missing:
        raise SettingsError(f"conf/base.toml: no comment says what these are: {', '.join(missing)}")
    defaults = load_settings()
    intro = "Written from `conf/base.toml` and `lib/quotelake/settings.py`. " + " ".join(notes.file)
    lines = [_NOTICE, "# Settings", "", intro]
    for name, model in sections.items():
        values = getattr(defaults, name).model_dump()
        rows = [(key, info, _toml(values[key]), notes.keys[f"{name}.{key}"]) for key, info in _fields(model).items()]
        about = " ".join([_first_line(model), *(_sentence(note) for note in notes.sections.get(name, []))])
        lines += ["", f"## {name}", "", about, "", *_settings_table(rows)]
    rows = [(key, info, _default(info), sources[key]) for key, info in SourceSettings.model_fields.items()]
    shipped = ", ".join(f"`{name}`" for name in sorted(defaults.sources))
    lines += ["", "## sources.NAME", "", _first_line(SourceSettings), ""]
    lines += [f"`--input NAME=GLOB` names one of these. Shipped: {shipped}.", "", *_settings_table(rows)]
    return "\n".join(lines) + "\n"


def base_toml() -> str:
    """Text of ``conf/base.toml``."""
    return resources.files("quotelake.conf").joinpath("base.toml").read_text("utf-8")


def type_name(info: FieldInfo) -> str:
    """Type and range of a setting in words.

    >>> from quotelake.settings import IngestSettings
    >>> type_name(IngestSettings.model_fields["reject_share"])
    'number, at least 0, at most 1'
    """
    return ", ".join([_type(info.annotation), *_bounds(info)])


def _bounds(info: FieldInfo) -> list[str]:
    return [
        f"{words} {getattr(limit, name):g}"
        for limit in getattr(info, "metadata", ())  # not that a type is no strict one
        for name, words in _BOUNDS.items()
        if getattr(limit, name, None) is not None
    ]


def _type(kind: Any) -> str:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return ", ".join([_type(inner[0]), *(words for part in inner[1:] for words in _bounds(part))])
    if origin is Literal and len(inner) == 1:
        return f"`{inner[0]}`"
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin is tuple:
        return f"list of {_type(inner[0])}"
    if origin is dict:
        return f"table of {_type(inner[1])}"
    if origin in (Union, UnionType):
        return " or ".join(_type(part) for part in inner if part is not type(None))
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return f"blocks of {', '.join(kind.model_fields)}"
    return _SIMPLE[kind]


def _source_notes(notes: Notes) -> dict[str, str]:
    """Comments on the keys of a source, from lines before the sources such as ``#   kind: news or tweet``."""
    lines = [line for name, block in notes.sections.items() if name == "sources" for line in block]
    return {found["key"]: found["comment"] for line in lines if (found := _SOURCE_KEY.match(line))}


def _table_section(found: Contract) -> list[str]:
    rows = [
        (f"`{column.name}`", f"`{column.type}`", "yes" if column.nullable else "", column.comment.replace("''", "'"))
        for column in found.columns
    ]
    key = "Key: " + ", ".join(f"`{name}`" for name in found.key)
    lines = ["", f"### {found.table}", "", found.description, "", key, ""]
    lines += [*_markdown(("column", "type", "NULL", "what it holds"), rows)]
    checks = [(part["name"], part["check"].replace("''", "'")) for part in _CONSTRAINT.finditer(found.statement)]
    if checks:
        lines += ["", "Constraints:", *(f"- {name}: `{check}`" for name, check in checks)]
    return lines


def _settings_table(rows: Iterable[tuple[str, FieldInfo, str, str]]) -> list[str]:
    cells = [(f"`{key}`", type_name(info), default, comment) for key, info, default, comment in rows]
    return _markdown(("key", "type", "default", "what it means"), cells)


def _markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in (header, ["---"] * len(header), *escaped)]


def _default(info: FieldInfo) -> str:
    return "must be given" if info.is_required() else _toml(info.get_default(call_default_factory=True))


def _toml(value: Any) -> str:
    """Format a value as in a settings file."""
    if value is None or value in ((), {}):
        return "none"
    if isinstance(value, tuple | list):
        return "`[" + ", ".join(f'"{part}"' for part in value) + "]`"
    if isinstance(value, str):
        return f"`'{value}'`" if '"' in value else f'`"{value}"`'
    return f"`{value}`"


def _fields(model: Any) -> Mapping[str, FieldInfo]:
    assert issubclass(model, BaseModel)
    fields: Mapping[str, FieldInfo] = model.model_fields
    return fields


def _first_line(model: Any) -> str:
    return (model.__doc__ or "").strip().splitlines()[0]


def _sentence(note: str) -> str:
    """Comment as a sentence."""
    return note[:1].upper() + note[1:] + ("" if note.endswith(".") else ".")


def _links(names: Iterable[str]) -> str:
    return ", ".join(f"[{name}](#{name})" for name in names)


if __name__ == "__main__":
    exit_with(main)

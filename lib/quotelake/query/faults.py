"""Why a statement failed, in one line for its author: the engine's message, the place, the nearest existing name."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Final

#: Spark's class of an error, before its message; before that Java's.
_ERROR_CLASS: Final = re.compile(r"\[[A-Z][A-Z0-9_.]+\]\s*")
#: Behind the message of Spark: code and place, the statement, Java's stack trace.
_REST: Final = re.compile(r"SQLSTATE: |== SQL|JVM stacktrace:|\n[ \t]*+at [\w.$]++\(")
_PLACE: Final = re.compile(r"\bline (\d+),? pos(?:ition)? (\d+)")
_NO_TABLE: Final = re.compile(r"table or view `([^`]+)`")


def explain_spark_error(text: str, names: Sequence[str]) -> str:
    r"""Message for a statement that failed, by the text of Spark's exception; ``names``: tables and views there are.

    >>> explain_spark_error("[TABLE_OR_VIEW_NOT_FOUND] The table or view `quots` cannot be found.\n"
    ...     "Search path: … SQLSTATE: 42P01; line 1 pos 14;\n'Project [*]", ["quotes", "files"])
    'the statement failed at line 1, character 15: no table or view quots; did you mean quotes?'
    """
    error_class = _ERROR_CLASS.search(text)
    text = text[error_class.end() :] if error_class else text
    end = _REST.search(text)
    message, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
    if error_class and (table := _NO_TABLE.search(message)):
        message = f"no table or view {table[1]}; {nearest_names(table[1], names)}"
    place = _PLACE.search(rest)
    return _failure(message or "Spark gives no reason", (int(place[1]), int(place[2]) + 1) if place else None)


def explain_duckdb_error(error: Exception, statement: str, names: Sequence[str]) -> str:
    r"""Message for a statement that failed in DuckDB, with its place if the connection has ``errors_as_json``.

    >>> error = Exception('Error: {"exception_message": "No!", "type": "Table", "name": "quots", "position": "17"}')
    >>> explain_duckdb_error(error, "SELECT 'é'\nFROM quots", ["quotes", "files"])
    'the statement failed at line 2, character 6: no table or view quots; did you mean quotes?'
    """
    found = error_details(error)
    message, name, kind = found["exception_message"], found.get("name", ""), found.get("type", "")
    if kind == "Table":
        message = f"no table or view {name}; {nearest_names(name, names)}"
    elif "Function" in kind:
        message = f"DuckDB has no function {name}; ask with --engine spark for a function of Spark"
    before = statement.encode()[: int(found.get("position", 0))].decode(errors="replace")  # position counts bytes
    place = (before.count("\n") + 1, len(before) - before.rfind("\n")) if "position" in found else None
    return _failure(message.partition("\tCandidate functions")[0], place)


def error_details(error: Exception) -> Mapping[str, str]:
    """DuckDB's ``exception_message``, and where it is known ``type``, ``name`` and ``position``."""
    text = str(error)
    found = {}
    with suppress(ValueError):
        found = json.loads(text[text.index("{") :])
    return {"exception_message": text, **found}


def nearest_names(name: str, names: Sequence[str]) -> str:
    """Part of a message: which of some names was meant, or which are nearest.

    >>> nearest_names("headlin", ["headline", "body"]), nearest_names("zzz", ["headline", "body"])
    ('did you mean headline?', 'the nearest names are: headline, body')
    """
    if near := get_close_matches(name.lower(), names, n=3):
        return f"did you mean {' or '.join(near)}?"
    return "the nearest names are: " + (", ".join(get_close_matches(name.lower(), names, n=3, cutoff=0)) or "none")


def _failure(message: str, place: tuple[int, int] | None) -> str:
    where = f" at line {place[0]}, character {place[1]}" if place else ""
    return f"the statement failed{where}: {' '.join(message.split())}"

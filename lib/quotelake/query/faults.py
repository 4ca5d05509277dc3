"""What is wrong with a statement, in one line for its author: where, and which existing name is nearest."""

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

#: Behind the message: an error code, the plan, Java's stack trace.
_REST: Final = re.compile(
    r"(?>(?:(?<!\s)\s++)?)(?:SQLSTATE: \w+|== SQL|JVM stacktrace:)|(?<!\s)[^\S\n]*+\n\s*+at [\w.$]++\("
)
_CLASS: Final = re.compile(r"\[[A-Z0-9_.]+\]\s*")
#: Prefixes that Java and Spark put before the message of the original error.
_WRAPPER: Final = re.compile(r"\A(?:An error occurred while calling [^\n]*\n:?|[\w.$]+(?:Exception|Error):)\s*")
_PLACE: Final = re.compile(r"\bline (\d+),? pos(?:ition)? (\d+)")
_NO_TABLE: Final = re.compile(r"table or view `([^`]+)`")
_NO_COLUMN: Final = re.compile(r"\AA column, variable, or function parameter with name (`.+?`) cannot be resolved\.")
_NO_FIELD: Final = re.compile(r"\ANo such struct field (`[^`\n]++`) in (`[^\n]++)")
_KEYWORDS: Final = ("SELECT", "WITH", "FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "JOIN", "UNION")
#: What DuckDB says of a column that is given with its table.
NO_COLUMN_OF: Final = re.compile(r'Values list "([^"]+)" does not have a column named "([^"]+)"')
#: Names that Spark suggests.
_NAMES: Final = re.compile(r"`([^`]+)`")


def say_fault(text: str, names: Sequence[str]) -> str:
    r"""Say what is wrong with a statement, and where, by the text of Spark's exception; ``names`` are those there are.

    >>> say_fault("[TABLE_OR_VIEW_NOT_FOUND] The table or view `quots` cannot be found. Verify the spelling.\n"
    ...     "Search path: … SQLSTATE: 42P01; line 1 pos 14;\n'Project [*]", ["quotes", "files"])
    'the statement failed at line 1, character 15: no table or view quots; did you mean quotes?'
    >>> say_fault("\n[PARSE_SYNTAX_ERROR] Syntax error at or near 'SELEC'. SQLSTATE: 42601 (line 1, pos 0)\n", [])
    "the statement failed at line 1, character 1: Syntax error at or near 'SELEC'."
    """
    found = _CLASS.search(text)
    said = text[found.end() :] if found else _WRAPPER.sub("", text.strip())
    end = _REST.search(said)
    rest = said[end.start() :] if end else ""
    message = " ".join((said[: end.start()] if end else said).split())
    message = _missing_name(message, names) or message
    place = _PLACE.search(rest.partition("== SQL")[0])
    where = f" at line {place[1]}, character {int(place[2]) + 1}" if place else ""
    return f"the statement failed{where}: {message or 'Spark does not say why'}"


def say_duckdb_fault(error: Exception, statement: str, names: Sequence[str]) -> str:
    r"""Say what is wrong with a statement, and where, by DuckDB's error: the more if it has ``errors_as_json``.

    >>> error = Exception('Error: {"exception_message": "No!", "type": "Table", "name": "quots", "position": "17"}')
    >>> say_duckdb_fault(error, "SELECT 'é'\nFROM quots", ["quotes", "files"])
    'the statement failed at line 2, character 6: no table or view quots; did you mean quotes?'
    """
    found = details(error)
    message, name, kind = found["exception_message"], found.get("name", ""), found.get("type")
    if kind == "Table":
        message = f"no table or view {name}; {nearest(name, names)}"
    elif found.get("error_subtype") == "COLUMN_NOT_FOUND":
        message = f"no column {name}; {nearest(name, [*filter(None, found.get('candidates', '').split(','))])}"
    elif of := NO_COLUMN_OF.search(message):
        message = f"{of[1]} has no column {of[2]}"
    elif "Function" in (kind or ""):
        message = f"DuckDB has no function {name}; ask with --engine spark for a function of Spark"
    where = ""
    if "position" in found:  # counts bytes
        before = statement.encode()[: int(found["position"])].decode(errors="replace")
        words = re.findall(r"(?<!\w)\w+\Z", before.rstrip()) + re.findall(r"\A\w+", statement[len(before) :])
        for word in words if found.get("error_subtype") == "SYNTAX_ERROR" else ():
            meant = get_close_matches(word.upper(), _KEYWORDS, n=1, cutoff=0.75)
            if meant and word.upper() != meant[0] and len(word) <= len(meant[0]):  # orders, joined: names
                message += f"; did you mean {meant[0]}?"
        where = f" at line {before.count(chr(10)) + 1}, character {len(before) - before.rfind(chr(10))}"
    lines = message.partition("\tCandidate functions")[0].splitlines()
    return f"the statement failed{where}: {'; '.join(line.strip() for line in lines if line.strip())}"


def details(error: Exception) -> Mapping[str, str]:
    """What DuckDB says of an error: its message, and where known a type, a name, candidates and a position."""
    text = str(error)
    try:
        found = json.loads(text[text.index("{") :])
    except ValueError:
        found = {}
    return found if "exception_message" in found else {"exception_message": text}


def nearest(name: str, names: Sequence[str]) -> str:
    """Say which of some names was meant, or which are nearest.

    >>> nearest("headlin", ["headline", "body"]), nearest("zzz", ["headline", "body"])
    ('did you mean headline?', 'the nearest names are: headline, body')
    """
    near = get_close_matches(name.lower(), names, n=3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return "the nearest names are: " + (", ".join(get_close_matches(name.lower(), names, n=3, cutoff=0)) or "none")


def _missing_name(message: str, names: Sequence[str]) -> str | None:
    """Say what Spark does not know in the words that are used without Spark; None for another message."""
    if found := _NO_TABLE.search(message):
        return f"no table or view {found[1]}; {nearest(found[1], names)}"
    if found := _NO_FIELD.search(message):
        [name] = _NAMES.findall(found[1])
        return f"no field {name}; {nearest(name, _NAMES.findall(found[2]))}"
    if found := _NO_COLUMN.search(message):
        asked, suggested = _NAMES.findall(found[1]), _NAMES.findall(message[found.end() :])
        return f"no column {'.'.join(asked)}" + (f"; {nearest(asked[-1], suggested)}" if suggested else "")
    return None

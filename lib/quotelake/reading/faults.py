"""Spark's message about a statement that it cannot run, shortened to one line for its author."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

#: After the message: an error code, the plan, Java's stack trace.
_REST: Final = re.compile(
    r"(?:(?<!\s)\s++)?+(?:SQLSTATE: \w+|== SQL|JVM stacktrace:)|(?<!\s)[^\S\n]*+\n\s*+at [\w.$]++\("
)
_CLASS: Final = re.compile(r"\[[A-Z0-9_.]+\]\s*")
#: Prefixes that Java and Spark put before the message of the original error.
_WRAPPER: Final = re.compile(r"\A(?:An error occurred while calling [^\n]*\n:?|[\w.$]+(?:Exception|Error):)\s*")
_PLACE: Final = re.compile(r"\bline (\d+),? pos(?:ition)? (\d+)")
_NO_TABLE: Final = re.compile(r"table or view `([^`]+)`")


def say_fault(text: str, names: Sequence[str]) -> str:
    r"""Say what is wrong with a statement, and where.

    Args:
        text: of Spark's exception.
        names: tables and views that a statement may name.

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
    missing = _NO_TABLE.search(message)
    if missing:
        message = f"no table or view {missing[1]}; " + _nearest(missing[1], names)
    place = _PLACE.search(rest.partition("== SQL")[0])
    where = f" at line {place[1]}, character {int(place[2]) + 1}" if place else ""
    return f"the statement failed{where}: {message or 'Spark does not say why'}"


def _nearest(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name.lower(), names, n=1)
    return f"did you mean {near[0]}?" if near else f"there are: {', '.join(sorted(names))}"

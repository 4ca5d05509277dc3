"""Statements that pages, summary and commands ask of a lake, by name: those of ``statements.sql``."""

from importlib import resources
from typing import Final

_FILE: Final = resources.files("quotelake.answers").joinpath("statements.sql").read_text("utf-8")
#: Statement by name. A part of the file is a line of comment, which begins with the name, and the statement.
STATEMENTS: Final = {
    part.partition(":")[0]: part.partition("\n")[2].partition(";")[0] for part in _FILE.split("\n-- ")[1:]
}

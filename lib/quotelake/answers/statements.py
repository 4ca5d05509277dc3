"""Statements that pages, summary and commands ask of a lake, by name: those of ``statements.sql``."""

import re
from importlib import resources
from typing import Final

_FILE: Final = resources.files("quotelake.answers").joinpath("statements.sql").read_text("utf-8")
#: Statement by name.
STATEMENTS: Final[dict[str, str]] = dict(re.findall(r"^-- (\w+):.*\n([^;]+);", _FILE, re.MULTILINE))

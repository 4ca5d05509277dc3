"""How a scraped article ends: its last lines, and the notices that follow its text. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache

from quotelake.sources import lists

#: Lines at the end of a text that are searched for notices.
_TAIL_LINES = 12
_BOILERPLATE = re.compile("|".join(lists.BOILERPLATE), re.IGNORECASE)


@lru_cache(maxsize=256)  # Two rules ask this of the same lines, one after the other.
def is_boilerplate(line: str) -> bool:
    """Whether a line is a notice that follows articles, such as one on copyright or a newsletter."""
    return _BOILERPLATE.search(line) is not None


def last_lines(text: str) -> Iterator[str]:
    """Yield those of the last 12 lines of a text that are not blank, stripped, the last one first."""
    end = len(text)
    for _ in range(_TAIL_LINES):
        start = text.rfind("\n", 0, end) + 1
        if line := text[start:end].strip():
            yield line
        if start == 0:
            return
        end = start - 1

"""How the text of an article ends as it was scraped: its last lines, and the notices that follow it. Pure."""

import re
from collections.abc import Iterator

from quotelake.sources import lists

#: Lines at the end of a text in which notices are looked for and read over.
_TAIL_LINES = 12
#: A notice that follows articles, such as one on copyright or a newsletter.
BOILERPLATE = re.compile("|".join(lists.BOILERPLATE), re.IGNORECASE)


def last_lines(text: str) -> Iterator[str]:
    """Yield the last lines of a text that hold anything, stripped, the last one first."""
    end = len(text)
    for _ in range(_TAIL_LINES):
        start = text.rfind("\n", 0, end) + 1
        if line := text[start:end].strip():
            yield line
        if start == 0:
            return
        end = start - 1

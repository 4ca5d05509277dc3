"""What a person has seen: the runs whose news the pages show, noted in a file of the lake after they were written.

New is what all complete runs brought behind the one up to which an earlier page showed everything. So a run that ended
before its page is shown by the next page, and one that brought nothing takes nothing off the page.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from quotelake.lake.place import Files

#: The file.
PAGES: Final = "_pages.json"


class PageState(NamedTuple):
    """Ids of complete runs, None before the first: what is new came behind ``since``; the pages show it ``upto``.

    ``ended`` is the last run that came to its end: exports, exit status.
    """

    since: str | None = None
    upto: str | None = None
    ended: str | None = None


def page_state(files: Files) -> PageState | None:
    """What the pages show; None in a lake in which nothing was noted, or a damaged note."""
    with suppress(ValueError, TypeError):
        return PageState(**json.loads(files.read(PAGES) or ""))
    return None


def write_state(files: Files, now: PageState) -> None:
    """Note what the pages show."""
    files.write(PAGES, json.dumps(now._asdict()))


def state_before_run(files: Files, complete: Sequence[str]) -> PageState:
    """What the pages show, by the complete runs of a lake in order; noted if nothing was, as in an older lake."""
    found = page_state(files)
    if found is None:
        since, last = [None, None, *complete][-2:]
        write_state(files, found := PageState(since, last, last))
    return found


def runs_behind(complete: Sequence[str], run_id: str | None) -> list[str]:
    """Complete runs behind one of them, or all for None; the last alone if the one is not among them."""
    if run_id is None:
        return list(complete)
    return list(complete[complete.index(run_id) + 1 :] if run_id in complete else complete[-1:])


def new_runs(files: Files, complete: Sequence[str], since: str | None = None) -> int:
    """How many of the last complete runs brought what is new: those behind ``since``, or else as the pages note."""
    noted = page_state(files) or PageState("unknown")
    return len(runs_behind(complete, since or noted.since))

"""Tell by mail, chat or webhook what the last run brought: new alerts, silent feeds, watched texts used again.

{command} --lake DIR --to 'mailto://USER:PASSWORD@example.org?to=desk@example.org'
QUOTELAKE_NOTIFY='slack://… msteams://…' {command} --lake DIR

Targets are URLs of apprise. Others on the machine can read arguments: URLs with passwords are better given in the
environment, white space between them. Each target is told once of each run, and not at all where nothing is new.
Exit status 75: one could not be reached, all others were told; the same command tries that one again.
"""

import hashlib
import json
import os
import re
import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from logging import WARNING
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from quotelake.commands.console import make_console, say
from quotelake.commands.options import add_lake
from quotelake.errors import InputError, UnreachableError
from quotelake.lake.place import Files, check_writable
from quotelake.pages.feeds import MORNING
from quotelake.pages.page import fill
from quotelake.program import command
from quotelake.text.printable import shortened, visible

# A target may hold a password: none is printed, and FILE has a slow salted hash of each, with the run it was told of.

#: Environment variable with more targets, white space between them: arguments of a program can be read by others.
VARIABLE: Final = "QUOTELAKE_NOTIFY"
FILE: Final = "_notified.json"
_LONGEST: Final = 140  # characters of a headline, a reason or a watched text


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_lake(parser)
    parser.add_argument("--to", action="append", default=[], metavar="URL", help="whom to tell; may be given again")
    parser.add_argument("--again", action="store_true", help="tell also those that were told of this run")
    parser.add_argument("--dry-run", action="store_true", help="print the message, and send nothing")


def run(arguments: Namespace) -> None:
    """Tell each target that was not told of this run what is new; nothing where nothing is.

    Raises:
        InputError: there is nothing to read, apprise is not installed, or a target is none that it knows.
        UnreachableError: a target took no message; all others were told.
    """
    try:
        from apprise import NotifyFormat
        from apprise.conversion import convert_between
    except ImportError:
        raise InputError("messages are sent by apprise, which is missing: pip install 'quotelake[notify]'") from None
    morning, console = _morning(arguments.lake), make_console()
    night, parts = str(morning["run"]["night"] or morning["run"]["started_at"][:10]), parts_of(morning)
    subject = f"Quotelake, {shortened(visible(night), 40)}: {', '.join(heading for heading, *_ in parts) or 'no news'}"
    body = fill("notify.html.j2", parts=parts, quiet=_quiet)
    if arguments.dry_run:
        as_text = partial(convert_between, NotifyFormat.HTML, NotifyFormat.TEXT)
        say(console, f"{subject}\n{as_text(body)}".rstrip())
        return
    targets = list(dict.fromkeys([*arguments.to, *os.environ.get(VARIABLE, "").split()]))
    if not targets:
        raise InputError(f"say whom to tell: --to URL, or URLs in the environment variable {VARIABLE}")
    senders = [_sender(url, number, len(targets)) for number, url in enumerate(targets, 1)]
    if not parts:
        return
    check_writable(arguments.lake)  # or all would be told again by the next call
    files, run_id = Files(arguments.lake), str(morning["run"]["run_id"])
    state: dict[str, Any] = {"salt": secrets.token_hex(16), "told": {}}
    with suppress(ValueError, TypeError):  # damaged: it is made anew
        state |= json.loads(files.read(FILE) or "{}")
    told, failed = 0, list[str]()
    for url, send in zip(targets, senders, strict=True):
        key = hashlib.scrypt(url.encode(), salt=state["salt"].encode(), n=1 << 14, r=8, p=1, dklen=16).hex()
        if state["told"].get(key) == run_id and not arguments.again:
            continue
        if (fault := send(subject, body)) is None:
            told += 1
            state["told"][key] = run_id
            files.write(FILE, json.dumps(state))
        else:
            failed.append(fault)
    if told:
        say(console, f"{subject}; sent to {told} of {len(targets)} targets")
    if failed:
        raise UnreachableError("\n".join(failed))


def _morning(lake: str) -> dict[str, Any]:
    """What is new, from the file that the last run wrote; without it, or in another form, an InputError."""
    path = Path(lake) / MORNING
    try:
        morning: dict[str, Any] = json.loads(path.read_text("utf-8"))
        missing = [name for name in ("run", "new_alerts", "silent", "watched") if name not in morning]
        fault = f"lacks {', '.join(missing)}" if missing else ""
    except (OSError, ValueError) as error:
        fault = f"cannot be read ({error.strerror if isinstance(error, OSError) else error})"
    if fault:
        raise InputError(f"{path} {fault}; name a lake on this machine, after a run: {command('score')}")
    return morning


def parts_of(morning: Mapping[str, Any]) -> list[tuple[str, list[dict[str, Any]], int]]:
    """What is to be told: of each part its heading, its first rows, and how many more there are; 20 lines at most."""
    used = [row for row in morning["watched"] if row["new_uses"]]
    parts = (
        ("new alert", "new alerts", morning["new_alerts"], 8),
        ("silent feed", "silent feeds", morning["silent"], 3),
        ("watched text used again", "watched texts used again", used, 3),
    )
    return [
        (f"{len(rows):,} {one if len(rows) == 1 else several}", rows[:most], max(len(rows) - most, 0))
        for one, several, rows, most in parts
        if rows
    ]


def _quiet(text: str) -> str:
    """Text of others in a line: short, visible, and without what calls people or hides an address in a chat.

    >>> _quiet("@everyone [our page](http://a.example)")
    '＠everyone [our page] (http://a.example)'
    """
    return shortened(visible(text), _LONGEST).replace("@", "＠").replace("](", "] (")


def _sender(url: str, number: int, targets: int) -> Callable[[str, str], str | None]:
    """A function that sends subject and body (HTML) to a target, and returns what failed; unknown: an InputError."""
    from apprise import Apprise, AppriseAsset, NotifyFormat
    from apprise.logger import LogCapture

    asset = AppriseAsset(app_id="Quotelake", app_desc="Quotelake", app_url="", async_mode=False)
    asset.image_url_mask = asset.image_url_logo = ""  # pictures of another site
    scheme, sign, _ = url.partition("://")
    named = f"target {number} of {targets} ({f'{scheme}://****' if sign else 'no URL'})"
    hear = partial(LogCapture, level=WARNING, fmt="%(message)s")
    with hear() as said:
        sender = Apprise(asset=asset)
        if (target := Apprise.instantiate(url, asset=asset)) is None:
            fault = _masked(said.getvalue(), url) or "unknown"
            raise InputError(f"{named} is none of those on https://github.com/caronc/apprise: {fault}")
    sender.add(target)

    def send(subject: str, body: str) -> str | None:
        with hear() as said:
            if sender.notify(body, subject, body_format=NotifyFormat.HTML):
                return None
        return f"{named} was not told; call this again to try it once more: {_masked(said.getvalue(), url)}"

    return send


def _masked(text: str, url: str) -> str:
    """What apprise said, on one line, without any word of the URL behind its scheme: which are secret differs.

    >>> _masked("Failed for bob on mail.example", "mailto://bob:pw@mail.example")
    'Failed for **** on ****'
    """
    behind = url.partition("://")[2] or url
    for word in sorted(re.findall(r"[\w.-]+", f"{behind} {unquote(behind)}"), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "****", text)
    return shortened(visible(text), 300)

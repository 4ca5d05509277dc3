"""Tell by mail, chat or webhook what the last run brought: new alerts, silent feeds, watched texts used again.

{command} --lake DIR --to 'mailto://USER:PASSWORD@example.org?to=desk@example.org'
QUOTELAKE_NOTIFY='slack://… msteams://…' {command} --lake DIR

Targets are URLs of apprise; what is longer than a target takes is sent in parts. With --json targets are http or https
addresses of programs, which get the news as morning.json has them. Others on the machine can read arguments: URLs with
passwords are better given in the environment, white space between them. Each target is told once of what is new, also
of nights on which it could not be reached, and not at all where nothing is new.
Exit status 75: one could not be reached, all others were told; the same command tries that one again.
"""

import hashlib
import json
import os
import re
import secrets
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from logging import WARNING
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote
from urllib.request import Request, urlopen

from quotelake.answers.alerts import SHARED, SHOWN
from quotelake.answers.morning import new_findings
from quotelake.answers.statements import STATEMENTS
from quotelake.commands.console import make_console, print_line
from quotelake.commands.lake_access import lake_engine
from quotelake.errors import InputError, UnreachableError
from quotelake.lake.place import Files, check_writable
from quotelake.pages.morning_page import MORNING, PAGE, morning_json
from quotelake.pages.page import fill
from quotelake.program import command
from quotelake.text.words import shortened, visible

#: Environment variable with more targets, white space between them: arguments of a program can be read by others.
VARIABLE: Final = "QUOTELAKE_NOTIFY"
#: File of the lake with a slow salted hash of each target, which may hold a password, and the run it was notified of.
FILE: Final = "_notified.json"
#: Sends a text with its subject; whether it was sent.
Sender = Callable[[str, str], bool | None]
_LONGEST: Final = 140  # characters of a headline, a reason or a watched text
#: Sections of the message: heading of one row and of several, key in ``morning.json``, rows shown, page of the others.
_SECTIONS: Final = (
    ("new alert", "new alerts", "new_alerts", 8, PAGE),
    ("quote not as printed", "quotes not as printed", "new_checks", 3, "alerts.html"),  # by the setting report.checks
    ("silent feed", "silent feeds", "silent", 3, PAGE),
    ("watched text used again", "watched texts used again", "watched", 3, PAGE),
)


def run(arguments: Namespace) -> None:
    """Notify each target that was not yet notified of this run, if there is news."""
    try:
        from apprise import NotifyFormat
        from apprise.conversion import convert_between
        from apprise.logger import LogCapture
    except ImportError:
        raise InputError("messages are sent by apprise, which is missing: pip install 'quotelake[notify]'") from None
    morning, console = _morning(arguments.lake), make_console()
    subject, body = message = _message(morning, as_json=arguments.json)
    if arguments.dry_run:
        as_text = str if arguments.json else partial(convert_between, NotifyFormat.HTML, NotifyFormat.TEXT)
        print_line(console, f"{subject}\n{as_text(body)}".rstrip())
        return
    targets = list(dict.fromkeys([*arguments.to, *os.environ.get(VARIABLE, "").split()]))
    if not targets:
        raise InputError(f"say whom to tell: --to URL, or URLs in the environment variable {VARIABLE}")
    schemes = [f"{url.partition('://')[0]}://****" if "://" in url else "no URL" for url in targets]
    names = {url: f"target {n} of {len(targets)} ({schemes[n - 1]})" for n, url in enumerate(targets, 1)}
    senders = {url: _program(url, name) if arguments.json else _sender(url, name) for url, name in names.items()}
    check_writable(arguments.lake)  # or all would be notified again by the next call
    files, run_id = Files(arguments.lake), str(morning["run"]["run_id"])
    state: dict[str, Any] = {"salt": secrets.token_hex(16), "told": {}}
    with suppress(ValueError, TypeError):  # damaged: it is made anew
        state |= json.loads(files.read(FILE) or "{}")
    sent, faults = 0, list[str]()
    for url, send in senders.items():
        key = hashlib.scrypt(url.encode(), salt=state["salt"].encode(), n=1 << 14, r=8, p=1, dklen=16).hex()
        last = state["told"].get(key)
        if last == run_id and not arguments.again:
            continue
        if last in (None, run_id, morning.get("since", last)):
            subject, body = message
        else:  # it was not told of all that came before these news
            news = _news_since(arguments.lake, last)
            told = morning | {name: rows for name, rows in news.items() if name in morning}
            subject, body = _message(told, as_json=arguments.json)
        if not body:
            continue
        with partial(LogCapture, level=WARNING, fmt="%(message)s")() as log:
            is_sent = send(body, subject)
        if not is_sent:
            remedy = "call this again to try it once more"
            faults.append(f"{names[url]} was not told; {remedy}: {_masked(log.getvalue(), url)}")
            continue
        sent += 1
        state["told"][key] = run_id
        files.write(FILE, json.dumps(state))
    if sent:
        print_line(console, f"{subject}; sent to {sent} of {len(targets)} targets")
    if faults:
        raise UnreachableError("\n".join(faults))


def _morning(lake: str) -> dict[str, Any]:
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


def _message(morning: Mapping[str, Any], *, as_json: bool) -> tuple[str, str]:
    """Subject and body, in HTML or JSON, of a message; no body where nothing is new."""
    night, sections = str(morning["run"]["night"] or morning["run"]["started_at"][:10]), []
    for one, several, key, most, page in _SECTIONS:
        if rows := [row for row in morning.get(key, ()) if key != "watched" or row["new_uses"]]:
            heading = f"{len(rows):,} {one if len(rows) == 1 else several}"
            sections.append((heading, rows[:most], max(len(rows) - most, 0), page))
    news = ", ".join(heading for heading, *_ in sections) or "no news"
    subject = f"Quotelake, {shortened(visible(night), 40)}: {news}"
    if not sections or as_json:
        return subject, morning_json(morning) if sections else ""

    def quiet(text: str) -> str:
        """Text of others in a line: short, visible, and without what calls people or hides an address in a chat."""
        return shortened(visible(text), _LONGEST).replace("@", "＠").replace("](", "] (")

    return subject, fill("notify.html.j2", sections=sections, quiet=quiet, base=morning.get("url", ""))


def _news_since(lake: str, run_id: str) -> dict[str, Any]:
    """What is new behind a run that a target was told of, in place of what the pages show."""
    run_sql = lake_engine("notify", lake, materialized=SHARED, since=run_id).sql
    rows = run_sql(STATEMENTS["page_alerts"].format(limit=SHOWN))
    found = {f"new_{tier}s": new_findings([row for row in rows if row["tier"] == tier]) for tier in ("alert", "check")}
    return found | {"watched": run_sql(STATEMENTS["watched"])}


def _program(url: str, name: str) -> Sender:
    """Sends JSON by HTTP to a program at an address."""
    from apprise.logger import logger

    if not url.startswith(("http://", "https://")):
        raise InputError(f"{name} is no address: with --json give http://… or https://…")

    def send(json_text: str, _: str) -> bool:
        try:
            with urlopen(Request(url, json_text.encode(), {"Content-Type": "application/json"}), timeout=30):
                return True
        except (OSError, ValueError, HTTPException) as error:
            logger.warning("%s", error)
            return False

    return send


def _sender(url: str, name: str) -> Sender:
    from apprise import Apprise, AppriseAsset, NotifyFormat, OverflowMode
    from apprise.logger import LogCapture

    asset = AppriseAsset(app_id="Quotelake", app_desc="Quotelake", app_url="", async_mode=False)
    asset.image_url_mask = asset.image_url_logo = ""  # pictures of another site
    sender = Apprise(asset=asset)
    with partial(LogCapture, level=WARNING, fmt="%(message)s")() as log:
        if not sender.add(url):
            fault = _masked(log.getvalue(), url) or "unknown"
            raise InputError(f"{name} is none of those on https://github.com/caronc/apprise: {fault}")
    for target in sender:
        if "overflow=" not in url:  # else a chat may cut what is longer than it takes, or refuse it
            target.overflow_mode = OverflowMode.SPLIT
    return partial(sender.notify, body_format=NotifyFormat.HTML)


def _masked(text: str, url: str) -> str:
    """What apprise logged, on one line, without any word of the URL behind its scheme."""
    # Apprise's own masking leaves hosts, and paths and headers of webhooks, which may be secret.
    behind = url.partition("://")[2] or url
    for word in sorted(re.findall(r"[\w.-]+", f"{behind} {unquote(behind)}"), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "****", text)
    return shortened(visible(text), 300)

"""What is new is told once to each target, by real apprise to webhooks on this machine, and no password is shown."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from apprise.plugins.custom_json import NotifyJSON
from tests.running import Done

from quotelake.commands.notify import FILE, VARIABLE
from quotelake.pages.morning_page import morning_json

SUBJECT = "Quotelake, 2 June: 2 new alerts, 1 silent feed, 1 watched text used again"
LINES = [
    "2 new alerts",
    "- Harbour Post: Mayor: “We will burn it” (a negation is lost (“not”)) https://a.example/1",
    "- unknown outlet: Union: “We strike” (a negation is lost (“not”))",
    "1 silent feed",
    "- Weekly & Sons brought nothing; on other nights it brings 12 articles",
    "1 watched text used again",
    "- “A stitch in time”: 3 new, 1,040 in all",
]
SECRET = "hunter2"


def new_alert(headline: str, **changed: Any) -> dict[str, Any]:
    alert = {"outlet": "Harbour Post", "reason": "a negation is lost (“not”)", "url": "https://a.example/1"}
    return {**alert, "headline": headline, **changed}


def morning(**changed: Any) -> dict[str, Any]:
    """One with nothing new, but for what is given."""
    run = {"run_id": "20240602T030000Z-abc", "night": "2 June", "started_at": datetime(2024, 6, 2, 3, tzinfo=UTC)}
    return {"run": run, "new_alerts": [], "silent": [], "watched": [], **changed}


NEWS = morning(
    new_alerts=[new_alert("Mayor: “We will burn it”"), new_alert("Union: “We strike”", outlet=None, url=None)],
    silent=[{"message": "Weekly & Sons brought nothing; on other nights it brings 12 articles"}],
    watched=[
        {"text": "A stitch in time", "new_uses": 3, "uses": 1040},
        {"text": "Rome was not built in a day", "new_uses": 0, "uses": 9},
    ],
)

Tell = Callable[..., Done]


@pytest.fixture
def tell(tmp_path: Path, run_job: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> Tell:
    """Run the command on a folder with what a night left: ``tell(targets, *arguments, of=morning)``."""
    monkeypatch.delenv(VARIABLE, raising=False)

    def run(targets: Sequence[str], *arguments: str, of: dict[str, Any] = NEWS) -> Done:
        (tmp_path / "morning.json").write_text(morning_json(of), "utf-8")
        done = run_job("notify", "--lake", tmp_path, *arguments, *(each for url in targets for each in ("--to", url)))
        state = tmp_path / FILE
        assert SECRET not in done.out + done.error + (state.read_text("utf-8") if state.exists() else "")
        return done

    return run


@contextmanager
def webhook(status: int = 200) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """A webhook that answers with a status; gives its port and the JSON it got."""
    got: list[dict[str, Any]] = []

    class Call(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Call) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1], got
        server.shutdown()


def nobody() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def test_each_target_gets_what_is_new_once_and_says_in_which_form(tell: Tell):
    with webhook() as (html_port, pages), webhook() as (port, calls):
        targets = [f"json://127.0.0.1:{html_port}?format=html", f"json://127.0.0.1:{port}/x"]
        first = tell(targets)
        assert (first.code, first.error) == (0, "") and first.out == f"{SUBJECT}; sent to 2 of 2 targets\n"
        again = tell(targets)
        assert (again.code, again.out, again.error) == (0, "", "")
        assert (len(pages), len(calls)) == (1, 1)
        assert tell(targets, "--again").code == 0 and (len(pages), len(calls)) == (2, 2)
        tell(targets, of={**NEWS, "run": NEWS["run"] | {"run_id": "20240603T030000Z-d"}})
        assert (len(pages), len(calls)) == (3, 3), "another night is told"
    assert calls[0]["title"] == pages[0]["title"] == SUBJECT
    assert calls[0]["message"].splitlines() == LINES
    assert "Weekly &amp; Sons" in pages[0]["message"]
    assert '<a href="https://a.example/1">https://a.example/1</a>' in pages[0]["message"]


def test_a_dry_run_prints_the_message_and_sends_and_keeps_nothing(tell: Tell, tmp_path: Path):
    with webhook() as (port, calls):
        done = tell([f"json://127.0.0.1:{port}"], "--dry-run")
    assert done.out.splitlines() == [SUBJECT, *LINES] and not calls
    assert not (tmp_path / FILE).exists()


def test_where_nothing_is_new_nobody_is_told(tell: Tell):
    unused = [NEWS["watched"][1]]
    with webhook() as (port, calls):
        done = tell([f"json://127.0.0.1:{port}"], of=morning(watched=unused))
    assert (done.code, done.out, done.error, calls) == (0, "", "", [])


def test_a_target_that_cannot_be_reached_is_named_without_its_password_and_the_others_are_told(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
):
    with webhook() as (port, calls), webhook(403) as (closed, refused):
        targets = [
            f"json://bob:{SECRET}@127.0.0.1:{nobody()}/{SECRET}?+X-Key={SECRET}",
            f"mailto://bob:{SECRET}@127.0.0.1:{nobody()}?from=q@a.example&to=desk@a.example",
            f"json://127.0.0.1:{closed}/{SECRET}",
        ]
        monkeypatch.setenv(VARIABLE, f" json://bob:{SECRET}@127.0.0.1:{port}/\n")
        done = tell(targets)
        assert done.code == 75 and done.out == f"{SUBJECT}; sent to 1 of 4 targets\n"
        lines = done.error.removeprefix("quotelake: ").splitlines()
        assert [line.partition(" was not told; ")[0] for line in lines] == [
            "target 1 of 4 (json://****)", "target 2 of 4 (mailto://****)", "target 3 of 4 (json://****)",
        ]  # fmt: skip
        assert "onnection error" in lines[0] and "onnection error" in lines[1] and "403" in lines[2]
        assert "127.0.0.1" not in done.error and "bob" not in done.error
        assert tell(targets).code == 75 and len(refused) == 2
        assert len(calls) == 1, "whoever was told is not told again"


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ([], f"say whom to tell: --to URL, or URLs in the environment variable {VARIABLE}"),
        ([f"slack://{SECRET}"], "target 1 of 1 (slack://****) is none of those on https://github.com/caronc/apprise: "),
        (["json://127.0.0.1", f"http//{SECRET}"], "target 2 of 2 (no URL) is none of those on https://github.com"),
        ([f"nothing://bob:{SECRET}@x"], "target 1 of 1 (nothing://****) is none of those on https://github.com"),
    ],
)
def test_what_is_no_target_is_refused_before_anybody_is_told(tell: Tell, targets: list[str], expected: str):
    done = tell(targets)
    assert (done.code, done.out) == (2, "") and done.error.startswith(f"quotelake: {expected}")


def test_without_a_report_of_the_night_it_is_said_what_to_do(tmp_path: Path, run_job: Callable[..., Done]):
    file = tmp_path / "morning.json"
    for text, expected in (
        (None, f"{file} cannot be read (No such file"), ("{", "cannot be read (Expecting property name"),
        ('{"run": 1}', "lacks new_alerts, silent, watched;"),
    ):  # fmt: skip
        if text is not None:
            file.write_text(text, "utf-8")
        done = run_job("notify", "--lake", tmp_path, "--dry-run")
        assert done.code == 2 and expected in done.error


def test_a_damaged_note_of_who_was_told_costs_one_message(tell: Tell, tmp_path: Path):
    with webhook() as (port, calls):
        for text in ("{", "[]", '{"told": {}}'):
            (tmp_path / FILE).write_text(text, "utf-8")
            assert tell([f"json://127.0.0.1:{port}"]).code == 0
    assert len(calls) == 3


def test_a_message_has_twenty_lines_at_most_and_says_how_many_it_leaves_out(tell: Tell):
    many = morning(
        new_alerts=[new_alert(f"Alert {number}") for number in range(30)],
        silent=NEWS["silent"] * 9,
        watched=NEWS["watched"] * 1200,
    )
    subject, *lines = tell([], "--dry-run", of=many).out.splitlines()
    headings = ["30 new alerts", "9 silent feeds", "1,200 watched texts used again"]
    assert subject.endswith(", ".join(headings)) and [line for line in lines if line[0] != "-"] == headings
    assert [line for line in lines if "more" in line] == [
        f"- … and {n} more, in morning.html" for n in (22, 6, "1,197")
    ]
    assert len(lines) == 20 and "Alert 0" in lines[1], "the gravest first"
    assert tell([], "--dry-run", of=morning()).out == "Quotelake, 2 June: no news\n"


def test_checks_are_told_behind_the_alerts_where_the_morning_has_them(tell: Tell):
    news = morning(new_alerts=NEWS["new_alerts"][:1], new_checks=[new_alert(f"Check {n}") for n in range(5)])
    subject, *lines = tell([], "--dry-run", of=news).out.splitlines()
    assert subject.endswith("1 new alert, 5 quotes not as printed")
    assert lines[2] == "5 quotes not as printed" and "Check 0" in lines[3]
    assert lines[-1] == "- … and 2 more, in alerts.html" and len(lines) == 7


def test_what_is_longer_than_a_target_takes_is_sent_in_parts(tell: Tell, monkeypatch: pytest.MonkeyPatch):
    """Protects: a chat that takes 2,000 characters gets the silent feeds too, which stand at the end."""
    monkeypatch.setattr(NotifyJSON, "body_maxlen", 300)
    with webhook() as (port, calls), webhook() as (other, cut):
        assert tell([f"json://127.0.0.1:{port}", f"json://127.0.0.1:{other}?overflow=truncate"]).code == 0
    assert len(calls) > 1 and all(len(call["message"]) <= 300 for call in calls)
    assert "1,040 in all" in calls[-1]["message"] and len(cut) == 1, "what a URL asks for holds"


def test_programs_get_the_news_as_the_file_has_them(tell: Tell):
    with webhook() as (port, calls), webhook(500) as (broken, _):
        done = tell([f"http://127.0.0.1:{port}/{SECRET}", f"http://127.0.0.1:{broken}/{SECRET}"], "--json")
        assert done.code == 75 and "sent to 1 of 2 targets" in done.out and "500" in done.error
        assert tell([f"http://127.0.0.1:{port}/{SECRET}"], "--json").out == "", "once"
        assert json.loads(tell([], "--json", "--dry-run").out.partition("\n")[2]) == calls[0]
    assert calls == [json.loads(morning_json(NEWS))]
    refused = tell([f"json://{SECRET}"], "--json")
    assert refused.code == 2 and "(json://****) is no address: with --json give http://… or https://…" in refused.error


def test_a_message_links_to_the_pages_where_they_are_served(tell: Tell):
    served = morning(
        new_alerts=[new_alert("Mayor", quote_id=f"{n:032x}") for n in range(9)], url="https://in.example/q/"
    )
    lines = tell([], "--dry-run", of=served).out.splitlines()
    assert lines[2].endswith(f"https://a.example/1 https://in.example/q/alerts.html#alert-{0:032x}")
    assert lines[-1] == "- … and 1 more, in https://in.example/q/morning.html"
    assert "alerts.html" not in tell([], "--dry-run", of=served | {"url": ""}).out


def test_texts_of_articles_neither_format_nor_call_nor_link(tell: Tell):
    text = "<b>x</b> <!channel> @everyone [us](http://evil.example) *y*\x1b[31m\n# z"
    news = morning(new_alerts=[new_alert(text, url="javascript:alert(1)", outlet="<i>Post</i>", reason="&lt;")])
    shown = "<i>Post</i>: <b>x</b> <!channel> ＠everyone [us] (http://evil.example) *y*[U+001B][31m # z (&lt;)"
    with webhook() as (port, calls):
        hooks = [f"json://127.0.0.1:{port}?format={each}" for each in ("text", "markdown", "html")]
        assert tell(hooks, of=news).code == 0
    plain, markdown, html = (call["message"] for call in calls)
    assert plain.splitlines()[1] == f"- {shown}"
    assert r"\<\!channel\>" in markdown and r"\[us\] \(http://evil.example\) \*y\*" in markdown
    assert "&lt;b&gt;x&lt;/b&gt;" in html and "<b>x" not in html and "<i>" not in html
    assert "javascript" not in html and "href" not in html

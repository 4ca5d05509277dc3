"""Looking a quote up from the command line: formats, several texts at once, and mistakes in one line."""

import csv
import io
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.query.lakes import DAY, make_lake, use
from tests.running import Done

from quotelake.query.lookup import LookupResult

BRIDGE = "We will rebuild the bridge by May"
USES = [
    use(BRIDGE, outlet="Meridian Daily", headline="Bridge plans", published_at=DAY + timedelta(days=1)),
    use(BRIDGE, headline='=HYPERLINK("x")', published_at=DAY),
    use(BRIDGE, kind="tweet", outlet=None, headline=None, published_at=None),
    use("Nobody knows the price of bread", headline="Bread\x1b[31m"),
]

Look = Callable[..., Done]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_lake(tmp_path_factory.mktemp("lookup") / "lake", USES)


@pytest.fixture
def look(run_job: Callable[..., Done], lake: Path) -> Look:
    """Run the job by wording alone: ``look(*arguments, stdin=…)``."""
    return lambda *arguments, **kwargs: run_job("find_quote", "--lake", lake, "--no-meaning", *arguments, **kwargs)


def test_the_answer_tells_where_it_was_said_before_the_first_use_first(look: Look):
    assert [line.rstrip() for line in look(f"“{BRIDGE}!”", "--uses", "2").out.splitlines()] == [
        " 1  1.00 same    “we will rebuild the bridge by may”",
        "               3 uses in 3 documents, 2 outlets",
        '               2024-06-01  Harrow Ledger: =HYPERLINK("x")',
        "               2024-06-02  Meridian Daily: Bridge plans",
        "               … and 1 more (--uses all)",
    ]
    assert look("--uses", "all", BRIDGE).out.splitlines()[-1] == f"{' ' * 15}no date     tweet: He said: “{BRIDGE}”"
    assert len(look("--uses", "0", BRIDGE).out.splitlines()) == 3


def test_json_has_what_python_finds(look: Look):
    answer = json.loads(look("--format", "json", BRIDGE).out)
    assert answer["text"] == BRIDGE
    [found] = answer["found"]
    assert tuple(found) == LookupResult._fields
    assert found["first"] == found["listed"][0] and found["first"]["published_at"] == "2024-06-01 12:00:00"
    assert look("a text that nobody wrote").out == "no known quote has a score of 0.6 or more\n"
    odd = json.loads(look("--format", "json", f"{BRIDGE} \udce9").out)
    assert odd["found"][0]["how"] == "same", "bytes that are not UTF-8 are left out"


def test_csv_has_a_row_per_use_that_no_spreadsheet_runs(look: Look):
    rows = list(csv.DictReader(io.StringIO(look("--format", "csv", "--uses", "all", BRIDGE).out)))
    assert [row["headline"] for row in rows] == ['\'=HYPERLINK("x")', "Bridge plans", ""]
    assert {(row["position"], row["score"], row["quote"], row["uses"]) for row in rows} == {
        ("1", "1.0", BRIDGE.lower(), "3")
    }
    assert len(list(csv.reader(io.StringIO(look("--format", "csv", "--uses", "0", BRIDGE).out)))) == 2


def test_each_line_of_the_input_is_a_text(look: Look):
    lines = f"{BRIDGE}\n\nthe price of bread\nnothing of the kind\n".encode()
    answers = [json.loads(line) for line in look("--format", "json", stdin=lines).out.splitlines()]
    assert [(each["text"], len(each["found"])) for each in answers] == [
        (BRIDGE, 1), ("the price of bread", 1), ("nothing of the kind", 0),
    ]  # fmt: skip
    header, *rows = csv.reader(io.StringIO(look("--format", "csv", stdin=lines).out))
    assert header[0] == "text" and [row[0] for row in rows] == [BRIDGE] * 3 + ["the price of bread"]
    done = look("--format", "json", stdin=BRIDGE.encode() + b"\ncaf\xe9\n")
    assert done.code == 2 and done.out.count("\n") == 1, "a line that cannot be read ends the job after those before it"
    assert done.error == "quotelake: standard input, line 2: byte 3 is not UTF-8\n"


def test_what_would_act_on_a_terminal_is_shown(look: Look):
    out = look("knows the price of bread").out
    assert "\x1b" not in out and "Bread[U+001B]" in out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["  "], "the text to look up is empty"),
        (["…"], "the text to look up has no word"),
        (["--top", "0", BRIDGE], "--top 0: must be 1 or more"),
        (["--min-score", "1.5", BRIDGE], "--min-score 1.5: must be above 0 and at most 1"),
    ],
)
def test_a_mistake_is_one_line(look: Look, arguments: list[str], expected: str):
    done = look(*arguments)
    assert (done.code, done.out) == (2, "") and done.error == f"quotelake: {expected}\n"
    odd = look("--uses", "some", BRIDGE)
    assert odd.code == 2 and "argument --uses: 'some': expected a number from 0 on, or all" in odd.error

"""The quotes of a text from the command line: those of the Python interface, without Spark, and errors in one line."""

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.running import Done

import quotelake
from quotelake.quotes.spans import MODES

TEXT = "“We will\nrebuild,” said Mayor Ana Ruiz, the head of the city. “It is a ‘dead end’ today,” she said."

Find = Callable[..., Done]

MARKS = "“”‘’\"' .,\n\x1b\u202e"
parts = st.sampled_from([*MARKS, "said Ana Ruiz", "she said", "We will win", "&quot;", "말했다", "😀"])


@pytest.fixture
def find(run_job: Callable[..., Done]) -> Find:
    """Run the job: ``find(*arguments, text=…)``."""
    return lambda *arguments, text=TEXT: run_job("find_quotes", *arguments, stdin=text)


def test_each_quote_is_shown_with_its_kind_place_and_speaker(find: Find):
    assert find().out.splitlines() == [
        "“We will rebuild,”",
        "  direct, characters 1 to 17, said by Mayor Ana Ruiz",
        "",
        "“It is a ‘dead end’ today,”",
        "  direct, characters 63 to 88, said by she (Ana Ruiz)",
        "",
        "    “dead end”",
        "      direct, characters 72 to 80",
        "",
        "language en: 3 quotes, 2 with a speaker",
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(parts, min_size=1, max_size=12).map("".join).filter(str.strip), st.sampled_from(MODES))
@example("It rained. “We lost.” It rained.\n\nAna Ruiz Says, “We will win.”", "headline")  # speakers differ by mode
def test_json_is_what_the_python_interface_finds(find: Find, text: str, mode: str):
    found = json.loads(find("--json", "--mode", mode, "--language", "en", text=text).out)
    quotes = quotelake.find_quotes(text, mode)
    speakers = quotelake.find_speakers(text, quotes, mode, "en")
    expected = [{**q._asdict(), "speaker": s and s._asdict()} for q, s in zip(quotes, speakers, strict=True)]
    assert found == {"language": "en", "mode": mode, "quotes": json.loads(json.dumps(expected))}
    shown = find("--mode", mode, "--language", "en", text=text).out
    assert shown.count("characters ") == len(quotes)
    assert not set(shown) & set("\x1b\u202e"), "what would act on a terminal is shown by its code point"


@pytest.mark.parametrize(
    ("arguments", "text", "expected"),
    [
        (["none.txt"], TEXT, "none.txt: No such file or directory; give a file"),
        ([], "  \n", "-: holds no text"),
        ([], b"caf\xe9", "byte 3 is not UTF-8"),
        (["--language", "English!"], TEXT, "--language 'English!' is no language code"),
    ],
)
def test_what_is_wrong_is_one_message(find: Find, arguments: list[str], text: str | bytes, expected: str):
    done = find(*arguments, text=text)
    assert (done.code, done.out) == (2, "") and done.error.count("\n") == 1 and expected in done.error

"""Requests to a model's server, a stand-in: what fails is a reading with its reason, and none hangs or repeats."""

import json
import os
import threading
import time
from collections import Counter
from dataclasses import replace

import pytest
from tests.reader.stand_in import BODY, GOOD, HEADLINE, Reply, answer, data_of, reader_settings, stand_in

from quotelake.errors import SettingsError
from quotelake.reader import client
from quotelake.reader.answers import Reading
from quotelake.reader.client import MOST_BYTES, MOST_FAILURES, Reader
from quotelake.reader.instruction import Question

QUESTION = Question(HEADLINE, 7, 28, BODY)
FAILURES = {
    "hangs": (Reply(seconds=30), "no answer: ReadTimeout"),
    "sends it byte by byte": (GOOD._replace(drip=0.05), "no answer: ReadTimeout"),
    "status 500": (Reply(status=500), "status 500"),
    "status 429": (Reply(status=429, headers=(("Retry-After", "0"),)), "status 429"),
    "status 401": (Reply(status=401), "status 401"),
    "a redirection": (Reply(status=302, headers=(("Location", "http://127.0.0.1:1/"),)), "status 302"),
    "half a JSON": (Reply(GOOD.text[:60]), "no JSON object"),
    "no JSON": (Reply("The headline is misleading."), "no JSON object"),
    "another schema": (Reply('{"label": "M", "why": "so"}'), "another schema"),
    "another verdict": (Reply(answer("guilty", BODY)), "another schema"),
    "not the protocol": (Reply(raw=b'{"error": []}'), "not of the chat protocol"),
    "no text": (Reply(raw=b'{"choices": [{"message": {"content": null}}]}'), "not of the chat protocol"),
    "two megabytes": (Reply(raw=b" " * 2 * MOST_BYTES), "longer than 1,000,000 bytes"),
}


def read(reader: Reader) -> Reading | None:
    [reading] = reader.read_all([QUESTION])
    return reading


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "WAITS", (0.0, 0.0))


@pytest.mark.parametrize("name", FAILURES)
def test_each_kind_of_failure_is_a_reading_with_its_reason(name: str):
    reply, reason = FAILURES[name]
    with stand_in(reply) as server:
        reader = Reader(reader_settings(server.url, timeout=0.3))
        reading = read(reader)
    assert reading is not None
    assert (reading.status, reading.verdict, reading.evidence, reading.sentence) == ("failed", None, (), None)
    assert reason in str(reading.reason)


def test_a_server_that_is_down_is_a_failure_too():
    reading = read(Reader(reader_settings("http://127.0.0.1:9/v1")))
    assert reading is not None and str(reading.reason).startswith("no answer: ConnectError")


def test_an_answer_is_read_with_what_it_cost():
    with stand_in(GOOD) as server:
        reader = Reader(reader_settings(server.url))
        reading = read(reader)
    assert reading is not None and reading.verdict == "misleading"
    assert (reading.kind, reading.words, reading.sentence) == (
        "negation",
        ("I doubt that we can win",),
        "She doubts it.",
    )
    assert (reading.tokens_in, reading.tokens_out) == (100, 10)


def test_what_may_pass_is_tried_again_and_a_limit_is_waited_for():
    replies = iter([Reply(status=503), Reply(status=429, headers=(("Retry-After", "1"),)), GOOD])
    with stand_in(lambda _: next(replies)) as server:
        reader = Reader(reader_settings(server.url))
        began = time.monotonic()
        reading = read(reader)
    assert reading is not None and reading.verdict == "misleading"
    assert time.monotonic() - began >= 1 and len(server.requests) == 3


def test_ten_failures_in_a_row_end_the_requests_and_one_success_begins_the_row_anew():
    replies = iter([*[Reply(status=401)] * (MOST_FAILURES - 1), GOOD, *[Reply(status=401)] * 30])
    with stand_in(lambda _: next(replies)) as server:
        reader = Reader(reader_settings(server.url, tasks=1))
        readings = list(reader.read_all([QUESTION] * 40))
    assert len(server.requests) == 2 * MOST_FAILURES
    assert [reading is None for reading in readings] == [False] * 20 + [True] * 20
    assert read(reader) is None


def test_a_server_without_structured_output_is_asked_without_and_no_article_takes_it_from_the_others():
    def old_server(request: dict[str, object]) -> Reply:
        return Reply(status=400) if "response_format" in request else GOOD

    with stand_in(old_server) as server:
        reader = Reader(reader_settings(server.url, tasks=1))
        assert all(reading and reading.verdict == "misleading" for reading in reader.read_all([QUESTION] * 3))
    assert ["response_format" in request for request in server.requests] == [True, False, False, False]

    def too_long(request: dict[str, object]) -> Reply:
        return Reply(status=400) if "long" in data_of(request)["article"] else GOOD

    with stand_in(too_long) as server:
        reader = Reader(reader_settings(server.url, tasks=1))
        found = list(reader.read_all([QUESTION, replace(QUESTION, body="a long one"), QUESTION]))
    assert [reading and reading.status for reading in found] == ["read", "failed", "read"]
    assert "response_format" in server.requests[-1]


def test_the_key_is_sent_and_stands_in_no_reading(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("A_KEY", "secret-42")
    for reply in (GOOD, Reply(status=401, raw=b"secret-42")):
        with stand_in(reply) as server:
            reader = Reader(reader_settings(server.url, api_key_env="A_KEY"))
            assert "secret-42" not in repr(read(reader))
        assert set(server.keys) == {"Bearer secret-42"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": ""}, "reader.model: name the model"),
        ({"api_key_env": "NO_SUCH_KEY"}, "the environment has no NO_SUCH_KEY"),
    ],
)
def test_a_fault_of_the_settings_is_named(changed: dict[str, str], message: str):
    assert "NO_SUCH_KEY" not in os.environ
    with pytest.raises(SettingsError, match=message):
        Reader(reader_settings("http://127.0.0.1:9/v1", **changed))


def test_requests_go_side_by_side_and_answers_keep_their_order():
    """All of them wait in the server at once: were they one after the other, the last would never come."""
    together = threading.Barrier(16)

    def respond(request: dict[str, object]) -> Reply:
        together.wait(30)
        return Reply(answer("fair", data_of(request)["article"]))

    questions = [replace(QUESTION, body=f"{BODY} This is article {number}.") for number in range(32)]
    with stand_in(respond) as server:
        reader = Reader(reader_settings(server.url, tasks=16, timeout=40.0))
        readings = list(reader.read_all(questions))
    assert [reading and reading.words for reading in readings] == [(one.body.strip("“."),) for one in questions]


def test_each_quote_is_asked_for_once():
    questions = [replace(QUESTION, body=f"{BODY} This is article {number}.") for number in range(50)]
    with stand_in(GOOD) as server:
        reader = Reader(reader_settings(server.url))
        assert len(list(reader.read_all(questions))) == 50
    assert set(Counter(json.dumps(request) for request in server.requests).values()) == {1}


@pytest.mark.slow
def test_the_time_of_requests_side_by_side_is_printed():
    """``pytest -m slow -s`` prints the figure; what is held is that each question has its answer."""
    questions, seconds = [replace(QUESTION, body=f"{BODY} This is article {n}.") for n in range(64)], dict[int, float]()
    for tasks in (1, 16):
        with stand_in(GOOD._replace(seconds=0.2)) as server:
            begun = time.monotonic()
            readings = list(Reader(reader_settings(server.url, tasks=tasks)).read_all(questions))
            seconds[tasks] = time.monotonic() - begun
        assert len(readings) == len(server.requests) == len(questions)
    print(
        f"64 requests of 200 ms: {seconds[1]:.1f} s one at a time, {seconds[1] / seconds[16]:.1f} times as fast by 16"
    )

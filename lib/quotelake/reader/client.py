"""Requests to a server that speaks the OpenAI chat protocol: side by side, repeated where that may help, and bounded.

vLLM, llama.cpp, Ollama and clouds speak it. A request that fails is a reading with its reason, never an error.
"""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx2
import orjson

from quotelake.errors import SettingsError
from quotelake.reader.answers import Answer, Reading, read_answer
from quotelake.reader.instruction import Question, messages, reader_version, tokens_of
from quotelake.settings import ReaderSettings

#: Failed requests in a row after which no more are made: the server is down, or refuses all [ours].
MOST_FAILURES: Final = 10
#: Seconds before the second and the third try; longest wait that a server may ask for [ours].
WAITS: Final = (1.0, 4.0)
MOST_WAIT: Final = 60.0
#: Bytes of the longest answer of a server, and tokens of the longest that a model is to write.
MOST_BYTES: Final = 1_000_000
_MOST_TOKENS: Final = 2000
#: Statuses after which the same request may succeed.
_PASSING: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: What a server may refuse that knows neither structured output nor a temperature.
_OPTIONS: Final[dict[str, Any]] = {
    "temperature": 0,
    "max_tokens": _MOST_TOKENS,
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "reading", "strict": True, "schema": Answer.model_json_schema()},
    },
}
_REFUSED: Final = frozenset({400, 422})


class _FailedRequestError(Exception):
    """A request has failed; the message is the reason, in our words alone."""


class Reader:
    """Has a model read headline quotes. Use it in a ``with`` block; it serves one batch of them after the other.

    Raises:
        SettingsError: no model is named, or the environment variable of the key is not set.
    """

    def __init__(self, settings: ReaderSettings) -> None:
        if not settings.model:
            raise SettingsError(
                "reader.model: name the model that the server is to use, as in reader.model=gpt-oss:20b"
            )
        key = os.environ.get(settings.api_key_env, "") if settings.api_key_env else ""
        if settings.api_key_env and not key:
            raise SettingsError(f"reader.api_key_env: the environment has no {settings.api_key_env}; set it to the key")
        self.settings, self.version = settings, reader_version(settings)
        self.last_failure = ""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._failures, self._options, self._not_before = 0, _OPTIONS, 0.0
        self._lock = threading.Lock()
        limits = httpx2.Limits(max_connections=settings.tasks, max_keepalive_connections=settings.tasks)
        self._client = httpx2.Client(base_url=settings.url, headers=headers, timeout=settings.timeout, limits=limits)

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def has_given_up(self) -> bool:
        """Whether so many requests have failed in a row that no more are made."""
        return self._failures >= MOST_FAILURES

    def read_all(self, questions: Sequence[Question]) -> Iterator[Reading | None]:
        """Read some quotes side by side, in their order; None for those that are not asked for any more."""
        with ThreadPoolExecutor(self.settings.tasks, "reader") as pool:
            yield from pool.map(self.read, questions)

    def read(self, question: Question) -> Reading | None:
        """Read one quote; None without a request if the reader has given up."""
        if self.has_given_up:
            return None
        began, tokens_in, tokens_out = time.monotonic(), 0, 0
        try:
            answer, tokens_in, tokens_out = self._answer(messages(question, self.settings.article_tokens))
            reading = read_answer(answer, question)
        except _FailedRequestError as error:
            reading = Reading("failed", str(error))
        except Exception as error:  # a fault of this program must not end a night
            reading = Reading("failed", f"the program failed: {type(error).__name__}")
        with self._lock:
            self._failures = self._failures + 1 if reading.status == "failed" else 0
            self.last_failure = reading.reason or "" if reading.status == "failed" else self.last_failure
        return replace(reading, tokens_in=tokens_in, tokens_out=tokens_out, seconds=time.monotonic() - began)

    def _answer(self, sent: Sequence[dict[str, str]]) -> tuple[str, int, int]:
        """What the model writes, and the tokens that it read and wrote."""
        request: dict[str, Any] = {"model": self.settings.model, "messages": sent}
        options, waits = self._options, [*WAITS]
        while True:
            while (left := self._not_before - time.monotonic()) > 0:
                time.sleep(left)
            pause = None
            try:
                status, headers, data = self._post(request | options)
            except httpx2.TimeoutException:
                failure = f"no answer in {self.settings.timeout:g} s"
            except httpx2.HTTPError as error:
                failure = f"no connection: {type(error).__name__}"
            else:
                if status == httpx2.codes.OK:
                    self._options = options
                    return _content(data, sent)
                if status in _REFUSED and options:  # perhaps the server does not know one of them
                    options = {}
                    continue
                failure, pause = f"status {status}", _retry_after(headers)
                if status not in _PASSING:
                    raise _FailedRequestError(failure)
            if not waits:
                raise _FailedRequestError(failure)
            wait = waits.pop(0)
            if pause is None:
                time.sleep(wait)
            else:
                self._not_before = time.monotonic() + pause  # for all tasks: the limit is of the key

    def _post(self, request: dict[str, Any]) -> tuple[int, httpx2.Headers, bytes]:
        """Status, headers and body of the answer, which has to be there in time: a server may send it byte by byte."""
        deadline, data = time.monotonic() + self.settings.timeout, bytearray()
        with self._client.stream("POST", "chat/completions", content=orjson.dumps(request)) as response:
            for piece in response.iter_bytes():
                data += piece
                if len(data) > MOST_BYTES:
                    raise _FailedRequestError(f"the answer is longer than {MOST_BYTES:,} bytes")
                if time.monotonic() > deadline:
                    raise httpx2.ReadTimeout("too slow")
            return response.status_code, response.headers, bytes(data)


def _content(data: bytes, sent: Sequence[dict[str, str]]) -> tuple[str, int, int]:
    try:
        found = orjson.loads(data)
        text = found["choices"][0]["message"]["content"]
        counts = found.get("usage") or {}
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _FailedRequestError("the server's answer is not of the chat protocol") from None
    if not isinstance(text, str):
        raise _FailedRequestError("the model wrote nothing")
    estimates = {"prompt_tokens": sum(tokens_of(one["content"]) for one in sent), "completion_tokens": tokens_of(text)}
    known = (counts.get(name) if isinstance(counts, dict) else None for name in estimates)
    read, written = (
        count if isinstance(count, int) and 0 <= count < 1 << 31 else estimate
        for count, estimate in zip(known, estimates.values(), strict=True)
    )
    return text, read, written


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds that a server asks to wait, at most :data:`MOST_WAIT`; None where it asks for none, or not plainly."""
    stated = headers.get("Retry-After", "").strip()
    try:
        seconds = float(stated) if stated[:1].isdigit() else parsedate_to_datetime(stated).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return None
    return min(max(seconds, 0.0), MOST_WAIT)

"""Requests to a server of the OpenAI chat protocol: side by side, bounded; what fails is a reading with its reason."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, Final

import httpx2
import orjson

from quotelake.errors import SettingsError
from quotelake.reader.answers import Answer, Reading, read_answer
from quotelake.reader.instruction import INSTRUCTION, NUMBER, Question, messages
from quotelake.settings import ReaderSettings
from quotelake.text.ids import content_id

#: Failed requests in a row after which no more are made: the server is down, or refuses all [ours].
MOST_FAILURES: Final = 10
#: Seconds before the second and the third try; longest wait that a server may ask for [ours].
WAITS, MOST_WAIT = (1.0, 4.0), 60.0
#: Bytes of the longest answer of a server.
MOST_BYTES: Final = 1_000_000
#: Statuses after which the same request may succeed.
_PASSING: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_SCHEMA: Final = {"name": "reading", "strict": True, "schema": Answer.model_json_schema()}
_OPTIONS: Final[dict[str, Any]] = {
    "temperature": 0, "max_tokens": 2000, "response_format": {"type": "json_schema", "json_schema": _SCHEMA},
}  # fmt: skip


class _FailedRequestError(Exception):
    """A request has failed; the message is the reason, in our words alone."""


class Reader:
    """Has a model read headline quotes; a SettingsError: the name of the model or the key of the server is missing."""

    def __init__(self, settings: ReaderSettings) -> None:
        key = os.environ.get(settings.api_key_env, "") if settings.api_key_env else ""
        if not settings.model:
            raise SettingsError("reader.model: name the model that the server is to use, such as gpt-oss:20b")
        if settings.api_key_env and not key:
            raise SettingsError(f"reader.api_key_env: the environment has no {settings.api_key_env}; set it to the key")
        digest = content_id(INSTRUCTION, settings.model, settings.article_tokens)
        self.settings, self.version = settings, f"{NUMBER}-{digest[:8]}"
        self._failures, self._options, self._not_before = 0, _OPTIONS, 0.0
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})

    def read_all(self, questions: Sequence[Question]) -> Iterator[Reading | None]:
        """Read some quotes side by side, in their order; None: not asked for, as :data:`MOST_FAILURES` failed."""
        client = httpx2.Client(base_url=self.settings.url, headers=self._headers, timeout=self.settings.timeout)
        with client, ThreadPoolExecutor(self.settings.tasks, "reader") as pool:
            yield from pool.map(partial(self._read, client), questions)

    def _read(self, client: httpx2.Client, question: Question) -> Reading | None:
        if self._failures >= MOST_FAILURES:
            return None
        began, read, written = time.monotonic(), 0, 0
        try:
            text, read, written = self._complete(client, messages(question, self.settings.article_tokens))
            reading = read_answer(text, question)
        except _FailedRequestError as error:
            reading = Reading("failed", str(error))
        except Exception as error:  # a fault of this program must not end a night
            reading = Reading("failed", f"the program failed: {type(error).__name__}")
        self._failures = self._failures + 1 if reading.status == "failed" else 0
        return replace(reading, tokens_in=read, tokens_out=written, seconds=time.monotonic() - began)

    def _complete(self, client: httpx2.Client, sent: Sequence[dict[str, str]]) -> tuple[str, int, int]:
        request: dict[str, Any] = {"model": self.settings.model, "messages": sent}
        options, waits = self._options, [*WAITS]
        while True:
            time.sleep(max(self._not_before - time.monotonic(), 0.0))
            try:
                status, pause, data = self._post(client, request | options)
                failure = f"status {status}"
            except httpx2.HTTPError as error:
                status, pause, failure = 0, "", f"no answer: {type(error).__name__}"
            if status == httpx2.codes.OK:
                self._options = options
                return _content(data)
            if status in (400, 422) and options:  # perhaps the server does not know one of them
                options = {}
                continue
            if not waits or (status and status not in _PASSING):
                raise _FailedRequestError(failure)
            if pause.isdecimal():  # all tasks wait: the limit is of the key
                self._not_before = time.monotonic() + min(float(pause), MOST_WAIT)
            time.sleep(waits.pop(0))

    def _post(self, client: httpx2.Client, request: dict[str, Any]) -> tuple[int, str, bytes]:
        deadline, data = time.monotonic() + self.settings.timeout, bytearray()
        with client.stream("POST", "chat/completions", content=orjson.dumps(request)) as response:
            for piece in response.iter_bytes():  # a server may send them one by one
                data += piece
                if len(data) > MOST_BYTES:
                    raise _FailedRequestError(f"the answer is longer than {MOST_BYTES:,} bytes")
                if time.monotonic() > deadline:
                    raise httpx2.ReadTimeout("too slow")
            return response.status_code, response.headers.get("Retry-After", ""), bytes(data)


def _content(data: bytes) -> tuple[str, int, int]:
    try:
        found = orjson.loads(data)
        text, usage = found["choices"][0]["message"]["content"], found.get("usage") or {}
        read, written = (min(max(int(usage.get(f"{name}_tokens", 0)), 0), 1 << 30) for name in ("prompt", "completion"))
        return text.strip(), read, written
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _FailedRequestError("the server's answer is not of the chat protocol") from None

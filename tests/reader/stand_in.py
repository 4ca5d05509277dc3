"""A stand-in for a server with a language model: no model, but answers that a test gives it, good and bad ones."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from quotelake.settings import ReaderSettings, load_settings

HEADLINE = "Bell: “We can win this year”"
BODY = "“I doubt that we can win this year,” said Ana Bell. The council meets on Monday, and nobody expects a vote."


class Reply(NamedTuple):
    """What the server sends: the text that the model writes, or a raw body in its place."""

    text: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    raw: bytes | None = None
    seconds: float = 0.0  # before the answer
    drip: float = 0.0  # between its bytes


def answer(
    verdict: str = "misleading", *evidence: str, kind: str | None = "negation", sentence: str = "So it is."
) -> str:
    return json.dumps(
        {"verdict": verdict, "kind": kind, "evidence": evidence, "sentence": sentence}, ensure_ascii=False
    )


GOOD = Reply(answer("misleading", "I doubt that we can win", sentence="She doubts it."))
Respond = Callable[[dict[str, Any]], Reply]


def data_of(request: dict[str, Any]) -> dict[str, Any]:
    """The line of data of a request."""
    found: dict[str, Any] = json.loads(request["messages"][1]["content"].splitlines()[1])
    return found


class StandIn:
    """The requests that came in, and how the server replies to each."""

    def __init__(self, respond: Respond) -> None:
        self.respond, self.requests, self.keys = respond, list[dict[str, Any]](), list[str | None]()
        self.url = ""


@contextmanager
def stand_in(respond: Respond | Reply) -> Iterator[StandIn]:
    """Serve on a free port of this machine until the block ends."""
    server = StandIn(respond if callable(respond) else lambda _: respond)
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(request)
            server.keys.append(self.headers["Authorization"])
            reply = server.respond(request)
            ended.wait(reply.seconds)
            usage = {"prompt_tokens": 100, "completion_tokens": 10}
            body = {"choices": [{"message": {"content": reply.text}}], "usage": usage}
            raw = json.dumps(body).encode() if reply.raw is None else reply.raw
            try:
                self.send_response(reply.status)
                for name, value in (*reply.headers, ("Content-Length", str(len(raw)))):
                    self.send_header(name, value)
                self.end_headers()
                for at in range(len(raw)) if reply.drip else ():
                    self.wfile.write(raw[at : at + 1])
                    if ended.wait(reply.drip):
                        return
                if not reply.drip:
                    self.wfile.write(raw)
            except OSError:  # the reader has hung up
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    with Server(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
        threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield server
        finally:
            ended.set()
            http.shutdown()


def reader_settings(url: str, **changed: Any) -> ReaderSettings:
    given = load_settings().reader.model_dump() | {"url": url, "model": "stand-in", "timeout": 5.0, **changed}
    return ReaderSettings.model_validate(given)

"""Listeners on this machine that take what is sent to them: a mail server, as little of it as SMTP needs, a webhook."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler
from socketserver import BaseRequestHandler, StreamRequestHandler, ThreadingTCPServer
from typing import Any


@contextmanager
def listening(handler: type[BaseRequestHandler]) -> Iterator[int]:
    """Serve in the background; gives the port."""
    with ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


@contextmanager
def mail_server() -> Iterator[tuple[int, list[EmailMessage]]]:
    """A mail server that accepts every message (RFC 5321 without extensions); gives its port and what it got."""
    got: list[EmailMessage] = []

    class Session(StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 localhost\r\n")
            while line := self.rfile.readline():
                word = line[:4].upper()
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    lines = list(iter(self.rfile.readline, b".\r\n"))
                    parsed = message_from_bytes(
                        b"".join(each.removeprefix(b".") for each in lines), policy=policy.default
                    )
                    assert isinstance(parsed, EmailMessage)
                    got.append(parsed)
                self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")

    with listening(Session) as port:
        yield port, got


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

    with listening(Call) as port:
        yield port, got

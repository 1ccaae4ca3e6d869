"""Loopback servers that answer with any bytes, and the replies that the client tests share."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pydantic import SecretStr

from bot.client.http import CourseClient, Timeouts

KEY = "sekrit-key"
GRID = [[0] * 7 for _ in range(6)]
GOOD: dict[str, Any] = {"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": GRID}
QUICK = Timeouts(connect_s=0.5, read_s=0.5, total_s=1.0, patience_s=0.3, first_contact_s=0.3, statistics_s=0.3)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

Answer = Callable[[socket.socket, threading.Event], None]
"""Answers one request; the event is set when the test is over, so that an answer can hang until then."""


def client(server: str, **options: Any) -> CourseClient:
    options.setdefault("timeouts", QUICK)
    return CourseClient(server, options.pop("ids", ("aa", "bb")), SecretStr(options.pop("key", KEY)), **options)


def http(body: bytes, *, status: str = "200 OK", kind: str | None = "application/json", extra: str = "") -> bytes:
    """Return a whole reply."""
    kind_line = "" if kind is None else f"Content-Type: {kind}\r\n"
    return f"HTTP/1.1 {status}\r\n{kind_line}{extra}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body


def good(**fields: Any) -> bytes:
    """Return a whole good reply with these fields."""
    return http(json.dumps({**GOOD, **fields}).encode())


def sends(*parts: bytes) -> Answer:
    """Return an answer that sends these bytes and closes the connection."""

    def answer(connection: socket.socket, _over: threading.Event) -> None:
        for part in parts:
            connection.sendall(part)

    return answer


def then_hangs(data: bytes) -> Answer:
    """Return an answer that sends these bytes and keeps the connection open."""

    def answer(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(data)
        over.wait()

    return answer


def drips(data: bytes) -> Answer:
    """Return an answer that sends these bytes and then a space now and then, until the connection is closed."""

    def answer(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(data)
        while not over.wait(0.05):
            connection.sendall(b" ")

    return answer


def resets(connection: socket.socket, _over: threading.Event) -> None:
    """Close the connection with a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


@contextmanager
def raw_server(*answers: Answer | bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that reads each request whole and gives the next of ``answers``, the last one for ever.

    Yields its URL and the bodies of the requests. Its sockets are closed and its threads ended afterwards.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.02)
    over = threading.Event()
    seen: list[bytes] = []
    threads: list[threading.Thread] = []

    def run() -> None:
        while not over.is_set():
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                connection.settimeout(20)
                answer = answers[min(len(threads), len(answers) - 1)]
                threads.append(threading.Thread(target=serve, args=(connection, answer), daemon=True))
                threads[-1].start()

    def serve(connection: socket.socket, answer: Answer | bytes) -> None:
        with connection, suppress(OSError):
            seen.append(read_request(connection))
            (sends(answer) if isinstance(answer, bytes) else answer)(connection, over)

    accepting = threading.Thread(target=run, daemon=True)
    accepting.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", seen
    finally:
        over.set()
        accepting.join()
        listener.close()
        for thread in threads:
            thread.join(5)


def read_request(connection: socket.socket) -> bytes:
    """Read one request whole; return its body."""
    head, _, body = _until(connection, b"", lambda data: b"\r\n\r\n" in data).partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.I)
    return _until(connection, body, lambda data: len(data) >= (int(length[1]) if length else 0))


def _until(connection: socket.socket, data: bytes, is_enough: Callable[[bytes], bool]) -> bytes:
    while not is_enough(data):
        chunk = connection.recv(65536)
        if not chunk:
            raise ConnectionError("The client has closed the connection.")
        data += chunk
    return data


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])

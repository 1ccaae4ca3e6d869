"""Loopback servers for tests: one implementation of the sockets and threads, and scripted answers of any bytes.

Everything that a server opens ends with its context: connections are shut down, threads are joined.
"""

from __future__ import annotations

import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

HOST = "127.0.0.1"
RESET_ON_CLOSE = struct.pack("ii", 1, 0)
"""Value of SO_LINGER with which closing a socket sends RST instead of FIN."""
_SOCKET_TIMEOUT_S = 120.0
"""Limit of one socket operation of an answer, seconds: a hung test fails instead of hanging its server."""

Answer = Callable[[socket.socket, threading.Event], None]
"""Serves one connection, which is closed when it returns. The event is set when the server ends."""


class SocketServer(ThreadingTCPServer):
    """A listener on loopback that runs ``serve`` in a thread for each connection, between enter and exit."""

    def __init__(self, serve: Answer, listener: socket.socket | None = None) -> None:
        super().__init__((HOST, 0), BaseRequestHandler, bind_and_activate=False)
        self.socket.close()
        self.socket = socket.create_server((HOST, 0)) if listener is None else listener
        self.url = f"http://{HOST}:{self.socket.getsockname()[1]}"
        self._serve = serve
        self._over = threading.Event()
        self._connections: list[socket.socket] = []
        self._accepting = threading.Thread(target=self.serve_forever, args=(0.01,))

    def __enter__(self) -> SocketServer:
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.shutdown()
        self._accepting.join()
        for connection in self._connections:
            with suppress(OSError):  # it may be closed already
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()  # joins the threads

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        connection.settimeout(_SOCKET_TIMEOUT_S)
        self._connections.append(connection)
        return connection, address

    def finish_request(self, request: Any, _address: Any) -> None:
        """Serve a connection."""
        with suppress(OSError):
            self._serve(request, self._over)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection, with a reset where an answer wants one."""
        request.close()

    def handle_error(self, *_: Any) -> None:
        """Let what an answer raises, such as a failed assertion, be reported as an error of its thread."""
        raise  # noqa: PLE0704 - it is called where the exception is handled


@contextmanager
def raw_server(*answers: Answer | bytes, listener: socket.socket | None = None) -> Iterator[tuple[str, list[bytes]]]:
    """Run a server that reads each request and gives the next of ``answers``; the last one is repeated.

    Yields its URL and the bodies of the requests so far.
    """
    seen: list[bytes] = []
    left = chain(answers, repeat(answers[-1]))

    def serve(connection: socket.socket, over: threading.Event) -> None:
        seen.append(read_message(connection)[1])
        answer = next(left)
        (sends(answer) if isinstance(answer, bytes) else answer)(connection, over)

    with SocketServer(serve, listener) as server:
        yield server.url, seen


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
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)


def http(body: bytes, *, status: str = "200 OK", kind: str | None = "application/json", extra: str = "") -> bytes:
    """Return a whole HTTP reply."""
    kind_line = "" if kind is None else f"Content-Type: {kind}\r\n"
    return f"HTTP/1.1 {status}\r\n{kind_line}{extra}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body


def read_message(connection: socket.socket) -> tuple[bytes, bytes]:
    """Read one whole request; return its head and its body."""
    head, _, body = _until(connection, b"", lambda data: b"\r\n\r\n" in data).partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.I)
    return head, _until(connection, body, lambda data: len(data) >= (int(length[1]) if length else 0))


def _until(connection: socket.socket, data: bytes, is_enough: Callable[[bytes], bool]) -> bytes:
    while not is_enough(data):
        chunk = connection.recv(65536)
        if not chunk:
            raise ConnectionError("The client has closed the connection.")
        data += chunk
    return data


@contextmanager
def reserved_port() -> Iterator[int]:
    """Reserve a port on which nothing listens: a connection is refused, and no other process is given it meanwhile.

    One server after another may have it: those of this program set SO_REUSEADDR, as this socket does.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((HOST, 0))
        yield int(held.getsockname()[1])

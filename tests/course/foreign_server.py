"""A course server written from its protocol alone, on a free port of 127.0.0.1: for recordings and black-box checks."""

from __future__ import annotations

import json
import socket
import threading
from typing import Any
from urllib.parse import parse_qs

from tests.course.foreign_course import Answer, Course, Reply, rejected
from tests.servers import SocketServer, http, read_message

BASE_PATH = "/edap01-4inarow"


class ForeignServer(SocketServer):
    """The server, listening between enter and exit; ``url`` is the base address of the service."""

    def __init__(self, answer: Answer, **options: Any) -> None:
        """``options`` are those of `Course`."""
        super().__init__(self._answer)
        self.url += BASE_PATH
        self._course, self._lock = Course(answer, **options), threading.Lock()

    def _answer(self, connection: socket.socket, over: threading.Event) -> None:
        """Answer the requests of one connection."""
        while not over.is_set():
            head, body = read_message(connection)
            path = head.split(None, 2)[1].decode().removeprefix(BASE_PATH)
            with self._lock:
                reply = self._reply(path, parse_qs(body.decode()))
            connection.sendall(http(json.dumps(reply).encode()))

    def _reply(self, path: str, form: dict[str, list[str]]) -> Reply:
        if path == "/":
            return {"title": "Connect Four"}
        assert path in ("/move", "/stats") and form["stil_id"]
        if form["api_key"] != ["nyckel"]:
            return rejected("Incorrect API key.")
        return self._course.stats() if path == "/stats" else self._course.move(int(*form["move"]))

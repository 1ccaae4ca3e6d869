"""A course server written from its protocol alone, with faults on demand, for black-box tests of a client.

`ForeignServer` is a context manager; a hook decides the fault of each POST to /move. Faults, "kind" or "kind:argument":

ok                              processed and answered
reset_before, reset_after       connection reset, before or after processing
silent_before, silent_after     no answer until the client hangs up, not processed or processed
truncated                       processed; the reply's body is cut in the middle
html_before, html_after         an HTML page with status 200, before or after processing
http_before:502, http_after:302 that HTTP status, before or after processing
refused:No game is running.     not processed; status false with that msg
duplicated                      processed twice, as by a retrying proxy; the second reply is sent
forget                          all games and counts are lost, then the request is processed
late                            the server ends the running game as lost on time: result -1, no board
nested, not_a_number, wrong_types   processed; the reply's fields are replaced by that nonsense
"""

from __future__ import annotations

import json
import random
import re
import socket
import threading
from collections.abc import Callable
from urllib.parse import parse_qs

from tests.course.foreign_course import Answer, Course, Finished, Game, Quirks, Reply, rejected
from tests.servers import SocketServer, http, read_message, resets

BASE_PATH = "/edap01-4inarow"
FAULTS = (
    *("reset_before", "reset_after", "truncated", "html_before", "html_after", "silent_before", "silent_after"),
    *("http_before:500", "http_after:500", "http_before:502", "http_after:504", "http_before:503", "http_after:503"),
    *("http_before:429", "http_after:429", "nested", "not_a_number", "wrong_types"),
    "refused:It is not your turn in this game.",
)
"""What a bad network, a busy server and a broken one do to single requests."""
NONSENSE: dict[str, Reply] = {
    "not_a_number": {"result": float("nan"), "botmove": float("inf"), "state": [[float("-inf")] * 7] * 6},
    "wrong_types": {"msg": ["?"], "result": {"value": 1}, "botmove": "three", "state": {"rows": "......"}},
}
"""Fields that replace those of a reply, by the fault's kind."""
_NESTED = b'{"status":true,"state":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
_PAGE = b"<!doctype html><html><body><h1>It works!</h1></body></html>"


Request = tuple[int | None, int, int, str]
"""The move, None for /stats; the number of the game that runs or that it starts; the discs on the board; the fault."""


def random_faults(seed: int, share: float) -> Callable[..., str]:
    """Return a hook for `Quirks.fault` and `Quirks.stats_fault` that spoils a share of the requests at random."""
    rng = random.Random(seed)
    return lambda *_: rng.choice(FAULTS) if rng.random() < share else "ok"


class ForeignServer:
    """The server, listening on a free port of 127.0.0.1 between enter and exit."""

    def __init__(self, answer: Answer, quirks: Quirks | None = None) -> None:
        self.quirks = quirks or Quirks()
        self.course = Course(answer, self.quirks)
        self.requests: list[Request] = []
        self.errors: list[BaseException] = []
        self.before_reply: Callable[[], None] | None = None
        """Called when a request has been processed, before its reply is sent."""
        self._lock = threading.RLock()
        self._sockets = SocketServer(self._serve)

    def __enter__(self) -> ForeignServer:
        self._sockets.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._sockets.__exit__(None, None, None)
        if self.errors and kind is None:
            raise self.errors[0]

    @property
    def url(self) -> str:
        """Base address of the service."""
        return self._sockets.url + BASE_PATH

    @property
    def finished(self) -> list[Finished]:
        """Finished games in the order of their ends."""
        return self.course.finished

    @property
    def running(self) -> Game | None:
        """The running game, if any."""
        return self.course.running

    @property
    def forfeits(self) -> int:
        """Number of running games that were ended by a -1."""
        return sum(game.ended == "forfeit" for game in self.finished)

    def _serve(self, connection: socket.socket, over: threading.Event) -> None:
        """Answer the requests of one connection."""
        while not over.is_set():
            head, body = read_message(connection)
            try:
                self._answer(connection, over, head.split(None, 2)[1].decode(), parse_qs(body.decode()))
            except OSError:
                raise
            except Exception as error:
                self.errors.append(error)
                return

    def _answer(self, connection: socket.socket, over: threading.Event, path: str, form: dict[str, list[str]]) -> None:
        """Answer one request as its fault says."""
        if path == f"{BASE_PATH}/":
            return connection.sendall(self._whole({"title": "Connect Four"}))
        assert re.fullmatch(rf"{BASE_PATH}/(move|stats)", path) and form["stil_id"]
        if form["api_key"] != ["nyckel"]:
            return connection.sendall(self._whole(rejected("Incorrect API key.")))
        move = int(*form["move"]) if path.endswith("move") else None
        fault = self._admit(move)
        kind, _, argument = fault.partition(":")
        if kind == "refused":
            return connection.sendall(self._whole(rejected(argument)))
        reply = {} if kind.endswith("_before") else self._process(move, fault)
        if self.before_reply is not None:
            self.before_reply()
        return self._carry_out(connection, over, fault, reply)

    def _admit(self, move: int | None) -> str:
        """Record a request and return its fault."""
        with self._lock:
            game = None if move == -1 else self.course.running
            number = 1 + sum((earlier[0] is None) == (move is None) for earlier in self.requests)
            place = game.number if game else self.course.started + 1, len(game.moves) if game else 0
            fault = self.quirks.stats_fault(number) if move is None else self.quirks.fault(number, move, *place)
            self.requests.append((move, *place, fault))
        return fault

    def _process(self, move: int | None, fault: str) -> Reply:
        """Carry out a request and return the reply to it."""
        with self._lock:
            if fault == "forget":
                self.course.forget()
            if move is None:
                return self.course.stats()
            if fault == "late" and self.course.running:
                return self.course.declare_late()
            if fault == "duplicated":
                self.course.move(move)
            return {**self.course.move(move), **NONSENSE.get(fault, {})}

    def _carry_out(self, connection: socket.socket, over: threading.Event, fault: str, reply: Reply) -> None:
        """Send the reply, or do what the fault puts in its place."""
        kind, _, argument = fault.partition(":")
        if kind.startswith("silent"):
            connection.recv(1)  # the client hangs up
        if kind.startswith(("silent", "reset")):
            resets(connection, over)
            raise ConnectionResetError
        if kind.startswith(("http_", "html_")):
            extra = f"Location: {BASE_PATH}/elsewhere\r\n" if argument.startswith("3") else ""
            status = f"{argument or 200} Status"
            return connection.sendall(http(_PAGE, status=status, kind="text/html", extra=extra))
        if kind == "nested":
            return connection.sendall(http(_NESTED))
        whole = self._whole(reply)
        if kind == "truncated":
            connection.sendall(whole[: -len(whole) // 4])
            raise ConnectionAbortedError
        return connection.sendall(whole)

    def _whole(self, reply: Reply) -> bytes:
        return http(json.dumps(reply).encode(), kind=self.quirks.content_type)

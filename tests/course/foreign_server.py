"""A course server written from its protocol alone, with faults on demand, for black-box tests of a client.

`ForeignServer` is a context manager; a hook decides the fault of each POST to /move. Faults, "kind" or "kind:argument":

ok                              processed and answered
reset_before, reset_after       connection reset, before or after processing
silent_before, silent_after     no answer until the client hangs up, not processed or processed
truncated                       processed; the reply's body is cut in the middle
html_before, html_after         an HTML page with status 200, before or after processing
http_before:502, http_after:302 that HTTP status, before or after processing
drip:1.5                        processed; the reply arrives over 1.5 s from its first byte on
delay:0.3                       processed; the first byte leaves after 0.3 s
refused:No game is running.     not processed; status false with that msg
duplicated                      processed twice, as by a retrying proxy; the second reply is sent
forget                          all games and counts are lost, then the request is processed
late                            the server ends the running game as lost on time: result -1, no board
nested, not_a_number, wrong_types   processed; the reply's fields are replaced by that nonsense
"""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType

from tests.course.foreign_course import Course, Finished, Game, Quirks, Reply
from tests.course.foreign_http import BASE_PATH, NONSENSE, Handler, Listener
from tests.course.foreign_rules import Answer, Grid, discs
from tests.servers import hang_up

RANDOM_FAULTS = (
    *("reset_before", "reset_after", "truncated", "html_before", "html_after", "drip:0.3", "delay:0.3"),
    *("http_before:500", "http_after:500", "http_before:502", "http_after:504", "http_before:503", "http_after:503"),
)
"""What a bad network and a busy server do to single requests."""
HARSH_FATES = (
    *RANDOM_FAULTS,
    *("silent_before", "silent_after", "http_before:429", "http_after:429", "nested", "not_a_number", "wrong_types"),
    "refused:It is not your turn in this game.",
)
"""The same, and what a broken server does besides."""


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    number: int
    """Position among the requests to the same endpoint, from 1."""
    at_s: float
    """Time since the server's start, seconds."""
    endpoint: str
    move: int | None
    game: int
    """Number of the running game, or of the game that the request starts."""
    ply: int
    """Discs on the board before the request; 0 for -1."""
    fault: str


def random_faults(seed: int, share: float, kinds: Sequence[str] = RANDOM_FAULTS) -> Callable[..., str]:
    """Return a hook for `Quirks.fault` and `Quirks.stats_fault` that spoils a share of the requests at random."""
    rng, lock = random.Random(seed), threading.Lock()

    def fault(*request: int) -> str:  # noqa: ARG001
        with lock:
            return rng.choice(kinds) if rng.random() < share else "ok"

    return fault


class ForeignServer:
    """The server, listening on a free port of 127.0.0.1 between enter and exit."""

    def __init__(self, answer: Answer, quirks: Quirks | None = None) -> None:
        self.quirks = quirks or Quirks()
        self.course = Course(answer, self.quirks)
        self.requests: list[Request] = []
        self.errors: list[BaseException] = []
        self.before_reply: Callable[[], None] | None = None
        """Called when a request has been processed, before its reply is sent."""
        self.lock = threading.RLock()
        self.stopping = threading.Event()
        self.connections: set[socket.socket] = set()
        self._start_s = time.monotonic()

    def __enter__(self) -> ForeignServer:
        self._listen(0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.go_down()
        if self.errors and error is None:
            raise self.errors[0]

    def go_down(self) -> None:
        """Refuse connections from now on; the games are kept."""
        self.stopping.set()
        self._listener.shutdown()
        self._thread.join()
        with self.lock:
            open_connections = list(self.connections)
        for connection in open_connections:
            hang_up(connection)
        self._listener.server_close()

    def come_back(self) -> None:
        """Listen on the same port again."""
        self.stopping.clear()
        self._listen(self.port)

    def _listen(self, port: int) -> None:
        self._listener = Listener(("127.0.0.1", port), Handler)
        self._listener.owner = self
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def port(self) -> int:
        """Port that the server listens on."""
        return int(self._listener.server_address[1])

    @property
    def url(self) -> str:
        """Base address of the service."""
        return f"http://127.0.0.1:{self.port}{BASE_PATH}"

    @property
    def finished(self) -> list[Finished]:
        """Finished games in the order of their ends."""
        with self.lock:
            return list(self.course.finished)

    @property
    def running(self) -> Game | None:
        """The running game, if any; for tests with one player."""
        with self.lock:
            return next(iter(self.course.games.values()), None)

    @property
    def grid(self) -> Grid | None:
        """The running game's board."""
        game = self.running
        return game.grid if game else None

    def ended(self, ending: str) -> list[Finished]:
        """Return the games that ended as "played", "illegal", "forfeit" or "timeout"."""
        return [game for game in self.finished if game.ended == ending]

    @property
    def forfeits(self) -> int:
        """Number of running games that were ended by a -1."""
        return len(self.ended("forfeit"))

    def admit(self, endpoint: str, key: str, move: int | None) -> Request:
        """Record a request and decide its fault."""
        with self.lock:
            game = self.course.games.get(key)
            fresh = move == -1 or game is None
            request = Request(
                number=1 + sum(1 for earlier in self.requests if earlier.endpoint == endpoint),
                at_s=time.monotonic() - self._start_s,
                endpoint=endpoint,
                move=move,
                game=self.course.started + 1 if fresh or game is None else game.number,
                ply=0 if fresh or game is None else discs(game.grid),
                fault="pending",
            )
            place = len(self.requests)
            self.requests.append(request)
        if move is None:
            fault = self.quirks.stats_fault(request.number)
        else:
            fault = self.quirks.fault(request.number, move, request.game, request.ply)
        request = replace(request, fault=fault)
        with self.lock:
            self.requests[place] = request
        return request

    def process(self, request: Request, key: str) -> Reply:
        """Carry out a request and return the reply to it."""
        kind = request.fault.partition(":")[0]
        with self.lock:
            if kind == "forget":
                self.course.forget()
            if request.move is None:
                return self.course.stats(key)
            if kind == "late" and key in self.course.games:
                return self.course.declare_late(key)
            if kind == "duplicated":
                self.course.move(key, request.move)
            return {**self.course.move(key, request.move), **NONSENSE.get(kind, {})}

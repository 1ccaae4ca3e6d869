"""A student's machine for black-box tests: `bot play`, and its journals compared with the server's own record."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Container
from pathlib import Path
from typing import Any

from tests import processes
from tests.course.foreign_course import FaultHook
from tests.course.foreign_rules import ROWS, Grid, replay
from tests.course.foreign_server import ForeignServer


def fault_at(kind: str, *, ply: int, games: Container[int] = range(1, 1000), times: int = 1) -> FaultHook:
    """Return a hook that spoils, in each of the games, the first moves sent at a ply or later."""
    left: Counter[int] = Counter()
    lock = threading.Lock()

    def fault(request: int, move: int, game: int, at: int) -> str:  # noqa: ARG001
        with lock:
            if move < 0 or at < ply or game not in games or left[game] == times:
                return "ok"
            left[game] += 1
            return kind

    return fault


class Student:
    """A student who plays at a server."""

    def __init__(self, server: ForeignServer, home: Path) -> None:
        self.server = server
        self._home = home

    def play(self, *options: str, games: int = 1) -> tuple[int, str]:
        """Run `bot play` to its end in this process, and return its exit code and output."""
        where = ("--server", self.server.url, "--stil-id", "ab1234cd-s", "--games", str(games))
        done = processes.bot_here("play", *where, *options, cwd=self._home)
        text = done.stdout + done.stderr
        assert "Traceback" not in text, text
        return done.returncode, text

    def game_ends(self) -> list[dict[str, Any]]:
        """Return the journals' records of finished games."""
        lines = [line for path in self._home.rglob("*.jsonl") for line in path.read_bytes().splitlines()]
        return [record for record in map(json.loads, lines) if record["type"] == "game_end"]

    def check(self) -> None:
        """Check that no game was given away, and that every result in the journals is one that the server scored."""
        finished = self.server.finished
        assert self.server.forfeits == 0
        assert not [game for game in finished if game.avoidable]
        book = [(replay(game.moves, student_started=game.student_started), game.result) for game in finished]
        # games without moves match any: they come last
        ends = sorted(self.game_ends(), key=lambda end: not end["moves"])
        for end in ends:
            if end["known_by"] == "reply":
                boards = _boards(end)
                book.remove(next(each for each in book if each[1] == end["result"] and each[0] in (boards or each)))
        scored = Counter(game.result for game in finished)
        sure = Counter(end["result"] for end in ends if end["result"] > 0 or end["known_by"] == "reply")
        assert not sure - scored, f"claimed {sure}, scored {scored}"
        losses = sum(end["result"] < 0 for end in ends)
        assert losses <= sum(game.result < 0 for game in finished)


def _boards(end: dict[str, Any]) -> set[Grid] | None:
    """Return the final boards that a journal's game stands for: with and without a last, illegal move; None: any."""
    columns: list[int] = end["moves"]
    endings = [columns, columns[:-1]] if end["result"] == -10 else [columns]
    fitting = [moves for moves in endings if moves and max(Counter(moves).values()) <= ROWS]
    return {replay(moves, student_started=end["we_started"]) for moves in fitting} or None

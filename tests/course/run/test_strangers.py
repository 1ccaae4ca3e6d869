"""Black-box tests: `bot play` against a course server that was written from the protocol alone, and their journals
compared with the server's own record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from pathlib import Path
from typing import Any

import pytest

from bot.course.journal.games import game_problems
from bot.course.protocol import ILLEGAL
from bot.errors import ExitCode
from tests.course.foreign_course import (
    AlphaBetaBot,
    Answer,
    FaultHook,
    Quirks,
    lowest_column_bot,
    random_bot,
    replay,
)
from tests.course.foreign_server import ForeignServer, random_faults
from tests.course.run.course import journals
from tests.processes import bot_here


def fault_at(kind: str, *, ply: int, games: Container[int] = range(1, 1000), times: int = 1) -> FaultHook:
    """Return a hook that spoils, in each of the games, the first moves sent at a ply or later."""
    left: Counter[int] = Counter()

    def fault(request: int, move: int, game: int, at: int) -> str:  # noqa: ARG001
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
        done = bot_here("play", *where, "--think", "0.1", *options, cwd=self._home)
        return done.returncode, done.stdout + done.stderr

    def check(self) -> None:
        """Check that no game was given away, and that every result in the journals is one that the server scored."""
        finished = self.server.finished
        assert not [game for game in finished if game.ended == "forfeit"]
        games = [game for journal in journals(self._home / "logs") for game in journal.games if game.is_counted]
        assert not [text for game in games for text in game_problems(game)]
        book = [(game.result, replay(game.moves, student_started=game.student_started)) for game in finished]
        # games without moves match any: they come last
        ends = sorted((game.ended for game in games if game.ended is not None), key=lambda end: not end.moves)
        for end in ends:
            if end.known_by == "reply":
                is_shown = end.moves and end.result != ILLEGAL
                board = replay(end.moves, student_started=bool(end.we_started)) if is_shown else None
                book.remove(next(row for row in book if row[0] == end.result and board in (None, row[1])))
        scored = Counter(game.result for game in finished)
        sure = Counter(end.result for end in ends if end.result > 0 or end.known_by == "reply")
        assert ends and not sure - scored, f"claimed {sure}, scored {scored}"
        assert sum(end.result < 0 for end in ends) <= sum(game.result < 0 for game in finished)


ODD: dict[str, tuple[Answer, dict[str, Any]]] = {
    "JSON said to be HTML": (lowest_column_bot, {"content_type": "text/html; charset=utf-8"}),
    "wrong types": (random_bot(3), {"fault": fault_at("wrong_types", ply=4)}),
    "a request processed twice": (random_bot(1), {"fault": fault_at("duplicated", ply=2, games=[1])}),
    "a later request processed twice": (random_bot(1), {"fault": fault_at("duplicated", ply=6, games=[1])}),
    "a lost game without its board": (lowest_column_bot, {"fault": fault_at("late", ply=6, games=[1])}),
    "the server forgets the game": (random_bot(2), {"fault": fault_at("forget", ply=8, games=[1])}),
    "and says so": (random_bot(2), {"fault": fault_at("forget", ply=8, games=[1]), "silent_start": False}),
}


@pytest.mark.parametrize(("bot", "quirks"), ODD.values(), ids=ODD)
def test_what_is_odd_once_costs_no_game(tmp_path: Path, bot: Answer, quirks: dict[str, Any]) -> None:
    with ForeignServer(bot, Quirks(**quirks)) as server:
        student = Student(server, tmp_path)
        code, text = student.play(games=2)
        assert len(server.finished) == 2
        assert code == (5 if any(game.result < 0 for game in server.finished) else 0), text
        assert server.running is None
        student.check()


@pytest.mark.parametrize(
    "kind", ["refused:No game is running.", "refused:It is not your turn in this game.", "html_after", "not_a_number"]
)
def test_what_is_odd_for_ever_ends_the_run_and_costs_few_games(tmp_path: Path, kind: str) -> None:
    quirks = Quirks(fault=fault_at(kind, ply=4, times=10_000))
    with ForeignServer(AlphaBetaBot(2), quirks) as server:
        code, text = Student(server, tmp_path).play("--patience", "1", games=8)
        assert code in (ExitCode.NETWORK, ExitCode.PROTOCOL) and "server" in text.lower() and "Traceback" not in text
        assert server.course.started <= 2
        assert server.forfeits <= kind.startswith("refused:No game"), "as the server says it three times"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_third_of_the_requests_fail_in_any_way(tmp_path: Path) -> None:
    faults = random_faults(3, 0.31)
    with ForeignServer(AlphaBetaBot(3), Quirks("random", 3, faults, faults)) as server:
        student = Student(server, tmp_path)
        student.play(games=6)
        # where the reply to the last move is lost, the first board of one more game shows how it ended
        assert len(server.finished) in (6, 7)
        student.check()

"""Black-box tests: `python -m bot play` resumes games that an older version of the program opened."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.course.foreign_course import Game, Quirks
from tests.course.foreign_rules import BOT, EMPTY, STUDENT, AlphaBetaBot, Grid, discs, drop, open_columns, replay
from tests.course.foreign_server import ForeignServer
from tests.course.journal.schema1 import expected, path_of
from tests.course.session.strangers import STIL_ID, Student, assert_known_results_true, assert_played_out, fault_at

pytestmark = pytest.mark.timeout(900)

KNOWN = ["interrupted", "killed_after_reply", "torn_intent", "adopted"]
"""Journals of schema 1 with a game whose board is known."""
UNCERTAIN = [
    "killed_after_lost_reply",
    "killed_sent",
    "killed_not_sent",
    "killed_processed",
    "killed_twice_lost",
    "killed_opening_sent",
    "contradiction",
    "torn_reply",
    "resumed_unfinished",
]
"""Those whose last request was processed or not."""
NEWER_FIELDS = ("at", "first_byte_s", "body_s", "known_by", "source", "move_s")
"""Fields that a first writer of schema 2 may not have known."""


def grid_of(board: str | None) -> Grid | None:
    """Return the board that `expected` names; None if no game is running."""
    if board is None:
        return None
    rows = [] if board == "empty" else board.split("/")
    cells = tuple(tuple({".": 0, "O": BOT, "X": STUDENT}[cell] for cell in row) for row in rows)
    return (*EMPTY[: len(EMPTY) - len(cells)], *cells)


def order_of(target: Grid, *, student_started: bool) -> list[int]:
    """Return columns that lead to a board when they are played in turn."""

    def extend(moves: list[int], grid: Grid) -> Iterator[list[int]]:
        if grid == target:
            yield moves
        disc = STUDENT if (len(moves) % 2 == 0) == student_started else BOT
        for column in open_columns(grid):
            row = max(row for row in range(len(grid)) if not grid[row][column])
            if len(moves) < discs(target) and target[row][column] == disc:
                yield from extend([*moves, column], drop(grid, column, disc))

    return next(extend([], EMPTY))


def adopt_game(server: ForeignServer, hypothesis: dict[str, Any]) -> list[int]:
    """Give the server the running game of a hypothesis; return its moves."""
    grid = grid_of(hypothesis["board"])
    if grid is None:
        return []
    started = bool(hypothesis["we_started"])
    moves = order_of(grid, student_started=started)
    assert replay(moves, student_started=started) == grid
    server.course.started = 1
    server.course.games[STIL_ID] = Game(1, STIL_ID, started, time.monotonic(), grid, list(moves), EMPTY)
    return moves


def adopt_journal(student: Student, case: str) -> Path:
    """Add a journal of schema 1 to the student's, as the older version would have written it."""
    header, *rest = path_of(case).read_text(encoding="utf-8").splitlines(keepends=True)
    run = {**json.loads(header), "server": student.server.url, "url": student.server.url, "stil_ids": [STIL_ID]}
    path = student.home / "logs" / path_of(case).name
    path.parent.mkdir()
    path.write_text(json.dumps(run) + "\n" + "".join(rest), encoding="utf-8")
    return path


def check_resumed(server: ForeignServer, student: Student, journal: Path, moves: list[int]) -> None:
    """Check that the game was played on, from its moves and in its journal, and that none was forfeited."""
    outcome = student.play(games=1)
    assert outcome.code in (0, 5), outcome.text
    assert server.running is None
    assert server.forfeits == 0
    assert not [game for game in server.finished if game.avoidable]
    assert list(server.finished[0].moves[: len(moves)]) == moves
    assert list((student.home / "logs").glob("*.jsonl")) == [journal]
    ends = [record for record in student.records() if record["type"] == "game_end"]
    assert [end["result"] for end in ends if end["result"]] == [game.result for game in server.finished]


@pytest.mark.slow
@pytest.mark.parametrize("case", KNOWN)
def test_a_known_game_of_schema_1_goes_on(tmp_path: Path, case: str) -> None:
    (hypothesis,) = expected(case)["resume"]["hypotheses"]
    with ForeignServer(AlphaBetaBot(2)) as server, Student(server, tmp_path) as student:
        moves = adopt_game(server, hypothesis)
        journal = adopt_journal(student, case)
        check_resumed(server, student, journal, moves)
        assert len(server.finished) == 1


@pytest.mark.slow
@pytest.mark.parametrize("likeliest", [True, False])
@pytest.mark.parametrize("case", UNCERTAIN)
def test_a_game_of_schema_1_whose_last_reply_is_missing_goes_on(tmp_path: Path, case: str, likeliest: bool) -> None:
    hypotheses = expected(case)["resume"]["hypotheses"]
    truth = (max if likeliest else min)(hypotheses, key=lambda one: one["probability"])
    with ForeignServer(AlphaBetaBot(2)) as server, Student(server, tmp_path) as student:
        moves = adopt_game(server, truth)
        journal = adopt_journal(student, case)
        check_resumed(server, student, journal, moves)


def aged(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as an older version could have written it: newer fields missing, one that is gone."""
    if record["type"] == "run":
        record["versions"] = {"bot": "0.0.9"}
    missing = NEWER_FIELDS if record["type"] != "game_end" else ()
    return {**{name: value for name, value in record.items() if name not in missing}, "gone_since": {"a": [1]}}


@pytest.mark.slow
@pytest.mark.parametrize("lost", [False, True], ids=["known", "a reply is lost"])
def test_a_game_of_an_older_writer_of_this_schema_goes_on(tmp_path: Path, lost: bool) -> None:
    spoil = fault_at("reset_after", ply=6)
    quirks = Quirks(fault=lambda *request: spoil(*request) if lost and request[3] == 6 else "delay:0.1")
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        student.stop_in_mid_game(signal.SIGKILL, discs=8 if lost else 6)
        (journal,) = (tmp_path / "logs").glob("*.jsonl")
        records = [json.loads(line) for line in journal.read_bytes().splitlines()]
        kept = [aged(record) for record in records if record.get("kind") != "sent"]
        journal.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in kept))
        for file in student.state.rglob("*"):  # an older version kept no state
            if file.is_file():
                file.unlink()
        running = server.running
        assert running is not None
        check_resumed(server, student, journal, list(running.moves))
        assert_played_out(server, 1)
        assert_known_results_true(student)

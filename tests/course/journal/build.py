"""Journals for tests: the records of a session's walk, and journals written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

from bot.course.events import (
    Chosen,
    Counted,
    Event,
    Failed,
    GameEnded,
    Options,
    ReadStatistics,
    Replied,
    Send,
    Started,
    Stop,
)
from bot.course.failures import Delivery
from bot.course.hypotheses import BOT_FIRST, EMPTY, Position
from bot.course.journal.journal import Journal
from bot.course.journal.records import JournalWriter, RunEnded, as_line
from bot.course.journal.state import state_folder
from bot.course.protocol import NEW_GAME, MoveReply, StateGrid
from bot.game import parse_moves
from tests.course.session.build import Walk, reply_at

SERVER = "http://127.0.0.1:8000"
IDS = ("a", "b")
LOST = Failed(0.0, Delivery.UNKNOWN, "The connection broke.", kind="reset")
WIN = "counted 0 0 0; new: .; play dadada; d: +; counted 1 1 0"
"""The events of a won game, for `recorded`."""


def started(*, server: str = SERVER, ids: Sequence[str] = IDS, games: int = 1, game: int = 0) -> Started:
    """Return the first record of a journal."""
    return Started(0.0, Options(games, server=server, url=server, stil_ids=tuple(ids), engine="mtdf"), game=game)


def recorded(script: str, *, games: int = 1) -> bytes:
    """Return the journal of a run with the events of a script, whose notation is in `tests/course/session/build.py`.

    A run that has not stopped has died: its journal has no end.
    """
    walk = Walk()
    walk.feed(started(games=games))
    walk(script)
    lines = [as_line(record, "2026-01-02T03:04:05.000+00:00") for record in walk.records]
    if isinstance(walk.command, Stop):
        ends = tuple(item for item in walk.news if isinstance(item, GameEnded))
        lines.append(as_line(RunEnded("finished", games=ends), "2026-01-02T03:05:00.000+00:00"))
    return b"".join(lines)


def player_file() -> Path:
    """Return the file of the one player's state that this test has stored."""
    (path,) = state_folder().glob(".lock-*.json")
    return path


def as_grid(grid: Sequence[Sequence[int]]) -> StateGrid:
    return tuple(tuple(row) for row in grid)


def write_run(
    folder: Path, results: Sequence[float | None], *, ids: Sequence[str] = IDS, server: str = SERVER, answer: int = 2
) -> Path:
    """Write a run whose games had these results, None for one that is still running, and return its path.

    In each game we played column 3, and the bot answered with ``answer`` (0..6).
    """
    hand = Hand(folder, started(ids=ids, server=server))
    for number, result in enumerate(results, start=1):
        hand.intent(number, 3)
        hand.reply(number, status=True, botmove=answer, state=EMPTY.play(3).play(answer).grid)
        if result is not None:
            hand.game_end(number, result, moves="")
    hand.close()
    return hand.path


class Hand:
    """A journal written by hand: requests, replies and ends of games that need not be those of a real game.

    What the session asks for in between is recorded too: a request without a reply is a lost one, and the server keeps
    no statistics.
    """

    def __init__(self, folder: Path, first: Started) -> None:
        self._writer = JournalWriter.create(folder, "+".join(first.options.stil_ids))
        self.path = self._writer.path
        self.close = self._writer.close
        self.journal = Journal(self.path)
        self._at = 100.0
        self.take(first, first.game)

    def take(self, event: Event, game: int | None = None) -> None:
        """Record an event."""
        event = replace(event, at=self._at, game=self.journal.session.game if game is None else game)
        self._at += 0.01
        self._writer.write(event)
        self.journal.take(event)

    def intent(self, game: int, move: int, ply: int = 0, **fields: Any) -> None:
        """Write a request."""
        if isinstance(self.journal.session.command, Send):
            self.take(LOST, game)
        while isinstance(command := self.journal.session.command, ReadStatistics):
            self._at += command.after_s
            self.take(Counted(0.0, None, "http 404"), game)
        self.take(Chosen(0.0, move, ply=ply, **fields), game)

    def reply(self, game: int, *, state: Sequence[Sequence[int]] | None = None, **fields: Any) -> None:
        """Write a reply; a bot's column of -1 and a result of 0 are left to the board."""
        known = {name: value for name, value in fields.items() if (name, value) not in (("botmove", -1), ("result", 0))}
        self.take(Replied(0.0, MoveReply(state=None if state is None else as_grid(state), **known)), game)

    def play(self, game: int, moves: str, *, we_started: bool = True) -> None:
        """Write what is left of a game up to these ``moves``; each request has its reply."""
        columns = parse_moves(moves)
        if columns and self.journal.session.is_idle:
            self._play(game, NEW_GAME, EMPTY if we_started else BOT_FIRST.play(columns[0]))
        while (known := self.journal.session.position) is not None:
            turn = columns[known.board.ply : known.board.ply + 2]
            after = reduce(Position.play, turn, known)
            if not turn or (len(turn) == 1 and not after.board.is_over):
                break
            self._play(game, turn[0], after)

    def game_end(self, game: int, result: float, *, moves: str, we_started: bool = True) -> None:
        """Write the end of a game after these ``moves``, unless a reply has shown it.

        The rest of the moves is played; if they do not end the game, the server says in the next reply how it ended.
        """
        if not self._has_ended(game):
            self.play(game, moves, we_started=we_started)
        last = MoveReply(True, result=result) if result else MoveReply(False, "No game is running.")
        while not self._has_ended(game):  # a server that has lost the game says so three times before it is believed
            self.intent(game, self.journal.session.hypotheses[0].playing.board.legal_columns()[0])
            self.take(Replied(0.0, last), game)

    def _play(self, game: int, move: int, after: Position) -> None:
        self.intent(game, move, max(0, after.board.ply - 2))
        self.take(Replied(0.0, reply_at(after)), game)

    def _has_ended(self, game: int) -> bool:
        return any(end.game == game for end in self.journal.ends)

    def run_end(self, reason: str) -> None:
        """Write the end of the run."""
        self._writer.write(RunEnded(reason, games=tuple(self.journal.ends)))

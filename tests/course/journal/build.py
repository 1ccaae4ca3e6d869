"""Journals for tests: a session that plays against the course server's referee and records itself as a run does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.course.client.wire import parse_move_reply, parse_stats
from bot.course.journal.writer import FileSink, JournalWriter
from bot.course.protocol import NEW_GAME, Grid, MoveReply, Stats
from bot.course.server.referee import Referee, Starter
from bot.course.server.store import Store
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Delivery,
    Event,
    Failed,
    GameEnded,
    News,
    Note,
    Open,
    ReadStatistics,
    Replied,
    RunEnded,
    Send,
    Sent,
    Started,
    Stop,
    Wait,
    Waited,
)
from bot.course.session.fold import Fold
from bot.course.session.position import EMPTY
from bot.engine.simple import Scripted

SERVER = "http://127.0.0.1:8000"
IDS = ("a", "b")
TIME = "2026-01-02T03:04:05.000+00:00"
LOST = Failed(0.0, Delivery.UNKNOWN, "The connection broke.", kind="reset")
NOT_SENT = Failed(0.0, Delivery.NOT_SENT, "The server cannot be reached.")
CRASH = None
"""In place of a request's outcome: the process dies."""


def started(
    *, server: str = SERVER, ids: Sequence[str] = IDS, games: int = 1, game: int = 0, is_damaged: bool = False
) -> Started:
    """Return the first record of a journal."""
    return Started(
        0.0, games, game, is_damaged=is_damaged, server=server, url=server, stil_ids=tuple(ids), engine="mtdf"
    )


def as_grid(grid: Sequence[Sequence[int]]) -> Grid:
    return tuple(tuple(row) for row in grid)


class MemorySink(FileSink):
    """A journal's file in memory."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = content

    def write(self, data: bytes) -> None:
        self.content += data

    def sync(self) -> None:
        """Do nothing."""

    def size(self) -> int:
        return len(self.content)

    def room(self) -> int | None:
        return None


class Server:
    """One player's games at the course server's referee, whose bot plays a script, then the first open column."""

    def __init__(self, script: str = "1", starter: Starter = "student") -> None:
        self._store = Store()
        self._referee = Referee(self._store, Scripted(script), starter=starter)

    def move(self, column: int) -> MoveReply:
        """Process a request to /move and return the reply."""
        return parse_move_reply(self._referee.move(IDS[0], column).as_json())

    def stats(self) -> Stats:
        """Return the reply to /stats."""
        return parse_stats(self._referee.stats(IDS[0]))

    @property
    def results(self) -> list[float]:
        """Results of the finished games."""
        return [game.result for game in self._store.games(IDS[0])]


Fault = Callable[[Server, int], MoveReply | Failed | None] | None
"""What becomes of a request: a function of the server and the move in place of the usual reply."""


def unheard(server: Server, move: int) -> Failed:
    """Process the request and lose its reply."""
    server.move(move)
    return LOST


def unprocessed(_server: Server, _move: int) -> Failed:
    """Lose the request on its way."""
    return LOST


def died_after(server: Server, move: int) -> None:
    """Kill the client after its request was processed."""
    server.move(move)


def not_sent(_server: Server, _move: int) -> Failed:
    """Let the request certainly not leave."""
    return NOT_SENT


class Crashed(Exception):  # noqa: N818  # as a process does
    """The recording process has died."""


class Recorder:
    """A session whose events and news are written as a run writes them. ``at`` is the virtual time, seconds."""

    def __init__(self, writer: JournalWriter, fold: Fold | None = None) -> None:
        self.writer = writer
        self.fold = fold or Fold()
        self.at = 100.0
        self.ended: set[int] = set()

    @property
    def command(self) -> Command | None:
        """What is due."""
        return self.fold.session.command

    def take(self, record: Event | News, game: int | None = None) -> None:
        """Record an event with its news, or an end that is no news."""
        if game is None:
            session = self.fold.session
            is_first = (isinstance(record, Counted) and session.is_idle) or getattr(record, "move", 0) == NEW_GAME
            game = session.number + is_first
        record = replace(record, at=self.at, game=game)
        self.at += 0.01
        self.writer.write(record)
        self.fold.take(record)
        for item in tuple(self.fold.expected):
            self.writer.write(item)
            self.fold.take(item)
            self.ended |= {item.game} if isinstance(item, GameEnded) else set()

    def play(self, server: Server, columns: Sequence[int] = (), faults: Mapping[int, Fault] | None = None) -> Recorder:
        """Perform the session's commands until it stops or ``columns`` are used up; then the first that has room.

        ``faults`` by number of the request to /move, from 1; a fault that returns None raises Crashed.
        """
        moves, requests, faults = list(columns), 0, faults or {}
        while not isinstance(self.command, Stop):
            match self.command:
                case Open(number=number):
                    self.take(Chosen(0.0, NEW_GAME, number))
                case Choose(belief=belief):
                    known = belief[0].playing
                    column = moves.pop(0) if moves else known.board.legal_columns()[0]
                    self.take(Chosen(0.0, column, ply=known.board.ply, score=1.0, hypotheses=len(belief)))
                case Send(move=move):
                    requests += 1
                    fault = faults.get(requests, Server.move)
                    assert fault is not None
                    outcome = fault(server, move)
                    if outcome is not NOT_SENT:
                        self.take(Sent(0.0))
                    if outcome is None:
                        raise Crashed
                    self.take(outcome if isinstance(outcome, Failed) else Replied(0.0, outcome))
                case ReadStatistics():
                    self.take(Counted(0.0, server.stats()))
                case Wait(seconds=seconds):
                    self.at += seconds
                    self.take(Waited(0.0))
        return self


def recorded(
    columns: Sequence[int] = (),
    faults: Mapping[int, Fault] | None = None,
    *,
    server: Server | None = None,
    games: int = 1,
    writer: JournalWriter | None = None,
    first: Started | None = None,
) -> bytes:
    """Return the journal of a run of ``games`` games, empty if ``writer`` has it; one that a fault kills has no end."""
    sink = MemorySink()
    recorder = Recorder(writer or JournalWriter(sink, now=lambda: TIME))
    recorder.take(first or started(games=games))
    with suppress(Crashed):
        recorder.play(server or Server(), columns, faults)
        recorder.writer.write(RunEnded("finished"))
    return sink.content


def write_run(
    folder: Path, results: Sequence[float | None], *, ids: Sequence[str] = IDS, server: str = SERVER, answer: int = 2
) -> Path:
    """Write a run whose games had these results, None for one that is still running, and return its path.

    In each game we played column 3, and the bot answered with ``answer`` (0..6).
    """
    writer = JournalWriter.create(folder, "+".join(ids))
    writer.write(started(ids=ids, server=server))
    after = EMPTY.play(3).play(answer)
    for number, result in enumerate(results, start=1):
        writer.write(Chosen(0.0, 3, number))
        writer.write(Replied(0.0, MoveReply(True, botmove=answer, state=after.grid), number))
        if result is not None:
            writer.write(GameEnded(number, result, "abandoned"))
    writer.close()
    return writer.path


class Hand(Recorder):
    """A journal written by hand: requests, replies and ends of games that need not be those of a real game.

    What the session asks for in between is recorded too: a request without a reply is a lost one, and the server keeps
    no statistics.
    """

    def __init__(self, folder: Path, first: Started) -> None:
        super().__init__(JournalWriter.create(folder, "+".join(first.stil_ids)))
        self.path = self.writer.path
        self.close = self.writer.close
        self.take(first, first.game)

    def intent(self, game: int, move: int, ply: int = 0, **fields: Any) -> None:
        """Write a request."""
        if isinstance(self.command, Send):
            self.take(LOST, game)
        while isinstance(command := self.command, (Wait, ReadStatistics)):
            self.at += command.seconds if isinstance(command, Wait) else 0.0
            self.take(Waited(0.0) if isinstance(command, Wait) else Counted(0.0, None, "http 404"), game)
        self.take(Chosen(0.0, move, ply=ply, **fields), game)
        self.take(Sent(0.0), game)

    def reply(self, game: int, *, state: Sequence[Sequence[int]] | None = None, **fields: Any) -> None:
        """Write a reply; a bot's column of -1 and a result of 0 are left to the board."""
        known = {name: value for name, value in fields.items() if (name, value) not in (("botmove", -1), ("result", 0))}
        self.take(Replied(0.0, MoveReply(state=None if state is None else as_grid(state), **known)), game)

    def game_end(self, game: int, result: float, *, moves: str, **fields: Any) -> None:
        """Write the end of a game, unless a reply has shown it."""
        if game not in self.ended:
            self.take(GameEnded(game, result, moves=tuple(int(digit) - 1 for digit in moves), **fields), game)

    def note(self, game: int, text: str) -> None:
        """Write a note."""
        self.take(Note("note", text), game)

    def run_end(self, reason: str, *, error: str | None = None) -> None:
        """Write the end of the run."""
        self.writer.write(RunEnded(reason, error or ""))

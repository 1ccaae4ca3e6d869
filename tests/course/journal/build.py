"""Journals for tests: a session that plays against the course server's referee and records itself as a run does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.course.journal.writer import FileSink, JournalWriter
from bot.course.protocol import NEW_GAME, Grid, MoveReply, Stats
from bot.course.server import rules
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


@dataclass
class Server:
    """One player's games at a course server whose bot plays ``answers``, then the first column that has room."""

    answers: list[int] = field(default_factory=list)
    student_first: bool = True
    grid: list[list[int]] | None = None
    results: list[float] = field(default_factory=list)

    def move(self, column: int) -> MoveReply:
        """Process a request to /move and return the reply."""
        if column == NEW_GAME:
            if self.grid is not None:
                self.results.append(rules.LOSS)
            self.grid = rules.empty_grid()
            botmove = -1 if self.student_first else self._answer()
            return MoveReply(True, "New game", botmove, 0.0, as_grid(self.grid))
        self.grid = self.grid or rules.empty_grid()
        grid = self.grid
        if column not in rules.playable(grid):
            self._end(rules.ILLEGAL)
            return MoveReply(False, "Impossible move.")
        rules.drop(grid, column, rules.STUDENT)
        result, botmove = rules.result_after(grid, rules.STUDENT), -1
        if result is None:
            botmove = self._answer()
            result = rules.result_after(grid, rules.BOT)
        if result is not None:
            self._end(result)
        return MoveReply(True, None, botmove, result or 0.0, as_grid(grid))

    def _answer(self) -> int:
        assert self.grid is not None
        column = self.answers.pop(0) if self.answers else rules.playable(self.grid)[0]
        rules.drop(self.grid, column, rules.BOT)
        return column

    def _end(self, result: float) -> None:
        self.results.append(result)
        self.grid = None

    def stats(self) -> Stats:
        """Return the reply to /stats."""
        won, lost = sum(item == 1 for item in self.results), sum(item < 0 for item in self.results)
        return Stats(len(self.results), won, lost, 0)


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


def no_game(server: Server, _move: int) -> MoveReply:
    """Lose the game at the server."""
    server.grid = None
    return MoveReply(False, "No game is running.")


def not_sent(_server: Server, _move: int) -> Failed:
    """Let the request certainly not leave."""
    return NOT_SENT


GAMES: dict[float | None, str] = {
    1.0: "4141414",
    0.5: "257771314744647214154617633623313656555222",
    -1.0: "17271727",
    -10.0: "1111111",
    0.0: "414",
    None: "414",
}
"""Columns 1-7 of a game with each result, ours first; the last request of a game without one has no reply."""


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


def write_run(folder: Path, results: Sequence[float | None], *, ids: Sequence[str] = IDS, server: str = SERVER) -> Path:
    """Write a run whose games had these results, None for one that is still running, and return its path."""
    columns: list[int] = []
    answers: list[int] = []
    faults: dict[int, Fault] = {}
    requests = 0
    for result in results:
        game = [int(digit) - 1 for digit in GAMES[result]]
        columns, answers = columns + game[::2], answers + game[1::2]
        requests += 1 + len(game[::2])
        if result is None:
            faults[requests] = died_after
        elif result == 0:
            faults |= dict.fromkeys(range(requests, requests + 3), no_game)
            columns += game[-1:] * 2
            requests += 2
    first = started(ids=ids, server=server, games=sum(result != 0 for result in results))
    writer = JournalWriter.create(folder, "+".join(ids), now=lambda: TIME)
    recorded(columns, faults, server=Server(answers), writer=writer, first=first)
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

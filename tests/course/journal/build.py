"""Journals for tests: a session that plays against the course server's referee and records itself as a run does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.course.client.wire import parse_move_reply, parse_stats
from bot.course.failures import Delivery
from bot.course.journal.journal import Journal
from bot.course.journal.records import RunEnded
from bot.course.journal.writer import FileSink, JournalWriter
from bot.course.protocol import NEW_GAME, MoveReply, StateGrid, Stats
from bot.course.server.referee import Referee, Starter
from bot.course.server.store import Store
from bot.course.session.commands import Choose, Command, Open, ReadStatistics, Send, Stop
from bot.course.session.events import Chosen, Counted, Event, Failed, Replied, Sent, Started
from bot.course.session.position import BOT_FIRST, EMPTY
from bot.engine.simple import Scripted
from tests.course.session.build import reply_at

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


def as_grid(grid: Sequence[Sequence[int]]) -> StateGrid:
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
    """A session whose events are written as a run writes them. ``at`` is the virtual time, seconds."""

    def __init__(self, writer: JournalWriter, journal: Journal | None = None) -> None:
        self.writer = writer
        self.journal = journal or Journal(writer.path)
        self.at = 100.0

    @property
    def command(self) -> Command | None:
        """What is due."""
        return self.journal.session.command

    def take(self, event: Event, game: int | None = None) -> None:
        """Record an event."""
        event = replace(event, at=self.at, game=self.journal.session.ledger.game if game is None else game)
        self.at += 0.01
        self.writer.write(event)
        self.journal.take(event)

    def end(self, reason: str, error: str = "") -> None:
        """Record the end of the run."""
        substituted_moves = self.journal.substituted_moves
        self.writer.write(RunEnded(reason, error, tuple(self.journal.ends), substituted_moves))

    def play(self, server: Server, columns: Sequence[int] = (), faults: Mapping[int, Fault] | None = None) -> Recorder:
        """Perform the session's commands until it stops or ``columns`` are used up; then the first that has room.

        ``faults`` by number of the request to /move, from 1; a fault that returns None raises Crashed.
        """
        moves, requests, faults = list(columns), 0, faults or {}
        while (command := self.command) is not None and not isinstance(command, Stop):
            if not isinstance(command, Send):
                self.at += command.after_s
            match command:
                case Open():
                    self.take(Chosen(0.0, NEW_GAME))
                case Choose():
                    hypotheses = self.journal.session.belief.hypotheses
                    known = hypotheses[0].playing
                    column = moves.pop(0) if moves else known.board.legal_columns()[0]
                    self.take(Chosen(0.0, column, ply=known.board.ply, score=1.0, hypotheses=len(hypotheses)))
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
    recorder.take(first or started(games=games), 0)
    with suppress(Crashed):
        recorder.play(server or Server(), columns, faults)
        recorder.end("finished")
    return sink.content


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
        while isinstance(self.command, ReadStatistics):
            self.at += self.command.after_s
            self.take(Counted(0.0, None, "http 404"), game)
        self.take(Chosen(0.0, move, ply=ply, **fields), game)
        self.take(Sent(0.0), game)

    def reply(self, game: int, *, state: Sequence[Sequence[int]] | None = None, **fields: Any) -> None:
        """Write a reply; a bot's column of -1 and a result of 0 are left to the board."""
        known = {name: value for name, value in fields.items() if (name, value) not in (("botmove", -1), ("result", 0))}
        self.take(Replied(0.0, MoveReply(state=None if state is None else as_grid(state), **known)), game)

    def game_end(
        self, game: int, result: float, *, moves: str, we_started: bool = True, known_by: str = "reply"
    ) -> None:
        """Write the end of a game after these ``moves``, unless a reply has shown it.

        The rest of the moves is played; if they do not end the game, the server says in the next reply how it ended.
        """
        assert known_by == "reply"
        columns = [int(digit) - 1 for digit in moves]
        if columns and not self._has_ended(game) and self.journal.session.belief.is_idle:
            first = EMPTY if we_started else BOT_FIRST.play(columns[0])
            self.intent(game, NEW_GAME)
            self.take(Replied(0.0, reply_at(first)), game)
        while not self._has_ended(game) and (known := self.journal.session.belief.position) is not None:
            ours, *answer = columns[known.board.ply : known.board.ply + 2] or [-1]
            if ours < 0:
                break
            after = known.play(ours)
            if answer and not after.board.is_over:
                after = after.play(answer[0])
            elif not after.board.is_over:
                break
            self.intent(game, ours, known.board.ply)
            self.take(Replied(0.0, reply_at(after)), game)
        last = MoveReply(True, result=result) if result else MoveReply(False, "No game is running.")
        while not self._has_ended(game):  # a server that has lost the game says so three times before it is believed
            self.intent(game, self.journal.session.belief.hypotheses[0].playing.board.legal_columns()[0])
            self.take(Replied(0.0, last), game)

    def _has_ended(self, game: int) -> bool:
        return any(end.game == game for end in self.journal.ends)

    def run_end(self, reason: str, *, error: str | None = None) -> None:
        """Write the end of the run."""
        self.end(reason, error or "")

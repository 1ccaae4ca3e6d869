"""The course server's behaviour, without HTTP: one request in, one reply out.

It follows what is publicly known of the course server. Where nothing is known (the text of `msg` when the bot starts,
the statistics of an unknown id), a comment marks the choice made here.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta, timezone
from math import inf
from typing import Any, Literal

from bot.agents.games import ask
from bot.course.protocol import Dialect
from bot.course.server import rules
from bot.course.server.store import AnsweredRequest, FinishedGame, PlayerRecord, Store
from bot.engine.agent import Agent, Limit
from bot.errors import AgentError
from bot.game import Board

Starter = Literal["random", "student", "bot"]
"""Who moves first in a new game."""


@dataclass(frozen=True, slots=True)
class SentReply:
    """The JSON reply to /move, fields in the order sent."""

    msg: str | None = None
    status: bool = True
    result: float | None = None
    botmove: int | None = None
    state: rules.MutableGrid | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


WRONG_KEY = SentReply("Incorrect API key.", status=False)
ILLEGAL = SentReply("Impossible move.", status=False)
ENDED = "The game has ended."
LATE = f"{ENDED} The move came too late."
"""Choice made here: no reply of the course server to a late move is known."""
BOT_FAILED = SentReply(ENDED, True, rules.WIN, -1)
"""The student has won because the bot failed. Choice made here: without a board, which would show no four in a row."""
STATISTICS = ("played", "won", "lost", "streak", "streak_max", "total_reward")
"""Numbers in the reply to /stats."""
QUEUE_S = 5.0
"""Longest time that a request waits for those before it, seconds: with the bot's own time, clients wait about 7 s."""
_THINKING = Limit(hard_s=2.0)

Answer = tuple[SentReply, FinishedGame | None]
"""The reply to a request, and the game that ended with it."""


class OverloadedError(Exception):
    """A request waited for too long; nothing of it was carried out."""


class Referee:
    """Plays the bot's side of all players' games. Safe for many threads; requests to move run one at a time."""

    def __init__(
        self,
        store: Store,
        opponent: Agent,
        *,
        dialect: Dialect = "current",
        starter: Starter = "random",
        seed: int | None = None,
        notice: Callable[[str], None] = lambda _text: None,
        limit_s: float = inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``notice`` gets a sentence when the opponent failed, or another agent had to choose its move.

        A move that arrives more than ``limit_s`` seconds after this referee's last reply to the player, a refusal of a
        busy one included, loses the game.
        """
        self.store = store
        self.clock = clock
        self._limit_s = limit_s
        self._replied_s: dict[str, float] = {}  # in running games; a restart of the server begins them anew
        self._opponent = opponent
        self.dialect = dialect
        self._starter = "student" if dialect == "jan21" else starter
        self._random = random.Random(seed)
        self._notice = notice
        self._turn = threading.Lock()  # the agent keeps tables between moves: one search at a time

    def move(self, player: str, column: int, arrived_s: float | None = None, address: str | None = None) -> SentReply:
        """Return the reply to a move in ``column`` 0..6, or to -1: start a new game and forfeit a running one.

        ``arrived_s`` is when the request arrived, by `clock`; None: now. ``address`` is where it came from. Raises
        OverloadedError if those before it need longer than `QUEUE_S`; the time to the next attempt counts from then on.
        """
        if arrived_s is None:
            arrived_s = self.clock()
        left_s = QUEUE_S - (self.clock() - arrived_s)
        is_our_turn = left_s > 0 and self._turn.acquire(timeout=left_s)
        replied_s = self._replied_s.get(player)
        taken_s = None if replied_s is None else arrived_s - replied_s
        is_late = taken_s is not None and taken_s > self._limit_s
        if not is_our_turn:
            if replied_s is not None and not is_late:
                self._replied_s[player] = self.clock()
            raise OverloadedError
        try:
            record = self.store.read(player)
            arrived = _utc(self.clock() - arrived_s)
            if column == -1:
                reply, finished = self._new_game(record, arrived)
                taken_s = None  # of the game before
            elif is_late and record.running:
                reply, finished = self._end(record, rules.LOSS, -1, arrived, "late")
            else:
                reply, finished = self._play(record, column, arrived)
            request = AnsweredRequest(player, column, arrived, _utc(), record.game, taken_s, address)
            self.store.write(record, request, finished)
            self._replied_s.pop(player, None)
            if record.running:
                self._replied_s[player] = self.clock()
            return reply
        finally:
            self._turn.release()

    def stats(self, player: str) -> dict[str, Any]:
        """Return the JSON reply to /stats; `status` is null on success. An unknown id has zeros (choice made here)."""
        record = self.store.read(player)
        counts = {name: getattr(record, name) for name in STATISTICS}
        return {"msg": None, "status": None, "stil_id": player, **counts}

    def _new_game(self, record: PlayerRecord, arrived: str) -> Answer:
        if self.dialect == "jan21":
            return self._count_loss(record, arrived)
        finished = self._finish(record, rules.LOSS, "forfeit", arrived) if record.running else None
        student_first = self._starter == "student" or (self._starter == "random" and self._random.random() < 0.5)
        _open(record, student_first, arrived)
        column = None if student_first else self._bot_move(record)
        if column is None:  # also where the bot failed: no reply to -1 can end a game
            record.student_first = student_first = True
            column = -1
        # Choice made here: the course server's wording is unknown.
        who = "you start" if student_first else "the bot starts"
        return SentReply(f"New game initiated, {who}. Make your move", True, 0.0, column, record.grid), finished

    def _count_loss(self, record: PlayerRecord, arrived: str) -> Answer:
        """Count a loss, whether a game is running or not; in this dialect only a column opens a game."""
        if not record.running:
            _open(record, True, arrived)
        finished = self._finish(record, rules.LOSS, "forfeit", arrived)
        return SentReply("New game initiated, you start. Make your move"), finished

    def _play(self, record: PlayerRecord, column: int, arrived: str) -> Answer:
        if not record.running:
            _open(record, True, arrived)
        if column not in rules.playable(record.grid):
            return ILLEGAL, self._finish(record, rules.ILLEGAL, "illegal", arrived)
        _drop(record, column, rules.STUDENT)
        result = rules.result_after(record.grid, rules.STUDENT)
        bot_column: int | None = -1
        if result is None:
            bot_column = self._bot_move(record)
            if bot_column is None:
                return BOT_FAILED, self._finish(record, rules.WIN, "failure", arrived)
            result = rules.result_after(record.grid, rules.BOT)
        if result is None:
            return SentReply(None, True, 0.0, bot_column, record.grid), None
        return self._end(record, result, bot_column, arrived, "played")

    def _end(self, record: PlayerRecord, result: float, bot_column: int | None, arrived: str, reason: str) -> Answer:
        """End the running game on the board as it stands: a late move does not reach it."""
        text: str | None = LATE if reason == "late" else ENDED
        if self.dialect == "jan21":
            text = None
        return SentReply(text, True, result, bot_column, record.grid), self._finish(record, result, reason, arrived)

    def _finish(self, record: PlayerRecord, result: float, reason: str, ended: str) -> FinishedGame:
        """Add the running game to the statistics; an illegal move (-10) and a forfeit count as losses."""
        record.running = False
        record.played += 1
        record.total_reward += result
        if result > 0:
            record.won += result == rules.WIN
            record.streak += 1
            record.streak_max = max(record.streak_max, record.streak)
        else:
            record.lost += 1
            record.streak = 0
        game = (record.player, result, record.moves, record.student_first, reason, record.started, ended, record.game)
        return FinishedGame(*game, self._opponent.name, self._limit_s)

    def _bot_move(self, record: PlayerRecord) -> int | None:
        """Return the bot's move, which is on the board then; None if the bot failed."""
        board = Board.from_grid(record.grid, to_move=rules.BOT)
        try:
            decision = ask(self._opponent, board, _THINKING)
        except AgentError as failure:
            self._notice(f"{failure.message} It forfeits the game. {failure.hint}".rstrip())
            return None
        if decision.note:
            self._notice(decision.note)
        _drop(record, decision.column, rules.BOT)
        return decision.column


def _utc(ago_s: float = 0.0) -> str:
    """Return the time ``ago_s`` seconds ago, as the journals give it: UTC, ISO 8601 with milliseconds."""
    return (datetime.now(timezone.utc) - timedelta(seconds=ago_s)).isoformat(timespec="milliseconds")


def _open(record: PlayerRecord, student_first: bool, started: str) -> None:
    record.running = True
    record.game += 1
    record.started = started
    record.grid = rules.empty_grid()
    record.moves = ""
    record.student_first = student_first


def _drop(record: PlayerRecord, column: int, player: int) -> None:
    rules.drop(record.grid, column, player)
    record.moves += str(column + 1)

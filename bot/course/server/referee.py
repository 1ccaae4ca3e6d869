"""The course server's behaviour, without HTTP: one request in, one reply out.

It follows what is publicly known of the course server. Where nothing is known (the text of `msg` when the bot starts,
the statistics of an unknown id), a comment marks the choice made here.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import KW_ONLY, asdict, dataclass
from math import inf
from typing import Any, Literal

from bot.agents.games import ask
from bot.course.protocol import ILLEGAL, LOST, NEW_GAME, RUNNING, WON, Dialect
from bot.course.server import rules
from bot.course.server.store import Store, StoredGame
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


IMPOSSIBLE = SentReply("Impossible move.", status=False)
ENDED = "The game has ended."
LATE = f"{ENDED} The move came too late."
"""Choice made here: no reply of the course server to a late move is known."""
BOT_FAILED = SentReply(ENDED, True, WON, -1)
"""The student has won because the bot failed. Choice made here: without a board, which would show no four in a row."""
QUEUE_S = 5.0
"""Longest time that a request waits for those before it, seconds: with the bot's own time, clients wait about 7 s."""
_THINKING = Limit(hard_s=2.0)


class OverloadedError(Exception):
    """A request waited for too long; nothing of it was carried out."""


@dataclass
class Referee:
    """Plays the bot's side of all players' games. Safe for many threads; requests to move run one at a time."""

    store: Store
    opponent: Agent
    _: KW_ONLY
    dialect: Dialect = "current"
    starter: Starter = "random"
    """In January 2021 the student starts, whatever this says."""
    seed: int | None = None
    notice: Callable[[str], None] = lambda _text: None
    """Gets a sentence when the opponent failed, or another agent had to choose its move."""
    limit_s: float | None = None
    """A move that arrives later than this after the referee's last reply to the player, a refusal of a busy one
    included, loses the game; None: no limit. Like the opponent's name, it is that of the games begun here."""
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._replied: dict[str, tuple[float, float]] = {}
        """When the last reply in a running game left, and the game's limit; a restart of the server begins anew."""
        self._random = random.Random(self.seed)
        self._turn = threading.Lock()  # the agent keeps tables between moves: one search at a time

    def move(self, player: str, column: int, waited_s: float = 0.0, address: str | None = None) -> SentReply:
        """Return the reply to a move in ``column`` 0..6, or to -1: start a new game and forfeit a running one.

        ``waited_s`` is the time since the request arrived. ``address`` is where it came from. Raises OverloadedError if
        those before it need longer than `QUEUE_S`; the time to the next attempt counts from then on.
        """
        arrived_s = self.clock() - waited_s
        is_our_turn = waited_s < QUEUE_S and self._turn.acquire(timeout=QUEUE_S - waited_s)
        replied_s, limit_s = self._replied.get(player, (None, inf))
        taken_s = None if replied_s is None else arrived_s - replied_s
        is_late = taken_s is not None and taken_s > limit_s
        if not is_our_turn:
            if replied_s is not None and not is_late:
                self._replied[player] = self.clock(), limit_s
            raise OverloadedError
        try:
            last = self.store.last_game(player)
            if column == NEW_GAME:
                taken_s = None  # of the game before
                reply, games = self._new_game(last)
            else:
                games = [last if last.is_running else self._next(last, student_first=True)]
                reply = self._end(games[0], LOST, -1, "late", LATE) if is_late else self._play(games[0], column)
            self.store.write(games, column, ago_s=self.clock() - arrived_s, taken_s=taken_s, address=address)
            self._replied.pop(player, None)
            if games[-1].is_running:
                self._replied[player] = self.clock(), games[-1].limit_s or inf
            return reply
        finally:
            self._turn.release()

    def stats(self, player: str) -> dict[str, Any]:
        """Return the JSON reply to /stats; `status` is null on success. An unknown id has zeros (choice made here)."""
        (standing,) = self.store.standings(player)
        return {"msg": None, "status": None, "stil_id": player, **asdict(standing.stats)}

    def _new_game(self, last: StoredGame) -> tuple[SentReply, list[StoredGame]]:
        """Return the reply to -1, and the games that it changes."""
        if self.dialect == "jan21":  # a loss, whether a game is running or not; only a column opens a game
            lost = last if last.is_running else self._next(last, student_first=True)
            lost.result, lost.reason = LOST, "forfeit"
            return SentReply("New game initiated, you start. Make your move"), [lost]
        games = []
        if last.is_running:
            last.result, last.reason = LOST, "forfeit"
            games.append(last)
        student_first = self.starter == "student" or (self.starter == "random" and self._random.random() < 0.5)
        game = self._next(last, student_first)
        column = None if student_first else self._bot_move(game)
        if column is None:  # also where the bot failed: no reply to -1 can end a game
            game.student_first = True
            column = -1
        # Choice made here: the course server's wording is unknown.
        who = "you start" if game.student_first else "the bot starts"
        reply = SentReply(f"New game initiated, {who}. Make your move", True, RUNNING, column, game.grid)
        return reply, [*games, game]

    def _next(self, last: StoredGame, student_first: bool) -> StoredGame:
        """Return a new game of the same player, with the options of this server."""
        return StoredGame(
            None,
            last.player,
            student_first=student_first,
            game=last.game + 1,
            opponent=self.opponent.name,
            limit_s=self.limit_s,
        )

    def _play(self, game: StoredGame, column: int) -> SentReply:
        """Return the reply to a column in a running game."""
        if column not in rules.playable(game.grid):
            game.result, game.reason = ILLEGAL, "illegal"
            return IMPOSSIBLE
        game.play(column)
        result = rules.result_after(game.grid, rules.STUDENT)
        bot_column: int | None = -1
        if result is None:
            bot_column = self._bot_move(game)
            if bot_column is None:
                game.result, game.reason = WON, "failure"
                return BOT_FAILED
            result = rules.result_after(game.grid, rules.BOT)
        if result is None:
            return SentReply(None, True, RUNNING, bot_column, game.grid)
        return self._end(game, result, bot_column, "played")

    def _end(
        self, game: StoredGame, result: float, bot_column: int | None, reason: str, text: str = ENDED
    ) -> SentReply:
        """End a game on the board as it stands: a late move does not reach it."""
        game.result, game.reason = result, reason
        msg = None if self.dialect == "jan21" else text
        return SentReply(msg, True, result, bot_column, game.grid)

    def _bot_move(self, game: StoredGame) -> int | None:
        """Return the bot's move, which the game has then; None if the bot failed."""
        try:
            decision = ask(self.opponent, Board.from_grid(game.grid, to_move=rules.BOT), _THINKING)
        except AgentError as failure:
            self.notice(f"{failure.message} It forfeits the game. {failure.hint}".rstrip())
            return None
        if decision.note:
            self.notice(decision.note)
        game.play(decision.column)
        return decision.column

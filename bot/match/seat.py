"""Our seat at the server: one request at a time, journaled ahead, and never a guess about what happened."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.client.http import NEW_GAME, AmbiguousError, CourseClient, NotSentError, RejectedError
from bot.client.odds import FateOdds
from bot.client.tracking import Position, opening
from bot.client.wire import BadReplyError, MoveReply, Stats
from bot.client.worlds import Scores, World, after_told, after_unknown, choose, narrow_by_reply, narrow_by_stats
from bot.engine import Agent, Decision, Limit
from bot.errors import NetworkError
from bot.match.books import Books, ended_since
from bot.match.caution import Caution
from bot.match.clock import MoveClock
from bot.match.log import Ended, SeatLog, account, games_of
from bot.match.opponent_model import OpponentModel
from bot.match.question import Question
from bot.match.refusals import Refusal, refusal_of, refused

NO_GAME = World(None)
_WORLDS_PATIENCE = 10
"""A choice over several worlds may take so many times what a single one aims at (2 s by default)."""
_CONTRADICTIONS = 2
"""So many boards in a row that contradict ours are taken for garbled replies; the next one is believed."""


@dataclass(slots=True)
class Seat:
    """What we know of the server's game, and the means to go on. ``worlds`` is never empty."""

    client: CourseClient
    agent: Agent
    log: SeatLog
    clock: MoveClock
    scores: Callable[[float], Scores]
    """Column scores for the choice over several worlds, within so many seconds in all."""
    model: OpponentModel = field(default_factory=OpponentModel)
    caution: Caution | None = None
    patience_s: float = 30.0
    """How long requests of unknown fate may follow on each other before the run gives up (and can be resumed)."""
    worlds: set[World] = field(default_factory=lambda: {NO_GAME})
    odds: FateOdds = field(default_factory=FateOdds)
    may_forfeit: bool = True
    """Whether the next -1 may end a game that we do not know: then the books are taken after it once more."""
    is_cautious: bool = False
    """Whether replies have been lost in this run or the last, so that the next may be lost too."""
    books: Books = field(init=False)
    unknown_since: float | None = None
    attempts: int = 0
    contradictions: int = 0
    refusals: int = 0
    question: Question | None = None

    def __post_init__(self) -> None:
        self.books = Books(self.client)
        self.client.on_departure = self.log.departed

    @property
    def position(self) -> Position | None:
        """The running game, when it is known for sure."""
        return next(iter(self.worlds)).position if len(self.worlds) == 1 else None

    @property
    def is_idle(self) -> bool:
        """Whether no game can be running."""
        return all(world.position is None for world in self.worlds)

    def open(self) -> list[Ended]:
        """Open a new game. Returns games that turn out to have ended meanwhile (none, as a rule)."""
        self.log.number += 1
        self._take_base("the server's statistics before the game")
        self.log.journal.intent(self.log.number, NEW_GAME, 0)
        before = self.books.base
        ended = self._send(NEW_GAME)
        if self.may_forfeit and not self.is_idle and len(self.worlds) == 1:
            self._take_base("the server's statistics once the game was opened", 1.0)
            now = self.books.base
            if before is not None and now is not None and now.played > before.played:
                self.log.event("forfeited", "A game was still running at the server; opening this one has ended it.")
        self.may_forfeit = self.may_forfeit and len(self.worlds) > 1
        return ended

    def move(self) -> list[Ended]:
        """Send one move in the running game, or one that is right in every world; returns the games that ended."""
        position = self.position
        limit = self.clock.limit()
        if position is not None:
            decision = self.agent.choose(position.board, limit)
            if self.is_cautious and self.caution is not None:
                decision = self.caution.refine(position.board, decision, limit, self.odds.doubt)
            about: dict[str, Any] = {}
            ply = position.board.ply
        else:
            decision, about = self._choose_over_worlds(limit)
            ply = min(world.playing.board.ply for world in self.worlds)
        if self.clock.is_late:
            about["late"] = True
        start = time.monotonic()
        self.log.intent(decision, ply, self.clock.elapsed_s, **about)
        self.clock.recorded(time.monotonic() - start)
        if position is not None:
            self.log.observer.decided(position.board, decision, self.clock.elapsed_s)
        return self._send(decision.column)

    def settle(self, pending: int | None = None) -> list[Ended]:
        """Narrow the worlds by the server's statistics, as far as they come in time; returns games that have ended.

        ``pending`` is a request of unknown fate: should the game have ended in a way that no world knows, or be
        forgotten, it may have met no game, and opened one.
        """
        before = self.books.base
        now = self.books.ask(max(0.5, min(2.0, self.clock.left_s / 2))) if before is not None else None
        if before is None or now is None or self._is_incredible(before, now):
            return self._conclude("reply")
        fitting = narrow_by_stats(self.worlds, before, now)
        if fitting:
            self.worlds = fitting
        elif now.played < before.played:
            return self._forgotten_by_books(now, pending)
        elif now.played > before.played:
            self.log.event("unexplained", "The server's statistics count the end of a game that no reply has told.")
            world = ended_since(before, now)
            self.worlds = {world} if pending is None else after_unknown({world}, pending, self.model.odds)
        if len(self.worlds) == 1:
            self._learn(next(iter(self.worlds)), "the server's statistics tell")
        return self._conclude("statistics", now)

    def _is_incredible(self, before: Stats, now: Stats) -> bool:
        """Whether the statistics count more games than can have ended: one more than any world knows of."""
        most = 1 + max(world.ended for world in self.worlds)
        if now.played - before.played <= most:
            return False
        text = f"The server's statistics count {now.played - before.played} more games: they are left aside."
        self.log.event("incredible", text)
        return True

    def understand(self, move: int, reply: MoveReply) -> list[Ended]:
        """Take in the reply to ``move``, which says yes; returns the games that it shows to have ended."""
        try:
            ended = self._opened(reply) if move == NEW_GAME else self._moved(move, reply)
        except BadReplyError as error:
            return self._contradicted(move, reply, error)
        self.unknown_since, self.attempts, self.contradictions, self.refusals = None, 0, 0, 0
        return ended

    def _take_base(self, text: str, patience_s: float | None = None) -> None:
        self.books.base = self.books.ask(patience_s)
        self.log.books(self.books.base, text, self.books.trouble)

    def _send(self, move: int) -> list[Ended]:
        try:
            reply = self.client.move(move)
        except AmbiguousError as error:
            return self._after_unknown(move, error)
        except (NotSentError, RejectedError):
            self.log.not_processed(move)
            raise
        self.clock.reply_arrived(reply.latency_s)
        self.odds.replied(reply.wait_s)
        self.log.reply(reply)
        return self.understand(move, reply) if reply.status else self._refused(move, reply)

    def _opened(self, reply: MoveReply) -> list[Ended]:
        position = opening(reply)
        self.worlds, self.question = {World(position)}, None
        self._heard(position)
        self.log.observer.game_started(self.log.number, position.board)
        return []

    def _moved(self, move: int, reply: MoveReply) -> list[Ended]:
        before = self.worlds
        if reply.state is None and len({world.playing.board for world in before}) > 1:
            self.worlds, self.question = after_told(before, move, reply), None
            return self._conclude("reply")
        try:
            world, position = narrow_by_reply(before, move, reply)
            ended = games_of(world, self.log.number, "reply")
            self.books.count(world)
        except BadReplyError as error:
            position, ended = self._forgotten(move, reply, error)
            world = NO_GAME
        self.worlds = {World(position)}
        if ended:
            self.question = None
            ended = self.log.silent_start(move, reply, world, self.books.base, ended)
        if len(before) > 1:
            self._learn(world, account(world, before), hypotheses=len(before))
        self._heard(position)
        self.log.observer.replied(position.board, position.bot_column)
        if position.result is not None:
            self.worlds = {NO_GAME}
            last = Ended(self.log.number, position.result, "reply", position.moves, position.we_started)
            ended.append(self.log.end(last))
        return ended

    def _heard(self, position: Position) -> None:
        """The bot's answer, if there is one, tells what kind of bot it is."""
        if position.bot_column is not None:
            self.model.observe(position.board, position.bot_column)

    def _learn(self, world: World, text: str, **fields: Any) -> None:
        """It is known again what is true: ``world`` was, before the reply that told it."""
        if self.question is not None:
            fields.update(self.question.settle(world, self.odds))
        if self.question is not None or fields:
            self.log.event("reconciled", text, **fields)
        self.question = None

    def _forgotten(self, move: int, reply: MoveReply, complaint: BadReplyError) -> tuple[Position, list[Ended]]:
        """A board that continues nothing, unless the game had ended unseen and the move was a new one's first.

        The statistics tell whether it ended (a move that came too late loses, say) or was lost with the server's books.
        """
        if reply.state is None:  # without a board, anything would fit a new game
            raise complaint
        try:
            _, position = narrow_by_reply({NO_GAME}, move, reply)
        except BadReplyError:
            raise complaint from None
        before, now = self.books.base, self.books.ask(1.0)
        if before is not None and now is not None and self._is_incredible(before, now):
            now = before
        self.books.base = now
        if before is not None and now is not None and now.played > before.played and position.result is None:
            self.log.event("unexplained", "The game had ended at the server; this move opened a new one.")
            return position, games_of(ended_since(before, now), self.log.number, "statistics")
        self.log.event("server_reset", "The server has forgotten the game; this move opened a new one.")
        return position, [Ended(self.log.number, 0.0, "server_reset")]

    def _forgotten_by_books(self, now: Stats, pending: int | None) -> list[Ended]:
        """The statistics have gone back: the server has lost its memory, and the running game with it."""
        self.log.event("server_reset", "The server has forgotten its games.")
        lost = Ended(self.log.number, 0.0, "server_reset")
        self.worlds, self.books.base, self.question = {NO_GAME}, now, None
        if pending is None:
            return [self.log.end(lost)]
        self.worlds = after_unknown({NO_GAME}, pending, self.model.odds)
        self.log.carried_over(pending, now, lost)
        return [self.log.end(lost)]

    def _contradicted(self, move: int, reply: MoveReply, error: BadReplyError) -> list[Ended]:
        """A reply that fits nothing we know: garbled, perhaps; the same thing three times is the truth."""
        self.contradictions += 1
        if self.contradictions <= _CONTRADICTIONS:
            self.log.event("conflicting_reply", f"{error.message} It is left aside.")
            return self._after_unknown(move, AmbiguousError(error.message, error.hint, odds=0.9))
        position = Position.found(reply)
        if position is None:
            raise error
        self.log.event(
            "resynchronised", f"{error.message} The game goes on from the server's board.", state=reply.state
        )
        self.worlds, self.question, self.contradictions, self.unknown_since = {World(position)}, None, 0, None
        return []

    def _refused(self, move: int, reply: MoveReply) -> list[Ended]:
        """Status false: a move that the server could not take, a wrong key, no game to move in, or who knows what."""
        kind = refusal_of(move, reply, may_be_idle=len(self.worlds) > 1 and NO_GAME in self.worlds)
        if kind is Refusal.KEY:
            self.log.not_processed(move)
            raise refused(move, reply)
        if kind is Refusal.ILLEGAL and not self._still_runs():
            self.worlds, self.question = {NO_GAME}, None
            self.log.event("illegal", f"The server refuses our move: {reply.msg}")
            return [self.log.end(Ended(self.log.number, -10.0, "reply"))]
        if kind is Refusal.NO_GAME and (self.position is None or self.refusals >= _CONTRADICTIONS):
            ended = self.settle()
            if not ended:
                self.log.event("no_game", f"The server has no running game: {reply.msg}")
                ended = [self.log.end(Ended(self.log.number, 0.0, "server_reset"))]
            self.worlds, self.question = {NO_GAME}, None
            return ended
        self.refusals += 1
        if self.refusals > _CONTRADICTIONS or (move == NEW_GAME and len(self.worlds) == 1):
            ended = self.settle()
            if ended:
                return ended
            raise refused(move, reply)
        error = refused(move, reply)
        return self._after_unknown(move, AmbiguousError(error.message, error.hint, odds=0.02))

    def _still_runs(self) -> bool:
        """Whether the statistics deny that a game has ended."""
        before, now = self.books.base, self.books.ask(1.0)
        return before is not None and now is not None and now.played == before.played

    def _after_unknown(self, move: int, error: AmbiguousError) -> list[Ended]:
        """The reply is lost: widen the worlds by what may have happened, and narrow them by the server's books."""
        now = time.monotonic()
        self.is_cautious = True
        self.unknown_since = self.unknown_since or now
        wait_s = error.wait_s
        processed = self.odds.processed(wait_s) if error.odds is None else error.odds
        self.log.event(
            "reply_lost",
            f"{error.message} The request may or may not have been processed.",
            move=move,
            delivered=round(processed, 4),
            first_byte_s=None if wait_s is None else round(wait_s, 6),
        )
        if now - self.unknown_since > self.patience_s:
            raise NetworkError(error.message, "The game is kept: run the same command again to take it up.")
        is_known = len(self.worlds) == 1 and error.odds is None
        self.question = Question(next(iter(self.worlds)), wait_s) if is_known else None
        self.worlds = after_unknown(self.worlds, move, self.model.odds, processed)
        self.clock.reply_lost()
        self._pause(error.retry_after_s)
        return self.settle(move)

    def _pause(self, wished_s: float) -> None:
        """Wait before the next request: as long as the server wishes, but no longer than a running game allows."""
        pause_s = min(2.0, 0.05 * 2**self.attempts) * random.uniform(0.5, 1.0) if self.attempts else 0.0
        self.attempts += 1
        time.sleep(max(pause_s, min(wished_s, max(0.0, self.clock.left_s - 1.0))))

    def _conclude(self, known_by: str, now: Stats | None = None) -> list[Ended]:
        """When no game can be running any more: the games that have ended, with the likeliest results."""
        if not self.is_idle or not any(world.ended for world in self.worlds):
            return []
        world = max(self.worlds, key=lambda world: world.odds)
        self.books.count(world)
        self.books.base = now or self.books.base
        self.worlds, self.question = {NO_GAME}, None
        ended = games_of(world, self.log.number, known_by)
        self.log.number += len(ended) - 1
        return [self.log.end(game) for game in ended]

    def _choose_over_worlds(self, limit: Limit) -> tuple[Decision, dict[str, Any]]:
        start = time.perf_counter()
        seconds = min(limit.hard_s, _WORLDS_PATIENCE * limit.think_s)
        if self.caution is None:
            choice = choose(self.worlds, self.scores(seconds))
        else:
            chances = self.caution.chances(seconds, self.odds.doubt)
            choice = choose(self.worlds, self.scores(seconds / 2), chances=chances)
        if not choice.safe:
            self.log.event("no_safe_column", "No column keeps the outcome in every world; the best chance is sent.")
        seconds = time.perf_counter() - start
        decision = Decision(choice.column, choice.worst, pv=(choice.column,), seconds=seconds, source="worlds")
        return decision, {"hypotheses": len(self.worlds), "safe": choice.safe}

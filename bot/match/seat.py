"""Our seat at the server: one request at a time, journaled ahead, and never a guess about what happened."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from bot.client.http import NEW_GAME, AmbiguousError, CourseClient, NotSentError, RejectedError
from bot.client.tracking import Position, opening
from bot.client.wire import BadReplyError, MoveReply, Stats
from bot.client.worlds import (
    Scores,
    World,
    after_unknown,
    choose,
    narrow_by_reply,
    narrow_by_stats,
)
from bot.engine import Agent, Decision
from bot.engine.traps import likely_replies
from bot.errors import NetworkError, ProtocolError
from bot.game import format_moves
from bot.game.notation import column_letter
from bot.journal.writer import JournalWriter
from bot.match.clock import MoveClock
from bot.match.observer import Observer

NO_GAME = World(None)
_WORLDS_PATIENCE = 10
"""A choice over several worlds may take so many times what a single one aims at (2 s by default)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A game is over: its number in the journal, the server's result (0: it has none) and who told it."""

    number: int
    result: float
    known_by: str
    """"reply", "stats", or "forgotten" when the server lost it."""
    moves: tuple[int, ...] = ()
    we_started: bool | None = None
    slowest_move_s: float = 0.0


@dataclass(slots=True)
class Seat:
    """What we know of the server's game, and the means to go on. ``worlds`` is never empty."""

    client: CourseClient
    agent: Agent
    journal: JournalWriter
    observer: Observer
    clock: MoveClock
    scores: Callable[[float], Scores]
    """Column scores for the choice over several worlds, within so many seconds a board."""
    patience_s: float = 30.0
    """How long requests of unknown fate may follow on each other before the run gives up (and can be resumed)."""
    number: int = 0
    """The game in the journal: 1, 2, ..."""
    worlds: set[World] = field(default_factory=lambda: {NO_GAME})
    books: Stats | None = None
    """The server's statistics that the worlds count from."""
    abandons: bool = False
    """Whether the next -1 forfeits a game on purpose: then the books are taken after it, not before."""
    unknown_since: float | None = None
    slowest_move_s: float = 0.0
    attempts: int = 0

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
        self.number += 1
        self.journal.check_room()
        if not self.abandons:
            self.ask_books()
        self.journal.intent(self.number, NEW_GAME, 0)
        ended = self._send(NEW_GAME)
        if self.abandons:
            self.abandons = False
            self.ask_books()
        return ended

    def move(self) -> list[Ended]:
        """Send one move in the running game, or one that is right in every world; returns the games that ended."""
        position = self.position
        if position is not None:
            decision = self.agent.choose(position.board, self.clock.limit())
            about: dict[str, object] = {}
        else:
            decision, about = self._choose_over_worlds()
        move_s = self.clock.elapsed_s
        self.slowest_move_s = max(self.slowest_move_s, move_s)
        ply = position.board.ply if position else min(world.playing.board.ply for world in self.worlds)
        if self.clock.is_late:
            about["late"] = True
        self.journal.intent(
            self.number,
            decision.column,
            ply,
            score=decision.score,
            proven=decision.proven,
            depth=decision.depth,
            nodes=decision.nodes,
            pv=list(decision.pv),
            seconds=round(decision.seconds, 6),
            source=decision.source,
            move_s=round(move_s, 6),
            **about,
        )
        if position is not None:
            self.observer.decided(position.board, decision, move_s)
        return self._send(decision.column)

    def ask_books(self) -> None:
        """Take the server's statistics as the base that worlds count from; a server may keep none."""
        try:
            self.books = self.client.stats()
        except ProtocolError as error:
            self.books = None
            self._event("books", f"The server's statistics cannot be used: {error.message}")
            return
        self._journal_books("the server's statistics before the game")

    def settle(self) -> list[Ended]:
        """Narrow the worlds by the server's statistics; returns the games that they show to have ended."""
        if self.books is None:
            return []
        now = self.client.stats()
        if now is None:
            return []
        before = self.books
        fitting = narrow_by_stats(self.worlds, before, now)
        rise = now.played - before.played
        if fitting:
            self.worlds = fitting
        elif rise < 0:
            self._event("forgotten", "The server has forgotten its games; a new one is opened.")
            self.worlds, self.books = {NO_GAME}, now
            return [self._end(Ended(self.number, 0.0, "forgotten"))]
        elif rise > 0:
            self.worlds = {World(None, rise, now.won - before.won, now.lost - before.lost)}
        if rise > 0 and self.is_idle:
            self.books = now
            ended = _games_of(next(iter(self.worlds)), self.number, "stats")
            self.worlds = {NO_GAME}
            return [self._end(game) for game in ended]
        return []

    def understand(self, move: int, reply: MoveReply) -> list[Ended]:
        """Take in the reply to ``move``, which says yes; returns the games that it shows to have ended."""
        ended = self._opened(reply) if move == NEW_GAME else self._moved(move, reply)
        self.unknown_since, self.attempts = None, 0
        return ended

    def _send(self, move: int) -> list[Ended]:
        try:
            reply = self.client.move(move)
        except AmbiguousError as error:
            return self._after_unknown(move, error)
        except (NotSentError, RejectedError):
            self._not_processed(move)
            raise
        self.clock.reply_arrived(reply.latency_s)
        self.journal.reply(
            self.number,
            status=reply.status,
            msg=reply.msg,
            botmove=reply.botmove,
            result=reply.result,
            state=reply.state,
            latency_s=round(reply.latency_s, 6),
        )
        return self.understand(move, reply) if reply.status else self._refused(move, reply)

    def _opened(self, reply: MoveReply) -> list[Ended]:
        position = opening(reply)
        self.worlds = {World(position)}
        self.observer.game_started(self.number, position.board)
        return []

    def _moved(self, move: int, reply: MoveReply) -> list[Ended]:
        unsure, before = len(self.worlds) > 1, self.worlds
        try:
            world, position = narrow_by_reply(self.worlds, move, reply)
            ended = _games_of(world, self.number, "reply")
        except BadReplyError as error:
            world, position = self._forgotten(move, reply, error)
            ended = [Ended(self.number, 0.0, "forgotten")]
        self.worlds = {World(position)}
        if ended:
            self._silent_start(move, reply, world, ended)
        if unsure:
            self._event("resolved", _account(world, before), worlds=len(before))
        self.observer.replied(position.board, position.bot_column)
        if position.result is not None:
            self.worlds = {NO_GAME}
            last = Ended(self.number, position.result, "reply", position.moves, position.we_started)
            ended.append(self._end(last))
        return ended

    def _silent_start(self, move: int, reply: MoveReply, world: World, ended: list[Ended]) -> None:
        """The games before it have ended unseen, and ``move`` has opened the next.

        The new game is journaled first: should the process die before the ends of the others are written, it is known
        that a game is running, and the last reply of the unfinished one tells the rest once more.
        """
        self.number += len(ended)
        told: dict[str, Any] = {"move": move, "botmove": reply.botmove, "state": reply.state, "result": reply.result}
        told["moves"] = format_moves(world.playing.moves)
        self._event("silent_start", "The move met no running game and opened one.", **told)
        if self.books is not None:
            counts = (world.ended, world.won, world.lost)
            self.books = replace(
                self.books,
                played=self.books.played + counts[0],
                won=self.books.won + counts[1],
                lost=self.books.lost + counts[2],
            )
            self._journal_books("the server's statistics, as far as they are known")
        for game in ended:
            self._end(game)

    def _forgotten(self, move: int, reply: MoveReply, complaint: BadReplyError) -> tuple[World, Position]:
        """A board that continues nothing, unless the server lost our game and took the move for a new one's first."""
        try:
            world, position = narrow_by_reply({NO_GAME}, move, reply)
        except BadReplyError:
            raise complaint from None
        self._event("forgotten", "The server has forgotten the game; this move opened a new one.")
        self.books = None
        return world, position

    def _refused(self, move: int, reply: MoveReply) -> list[Ended]:
        """Status false: a move that the server could not take, a wrong key, or no game to move in."""
        reason = " ".join((reply.msg or "no reason given").split())[:200].rstrip(".")
        if "key" in reason.lower():
            self._not_processed(move)
            raise RejectedError(f"The server refuses us: {reason}.", "Check --api-key.")
        if move != NEW_GAME and any(world.position is None for world in self.worlds) and len(self.worlds) > 1:
            ended = self.settle()
            if not ended:
                self._event("no_game", f"The server has no running game ({reason}).")
                self.worlds = {NO_GAME}
                ended = [self._end(Ended(self.number, 0.0, "forgotten"))]
            return ended
        if move != NEW_GAME and "impossible" in reason.lower():
            self.worlds = {NO_GAME}
            self._event("illegal", f"The server calls our move {column_letter(move)} impossible.")
            return [self._end(Ended(self.number, -10.0, "reply"))]
        raise ProtocolError(f"The server refuses {'a new game' if move == NEW_GAME else 'our move'}: {reason}.")

    def _after_unknown(self, move: int, error: AmbiguousError) -> list[Ended]:
        """The reply is lost: widen the worlds by what may have happened, and narrow them by the server's books."""
        now = time.monotonic()
        self.unknown_since = self.unknown_since or now
        self._event("unknown", f"{error.message} The request may or may not have been processed.", move=move)
        if now - self.unknown_since > self.patience_s:
            raise NetworkError(error.message, "The game is kept: run the same command again to take it up.")
        self.worlds = after_unknown(self.worlds, move, likely_replies)
        pause_s = min(2.0, 0.05 * 2**self.attempts) * random.uniform(0.5, 1.0) if self.attempts else 0.0
        time.sleep(max(pause_s, error.retry_after_s))
        self.attempts += 1
        return self.settle()

    def _choose_over_worlds(self) -> tuple[Decision, dict[str, object]]:
        boards = len({world.playing.board for world in self.worlds})
        start = time.perf_counter()
        limit = self.clock.limit()
        seconds_each = max(0.005, min(limit.hard_s, _WORLDS_PATIENCE * limit.think_s) / boards)
        choice = choose(self.worlds, self.scores(seconds_each))
        if not choice.safe:
            self._event("no_safe_column", "No column keeps the outcome in every world; the best mean is sent.")
        decision = Decision(
            choice.column, choice.worst, pv=(choice.column,), seconds=time.perf_counter() - start, source="worlds"
        )
        return decision, {"worlds": len(self.worlds), "safe": choice.safe}

    def _end(self, game: Ended) -> Ended:
        """Journal the end of a game."""
        game = replace(game, slowest_move_s=self.slowest_move_s)
        self.slowest_move_s = 0.0
        self.journal.game_end(
            game.number,
            game.result,
            moves=format_moves(game.moves),
            we_started=game.we_started,
            slowest_move_s=round(game.slowest_move_s, 6),
            known_by=game.known_by,
        )
        return game

    def _not_processed(self, move: int) -> None:
        """The request provably did nothing: whoever takes up the game need not wonder."""
        self._event("not_processed", "The request was not processed.", quiet=True, move=move)

    def _journal_books(self, text: str) -> None:
        if self.books is not None:
            counts = {"played": self.books.played, "won": self.books.won, "lost": self.books.lost}
            self._event("books", text, quiet=True, **counts)

    def _event(self, kind: str, text: str, *, quiet: bool = False, **fields: object) -> None:
        self.journal.event(self.number, kind, text, **fields)
        if not quiet:
            self.observer.notice(text)


def _games_of(world: World, number: int, known_by: str) -> list[Ended]:
    """The games that ended in a world, the first with this number; their order is unknown, so losses come first."""
    drawn = world.ended - world.won - world.lost
    results = [-1.0] * world.lost + [0.5] * drawn + [1.0] * world.won
    return [Ended(number + index, result, known_by) for index, result in enumerate(results)]


def _account(world: World, worlds: set[World]) -> str:
    """What had happened, in words."""
    plies = {other.playing.board.ply for other in worlds if other.position is not None}
    if world.position is None:
        return "reply lost; no game was running any more"
    if plies and world.position.board.ply == min(plies):
        return "request lost; the server had not processed it"
    return "reply lost; the server had processed the request"

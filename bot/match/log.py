"""What a seat tells: every step to the journal, and what a person should know to the observer."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.client.wire import MoveReply, Stats
from bot.client.worlds import World
from bot.engine import Decision
from bot.errors import JournalError
from bot.game import format_moves
from bot.journal.writer import JournalWriter
from bot.match.observer import Observer


@dataclass(frozen=True, slots=True)
class Ended:
    """A game is over: its number in the journal, the server's result (0: it has none) and who told it."""

    number: int
    result: float
    known_by: str
    """"reply", "statistics", or "server_reset" when the server lost it."""
    moves: tuple[int, ...] = ()
    we_started: bool | None = None
    slowest_move_s: float = 0.0


@dataclass(slots=True)
class SeatLog:
    """Writes the records of the game ``number`` (1, 2, ...)."""

    journal: JournalWriter
    observer: Observer
    number: int = 0
    slowest_move_s: float = 0.0

    def intent(self, decision: Decision, ply: int, move_s: float, **about: Any) -> None:
        """The move about to be sent, ``move_s`` seconds after the reply that it answers."""
        self.slowest_move_s = max(self.slowest_move_s, move_s)
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

    def reply(self, reply: MoveReply) -> None:
        """The server's answer, as it came."""
        self.journal.reply(
            self.number,
            status=reply.status,
            msg=reply.msg,
            botmove=reply.botmove,
            result=reply.result,
            state=reply.state,
            latency_s=round(reply.latency_s, 6),
            first_byte_s=None if reply.wait_s is None else round(reply.wait_s, 6),
        )

    def event(self, kind: str, text: str, *, quiet: bool = False, **fields: Any) -> None:
        """Something unusual; ``quiet`` keeps it from the observer."""
        self.journal.event(self.number, kind, text, **fields)
        if not quiet:
            self.observer.notice(text)

    def departed(self) -> None:
        """The request is about to leave. Not fsynced: should this process be killed, the system keeps it."""
        with suppress(JournalError):  # a full disk will be noticed at the next intent; this one is on its way
            self.event("sent", "The request is on its way.", quiet=True)

    def not_processed(self, move: int) -> None:
        """The request provably did nothing: whoever takes up the game need not wonder."""
        self.event("not_sent", "The request was not processed.", quiet=True, move=move)

    def books(self, base: Stats | None, text: str, trouble: str = "") -> None:
        """The statistics that the worlds count from; None: there are none, perhaps for some ``trouble``."""
        if base is not None:
            counts = {"played": base.played, "won": base.won, "lost": base.lost, "streak": base.streak}
            self.event("statistics", text, quiet=True, **counts)
        elif trouble:
            self.event("statistics", f"The server's statistics cannot be used: {trouble}")

    def silent_start(
        self, move: int, reply: MoveReply, world: World, base: Stats | None, ended: list[Ended]
    ) -> list[Ended]:
        """The games ``ended`` unseen, and a move that met no game has opened the next, which ``reply`` tells of.

        The new game is journaled first, and names the ends of the others: should the process die before these have
        records of their own, it is known all the same that a game is running, and how the others ended.
        """
        self.number += len(ended)
        self.event(
            "silent_start",
            "A move met no running game and opened one.",
            moves=format_moves(world.playing.moves),
            move=move,
            botmove=reply.botmove,
            state=reply.state,
            result=reply.result,
            ended=_ends(ended),
        )
        self.books(base, "the server's statistics, as far as they are known")
        return [self.end(game) for game in ended]

    def carried_over(self, move: int, base: Stats, ended: Ended) -> None:
        """The server has lost the game ``ended``, and ``move``, of unknown fate, may have opened the next."""
        self.number += 1
        text = "The last request may have opened the next game."
        self.event("unconfirmed", text, move=move, ended=_ends([ended]))
        self.books(base, "the server's statistics after it forgot")

    def end(self, game: Ended) -> Ended:
        """The end of a game."""
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


def _ends(games: list[Ended]) -> list[dict[str, Any]]:
    return [{"game": game.number, "result": game.result, "known_by": game.known_by} for game in games]


def games_of(world: World, number: int, known_by: str) -> list[Ended]:
    """The games that ended in a world, the first with this number; their order is unknown, so losses come first."""
    drawn = world.ended - world.won - world.lost
    results = [-1.0] * world.lost + [0.5] * drawn + [1.0] * world.won
    return [Ended(number + index, result, known_by) for index, result in enumerate(results)]


def account(world: World, worlds: Iterable[World]) -> str:
    """What had happened, in words."""
    plies = {other.playing.board.ply for other in worlds if other.position is not None}
    if world.position is None:
        return "reply lost; no game was running any more"
    if plies and world.position.board.ply == min(plies):
        return "request lost; the server had not processed it"
    return "reply lost; the server had processed the request"

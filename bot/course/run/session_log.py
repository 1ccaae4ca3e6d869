"""Write everything that a session does as journal records, from which `bot.course.run.resume` restores it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import Any, Protocol

from bot.course.protocol import MoveReply
from bot.course.session.events import Counted, Delivery, Failed, GameEnded, News, Note, Replied
from bot.course.session.position import EMPTY, Position
from bot.course.session.state import Session
from bot.engine.agent import Decision
from bot.errors import JournalError
from bot.game import format_moves


class Records(Protocol):
    """Destination of records: `bot.course.journal.writer.JournalWriter`, or a virtual disk."""

    def intent(self, game: int, move: int, ply: int, **fields: Any) -> None: ...
    def reply(self, game: int, **fields: Any) -> None: ...
    def event(self, game: int, kind: str, text: str, **fields: Any) -> None: ...
    def game_end(self, game: int, result: float, **fields: Any) -> None: ...


class SessionLog:
    """Writes records; ``now`` gives the ``at`` of each, in seconds."""

    def __init__(self, records: Records, now: Callable[[], float]) -> None:
        self._records = records
        self._now = now
        self._slowest_move_s = 0.0
        self._game = 0
        self._choice: dict[str, Any] = {}
        """Fields of the last move's record about a choice over several hypotheses."""

    @property
    def at(self) -> float:
        """The current time as the journal keeps it, seconds."""
        return round(self._now(), 4)

    def new_game(self, number: int, at: float) -> None:
        """Write the intent to open game ``number``; raises JournalError if the disk has no room for a game."""
        self._records.intent(number, -1, 0, at=at)

    def move(self, number: int, decision: Decision, ply: int, *, at: float, move_s: float, **about: Any) -> None:
        """Write the move about to be sent, ``move_s`` seconds after the first byte of the last reply."""
        self._slowest_move_s = max(self._slowest_move_s, move_s)
        self._choice = {name: about[name] for name in ("hypotheses", "safe") if name in about}
        self._records.intent(
            number,
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
            at=at,
            **about,
        )

    def substituted(self, number: int, text: str) -> None:
        """Write that another agent chose the last move, because ours failed."""
        self._records.event(number, "substituted", text, at=self.at)

    def starting(self, number: int) -> None:
        """Set the game number of the `sent` record of the next request."""
        self._game = number

    def sent(self) -> None:
        """Write that the request is being sent. Not fsynced: the system keeps it even if this process is killed."""
        with suppress(JournalError):  # a full disk is reported at the next intent; this request is already being sent
            self._records.event(self._game, "sent", "The request is being sent.", at=self.at)

    def replied(self, number: int, event: Replied) -> None:
        """Write a reply as it was received."""
        reply = event.reply
        self._records.reply(
            number,
            status=reply.status,
            msg=reply.msg,
            botmove=reply.botmove,
            result=reply.result,
            state=reply.state,
            latency_s=round(reply.latency_s, 6),
            first_byte_s=_rounded(reply.first_byte_s),
            body_s=round(reply.body_s, 6),
            at=event.at,
        )

    def failed(self, number: int, move: int, event: Failed, session: Session) -> None:
        """Write that a request brought no usable reply; ``session`` is the state after it."""
        if event.delivery is not Delivery.UNKNOWN:
            self._records.event(number, "not_sent", event.message, move=move, fate=event.delivery.value, at=event.at)
            return
        self._records.event(
            number,
            "reply_lost",
            f"{event.message} The server may or may not have received the move.",
            move=move,
            failure=event.kind,
            first_byte_s=_rounded(event.first_byte_s),
            delivered=event.delivered,
            retry_after_s=event.retry_after_s,
            hypotheses=len(session.belief),
            at=event.at,
        )

    def counted(self, session: Session, event: Counted) -> None:
        """Write a reading of the statistics, under the next game's number if no game is running."""
        number = session.number + session.is_idle
        stats = event.stats
        counts: dict[str, float] = {}
        if stats is not None:
            counts = {"played": stats.played, "won": stats.won, "lost": stats.lost, "streak": stats.streak}
            if stats.total_reward is not None:
                counts["total_reward"] = stats.total_reward
        text = "The server's statistics." if stats is not None else "The server's statistics cannot be read."
        self._records.event(number, "statistics", text, **counts, at=event.at)

    def news(self, session: Session, reply: MoveReply | None) -> None:
        """Write the news of the last step, which processed ``reply`` if that is given.

        A silent start comes first: it lists the games that ended before it, so a crash between two records cannot leave
        a running game without a record.
        """
        for item in sorted(session.news, key=lambda item: not _is_silent_start(item)):
            if isinstance(item, GameEnded):
                self._end(item)
            elif isinstance(item, Note) and item.kind == "silent_start":
                self._silent_start(session, item)
            elif isinstance(item, Note) and item.kind != "reply_lost":
                self._records.event(session.number, item.kind, item.text, at=self.at, **_evidence(item, reply))

    def _end(self, end: GameEnded) -> None:
        slowest_move_s, self._slowest_move_s = self._slowest_move_s, 0.0
        self._records.game_end(
            end.number,
            end.result,
            moves=format_moves(end.moves),
            we_started=end.we_started,
            slowest_move_s=round(slowest_move_s, 6),
            known_by=end.known_by,
            at=self.at,
        )

    def _silent_start(self, session: Session, note: Note) -> None:
        """Write that our last move found no running game and opened one, which may have ended at once."""
        ends = {item.number: item for item in session.news if isinstance(item, GameEnded)}
        own = ends.pop(session.number, None)
        position = session.position
        if position is None:
            assert own is not None  # a reply has shown a game that our disc opened
            position = replace(reduce(Position.play, own.moves, EMPTY), result=own.result)
        moves = position.moves
        start = len(moves) - 1 - (len(moves) % 2 == 0)
        self._records.event(
            session.number,
            "silent_start",
            note.text,
            moves=format_moves(moves[:start]),
            move=moves[start],
            botmove=moves[-1] if len(moves) % 2 == 0 else -1,
            state=position.grid,
            result=position.result or 0.0,
            ended=[{"game": item.number, "result": item.result, "known_by": item.known_by} for item in ends.values()],
            at=self.at,
            **self._choice,
        )


def _is_silent_start(item: News) -> bool:
    return isinstance(item, Note) and item.kind == "silent_start"


def _evidence(note: Note, reply: MoveReply | None) -> dict[str, Any]:
    return {"state": reply.state} if note.kind == "resynchronised" and reply is not None else {}


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 6)

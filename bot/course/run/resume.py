"""Resume a run: convert its journal's records to events, and fold these through the session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.course.journal.reader import read_records
from bot.course.journal.schema import Record
from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.session.belief import NO_GAME, Hypothesis
from bot.course.session.events import Chosen, Counted, Delivery, Event, Failed, GameEnded, Replied, Sent, Started
from bot.course.session.machine import step
from bot.course.session.position import shown
from bot.course.session.state import Pending, Session


def records_of(path: Path) -> Iterator[Record]:
    """Yield the readable records of a run's file, in order; raises JournalError when it cannot be read."""
    return (line.record for line in read_records(path) if line.record is not None)


def fold(records: Iterable[Record], session: Session | None = None) -> Session:
    """Return the session after a run's ``records``, oldest first; records that are not events are skipped."""
    return replayed(records, session)[0]


def replayed(records: Iterable[Record], session: Session | None = None) -> tuple[Session, list[GameEnded]]:
    """Return the session after ``records``, and the ends of games that they imply but do not record.

    A crash right after a reply can leave the end of its game unrecorded.
    """
    session = Session() if session is None else session
    implied: dict[int, GameEnded] = {}
    for record in records:
        event = event_of(record)
        if event is not None:
            session = _aligned(session, record, event)
            session, _ = step(session, event)
            implied |= {item.number: item for item in session.news if isinstance(item, GameEnded)}
        elif record["type"] == "event":
            session = _corrected(session, record)
            for end in record.get("ended") or ():
                implied.pop(end["game"], None)
        elif record["type"] == "game_end":
            implied.pop(record["game"], None)
    return session, [implied[number] for number in sorted(implied)]


def event_of(record: Record) -> Event | None:
    """Return the event that a record stands for; None for records that only describe one."""
    at = float(record.get("at") or 0.0)
    kind = record["kind"] if record["type"] == "event" else record["type"]
    match kind:
        case "run" | "resumed":
            return Started(at, int(record.get("games") or 1))
        case "intent":
            return Chosen(at, record["move"])
        case "sent":
            return Sent(at)
        case "reply":
            return Replied(at, reply_of(record))
        case "statistics":
            return Counted(at, _stats_of(record))
        case "not_sent":
            delivery = Delivery.REJECTED if record.get("fate") == Delivery.REJECTED.value else Delivery.NOT_SENT
            return Failed(at, delivery, record.get("text", ""))
        case "reply_lost":
            return _lost_reply(at, record)
    return None


def _lost_reply(at: float, record: Record) -> Failed:
    return Failed(
        at,
        Delivery.UNKNOWN,
        record.get("text", ""),
        kind=record.get("failure") or "",
        first_byte_s=record.get("first_byte_s"),
        delivered=record.get("delivered"),
        retry_after_s=float(record.get("retry_after_s") or 0.0),
    )


def reply_of(record: Record) -> MoveReply:
    """Return the reply that a record keeps."""
    grid: Any = record.get("state")
    state = tuple(tuple(row) for row in grid) if grid is not None else None
    return MoveReply(
        status=bool(record.get("status")),
        msg=record.get("msg"),
        botmove=record.get("botmove"),
        result=record.get("result"),
        state=state,
        latency_s=float(record.get("latency_s") or 0.0),
        first_byte_s=record.get("first_byte_s"),
        body_s=float(record.get("body_s") or 0.0),
    )


def _stats_of(record: Record) -> Stats | None:
    counts = [record.get(name) for name in ("played", "won", "lost")]
    if None in counts:
        return None
    played, won, lost = (int(count or 0) for count in counts)
    return Stats(played, won, lost, record.get("streak") or 0, total_reward=record.get("total_reward"))


def _aligned(session: Session, record: Record, event: Event) -> Session:
    """Return the session idle before a -1, although a journal of the first edition leaves a game running."""
    if isinstance(event, Chosen) and event.move == NEW_GAME:
        return replace(session, number=int(record["game"]) - 1, belief=(NO_GAME,), unseen=None, reading=None)
    return session


def _corrected(session: Session, record: Record) -> Session:
    """Return the session after a record of the first edition that corrects what its replies alone show."""
    number = int(record.get("game") or session.number)
    match record["kind"]:
        case "unconfirmed" if "move" in record:
            pending = Pending(record["move"], is_sent=True)
            return replace(session, belief=(NO_GAME,), pending=pending, number=number, lost_request=None)
        case "resynchronised" if record.get("state") is not None:
            position = shown(reply_of({**record, "status": True}))
            if position is not None and position.result is None and session.belief != (Hypothesis(position),):
                return replace(session, belief=(Hypothesis(position),), pending=None, lost_request=None)
    return session

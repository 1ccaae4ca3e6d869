"""Pass a journal's records through `step` again: to resume a run, to show its games, and to verify it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.course.protocol import NEW_GAME
from bot.course.session.belief import NO_GAME, Hypothesis
from bot.course.session.events import (
    Choose,
    Chosen,
    Event,
    Failed,
    GameEnded,
    News,
    Note,
    ReadStatistics,
    Record,
    Replied,
    RunEnded,
    Send,
    Sent,
    Started,
)
from bot.course.session.machine import UnexpectedEventError, step
from bot.course.session.position import shown
from bot.course.session.state import Session
from bot.errors import BoardError
from bot.game import Board


@dataclass(slots=True)
class Fold:
    """The session after the records that it has taken, and what they lack or contradict."""

    session: Session = field(default_factory=Session)
    expected: list[News] = field(default_factory=list)
    """News of the last event that no record has confirmed yet. A crash can prevent the last of them."""
    is_damaged: bool = False
    """Whether lines of the journal cannot be read: then a board that contradicts the records is accepted at once."""

    def take(self, record: Record) -> list[str]:
        """Process the next record, and return, as sentences, how it contradicts those before it."""
        if isinstance(record, RunEnded):
            return []
        if isinstance(record, (GameEnded, Note)):
            return self._confirm(record)
        problems = [f"the record {item.type!r} is missing." for item in self.expected]
        if isinstance(record, Started) and self.is_damaged:
            record = replace(record, is_damaged=True)
        try:
            if isinstance(record, Chosen) and record.game not in (0, self.session.number + self.session.is_idle):
                raise UnexpectedEventError  # damaged lines hide the beginning of its game
            self.session, _ = step(self.session, record)
        except UnexpectedEventError:
            problems.append(_does_not_follow(record))
            self.session = _rescued(self.session, record)
        self.expected = list(self.session.news)
        return problems

    def _confirm(self, record: News) -> list[str]:
        """Compare recorded news with those that the session found out."""
        found = next((item for item in self.expected if _agree(record, item)), None)
        if found is not None:
            self.expected.remove(found)
            return []
        if isinstance(record, GameEnded):
            differing = [item for item in self.expected if isinstance(item, GameEnded) and item.game == record.game]
            for item in differing:
                self.expected.remove(item)
            if not differing:
                self.session = _without_game(self.session, record)
            if record.known_by == "abandoned":
                return []
        return [_does_not_follow(record)]


def _does_not_follow(record: Record) -> str:
    return f"the record {record.type!r} does not follow from those before it."


def _agree(record: News, found: News) -> bool:
    """Return whether recorded news are those that the session found out.

    After lost replies, the likeliest order of moves and the likeliest result depend on the answers that the run had
    learnt from earlier journals: another order that leads to the same board, and another inferred result, agree.
    """
    if isinstance(record, GameEnded) and isinstance(found, GameEnded):
        if record.known_by == found.known_by == "inferred":
            record = replace(record, result=found.result)
        if _board(record) == _board(found) is not None:
            record = replace(record, moves=found.moves)
    return replace(record, time="") == found


def _board(end: GameEnded) -> Board | None:
    try:
        return Board.from_moves(end.moves)
    except BoardError:
        return None


def _without_game(session: Session, end: GameEnded) -> Session:
    """Return the session after a recorded end that its own records do not show.

    The user gave the game up, or lines are damaged.
    """
    number = session.number
    session = replace(session.ending(end.result, end.known_by, at=end.at, number=end.game), news=())
    return replace(session, belief=(NO_GAME,), agenda=(ReadStatistics(None),)) if end.game == number else session


def _rescued(session: Session, event: Event) -> Session:
    """Return the session after an event that is no outcome of what was due, because lines of the journal are damaged.

    The server's board is the truth: a reply that shows one sets the position, and so does the next one that fits
    nothing. A move that was chosen is about to be sent. All else changes nothing.
    """
    session = replace(session, news=(), run=replace(session.run, is_damaged=True), has_adopted=False)
    match event:
        case Replied(reply=reply, game=game):
            position = shown(reply)
            belief = (NO_GAME,) if reply.is_over else session.belief if position is None else (Hypothesis(position),)
            due = ReadStatistics(None) if reply.is_over else Choose(belief, 0.0)
            return replace(session, number=game, belief=belief, agenda=(due,))
        case Chosen(at=at, move=move, game=game):
            return replace(session, number=game, agenda=(Send(move, at),))
        case Sent(game=game) | Failed(game=game) if session.is_idle:  # only -1 is sent then
            return step(replace(session, number=game, agenda=(Send(NEW_GAME),)), event)[0]
    return session

"""Pass a journal's records through `step` again: to resume a run, to show its games, and to verify it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.course.protocol import NEW_GAME
from bot.course.session.belief import NO_GAME, Hypothesis
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Event,
    Failed,
    GameEnded,
    News,
    Note,
    Open,
    ReadStatistics,
    Record,
    Replied,
    RunEnded,
    Send,
    Sent,
    Started,
    Wait,
    Waited,
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
        problems = [f"the record {_name(item)} is missing." for item in self.expected]
        if isinstance(record, Started) and self.is_damaged:
            record = replace(record, is_damaged=True)
        try:
            if isinstance(record, Chosen) and record.game not in (0, self.session.number + (record.move == NEW_GAME)):
                raise UnexpectedEventError  # damaged lines hide the beginning of its game
            self.session, _ = step(self.session, record)
        except UnexpectedEventError:
            problems.append(f"the record {record.type!r} does not follow from those before it.")
            self.session = _rescued(self.session, record)
        self.expected = list(self.session.news)
        return problems

    def _confirm(self, record: News) -> list[str]:
        """Compare recorded news with those that the session found out."""
        plain = replace(record, time="")
        if plain in self.expected:
            self.expected.remove(plain)
            return []
        if isinstance(record, GameEnded) and record.known_by == "abandoned":
            self.session = replace(self.session, belief=(NO_GAME,), agenda=())
            return []
        if isinstance(record, Note):
            return [f"the note {record.kind!r} does not follow from the records before it."]
        same = next((item for item in self.expected if isinstance(item, GameEnded) and item.game == record.game), None)
        if same is not None:
            self.expected.remove(same)
            differences = _differences(record, same)
            text = f"the game's end differs from what the records before it show: {differences}."
            return [text] if differences else []
        self.session = _without_game(self.session, record)
        return ["the game's end does not follow from the records before it."]


def _name(item: News) -> str:
    return f"{item.type!r}" + (f" of kind {item.kind!r}" if isinstance(item, Note) else "")


def _differences(record: GameEnded, shown_end: GameEnded) -> str:
    """Return the fields in which a recorded end differs from the one that the replies show.

    After lost replies, the likeliest order of moves and the likeliest result depend on the answers that the run had
    learnt from earlier journals: another order that leads to the same board, and another inferred result, agree.
    """
    names = ["result", "known_by", "moves", "we_started"]
    if record.known_by == shown_end.known_by == "inferred":
        names.remove("result")
    if _board(record) == _board(shown_end) is not None:
        names.remove("moves")
    return ", ".join(
        f"{name} {getattr(record, name)!r} instead of {getattr(shown_end, name)!r}"
        for name in names
        if getattr(record, name) != getattr(shown_end, name)
    )


def _board(end: GameEnded) -> Board | None:
    try:
        return Board.from_moves(end.moves)
    except BoardError:
        return None


def _without_game(session: Session, end: GameEnded) -> Session:
    """Return the session after a recorded end that its own records do not show, because lines are damaged."""
    number = session.number
    session = replace(session.ending(end.result, end.known_by, at=end.at, number=end.game), news=())
    return replace(session, belief=(NO_GAME,), agenda=(ReadStatistics(None),)) if end.game == number else session


def _rescued(session: Session, event: Event) -> Session:
    """Return the session after an event that is no outcome of what was due, because lines of the journal are damaged.

    The server's board is the truth: a reply that shows one sets the position, and so does the next one that fits
    nothing. Other events are taken as the outcome of the command that they answer.
    """
    session = replace(session, news=(), run=replace(session.run, is_damaged=True), has_adopted=False)
    due: Command | None = None
    match event:
        case Replied(reply=reply, game=game):
            session = replace(session, number=game)
            if reply.is_over:
                return replace(session, belief=(NO_GAME,), agenda=(ReadStatistics(None),))
            position = shown(reply)
            belief = session.belief if position is None else (Hypothesis(position),)
            return replace(session, belief=belief, agenda=(Choose(belief, 0.0),))
        case Chosen(move=move, game=game):
            due = Open(game) if move == NEW_GAME else Choose(session.belief, 0.0)
            session = replace(session, number=game - (move == NEW_GAME) if game else session.number)
        case Counted():
            due = ReadStatistics(None)
        case Waited():
            due = Wait(0.0)
        case Sent(game=game) | Failed(game=game) if session.is_idle:  # only -1 is sent then
            due = Send(NEW_GAME)
            session = replace(session, number=game)
    return session if due is None else step(replace(session, agenda=(due,)), event)[0]

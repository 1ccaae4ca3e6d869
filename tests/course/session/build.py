"""The notation of the session's transcripts, and a walk of a session through the events of one.

Columns are a to g. A game is its columns in the order of play, after ``^`` if the bot started; ``.`` is the empty
board. Events are separated by semicolons. Where the session wants to wait, it does so before the next event.

==================  ====================================================================================
run games=2         a process starts, with these settings; dialect=no: nothing is known of the server's
counted 5 3 1       a reading of the statistics: played, won, lost, and perhaps the total reward
settled 5 3 1       the same reading, as often as one is wanted
unread timeout      a reading that fails, and how
7 times EVENT, ...  these events, so often
pass 5              5 seconds pass
abandoned           the user gives the game up
new: OUTCOME        -1 is journaled and sent, and this comes of it
c: OUTCOME          the same with a column
then: OUTCOME       this comes of the request that was sent before
play cdef           our columns and the bot's in turn
==================  ====================================================================================

=======================  ===============================================================================
ddce                     the board of that game
+e                       the known game with our column and the bot's answer e; ``+``: our column alone
null                     a reply with nothing but status true
no "Busy."               a reply with status false
FORM result=-1 state=no  one of these with other fields, no for null; ``body_s=1``: a slow body
lost reset delivered=1   a lost reply: how, and the probability that the request was processed
not sent, rejected       a request that was certainly not processed
chosen                   nothing yet: the process may die here
=======================  ===============================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, get_args

from bot.course.events import (
    Abandoned,
    Chosen,
    Command,
    Counted,
    Event,
    Failed,
    GameEnded,
    Learnt,
    News,
    Options,
    ReadStatistics,
    Replied,
    Send,
    Started,
    Stop,
)
from bot.course.failures import Delivery
from bot.course.hypotheses import EMPTY, Position
from bot.course.protocol import DRAWN, LOST, NEW_GAME, RUNNING, WON, Dialect, MoveReply, Stats
from bot.course.session import Session, step

COLUMNS = "abcdefg"
LAST_DISC_FOUR = "^gagegggcagfaaadadcdbcddbccdcfffefefbbbeee"
"""41 moves after which our column b makes a four with the 42nd disc."""


def position(game: str = "") -> Position:
    """Return the position after a game."""
    known = replace(EMPTY, we_started=not game.startswith("^"))
    for letter in game.strip("^."):
        known = known.play(COLUMNS.index(letter))
    return known


def reply_at(known: Position, **changes: Any) -> MoveReply:
    """Return the reply that shows a position, with some of its fields changed."""
    board = known.board
    is_answered = (board.ply % 2 == 0) == known.we_started and board.ply > 0
    won = LOST if is_answered else WON
    result = won if board.has_winner else DRAWN if board.is_full else RUNNING
    return replace(MoveReply(True, None, known.moves[-1] if is_answered else -1, result, known.grid), **changes)


def stats(played: float = 0, won: float = 0, lost: float = 0, reward: float | None = None) -> Stats:
    """Return statistics; the streak does not matter to a session."""
    return Stats(int(played), int(won), int(lost), 0, total_reward=reward)


def option(text: str) -> tuple[str, Any]:
    """Return the name and value of an option such as ``botmove=c``."""
    name, _, value = text.partition("=")
    if value == "no":
        return name, None
    if value in get_args(Dialect):
        return name, value
    return name, COLUMNS.index(value) if value in COLUMNS else float(value)


def outcome(text: str, known: Position, move: int) -> Event | None:
    """Return what comes of ``move`` in ``known``; None if nothing yet."""
    form, _, rest = text.partition(" ")
    words = [] if form == "no" else rest.split()
    options = dict(option(word) for word in words if "=" in word)
    if form in ("lost", "not", "rejected"):
        delivery = {"lost": Delivery.UNKNOWN, "not": Delivery.NOT_SENT, "rejected": Delivery.REJECTED}[form]
        kind = " ".join(word for word in words if "=" not in word)
        return Failed(0.0, delivery, "It failed.", "Check it.", kind, **options)
    if form == "chosen":
        return None
    timed = {"body_s": options.pop("body_s", 0.0), "is_outage": options.pop("is_outage", False)}
    if form == "no":
        said, _, after = rest.rpartition('"')
        return Replied(0.0, MoveReply(False, said.strip('"') or None, **dict(map(option, after.split()))))
    if form == "null":
        return Replied(0.0, MoveReply(True, **options))
    if form.startswith("+"):
        shown = known.play(move)
        shown = shown.play(COLUMNS.index(form[1])) if form[1:] else shown
    else:
        shown = position(form)
    return Replied(0.0, reply_at(shown, **options), **timed)


@dataclass
class Walk:
    """A session with a sequence of events."""

    session: Session = field(default_factory=Session)
    at: float = 100.0
    command: Command | None = None
    """What is due after the last event."""
    due_at: float = 100.0
    """When it became due."""
    news: list[News] = field(default_factory=list)
    """News of all events of the last script."""
    records: list[Event] = field(default_factory=list)
    """What a journal of the walk holds."""

    def __call__(self, script: str) -> Walk:
        """Take the events of a script, separated by semicolons."""
        self.news = []
        for event in script.split(";"):
            self._take(event.strip())
        return self

    def feed(self, event: Event | None) -> None:
        """Pass an event, if there is one, to the session at the present time."""
        if event is None:
            return
        event = replace(event, at=self.at)
        if not isinstance(event, Started):
            event = replace(event, game=self.session.game)
        self.session, self.command = step(self.session, event)
        self.due_at = self.at
        self.news += self.session.news
        self.records.append(event)

    @property
    def known(self) -> Position:
        """The position of the likeliest hypothesis."""
        return self.session.hypotheses[0].playing

    @property
    def ends(self) -> list[tuple[int, float, str]]:
        """The number, result and ``known_by`` of the games that the last script has ended."""
        return [(item.game, item.result, item.known_by) for item in self.news if isinstance(item, GameEnded)]

    def _take(self, text: str) -> None:
        self._rest()
        word, *rest = text.split()
        if word == "pass":
            self.at += float(rest[0])
        elif word == "abandoned":
            self.feed(Abandoned(0.0))
        elif word == "run":
            options = dict(map(option, rest))
            learnt = {name: options.pop(name) for name in [*options] if hasattr(Learnt, name)}
            self.feed(Started(0.0, Options(**options), Learnt(**learnt)))
        elif word == "play":
            for ours, answer in zip(rest[0][::2], rest[0][1::2], strict=True):
                self._take(f"{ours}: +{answer}")
        elif rest[:1] == ["times"]:
            for _ in range(int(word)):
                for event in " ".join(rest[1:]).split(", "):
                    self._take(event)
        elif word == "settled":
            while isinstance(self._rest(), ReadStatistics):
                self._take(f"counted {' '.join(rest)}")
        elif word in ("counted", "unread"):
            now = stats(*map(float, rest)) if word == "counted" else None
            why = () if now else (" ".join(rest), "Not read.", "Check it.")
            self.feed(Counted(0.0, now, *why))
        elif word == "then:":
            assert isinstance(self.session.command, Send)
            self.feed(outcome(text.partition(": ")[2], self.known, self.session.command.move))
        else:
            self._request(NEW_GAME if word == "new:" else COLUMNS.index(word[0]), text.partition(": ")[2])

    def _rest(self) -> Command | None:
        """Wait if the session wants to, and return what is due then."""
        if self.command is not None and not isinstance(self.command, (Send, Stop)) and self.command.after_s:
            self.at += self.command.after_s
            self.command = replace(self.command, after_s=0.0)
        return self.command

    def _request(self, move: int, text: str) -> None:
        event = outcome(text, self.known, move)
        late, answers = self.at > self.session.late_at, self.session.expected(move)
        self.feed(Chosen(0.0, move, ply=self.known.board.ply, late=late, answers=answers))
        self.feed(event)

"""``step(session, event) -> session, command``: one player's games at the server as one pure function.

The caller performs the command and passes its outcome as the next event. The journal holds the events: passing them
through `step` in their order restores the session of the run. So live play, resuming after a crash, verification and
the simulation run the same function: no input or output, no clock, no randomness, no search.

A session is in the state of the command that is due. `TABLE`, at the end of this file, says which events bring its
outcome, and which function handles each: that function changes the session and returns the next command. `Started` and
`Abandoned` are taken in every state: a process can die at any moment, and the next one resumes the game or gives it up.
Any other event raises UnexpectedEventError.

`step` makes one copy, which the functions below change; nobody else changes a session.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.course.events import (
    Abandoned,
    Choose,
    Chosen,
    Command,
    Counted,
    Event,
    Failed,
    GameEnded,
    Learnt,
    News,
    Note,
    Open,
    Options,
    ReadStatistics,
    Replied,
    Send,
    Started,
    Stop,
    StopReason,
)
from bot.course.failures import Delivery, about
from bot.course.hypotheses import (
    CRASHED,
    EMPTY,
    MOST_EXPECTED,
    NO_GAME,
    AnswerBook,
    Expected,
    Hypotheses,
    Hypothesis,
    Position,
    after_lost_reply,
    after_move,
    answered_board,
    are_idle,
    bot_answers,
    continues,
    delivered_share,
    matching,
    opening,
    shown,
    with_case,
)
from bot.course.protocol import (
    DRAWN,
    ILLEGAL,
    KEY_HINT,
    LOST,
    NEW_GAME,
    WON,
    MoveReply,
    Stats,
    refuses_key,
)
from bot.errors import clause, one_line
from bot.game.board import COLUMNS

BLIND = 3
"""Exchanges in a row whose reply arrived whole and cannot be used (conflicting, refused or unreadable) at which the
session gives up: every further move would be blind, and the network is hardly to blame. The time of
`Options.patience_s` limits lost replies."""
WASTED = 6
"""Sum of games without an honest end at which the session gives up; see the next two."""
NO_HONEST_END = 3
"""What a game counts that the server refused to finish or no longer had: two of them end the session."""
NOT_OPENED = 1
"""What a request for a new game counts that opened none, and a game whose result nothing shows: six of them end the
session. A win or a draw that only the statistics show is an honest end as long as games are left to play: a proxy may
lose the last reply of every game. After the last one, such an end shows a further game, which would go on for ever."""
RESUME = (
    "Run the same command again to resume it. Where the server limits a move's time (5 s in the course), do so at "
    "once: a later move may lose the game, and the start alone takes 2 to 5 s."
)
KEPT = f"The game is kept. {RESUME}"
"""The next step after a stop in a running game."""
MAY_RUN = f"A game may be running. {RESUME}"
"""The same where the request for a game has no reply."""
NOT_CONFIRMED = "The server has confirmed no game. If it has opened one all the same, the same command resumes it."
"""The same where the server answers, and not with a game."""


class UnexpectedEventError(Exception):
    """An event that is not an outcome of the command that is due."""


MARGIN_S = 0.35
"""Reserve for a busy machine's scheduler, a late timer and a disk slower than before, seconds."""
AFTER_LOST_REPLY_S = 2.0
"""Minimum time from a lost reply to the next deadline, seconds, less the usual reserve: the server's clock may have
restarted."""
_OVERHEADS = 50


# The session


@dataclass(slots=True)
class Session:
    """Everything that is known about one player's games, and the command whose outcome is awaited."""

    options: Options = field(default_factory=Options)
    """What was asked of this process."""
    learnt: Learnt = field(default_factory=Learnt)
    """What earlier runs have learnt, and this one since."""
    started_at: float = 0.0
    """When this process started."""
    command: Command | None = None
    """What is due; None before the first `Started`."""
    at: float = field(default=0.0, compare=False)
    """When the last event happened."""
    news: tuple[News, ...] = field(default=(), compare=False)
    """What the last step found out."""

    # The games
    results: tuple[float | None, ...] = ()
    """The results of all games before the current one, in order: 0 for a game that ended without one, None for one
    that ended unseen, until the statistics were read for its result. A game's number follows from them."""
    earlier: int = 0
    """How many results were known when the run started or was resumed: those at the beginning."""
    answered: int = 0
    """The number of the last game that the server has answered; 0 if none."""
    base: Stats | None = None
    """The server's statistics including every known end of a game; None before the first reading."""
    counted: Counted | None = field(default=None, compare=False)
    """The reading after the last finished game; None if there was none. One that failed outdates none that did not."""

    # The board
    hypotheses: Hypotheses = (NO_GAME,)
    """What the server may hold."""
    certain: Hypothesis = NO_GAME
    """The last one that was certain."""
    lost_kinds: tuple[str, ...] = ()
    """How the requests failed whose replies were lost since then; "" where the failure itself shows whether its request
    was processed."""
    lost_move: int | None = None
    """The last move whose reply was lost."""
    answers: AnswerBook = field(default_factory=AnswerBook, compare=False)

    # The move clock: the server's limit for a move, from a reply's first byte to the arrival of the next move
    late_at: float = 0.0
    """When a move arrives too late, on the clock of the events."""
    choose_until: float = 0.0
    """The same, or later if a lost reply may have restarted the server's clock."""
    overheads_s: tuple[float, ...] = ()
    """Seconds from a choice to the reply's first byte, at most half the limit: the journal's sync, the connection, the
    way there and back, and the bot's thinking."""

    # The server
    is_made: bool = False
    """Whether the server has answered in the protocol since the run started or was resumed: contact is made."""
    trouble_since: float | None = None
    """When the first of the failures happened that no usable board has followed yet."""
    blind: int = 0
    """Exchanges in a row whose reply cannot be used; see BLIND."""
    wasted: int = 0
    """Games in a row without an honest end; see WASTED."""
    has_adopted: bool = False
    """Whether the game went on from a conflicting board in this run; it does so once."""
    lacks_statistics: bool = False
    """Whether the first reading of the statistics answered 404."""
    is_column_refused: bool = False
    """Whether the server has refused a column that should open a game."""
    is_excused: bool = True
    """Whether the server may count another game than was finished here: after a lost or conflicting reply or a late
    move, since the last reading between games."""

    @property
    def game(self) -> int:
        """The number of the game that is running or was asked for, else of the next one."""
        return len(self.results) + 1

    @property
    def played(self) -> int:
        """Games finished since the run started or was resumed, those without a result left out."""
        return sum(1 for result in self.results[self.earlier :] if result)

    @property
    def is_first_game(self) -> bool:
        """Whether no game has ended since the run started or was resumed."""
        return len(self.results) == self.earlier

    @property
    def unseen(self) -> int | None:
        """The number of a game that ended unseen, while its result is looked for in the statistics."""
        return self.results.index(None) + 1 if None in self.results else None

    @property
    def position(self) -> Position | None:
        """The running game, if it is known for certain."""
        return self.hypotheses[0].position if len(self.hypotheses) == 1 else None

    @property
    def playing(self) -> Position | None:
        """The position to which the server will apply a move, if it is known for certain."""
        return self.hypotheses[0].playing if len(self.hypotheses) == 1 else None

    @property
    def is_idle(self) -> bool:
        """Whether no game can be running."""
        return are_idle(self.hypotheses)

    @property
    def is_certainly_idle(self) -> bool:
        """Whether no game can be running, and all ends are known."""
        return self.hypotheses == (NO_GAME,)

    @property
    def is_blind(self) -> bool:
        """Whether every further move would be blind."""
        return self.blind >= BLIND

    @property
    def is_opening(self) -> bool:
        """Whether a request that opens a game is about to be sent, or its outcome is missing."""
        return isinstance(self.command, Send) and self.opens(self.command.move)

    @property
    def opens_by_column(self) -> bool:
        """Whether the next game is opened by a column, because -1 counts as a loss in the dialect of January 2021.

        Where the dialect is not known, a server without statistics is taken for one of January 2021: they have had
        them since 2022. Where a column is refused, -1 follows. To give a game up, -1 opens the next one in any dialect.
        """
        if self.is_column_refused or (self.is_first_game and self.options.is_giving_up):
            return False
        is_unknown = self.learnt.dialect is None and self.base is None
        may_be_january = is_unknown and (self.lacks_statistics or self.learnt.column_opens)
        return self.meets_another_game or self.learnt.dialect == "jan21" or may_be_january

    @property
    def meets_another_game(self) -> bool:
        """Whether the next request may meet a game that was begun on another computer: a column goes on with it."""
        is_first = self.is_first_game and self.is_certainly_idle
        return self.learnt.may_run_elsewhere and is_first and not self.is_column_refused

    @property
    def is_waiting(self) -> bool:
        """Whether nothing may be sent to /move before the server has answered another request.

        That is so before its first answer in the protocol: after a request that it may have received, and where it is
        known to keep statistics.
        """
        return not self.is_made and (self.learnt.keeps_statistics or len(self.hypotheses) > 1)

    @property
    def open_game(self) -> int | None:
        """The number of the game that may be running, is about to be asked for, or ended unseen; None if none is."""
        return self.game if self.is_opening or not self.is_certainly_idle else self.unseen

    def opens(self, move: int) -> bool:
        """Return whether ``move``, sent now, opens a game: -1, or a column where no game can be running."""
        return move == NEW_GAME or self.is_certainly_idle

    def expected(self, move: int) -> Expected:
        """Return what is known of the bot's answers to ``move``; see `bot.course.events.Chosen.answers`."""
        expected: list[tuple[float, ...]] = []
        for hypothesis in self.hypotheses[:MOST_EXPECTED]:
            board = answered_board(hypothesis, move)
            likely = {} if board is None else self.answers.likely(board)
            shares = [round(likely.get(column, 0.0), 6) for column in range(COLUMNS)]
            expected.append(tuple(shares) if likely else ())
        return tuple(expected)

    def left_s(self, at: float) -> float:
        """Return the seconds until the next move must be sent, less the 95th percentile of the last overheads.

        It is negative if it is too late.
        """
        ordered = sorted(self.overheads_s) or [0.0]
        place = int(0.95 * len(ordered))
        usual_s = ordered[min(len(ordered) - 1, place)]
        return self.choose_until - at - usual_s - MARGIN_S

    # Changes, only within `step`

    def start_clock(self, at: float) -> None:
        """Let the time limit for the next move run from ``at``."""
        self.late_at = self.choose_until = at + self.options.limit_s

    def note(self, kind: str, text: str, *, quiet: bool = False) -> None:
        """Add a note to the news."""
        self.news += (Note(kind, text, quiet, self.game),)

    def know(self, position: Position | None) -> None:
        """Take a position for certain; None if no game is running."""
        self.hypotheses = (Hypothesis(position),)

    def forget_failures(self) -> None:
        """Go on after a usable reply: the failures before it no longer count."""
        self.trouble_since, self.blind, self.lost_kinds = None, 0, ()

    def count_blind(self) -> None:
        """Count an exchange whose reply cannot be used."""
        self.blind += 1
        self.is_excused = True

    def lose_reply(self, move: int, expected: Expected, *, kind: str = "", delivered: float | None = None) -> None:
        """Go on after the reply to ``move`` was lost: with more hypotheses.

        ``expected`` is what was known of the bot's answers when the move was chosen. ``delivered`` is the probability
        that the request was processed, if the failure itself shows it; otherwise that is learnt by the ``kind`` of the
        failure.
        """
        learnt_kind = ""
        if delivered is None:
            delivered, learnt_kind = delivered_share(self.learnt.deliveries, kind), kind
        if not self.lost_kinds:
            self.certain = self.hypotheses[0]
        self.hypotheses = after_lost_reply(self.hypotheses, move, expected, delivered)
        self.lost_kinds += (learnt_kind,)
        self.lost_move = move

    def learn_deliveries(self, possible: Hypotheses) -> None:
        """Learn whether the only request without a reply had been processed, if the ``possible`` hypotheses agree."""
        kinds, self.lost_kinds = self.lost_kinds, ()
        was_processed = self.certain not in possible
        if len(kinds) == 1 and (was_processed or len(possible) == 1):
            deliveries = with_case(self.learnt.deliveries, kinds[0], was_processed=was_processed)
            self.learnt = replace(self.learnt, deliveries=deliveries)

    def learn_answers(self, position: Position, known: int) -> None:
        """Learn the bot's answers that ``position`` shows; the first ``known`` discs had been shown before.

        After lost replies, the board also shows the answers to the requests that had been processed. After a
        resynchronisation, the order of play is unknown, and nothing is learnt.
        """
        if not position.is_whole:
            return
        answers = bot_answers(position.moves, we_started=position.we_started)
        self.answers = self.answers.observe((board, column) for board, column in answers if board.ply >= known)

    def learn_january(self) -> None:
        """Open each game by a column from now on; see `bot.course.protocol.Dialect`."""
        if self.learnt.dialect is None:
            text = "The server counts every request for a new game as a loss: from now on, a column opens each game."
            self.note("dialect", text)
        self.learnt = replace(self.learnt, dialect="jan21")

    def end_game(
        self,
        result: float,
        known_by: str,
        *,
        moves: tuple[int, ...] = (),
        we_started: bool | None = None,
    ) -> None:
        """Count the end of the game that ended unseen, if there is one, else of the current game.

        A result of 0, which the server did not give, counts for neither side; it may be counted later, or never.
        """
        unseen = self.unseen
        if known_by != "statistics":
            self.counted = None
        self.news += (GameEnded(unseen or self.game, result, known_by, moves, we_started),)
        if unseen is None:
            self.results += (result,)
        else:
            self.results = tuple(result if known is None else known for known in self.results)
        is_unseen = result > 0 or known_by == "unknown"
        if known_by == "reply" or (result > 0 and self.played < self.options.games):
            self.wasted = 0
        else:
            self.wasted += NOT_OPENED if is_unseen else NO_HONEST_END
        if self.base is not None and result != 0:
            self.base = with_result(self.base, result)

    def end_unseen(self, number: int) -> None:
        """Count this number of games that have ended unseen: only the last one's result is looked for."""
        for _ in range(number - 1):
            self.end_game(0.0, "unknown")
        if number:
            self.results += (None,)

    def conclude(self) -> None:
        """Take no game for running, as no hypothesis has one: by the likeliest, it ended unseen or was never opened."""
        self.learn_deliveries(self.hypotheses)
        ended = self.hypotheses[0].ended
        if not ended:
            self.note("not_opened", "The request for a new game has opened none.", quiet=True)
            self.wasted += NOT_OPENED
        self.end_unseen(ended)
        self.know(None)


def with_result(stats: Stats, result: float) -> Stats:
    """Return the statistics after one more game, as the server counts it: a draw is neither won nor lost.

    The streak does not matter to a session and stays.
    """
    reward = None if stats.total_reward is None else stats.total_reward + result
    won, lost = stats.won + (result == WON), stats.lost + (result <= LOST)
    return replace(stats, played=stats.played + 1, won=won, lost=lost, total_reward=reward)


def step(session: Session, event: Event) -> tuple[Session, Command]:
    """Return the session after ``event``, and what to do next."""
    handler = TABLE[type(session.command)].get(type(event))
    if handler is None:
        raise UnexpectedEventError(f"{event.type!r} is no outcome of {session.command}")
    after = replace(session, news=(), at=event.at)
    command = handler(after, session.command, event)
    most = WASTED // 2 if after.options.careful else WASTED
    if after.wasted >= most and not isinstance(command, (Send, Stop)):
        text = "The server refuses, loses or does not open one game after another."
        hint = "Play one game with --careful and send its file of exchanges to a maintainer."
        command = stop(after, StopReason.REFUSED, text, hint)
    after.command = command
    return after, command


# What is due next: every function of an event ends in one of these


def stop(session: Session, reason: StopReason, message: str, hint: str = "") -> Command:
    """End the session; the hint says what is known of the game that may be running."""
    # Before the first answer of the server, a request that may have opened a game is not called one.
    is_asked_for = session.is_made or NO_GAME not in session.hypotheses
    if is_asked_for and not session.is_idle and reason is not StopReason.REJECTED:
        is_known = session.answered == session.game or NO_GAME not in session.hypotheses
        unconfirmed = NOT_CONFIRMED if reason is StopReason.REFUSED else MAY_RUN
        hint = f"{hint} {KEPT if is_known else unconfirmed}".strip()
    return Stop(reason, message, hint)


def read(session: Session, *, after_s: float = 0.0, repeated: int = 0) -> Command:
    """Read the statistics, after a pause of ``after_s``.

    It is a brief reading while the move clock is running, and where the statistics could never be read. It is repeated
    as long as the session's patience lasts where nothing else may be sent.
    """
    patience_s: float | None = None
    if session.is_waiting:
        patience_s = session.options.patience_s
    elif session.is_made and session.base is None:
        patience_s = 1.0
    elif session.is_made and not session.is_idle:
        patience_s = max(0.5, min(2.0, session.left_s(session.at) / 2))
    return ReadStatistics(patience_s, repeated, after_s)


def read_between_games(session: Session) -> Command:
    """Read the statistics after a game has ended."""
    session.forget_failures()
    session.know(None)
    return read(session)


def play_on(session: Session, position: Position, *, known: int = 0) -> Command:
    """Go on in the current game from a position that the server has shown; see `Session.learn_answers`."""
    session.forget_failures()
    session.learn_answers(position, known)
    session.know(position)
    session.answered = session.game
    return go_on(session)


def go_on(session: Session, *, after_s: float = 0.0) -> Command:
    """Make the next move, after a pause of ``after_s``: in the running game, or to open one; or end the run."""
    if session.unseen is not None:
        return read(session, after_s=after_s)
    if not session.is_idle:
        return Choose(after_s)
    if not session.is_certainly_idle:
        session.conclude()
        return read(session, after_s=after_s)
    if session.played >= session.options.games:
        return Stop(StopReason.FINISHED)
    if not session.opens_by_column:
        return Open(after_s)
    # The server's clock does not run between games.
    session.start_clock(session.at + after_s)
    return Choose(after_s)


def try_again(session: Session, since: float, event: Failed | Counted) -> Command:
    """Go on after a failure, after a pause, as long as the session's patience lasts.

    The trouble has lasted since ``since``, unless it had begun before. The pause is half as long as it has lasted,
    within limits; there is none after the first failure. Where the server may still be busy with the last move, the
    statistics are read first. That is one request, whatever its outcome: a move, the request beside it and the reading
    are three. An even number would keep the beat of a server that answers every second request, and never a move.
    """
    is_first = session.trouble_since is None
    began_at = since if session.trouble_since is None else session.trouble_since
    session.trouble_since, session.is_excused = began_at, True
    lasted_s = event.at - began_at
    if lasted_s >= session.options.patience_s:
        return stop(session, StopReason.NETWORK, event.message, event.hint)
    pause_s = 0.0 if is_first else min(10.0, max(0.1, lasted_s / 2))
    is_in_doubt = len(session.hypotheses) > 1 and session.base is not None
    may_be_busy = is_in_doubt and about(event.kind).is_no_answer
    then = read if may_be_busy or session.is_waiting else go_on
    return then(session, after_s=pause_s)


# In every state: a run begins, or a game is given up


def _on_started(session: Session, command: Command | None, event: Started) -> Command:
    """Begin a run. In a resumed one, a crash may have interrupted the last request."""
    session.options, session.started_at = event.options, event.at
    session.overheads_s = ()
    session.start_clock(event.at)
    deliveries = {**session.learnt.deliveries, **event.learnt.deliveries}
    session.learnt = replace(event.learnt, deliveries=deliveries)
    if isinstance(command, Send):
        session.lose_reply(command.move, command.answers, kind=CRASHED)
    # A result that is still looked for is one of this run.
    session.earlier = sum(1 for result in session.results if result is not None)
    session.is_made = session.has_adopted = session.lacks_statistics = session.is_column_refused = False
    session.trouble_since, session.wasted, session.is_excused = None, 0, True
    return read(session)


def _on_abandoned(session: Session, _command: Command | None, _event: Abandoned) -> Command:
    """Give up the game: a loss, if the server has it."""
    is_running = session.is_opening or not session.is_idle
    if session.open_game is None:
        raise UnexpectedEventError("no game is running that could be given up")
    if session.unseen is not None or not is_running:
        session.end_game(0.0, "unknown")
    if is_running:
        was_answered = session.answered == session.game
        session.end_game(LOST if was_answered else 0.0, "abandoned")
    return read_between_games(session)


# Open, Choose: a move is chosen


def _on_chosen(session: Session, command: Open | Choose, event: Chosen) -> Command:
    if (event.move == NEW_GAME) != isinstance(command, Open):
        raise UnexpectedEventError(f"the move {event.move} is no outcome of {command}")  # -1 would forfeit the game
    session.is_excused |= event.late
    return Send(event.move, event.at, event.answers)


# Send: the outcome of a request to /move


def _on_replied(session: Session, command: Send, event: Replied) -> Command:
    first_byte_at = event.at - event.body_s
    if not event.is_outage:
        overhead_s = min(max(0.0, first_byte_at - command.chosen_at), session.options.limit_s / 2)
        session.overheads_s = (*session.overheads_s[-(_OVERHEADS - 1) :], overhead_s)
    session.start_clock(first_byte_at)
    session.is_made = True
    if not event.reply.status:
        return _on_refused(session, command, event.reply)
    session.answered = session.game
    if command.move == NEW_GAME:
        return _on_opened(session, command, event.reply)
    return _on_answered(session, command, event.reply)


def _on_answered(session: Session, command: Send, reply: MoveReply) -> Command:
    """Go on after a reply to a column whose status is true."""
    matches = matching(session.hypotheses, command.move, reply)
    boards = {item.playing.board for item, _ in matches}
    if not matches or (reply.state is None and len(boards) > 1):
        return _on_unexpected(session, command, reply)
    session.learn_deliveries(tuple(before for before, _ in matches))
    if session.opens(command.move):
        session.learnt = replace(session.learnt, column_opens=True)
    # The same board may have come about in several ways: the one with the fewest unseen ends.
    before, position = min(matches, key=lambda match: (match[0].ended, match[0].playing.board.ply))
    return _on_shown(session, before, position)


def _on_shown(session: Session, before: Hypothesis, position: Position) -> Command:
    """Go on from the ``position`` that the reply has shown; ``before`` was the true hypothesis."""
    if len(session.hypotheses) > 1:
        text = "The board shows what happened to the requests whose replies were lost."
        session.note("reconciled", text, quiet=True)
    known = min(len(item.playing.moves) for item in session.hypotheses if item.ended == before.ended)
    session.end_unseen(before.ended)
    if before.ended:
        session.note("silent_start", "A move met no running game and opened one.", quiet=True)
    if position.result is None:
        return play_on(session, position, known=known)
    session.learn_answers(position, known)
    moves = position.moves if position.is_whole else ()
    session.end_game(position.result, "reply", moves=moves, we_started=position.we_started)
    return read_between_games(session)


def _on_opened(session: Session, command: Send, reply: MoveReply) -> Command:
    """Go on after a reply to -1 whose status is true.

    One without a board is the mark of January 2021. Another server may merely leave it out: it opens games by a column,
    too, or refuses.
    """
    position = opening(reply)
    if position is None:
        return _on_unexpected(session, command, reply)
    if session.learnt.dialect != "current" and reply.state is None and position == EMPTY:
        session.is_column_refused = False  # -1 has opened a game where it may be a loss: a column may, too
        session.learn_january()
    return play_on(session, position)


# A reply whose status is true and that fits nothing

MOST_DISCS_AHEAD = 4
"""Discs by which a board may be ahead of the known one: a proxy that sends a request twice adds two of each side."""
_CONFLICT = "The server's reply does not fit the game."


def _on_unexpected(session: Session, command: Send, reply: MoveReply) -> Command:
    """Go on after a reply that fits no hypothesis.

    The explanations in the order in which they are tried: the reply only ends the game; the game had ended unseen and
    the move opened a new one; a retrying proxy sent a request twice, so the board is ahead; the reply is garbled. A
    board that conflicts again and again is not one that a fault has garbled: the game goes on from it, once in a run.
    So it does from the first one if the resumed journal is damaged. A finished board is more likely an old reply from
    a cache than a result.
    """
    move = command.move
    if _only_says_over(session.hypotheses, move, reply):
        return _on_said_over(session, reply.result)
    fresh = None if move == NEW_GAME or reply.state is None else after_move(EMPTY, move, reply)
    if fresh is not None:
        session.end_unseen(1)
        text = "The game had ended at the server, or the server had lost it; the move opened a new one."
        session.note("silent_start", text)
        return play_on(session, fresh)
    position = shown(reply)
    before = None if position is None else _continued(session, move, position)
    if before is None:
        session.count_blind()
    may_adopt = (session.is_blind or session.learnt.is_damaged) and not session.has_adopted
    if position is not None and (before is not None or may_adopt):
        session.has_adopted |= before is None
        session.end_unseen(0 if before is None else before.ended)
        session.note("resynchronised", f"{_CONFLICT} The game goes on from the server's board.")
        return play_on(session, position)
    if session.is_blind:
        return stop(session, StopReason.REFUSED, _CONFLICT, "Perhaps another program plays it, too: end that one.")
    session.lose_reply(move, command.answers, delivered=0.5)
    session.note("conflicting_reply", f"{_CONFLICT} The reply is not used.")
    return read(session, after_s=0.2)


def _only_says_over(hypotheses: Hypotheses, move: int, reply: MoveReply) -> bool:
    """Return whether the reply ends the game without showing its last board, as when our move came too late."""
    if move == NEW_GAME or not reply.is_over:
        return False
    if reply.state is None:
        return True
    boards = [item.playing for item in hypotheses]
    boards += [known.play(move) for known in boards if known.board.can_play(move)]
    is_known = any(reply.state == known.grid and not known.board.is_over for known in boards)
    return is_known and reply.result in (LOST, ILLEGAL)


def _on_said_over(session: Session, result: float | None) -> Command:
    """Go on after a reply that only says that the game has ended."""
    assert result is not None
    session.end_game(result, "reply")
    return read_between_games(session)


def _continued(session: Session, move: int, position: Position) -> Hypothesis | None:
    """Return the hypothesis of which a running game's board is a few discs ahead, with our disc of ``move``.

    A board that is further ahead is more likely an old reply from a cache; the reply to a request that opens a game may
    show one that was running.
    """
    if session.opens(move):
        return session.hypotheses[0]
    return next((item for item in session.hypotheses if _is_further(item.playing, move, position)), None)


def _is_further(known: Position, move: int, position: Position) -> bool:
    return (
        known.we_started == position.we_started
        and known.board.can_play(move)
        and position.board.ply - known.board.ply <= MOST_DISCS_AHEAD
        and continues(known.play(move), position)
    )


# A reply whose status is false

PROCESSED_THOUGH_REFUSED = 0.02
"""Probability that the server processed a request that it refused with a message that does not fit the game."""
_GAME = r"\bgame\b(?! serv)"  # "the game server is not available" says nothing about the game
_NO_GAME = re.compile(
    rf"\bno( \w+)?( \w+)? {_GAME}|{_GAME}.*\b(over|ended|finished)\b"
    rf"|{_GAME}.*\bnot\b.*\b(running|started|active|found)\b"
    rf"|\bnot( \w+)? (in|started|found|playing|have)( \w+)?( \w+)? {_GAME}",
    re.IGNORECASE,
)
_TURN = re.compile(r"\bturn\b", re.IGNORECASE)
"""A refusal because it is not our turn: a game is running."""
_ILLEGAL = re.compile(r"\b(impossible|illegal|invalid)\b.*\bmove\b|\bcolumn\b.*\bfull\b", re.IGNORECASE)


def _on_refused(session: Session, command: Send, reply: MoveReply) -> Command:
    """Go on after a reply whose status is false: by what its message says."""
    move, said = command.move, one_line(reply.msg)
    if refuses_key(reply.msg):
        return stop(session, StopReason.REJECTED, f"The server refuses the key: {said}.", KEY_HINT)
    is_of_a_column = move != NEW_GAME and not _TURN.search(said)
    says_illegal = is_of_a_column and bool(reply.result == ILLEGAL or _ILLEGAL.search(said))
    says_no_game = is_of_a_column and bool(_NO_GAME.search(said))
    if is_of_a_column and session.opens(move) and (says_no_game or not session.learnt.column_opens):
        is_scored = says_illegal and session.base is not None  # a server that is not of 2021
        is_final = says_no_game or is_scored or reply.result == ILLEGAL
        return _on_column_refused(session, said, is_final=is_final)
    may_be_full = not all(item.playing.board.can_play(move) for item in session.hypotheses)
    is_illegal = says_illegal and (may_be_full or reply.result == ILLEGAL)
    if is_illegal or (reply.is_over and move != NEW_GAME):
        session.note("illegal" if is_illegal else "refused", f"The server refuses the move: {said}.")
        return _on_said_over(session, ILLEGAL if is_illegal else reply.result)
    says_no_game &= not says_illegal
    idle = tuple(item for item in session.hypotheses if item.position is None)
    if says_no_game and idle:
        session.hypotheses = idle
        session.conclude()
        return read_between_games(session)
    return _on_refused_without_reason(session, command, said, says_no_game=says_no_game)


def _on_column_refused(session: Session, said: str, *, is_final: bool) -> Command:
    """Go on after a column that should have opened a game was refused: -1 opens it.

    As -1 may count as a loss, a refusal that is not final is first taken for a passing one.
    """
    session.count_blind()
    if not is_final and not session.is_blind:
        session.note("refused", f"The server refuses the first move: {said}. Trying again.")
        return read(session, after_s=0.3 * session.blind)
    session.forget_failures()
    text = f"The server opens no game by a column: {said}. A new game is requested instead."
    session.note("refused", text, quiet=True)
    session.is_column_refused = True
    return go_on(session)


def _on_refused_without_reason(session: Session, command: Send, said: str, *, says_no_game: bool) -> Command:
    """Go on after a refusal that does not fit the game: it is repeated, and at last believed or an end."""
    session.lose_reply(command.move, command.answers, delivered=PROCESSED_THOUGH_REFUSED)
    session.count_blind()
    if not session.is_blind:
        what = "new game" if command.move == NEW_GAME else "move"
        session.note("refused", f"The server refuses the {what}: {said}. Trying again.")
        return read(session, after_s=0.3 * session.blind)
    if not says_no_game:
        what, hint = ("our moves", "") if session.answered == session.game else ("a new game", "Check --stil-id.")
        return stop(session, StopReason.REFUSED, f"The server refuses {what}: {said}.", hint)
    session.note("server_reset", f"The server no longer knows the game: {said}.")
    if session.base is None:
        session.end_game(0.0, "server_reset")
    else:
        session.end_unseen(1)
    return read_between_games(session)


# A request without a usable reply


def _on_failed(session: Session, command: Send, event: Failed) -> Command:
    """Go on after a request without a usable reply: the client has waited until the server answers again."""
    is_opening_column = session.opens(command.move) and command.move != NEW_GAME
    is_error = event.kind == "http 500" and session.meets_another_game and session.base is not None
    if is_opening_column and (about(event.kind).refuses_column or is_error) and not session.learnt.column_opens:
        is_final = event.delivery is Delivery.REJECTED or (is_error and session.blind > 0)
        return _on_column_refused(session, clause(event.message), is_final=is_final)
    if event.delivery is Delivery.REJECTED:
        return stop(session, StopReason.REJECTED, event.message, event.hint)
    if event.delivery is Delivery.NOT_SENT:
        return try_again(session, command.chosen_at, event)
    return _on_lost_reply(session, command, event)


def _on_lost_reply(session: Session, command: Send, event: Failed) -> Command:
    """Go on after a request that the server may have processed."""
    kind = about(event.kind)
    delivered = event.delivered
    if delivered is None and session.trouble_since is not None:
        delivered = kind.delivered_later
    learnt_kind = f"{event.kind} in an outage" if event.is_outage else event.kind
    session.lose_reply(command.move, command.answers, kind=learnt_kind, delivered=delivered)
    session.choose_until = max(session.choose_until, event.at + AFTER_LOST_REPLY_S)
    if not session.is_made and kind.wrong_address:
        return stop(session, StopReason.REFUSED, event.message, event.hint)
    what = "request for a new game" if command.move == NEW_GAME else "move"
    text = f"{event.message} The server may or may not have received the {what}."
    session.note("reply_lost", text)
    if kind.is_whole:
        session.count_blind()
        if session.is_blind:
            text = f"{event.message} No reply to the last moves could be used."
            return stop(session, StopReason.REFUSED, text, event.hint)
    return try_again(session, command.chosen_at, event)


# ReadStatistics: evidence only, never a reason to give up a game that may be running.
#
# A reading can lag behind, come from a copy, or count games that were played elsewhere. So while a game may be running
# it decides nothing: a -1 would forfeit that game, and to weigh the possible boards by a reading has saved no game in
# simulated lost replies. Our own count stays the better one where a reading counts fewer games.

REREADS = 6
"""Maximum number of repeated readings, half a second apart: course servers' caches lag by a second or two. A reading is
repeated where its result is told: after the run's last game, and for the result of a game that ended unseen."""
REREAD_AFTER_S = 0.5
MOST_BEHIND = 2
"""Games by which a reading may lag behind; a server that counts still fewer has lost them."""
RESERVE_S = 2.0
"""Time left for the move, seconds, below which no reading is repeated."""


def _on_counted(session: Session, command: ReadStatistics, event: Counted) -> Command:
    """Take a reading: it may settle what happened, or is repeated."""
    now = event.stats
    if now is not None or session.counted is None or session.counted.stats is None:
        session.counted = event
    if now is None:
        return _on_unread(session, command, event)
    session.is_made = True
    session.learnt = replace(session.learnt, keeps_statistics=True)
    base = session.base
    if base is None:
        if all(hypothesis.ended == 0 for hypothesis in session.hypotheses):
            session.base, session.is_excused = now, False
        if session.unseen is not None:
            session.end_game(0.0, "unknown")
        return go_on(session)
    if session.unseen is not None:
        return _on_unseen_end(session, command, base, now)
    if session.is_certainly_idle:
        return _on_read_between_games(session, command, base, now)
    return go_on(session)


def _may_repeat(session: Session, command: ReadStatistics) -> bool:
    has_time = session.is_idle or session.left_s(session.at) > RESERVE_S
    return has_time and command.repeated < REREADS


def _repeat(session: Session, command: ReadStatistics) -> Command:
    return read(session, after_s=REREAD_AFTER_S, repeated=command.repeated + 1)


def _on_unread(session: Session, command: ReadStatistics, event: Counted) -> Command:
    """Go on after a reading that failed: before the first answer of the server, nothing else may leave.

    A request may leave where nothing was sent yet: the server may keep no statistics.
    """
    kind, is_troubled = about(event.kind), session.trouble_since is not None
    is_outage = kind.is_no_answer and (session.learnt.keeps_statistics or is_troubled)
    if not session.is_made and kind.wrong_address == "any" and not is_outage:
        reason = StopReason.NETWORK if event.kind == "not sent" else StopReason.REFUSED
        return stop(session, reason, event.message, event.hint)
    session.lacks_statistics |= event.kind == "http 404" and not is_troubled and not session.is_made
    if session.is_waiting and (kind.is_no_answer or is_troubled):
        return try_again(session, session.started_at, event)
    if session.unseen is not None:
        is_brief = session.base is not None and not session.is_idle
        if is_brief and not kind.is_final and _may_repeat(session, command):
            return _repeat(session, command)
        session.end_game(0.0, "unknown")
    return go_on(session)


def _on_read_between_games(session: Session, command: ReadStatistics, base: Stats, now: Stats) -> Command:
    """Compare a reading with our own count while no game is running: they should be equal."""
    missing = base.played - now.played
    if 0 < missing <= min(MOST_BEHIND, session.played):  # they may lag: our own count is the better one
        if session.played >= session.options.games and command.repeated < REREADS:
            return _repeat(session, command)
        text = "The server's statistics count fewer games than were finished."
        session.note("statistics_behind", text, quiet=True)
        return go_on(session)
    if missing > 0:
        text = "The server's statistics count fewer games than before: the server has lost some."
        session.note("statistics_behind", text)
    elif missing < 0:
        is_forfeit = now.played - base.played == now.lost - base.lost == 1  # -1 met a game
        if not is_forfeit and not session.is_excused:
            if not command.repeated:
                return _repeat(session, command)
            text = f"Somebody else plays as {'+'.join(session.options.stil_ids)}. {_more_games(base, now)}"
            hint = "End the other run, or wait for it: both play the same game."
            return stop(session, StopReason.REFUSED, text, hint)
        is_given_up = is_forfeit and session.options.is_giving_up and session.played <= 1
        session.note("statistics_ahead", _more_games(base, now), quiet=is_given_up)
        if is_forfeit and session.played > 1 and not session.is_excused:
            session.learn_january()  # -1 met no game, and is a loss all the same
    elif (now.won, now.lost) != (base.won, base.lost):
        text = "The server's statistics count as many games as were finished here, with other results."
        session.note("statistics_differ", text)
    session.base, session.is_excused = now, False
    return go_on(session)


def _more_games(base: Stats, now: Stats) -> str:
    """Return a sentence about games that the server counts and this run has not finished."""
    more, lost = now.played - base.played, now.lost - base.lost
    games = "1 game" if more == 1 else f"{more} games"
    text = f"The server counts {games} more than were finished here"
    if lost > 0:
        text += f", {lost} of them lost"
    return f"{text}."


def _result(base: Stats, now: Stats) -> float:
    """Return the result of the one game that ``now`` counts more than ``base``; the reward shows an illegal move."""
    if now.won > base.won:
        return WON
    if now.lost == base.lost:
        return DRAWN
    if base.total_reward is None or now.total_reward is None:
        return LOST
    return ILLEGAL if now.total_reward - base.total_reward < LOST else LOST


def _on_unseen_end(session: Session, command: ReadStatistics, base: Stats, now: Stats) -> Command:
    """Take a reading after a game that ended unseen: it may show how."""
    rise = now.played - base.played
    if rise <= 0 and _may_repeat(session, command):
        return _repeat(session, command)
    if rise == 1:
        session.end_game(_result(base, now), "statistics")
        return go_on(session)
    session.end_game(0.0, "unknown" if rise > 1 else "server_reset")
    session.base = now
    return go_on(session)


def _on_needless_reading(session: Session, _command: Choose, _event: Counted) -> Command:
    """Go on after a reading that journals of the fourth edition have after a late move."""
    return go_on(session)


Handler = Callable[[Session, Any, Any], Command]
_ALWAYS: Mapping[type[Event], Handler] = {Started: _on_started, Abandoned: _on_abandoned}
TABLE: Mapping[type[Command] | type[None], Mapping[type[Event], Handler]] = {
    type(None): {Started: _on_started},
    Open: {Chosen: _on_chosen, **_ALWAYS},
    Choose: {Chosen: _on_chosen, Counted: _on_needless_reading, **_ALWAYS},
    Send: {Replied: _on_replied, Failed: _on_failed, **_ALWAYS},
    ReadStatistics: {Counted: _on_counted, **_ALWAYS},
    Stop: _ALWAYS,
}
"""What handles which event in which state: a function of the session, the command and the event that answers it."""

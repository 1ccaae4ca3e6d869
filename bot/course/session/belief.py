"""The belief: what the session takes to be true of the server, with the move clock and all that it has learnt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from bot.course.protocol import NEW_GAME
from bot.course.session.answers import AnswerBook, plausible
from bot.course.session.clock import MoveClock
from bot.course.session.deliveries import Deliveries
from bot.course.session.hypotheses import (
    NO_GAME,
    Hypotheses,
    Hypothesis,
    Likely,
    after_lost_reply,
    answered_board,
    are_idle,
    normalised,
)
from bot.course.session.position import Position
from bot.game import Board
from bot.game.board import COLUMNS

MOST_EXPECTED = 64
"""Hypotheses for which a choice records what was known of the bot's answers: those after two lost replies."""

Expected = tuple[tuple[float, ...], ...]
"""See `bot.course.session.events.Chosen.answers`."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What the server may hold, and what is known of its bot, its clock and its network."""

    hypotheses: Hypotheses = (NO_GAME,)
    clock: MoveClock = field(default_factory=MoveClock)
    answers: AnswerBook = field(default_factory=AnswerBook, compare=False)
    deliveries: Deliveries = field(default_factory=Deliveries)
    lost_kinds: tuple[str, ...] = ()
    """How the requests failed whose replies were lost since the last certain position; "" where the failure itself
    shows whether its request was processed."""
    lost_move: int | None = None
    """The last move whose reply was lost."""

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

    def opens(self, move: int) -> bool:
        """Return whether ``move``, sent now, opens a game: -1, or a column where no game can be running."""
        return move == NEW_GAME or self.is_certainly_idle

    def given(self, hypotheses: Iterable[Hypothesis]) -> Belief:
        """Return the belief in these hypotheses, whose weights need not add up to 1."""
        return replace(self, hypotheses=normalised(hypotheses))

    def timed(self, clock: MoveClock) -> Belief:
        """Return the belief with another reading of the move clock."""
        return replace(self, clock=clock)

    def settled(self) -> Belief:
        """Return the belief in which it does not matter any more how lost replies had failed."""
        return replace(self, lost_kinds=())

    def at(self, position: Position | None) -> Belief:
        """Return the belief in which this position is certain; None if no game is running."""
        return replace(self, hypotheses=(Hypothesis(position),))

    def expected(self, move: int) -> Expected:
        """Return what is known of the bot's answers to ``move``; see `bot.course.session.events.Chosen.answers`."""
        expected: list[tuple[float, ...]] = []
        for hypothesis in self.hypotheses[:MOST_EXPECTED]:
            board = answered_board(hypothesis, move)
            if board is None:
                expected.append(())
                continue
            likely = self.answers.likely(board)
            shares = [likely.get(column, 0.0) for column in range(COLUMNS)]
            expected.append(tuple(round(share, 6) for share in shares))
        return tuple(expected)

    def lost(self, move: int, expected: Expected, *, kind: str = "", delivered: float | None = None) -> Belief:
        """Return the belief after the reply to ``move`` was lost: with more hypotheses.

        ``expected`` is what was known of the bot's answers when the move was chosen. ``delivered`` is the probability
        that the request was processed, if the failure itself shows it; otherwise that is learnt by the ``kind`` of the
        failure.
        """
        learnt_kind = ""
        if delivered is None:
            delivered, learnt_kind = self.deliveries.probability(kind), kind

        def likely(number: int) -> Likely:
            recorded = expected[number] if number < len(expected) else ()
            return partial(_likely, recorded)

        hypotheses = after_lost_reply(self.hypotheses, move, likely, delivered)
        return replace(self, hypotheses=hypotheses, lost_kinds=(*self.lost_kinds, learnt_kind), lost_move=move)

    def reconciled(self, possible: Hypotheses) -> Belief:
        """Return the belief that has learnt which of the requests without a reply had been processed.

        ``possible`` are the hypotheses that remain. Nothing is learnt where they disagree, or where only some of the
        requests had been processed and they had failed in different ways.
        """
        kinds, belief = self.lost_kinds, replace(self, lost_kinds=())
        counts = {item.processed for item in possible}
        count = counts.pop() if len(counts) == 1 else None
        if count is None:
            return belief
        if 0 < count < len(kinds) and len(set(kinds)) > 1:  # which of them had been processed is not known
            return belief
        deliveries = self.deliveries
        for number, kind in enumerate(kinds):
            deliveries = deliveries.with_case(kind, was_processed=number < count)
        return replace(belief, deliveries=deliveries)

    def learning(self, position: Position, known: int) -> Belief:
        """Return the belief with the bot's answers that ``position`` shows added to the answer book.

        The first ``known`` discs of its game had been shown before. After lost replies, the board also shows the
        answers to the requests that had been processed. After a resynchronisation, the order of play is unknown, and
        nothing is learnt.
        """
        if len(position.moves) != position.board.ply:
            return self
        answers, board = self.answers, Board()
        for ply, column in enumerate(position.moves):
            is_bot = (ply % 2 == 1) == position.we_started
            if is_bot and ply >= known:
                answers = answers.observe(board, column)
            board = board.play(column)
        return replace(self, answers=answers)


def _likely(recorded: tuple[float, ...], board: Board) -> Mapping[int, float]:
    """Return the probability of each legal answer: as ``recorded`` by column, else as an unknown bot answers."""
    if len(recorded) != COLUMNS:
        return plausible(board)
    return {column: recorded[column] for column in board.legal_columns()}

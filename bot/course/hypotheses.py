"""Weighted hypotheses about what the server holds after lost replies, each a position rebuilt from the server's boards.

A move is not idempotent and no endpoint shows the running game, so after a lost reply the client cannot ask what
happened. It lists the possibilities: the request was not processed, or it was processed and the bot gave one of its
legal answers (`after_lost_reply`). The server's statistics may show that a game has ended. The next reply to /move
contains the whole board and decides (`matching`): every reply's board is checked against the known position.

Their weights are learnt of the server: how often it had processed a request whose reply was lost (`Deliveries`), and
what its bot answers (`AnswerBook`). The bot's answers are predicted by its earlier ones, and by two rules in unknown
positions. The prediction shares no code with the engine's search: a model that searched like the engine gained nothing
against bots written by others. Bots of servers repeat themselves, so an exact memory of their answers gains most.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, repeat

from bot.course.protocol import DRAWN, LOST, NEW_GAME, WON, MoveReply, StateGrid
from bot.errors import BoardError
from bot.game import Board
from bot.game.board import COLUMNS, STRIDE, completing_cells, playable_cells


@dataclass(frozen=True, slots=True)
class Position:
    """A game up to the server's last reply."""

    board: Board
    """The student is to move while the game is running."""
    we_started: bool
    result: float | None = None
    """The server's result once the game has ended, else None."""
    bot_column: int | None = field(default=None, compare=False)
    """The column of the bot's last disc, if it moved with this reply."""
    moves: tuple[int, ...] = field(default=(), compare=False)
    """An order of play that leads to this position, columns 0..6: the true one unless a reply was lost."""

    def play(self, column: int) -> Position:
        """Return the position after one more disc, of the side to move."""
        moves = (*self.moves, column)
        return Position(self.board.play(column), self.we_started, moves=moves)

    @property
    def is_whole(self) -> bool:
        """Whether ``moves`` holds every disc; not after a resynchronisation."""
        return len(self.moves) == self.board.ply

    @property
    def grid(self) -> StateGrid:
        """The board as the server writes it."""
        is_our_turn = (self.board.ply % 2 == 0) == self.we_started
        to_move = 1 if is_our_turn else -1
        return tuple(map(tuple, self.board.to_grid(to_move)))


EMPTY = Position(Board(), we_started=True)
"""The position to which a move is applied when no game is running: it opens one in which our disc is the first."""
BOT_FIRST = Position(Board(), we_started=False)
"""The beginning of a game in which the bot's disc is the first; no reply shows it before that disc."""


def opening(reply: MoveReply) -> Position | None:
    """Return the position after the reply to -1: an empty board, or one disc of the bot's; None if it shows neither.

    A null state with a null botmove is the January 2021 dialect, in which the student always starts.
    """
    position = None if reply.is_over else _answered(BOT_FIRST, reply)
    return EMPTY if position is BOT_FIRST else position


def after_move(known: Position, column: int, reply: MoveReply) -> Position | None:
    """Return the position after our ``column`` in ``known`` and the reply to it.

    None if the reply does not continue ``known`` by our disc and at most one of the bot's, or if its botmove or result
    contradict the board.
    """
    position = _answered(known.play(column), reply)
    if position is None:
        return None
    board, bot_moved = position.board, position.bot_column is not None
    result: float | None = None
    if board.has_winner:
        result = LOST if bot_moved else WON
    elif board.is_full:
        result = DRAWN
    elif not bot_moved:
        return None  # the bot's answer is missing
    if board.is_full and reply.result == DRAWN:
        result = DRAWN  # the server looks for a full top row before it looks for a four
    if reply.result is not None and (reply.result or None) != result:
        return None
    return replace(position, result=result)


def _answered(known: Position, reply: MoveReply) -> Position | None:
    """Return ``known``, or the position after one more disc of the bot's, as the reply shows; None if it shows neither.

    The board decides, and botmove must agree with it; without a board, botmove decides.
    """
    for column in (None, *known.board.legal_columns()):
        position = known if column is None else replace(known.play(column), bot_column=column)
        is_named = reply.botmove in ((None, -1) if column is None else (column,))
        if reply.state is None and is_named:
            return position
        if reply.state == position.grid:
            return position if is_named or reply.botmove is None else None
    return None


def shown(reply: MoveReply) -> Position | None:
    """Return the running position that the reply's board shows by itself, whatever was known; None if it shows none.

    We are to move; the order of play is unknown.
    """
    if reply.state is None or reply.is_over:
        return None
    try:
        board = Board.from_grid(reply.state)
    except BoardError:
        return None
    return None if board.is_over else Position(board, we_started=board.ply % 2 == 0)


def continues(known: Position, later: Position) -> bool:
    """Return whether ``later`` holds all discs of ``known``."""
    cells = zip(chain(*known.grid), chain(*later.grid), strict=True)
    return all(cell in (0, later_cell) for cell, later_cell in cells)


MOST_HYPOTHESES = 1000
"""Maximum number of hypotheses; the least likely are dropped. Five lost replies in a row make more. If a dropped one is
true, the next board conflicts with the others, and the session goes on from the server's board."""

MOST_EXPECTED = 64
"""Hypotheses for which a choice records what was known of the bot's answers: those after two lost replies."""

Shares = tuple[float, ...]
"""What was known of the bot's answers to a move: the probability of each column 0..6; empty where nothing was."""
Expected = tuple[Shares, ...]
"""See `bot.course.events.Chosen.answers`."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One consistent account of what the server holds."""

    position: Position | None
    """The running game with us to move; None when no game is running."""
    ended: int = 0
    """How many games have ended since the last certain position."""
    weight: float = field(default=1.0, compare=False)
    """Probability, up to a factor common to all hypotheses."""

    @property
    def playing(self) -> Position:
        """The position to which the server would apply a move."""
        return self.position or EMPTY

    def end(self) -> Hypothesis:
        """Return the hypothesis in which the running game has ended."""
        return replace(self, position=None, ended=self.ended + 1)


Hypotheses = tuple[Hypothesis, ...]
"""All of them, the likeliest first, with weights that add up to 1."""

NO_GAME = Hypothesis(None)


def are_idle(hypotheses: Iterable[Hypothesis]) -> bool:
    """Return whether no hypothesis has a running game: only then may -1 be sent."""
    return all(hypothesis.position is None for hypothesis in hypotheses)


def processed(hypothesis: Hypothesis, move: int, shares: Shares) -> list[Hypothesis]:
    """Return the hypotheses after the server has processed ``move``, one for each answer of its bot."""
    if move == NEW_GAME:
        return _opened(hypothesis, shares)
    if answered_board(hypothesis, move) is None:
        return [hypothesis.end()]
    ours = hypothesis.playing.play(move)
    after: list[Hypothesis] = []
    for column, share in _likely(shares, ours.board).items():
        answered = ours.play(column)
        then = replace(hypothesis, weight=hypothesis.weight * share)
        after.append(then.end() if answered.board.is_over else replace(then, position=answered))
    return after


def answered_board(hypothesis: Hypothesis, move: int) -> Board | None:
    """Return the board on which the bot would answer ``move``; None if the move ends the game, or is illegal."""
    if move == NEW_GAME:
        return BOT_FIRST.board
    known = hypothesis.playing.board
    if not known.can_play(move):
        return None
    ours = known.play(move)
    return None if ours.is_over else ours


def _opened(hypothesis: Hypothesis, shares: Shares) -> list[Hypothesis]:
    """Return the hypotheses after -1, which is only sent when no game can be running."""
    half = hypothesis.weight / 2  # either side may start
    return [replace(hypothesis, position=EMPTY, weight=half)] + [
        replace(hypothesis, position=BOT_FIRST.play(column), weight=half * share)
        for column, share in _likely(shares, BOT_FIRST.board).items()
    ]


def _likely(shares: Shares, board: Board) -> Mapping[int, float]:
    """Return the probability of each legal answer on ``board``; where nothing was known, as an unknown bot answers."""
    if len(shares) != COLUMNS:
        return plausible(board)
    return {column: shares[column] for column in board.legal_columns()}


def after_lost_reply(hypotheses: Hypotheses, move: int, expected: Expected, delivered: float) -> Hypotheses:
    """Return the hypotheses after ``move`` was sent and its reply was lost.

    ``expected`` is what was known of the bot's answers, in the order of the hypotheses; nothing of the last ones.
    ``delivered`` is the probability that the server processed the request; 0 and 1 leave only one of the two cases.
    """
    after: list[Hypothesis] = []
    for hypothesis, shares in zip(hypotheses, chain(expected, repeat(())), strict=False):
        if delivered > 0:
            arrived = replace(hypothesis, weight=hypothesis.weight * delivered)
            after += processed(arrived, move, shares)
        if delivered < 1:
            after.append(replace(hypothesis, weight=hypothesis.weight * (1 - delivered)))
    return normalised(after)


def normalised(hypotheses: Iterable[Hypothesis]) -> Hypotheses:
    """Return the hypotheses with equal ones merged, the most likely first, weights adding up to 1."""
    weights: dict[Hypothesis, float] = {}
    for hypothesis in hypotheses:
        weights[hypothesis] = weights.get(hypothesis, 0.0) + hypothesis.weight
    kept = heapq.nlargest(MOST_HYPOTHESES, weights.items(), key=lambda item: item[1])
    total = sum(weight for _, weight in kept) or 1.0
    return tuple(replace(item, weight=weight / total) for item, weight in kept)


Match = tuple[Hypothesis, Position]


def matching(hypotheses: Hypotheses, move: int, reply: MoveReply) -> list[Match]:
    """Return the hypotheses that held before ``move`` and fit the reply to it, each with the position after it.

    If the reply has a board, all positions hold the same discs.
    """
    matches: list[Match] = []
    for hypothesis in hypotheses:
        if not hypothesis.playing.board.can_play(move):
            continue
        after = after_move(hypothesis.playing, move, reply)
        if after is not None:
            matches.append((hypothesis, after))
    return matches


# What is learnt of lost replies, and of the bot's answers

CRASHED = "crashed"
"""The kind of a failure where a crash of this process prevented the outcome of a request."""
_CRASHED_DELIVERED = 0.75
"""Probability that the server processed such a request: most of the time from the choice to the reply is the server's,
the rest is the connection's."""
PRIOR_CASES = 2.0
"""Weight of the guess that half of the requests whose replies are lost had been processed, in reconciled cases."""
LEAST_DELIVERED, MOST_DELIVERED = 0.05, 0.95
"""Bounds of the probability learnt from reconciled cases: the next failure may have another cause."""


Deliveries = Mapping[str, tuple[int, int]]
"""How often the server had processed requests whose replies were lost: numbers of reconciled cases by `Failed.kind`,
those that had been processed, and all."""


def delivered_share(deliveries: Deliveries, *kinds: str) -> float:
    """Return the probability that the server had processed a request before a failure of one of these kinds."""
    if CRASHED in kinds:
        return _CRASHED_DELIVERED
    processed, total = PRIOR_CASES / 2, PRIOR_CASES
    for kind in kinds:
        processed_cases, all_cases = deliveries.get(kind, (0, 0))
        processed += processed_cases
        total += all_cases
    return min(MOST_DELIVERED, max(LEAST_DELIVERED, processed / total))


def with_case(deliveries: Deliveries, kind: str, *, was_processed: bool) -> Deliveries:
    """Return the counts with one more case; a crash and a failure without a kind have their own probability."""
    if kind in ("", CRASHED):
        return deliveries
    processed, total = deliveries.get(kind, (0, 0))
    return {**deliveries, kind: (processed + was_processed, total + 1)}


PRIOR_COUNT = 2.0
"""Weight of the prediction by rules, in observations, for a bot that never repeats an answer."""
EVEN_SHARE = 0.3
"""Share of that prediction that is spread evenly over all legal answers."""
OBVIOUS_SHARE = 0.8
"""Probability that an unknown bot gives an obvious answer (a win, else a block)."""
CENTRE = (1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0)
"""Preference of an unknown bot by column, in observations: most evaluations and tie orders favour the middle."""

_NONE = (0,) * COLUMNS


@dataclass(frozen=True, slots=True)
class AnswerBook:
    """Counts of the bot's answers by position. Immutable: `observe` returns a new book."""

    known: Mapping[Board, tuple[int, ...]] = field(default_factory=dict)
    """The answers on each position, by column: of 200 earlier games and the run's own, few enough to copy each time."""
    preference: tuple[float, ...] = CENTRE
    """CENTRE plus the number of answers in each column, where no answer was obvious."""
    repeats: int = 0
    """Answers on positions that had been seen before."""
    repeated: int = 0
    """How many of these equalled the most frequent earlier answer."""

    def observe(self, seen: Iterable[tuple[Board, int]]) -> AnswerBook:
        """Return the book with more answers: boards with the bot to move, and its columns."""
        known, preference = dict(self.known), list(self.preference)
        repeats, repeated = self.repeats, self.repeated
        for board, column in seen:
            counts = list(known.get(board, _NONE))
            repeats += any(counts)
            repeated += any(counts) and counts[column] == max(counts)
            counts[column] += 1
            known[board] = tuple(counts)
            preference[column] += not _obvious(board)
        return AnswerBook(known, tuple(preference), repeats, repeated)

    @property
    def surprise(self) -> float:
        """Share of known positions that the bot answers in a new way, 0..1; one half without observations."""
        return (self.repeats - self.repeated + 1) / (self.repeats + 2)

    def counts(self, board: Board) -> tuple[int, ...]:
        """Return how often each column was the answer on ``board``."""
        return self.known.get(board, _NONE)

    def likely(self, board: Board) -> dict[int, float]:
        """Return the probability of each legal answer on ``board``, the bot to move; they add up to 1."""
        legal = board.legal_columns()
        counts = self.counts(board)
        prior = plausible(board, self.preference)
        prior_count = PRIOR_COUNT * self.surprise
        total = prior_count + sum(counts)
        even = EVEN_SHARE / len(legal)
        return {
            column: (counts[column] + prior_count * (even + (1 - EVEN_SHARE) * prior[column])) / total
            for column in legal
        }


def plausible(board: Board, preference: tuple[float, ...] = CENTRE) -> dict[int, float]:
    """Return the probability of each legal answer of an unknown bot, which is to move on ``board``.

    It probably wins if it can, else blocks a win of ours, else leaves us no win; it has a preference by column.
    """
    legal = board.legal_columns()
    leaves_no_win = playable_cells(board.mask) & ~(completing_cells(board.opponent, board.mask) >> 1)
    obvious = _obvious(board) or _columns(leaves_no_win)
    share = OBVIOUS_SHARE if obvious else 0.0
    total = sum(preference[column] for column in legal)
    probability = {column: (1 - share) * preference[column] / total for column in legal}
    total = sum(preference[column] for column in obvious)
    for column in obvious:
        probability[column] += share * preference[column] / total
    return probability


def _obvious(board: Board) -> list[int]:
    """Return the bot's winning columns, else those that block a win of ours."""
    playable = playable_cells(board.mask)
    wins = completing_cells(board.current, board.mask) & playable
    return _columns(wins or completing_cells(board.opponent, board.mask) & playable)


def _columns(cells: int) -> list[int]:
    return [column for column in range(COLUMNS) if cells >> column * STRIDE & (1 << STRIDE) - 1]


def bot_answers(moves: Iterable[int], *, we_started: bool) -> Iterator[tuple[Board, int]]:
    """Yield the boards with the bot to move, and its answers, in a game of these ``moves``, up to an illegal one."""
    board = Board()
    for column in moves:
        if board.is_over or not board.can_play(column):
            return
        if (board.ply % 2 == 1) == we_started:
            yield board, column
        board = board.play(column)

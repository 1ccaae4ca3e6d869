"""Weighted hypotheses about what the server holds after lost replies.

A move is not idempotent and no endpoint shows the running game, so after a lost reply the client cannot ask what
happened. It lists the possibilities: the request was not processed, or it was processed and the bot gave one of its
legal answers (`after_lost_reply`). The server's statistics may show that a game has ended (`statistics.py`). The next
reply to /move contains the whole board and decides (`matching`).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from bot.course.protocol import DRAWN, ILLEGAL, LOST, NEW_GAME, WON, MoveReply
from bot.course.session.position import BOT_FIRST, EMPTY, Position, after_move
from bot.game import Board

MOST_HYPOTHESES = 1000
"""Maximum number of hypotheses; the least likely are dropped. Five lost replies in a row make more. If a dropped one is
true, the next board conflicts with the others, and the session goes on from the server's board."""

Likely = Callable[[Board], Mapping[int, float]]
"""The probability of each legal answer of the bot, which is to move on the board; they add up to 1."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One consistent account of what the server holds."""

    position: Position | None
    """The running game with us to move; None when no game is running."""
    results: tuple[float, ...] = ()
    """Results of the games that have ended since the last certain position; their order is unknown."""
    weight: float = field(default=1.0, compare=False)
    """Probability, up to a factor common to all hypotheses."""
    processed: int | None = field(default=0, compare=False)
    """How many of the requests without a reply since the last certain position had been processed; None if unknown."""

    @property
    def playing(self) -> Position:
        """The position to which the server would apply a move."""
        return self.position or EMPTY

    def end(self, result: float) -> Hypothesis:
        """Return the hypothesis in which the running game ended with ``result``."""
        results = sorted((*self.results, result))
        return replace(self, position=None, results=tuple(results))

    @property
    def ended(self) -> int:
        """How many games have ended since the last certain position."""
        return len(self.results)

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many games have ended, and how many of them were won and lost, as statistics count them."""
        lost = [result for result in self.results if result <= LOST]
        return self.ended, self.results.count(WON), len(lost)


Hypotheses = tuple[Hypothesis, ...]
"""All of them, the likeliest first, with weights that add up to 1."""

NO_GAME = Hypothesis(None)


def are_idle(hypotheses: Iterable[Hypothesis]) -> bool:
    """Return whether no hypothesis has a running game: only then may -1 be sent."""
    return all(hypothesis.position is None for hypothesis in hypotheses)


def processed(hypothesis: Hypothesis, move: int, likely: Likely) -> list[Hypothesis]:
    """Return the hypotheses after the server has processed ``move``, one for each answer of its bot."""
    if move == NEW_GAME:
        return _opened(hypothesis, likely)
    known = hypothesis.playing
    if not known.board.can_play(move):
        return [hypothesis.end(ILLEGAL)]
    ours = known.play(move)
    if ours.board.is_over:
        return _ends(hypothesis, _results(ours.board, WON))
    after: list[Hypothesis] = []
    for column, share in likely(ours.board).items():
        answered = ours.play(column)
        then = replace(hypothesis, weight=hypothesis.weight * share)
        if answered.board.is_over:
            after += _ends(then, _results(answered.board, LOST))
        else:
            after.append(replace(then, position=answered))
    return after


def answered_board(hypothesis: Hypothesis, move: int) -> Board | None:
    """Return the board on which the bot would answer ``move``; None if the move ends the game."""
    if move == NEW_GAME:
        return BOT_FIRST.board
    known = hypothesis.playing.board
    if not known.can_play(move):
        return None
    ours = known.play(move)
    return None if ours.is_over else ours


def _opened(hypothesis: Hypothesis, likely: Likely) -> list[Hypothesis]:
    """Return the hypotheses after -1, which is only sent when no game can be running."""
    half = hypothesis.weight / 2  # either side may start
    return [replace(hypothesis, position=EMPTY, weight=half)] + [
        replace(hypothesis, position=BOT_FIRST.play(column), weight=half * share)
        for column, share in likely(BOT_FIRST.board).items()
    ]


def _results(finished: Board, mover: float) -> Collection[float]:
    """Return the results that the server may give: a four made by the 42nd disc may count as a draw."""
    if not finished.has_winner:
        return (DRAWN,)
    return (mover, DRAWN) if finished.is_full else (mover,)


def _ends(hypothesis: Hypothesis, results: Collection[float]) -> list[Hypothesis]:
    share = replace(hypothesis, weight=hypothesis.weight / len(results))
    return [share.end(result) for result in results]


def after_lost_reply(
    hypotheses: Hypotheses, move: int, likely: Callable[[int], Likely], delivered: float
) -> Hypotheses:
    """Return the hypotheses after ``move`` was sent and its reply was lost.

    ``likely`` returns what was known of the bot's answers, by the number of the hypothesis. ``delivered`` is the
    probability that the server processed the request; 0 and 1 leave only one of the two cases.
    """
    after: list[Hypothesis] = []
    for number, hypothesis in enumerate(hypotheses):
        if delivered > 0:
            count = None if hypothesis.processed is None else hypothesis.processed + 1
            arrived = replace(hypothesis, weight=hypothesis.weight * delivered, processed=count)
            after += processed(arrived, move, likely(number))
        if delivered < 1:
            after.append(replace(hypothesis, weight=hypothesis.weight * (1 - delivered)))
    return normalised(after)


def normalised(hypotheses: Iterable[Hypothesis]) -> Hypotheses:
    """Return the hypotheses with equal ones merged, the most likely first, weights adding up to 1."""
    weights: dict[Hypothesis, float] = {}
    processed: dict[Hypothesis, int | None] = {}
    for hypothesis in hypotheses:
        weights[hypothesis] = weights.get(hypothesis, 0.0) + hypothesis.weight
        if processed.setdefault(hypothesis, hypothesis.processed) != hypothesis.processed:
            processed[hypothesis] = None
    kept = heapq.nlargest(MOST_HYPOTHESES, weights.items(), key=lambda item: item[1])
    total = sum(weight for _, weight in kept) or 1.0
    return tuple(replace(item, weight=weight / total, processed=processed[item]) for item, weight in kept)


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

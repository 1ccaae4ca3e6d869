"""The review of a game: the score of every position, and a verdict on every move.

The page and `bot.review` use `review`, the journal's move review uses `judge_bounds` on the positions that the server
confirmed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.engine.agent import StopFlag
from bot.engine.score import Bounds, number, sign
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """What a move did to the score."""

    kind: str
    """"best"; "slower" (a later win) or "sooner" (a sooner loss); "blunder"; "kept": the outcome, distance unknown."""
    text: str
    """The same for people, said of the move: "turned a won position into a lost one"."""
    grave: bool = False
    """Whether the move changed the outcome."""


def judge(best: int, played: int) -> MoveVerdict:
    """Return the verdict on a move of score ``played`` where the best score was ``best``, both in the mover's view."""
    verdict = judge_bounds(Bounds.of(best), Bounds.of(played))
    assert verdict is not None, "exact scores always settle the outcome"
    return verdict


def judge_bounds(best: Bounds, played: Bounds) -> MoveVerdict | None:
    """Return what the bounds prove about a move, both in the mover's view; None where the outcome is not settled."""
    if sign(played.upper) < sign(best.lower):
        had = "won" if best.lower > 0 else "drawn"
        now = "drawn" if sign(played.upper) == 0 else "lost"
        return MoveVerdict("blunder", f"turned a {had} position into a {now} one", grave=True)
    if sign(played.lower) < sign(best.upper):
        return None
    lost = best.lower - played.upper
    if lost > 0:
        moves = "1 move" if lost == 1 else f"{lost} moves"
        if best.lower > 0:
            return MoveVerdict("slower", f"made the win {moves} longer")
        return MoveVerdict("sooner", f"brought the loss {moves} closer")
    if played.lower >= best.upper:
        text = "was best, but every move lost" if best.upper < 0 else "was best"
        return MoveVerdict("best", text)
    return MoveVerdict("kept", "kept the outcome")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(MoveVerdict):
    """One move of a reviewed game: what it did to the score, and the score itself.

    ``column`` is 0..6. ``score`` after the move, and ``best``, which the best move would have kept, are in the view of
    the side that made the move. ``kind`` is "best", "kept", "slower", "sooner" or "blunder", ``text`` says it in words,
    and ``grave`` whether the outcome changed.
    """

    column: int
    """0..6."""
    score: int
    """The score after the move, for the side that made it."""
    best: int
    """The score that the best move would have kept, for the same side."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game. Iterating yields the moves; None stands for a move that was not settled in time.

    ``columns`` are the game's moves, 0..6. ``positions`` are the exact scores of all positions for the side to move,
    the first and the last one included; ``scores`` are the same in the first player's view.
    """

    positions: tuple[int | None, ...]
    """The exact score of every position for the side to move, the first and the last position included."""
    moves: tuple[Move | None, ...]
    """One fewer than positions."""
    columns: tuple[int, ...]
    """The game's moves, columns 0..6."""

    def __iter__(self) -> Iterator[Move | None]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __str__(self) -> str:
        """Return one line per move: its number, its column, what kind of move it was, and the score after it."""
        lines = []
        for place, (column, move) in enumerate(zip(self.columns, self.moves, strict=True), start=1):
            said = "not settled in time" if move is None else f"{move.text} (score {number(move.score)})"
            lines.append(f"{place:>2}. {'XO'[(place - 1) % 2]} {column + 1}: {said}")
        return "\n".join(lines)

    @property
    def blunders(self) -> tuple[int, ...]:
        """The numbers of the moves, counted from 1, that changed the outcome."""
        return tuple(number for number, move in enumerate(self.moves, start=1) if move is not None and move.grave)

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The exact score of every position in the first player's view."""
        return tuple(-score if ply % 2 and score is not None else score for ply, score in enumerate(self.positions))


def review(columns: Sequence[int], analyst: Analyst, deadline_s: float, stop: StopFlag | None = None) -> Review:
    """Review the game of these columns (0..6) within ``deadline_s``, from its last position backwards.

    The end of a game is solved at once, its beginning is not; no position gets more than half of the remaining time, so
    that an early one that cannot be solved leaves enough for those in the book. Raises BoardError at an illegal move.
    """
    end = time.perf_counter() + deadline_s
    boards = [Board()]
    for column in columns:
        boards.append(boards[-1].play(column))
    scores: list[int | None] = [None] * len(boards)
    for ply in reversed(range(len(boards))):
        left_s = end - time.perf_counter()
        is_stopped = stop is not None and stop.is_set
        if left_s <= 0 or is_stopped:
            break
        scores[ply] = analyst.bounds(boards[ply], deadline_s=left_s / 2, stop=stop).score
    moves: list[Move | None] = []
    for column, (before, after) in zip(columns, pairwise(scores), strict=True):
        if before is None or after is None:
            moves.append(None)
        else:
            moves.append(Move(*astuple(judge(before, -after)), column=column, score=-after, best=before))
    return Review(tuple(scores), tuple(moves), tuple(columns))

"""What a position is worth, column by column, and what kind of mistake a move was: exact, or bounds in a deadline."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bot.agent import Stop
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.solver import Solver

CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
PV_SHARE = 0.2
PV_MOST_S = 0.4
"""For the principal variation, of which the board shows ten moves: its share of the time, and what is enough."""


@dataclass(frozen=True, slots=True)
class Value:
    """What is proven of a score on the field's scale: ``lower`` <= score <= ``upper``."""

    lower: int
    upper: int

    @property
    def exact(self) -> int | None:
        return self.lower if self.lower == self.upper else None

    def __neg__(self) -> Value:
        return Value(-self.upper, -self.lower)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a move was: ``kind`` for the page's colours, ``text`` for people, ``grave`` when the outcome changed."""

    kind: str
    text: str
    grave: bool = False


def judge(best: int, played: int) -> Verdict:
    """A move of score ``played`` in a position of score ``best``, both in the mover's view."""
    if _sign(played) < _sign(best):
        had = "the win" if best > 0 else "the draw"
        now = "a draw" if played == 0 else "lost"
        return Verdict("blunder", f"gave {had} away: now {now}", grave=True)
    lost = best - played
    if lost > 0:
        moves = "1 move" if lost == 1 else f"{lost} moves"
        return (
            Verdict("slower", f"slower win, by {moves}") if best > 0 else Verdict("sooner", f"sooner loss, by {moves}")
        )
    return Verdict("best", "best")


def outlook(score: int, ply: int) -> str:
    """A score in words, in the view of the side to move after ``ply`` discs: 'win in 3'."""
    if score == 0:
        return "draw"
    if score > 0:
        return f"win in {22 - score - ply // 2}"
    return f"loss in {22 + score - (ply + 1) // 2}"


def finished_score(board: Board) -> int:
    """A finished position's score in the view of the side that would move next."""
    return (board.ply + 1) // 2 - 22 if board.has_winner else 0


def value_of(board: Board, deadline_s: float, stop: Stop | None, solver: Solver) -> Value:
    """What is proven of a position within ``deadline_s``, in the view of the side to move."""
    if board.is_over:
        score = finished_score(board)
        return Value(score, score)
    known = _book_score(board)
    if known is not None:
        return Value(known, known)
    told = solver.solve(board.current, board.mask, deadline_s=max(0.0, deadline_s), stop=stop)
    return Value(told.lower, told.upper)


def column_values(
    board: Board, deadline_s: float, stop: Stop | None = None, solver: Solver | None = None
) -> list[Value | None]:
    """The worth of every column for the side to move, None where it is full; the time is shared out fairly."""
    solver = solver or _ready_solver(stop)
    end = time.perf_counter() + deadline_s
    values: list[Value | None] = [None] * 7
    columns = [column for column in CENTRE_FIRST if board.can_play(column)]
    for number, column in enumerate(columns):
        share_s = (end - time.perf_counter()) / (len(columns) - number)
        values[column] = -value_of(board.play(column), share_s, stop, solver)
    return values


def analyse(columns: tuple[int, ...], deadline_s: float, stop: Stop | None = None) -> dict[str, Any]:
    """The page's analysis of the position after ``columns`` (0..6) and of its last move.

    ``columns``: for each column null where it is full, else ``lower``, ``upper``, ``exact`` (null where open) and
    ``text``. ``best``: the columns that are proven best. ``pv``: the principal variation. ``last``: the verdict on the
    last move, null where it is not proven.
    """
    solver = _ready_solver(stop)
    start = time.perf_counter()
    board = Board.from_moves(columns)
    values: list[Value | None] = [None] * 7
    line: tuple[int, ...] = ()
    if not board.is_over:
        values = column_values(board, deadline_s * (1 - PV_SHARE), stop, solver)
    best = _proven_best(values)
    score = values[best[0]] if best else None
    if score is not None and not _stopped(stop):
        line = principal_variation(board, score.lower, min(PV_MOST_S, deadline_s * PV_SHARE), solver)
    left_s = deadline_s - (time.perf_counter() - start)
    verdict = _last_move(columns, board, score, left_s, stop, solver) if columns else None
    return {
        "columns": [_column_json(value, board.ply) for value in values],
        "best": best,
        "score": None if score is None else score.lower,
        "text": None if score is None else outlook(score.lower, board.ply),
        "pv": list(line),
        "last": None if verdict is None else asdict(verdict),
        "seconds": time.perf_counter() - start,
    }


def principal_variation(board: Board, score: int, deadline_s: float, solver: Solver) -> tuple[int, ...]:
    """A best line for both from a position of this ``score``: by the book as far as it reaches, then by the solver."""
    from bot.engine.perfect import shipped_book

    book, line = shipped_book(), []
    while book is not None and not board.is_over:
        scores = book.column_scores(board)
        if scores is None:
            break
        column = next(column for column in CENTRE_FIRST if scores[column] == score)
        line.append(column)
        board, score = board.play(column), -score
    if board.is_over:
        return tuple(line)
    return (*line, *solver.principal_variation(board.current, board.mask, score, deadline_s=deadline_s))


def review(columns: tuple[int, ...], deadline_s: float, stop: Stop | None = None) -> dict[str, Any]:
    """Every position's exact score, the first player's view, and every move's verdict; null where time ran out.

    From the last position backwards: the end of a game is solved in no time, its beginning is not.
    """
    solver = _ready_solver(stop)
    end = time.perf_counter() + deadline_s
    boards = [Board()]
    for column in columns:
        boards.append(boards[-1].play(column))
    scores: list[int | None] = [None] * len(boards)
    for ply in range(len(boards) - 1, -1, -1):
        left_s = end - time.perf_counter()
        if left_s <= 0 or _stopped(stop):
            break
        # An early position may not be solvable at all: it must not starve those that the book knows.
        scores[ply] = value_of(boards[ply], left_s / 2, stop, solver).exact
    moves: list[dict[str, Any] | None] = []
    for ply in range(len(columns)):
        before, after = scores[ply], scores[ply + 1]
        verdict = None if before is None or after is None else judge(before, -after)
        moves.append(None if verdict is None else asdict(verdict))
    views = [None if score is None else score * (1 if ply % 2 == 0 else -1) for ply, score in enumerate(scores)]
    return {"scores": views, "moves": moves}


def _last_move(
    columns: tuple[int, ...], board: Board, score: Value | None, left_s: float, stop: Stop | None, solver: Solver
) -> Verdict | None:
    after = finished_score(board) if board.is_over else None if score is None else score.lower
    if after is None or left_s <= 0 or _stopped(stop):
        return None
    before = value_of(Board.from_moves(columns[:-1]), left_s, stop, solver).exact
    return None if before is None else judge(before, -after)


def _proven_best(values: list[Value | None]) -> list[int]:
    """The columns, centre first, whose score is exact and that no other column can beat."""
    known = [value for value in values if value is not None]
    if not known:
        return []
    best = max(value.lower for value in known)
    if any(value.upper > best for value in known):
        return []
    found = []
    for column in CENTRE_FIRST:
        value = values[column]
        if value is not None and value.exact == best:
            found.append(column)
    return found


def _column_json(value: Value | None, ply: int) -> dict[str, Any] | None:
    if value is None:
        return None
    if value.exact is not None:
        text = outlook(value.exact, ply)
    elif value.lower > 0:
        text = "win"
    elif value.upper < 0:
        text = "loss"
    else:
        text = "draw or better" if value.lower == 0 else "draw or worse" if value.upper == 0 else "open"
    return {"lower": value.lower, "upper": value.upper, "exact": value.exact, "text": text}


def _ready_solver(stop: Stop | None) -> Solver:
    """A new solver, its kernels compiled, so that none compiles on the clock."""
    from bot.web.compiling import prepared

    return prepared("solver", _warm_solver, stop)


def _warm_solver() -> Solver:
    from bot.engine.solver import Solver

    solver = Solver()
    solver.warm_up()
    return solver


def _book_score(board: Board) -> int | None:
    from bot.engine.perfect import shipped_book

    book = shipped_book()
    return None if book is None else book.score(board)


def _stopped(stop: Stop | None) -> bool:
    return stop is not None and stop.is_set


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)

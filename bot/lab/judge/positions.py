"""The judge's positions: a seeded set in which every column's exact score is known.

A set is a text file, one position a line: the moves (1-7), the exact score, and the scores of the seven columns from
the left, separated by commas, with a dash for a full column. `bot bench solver --file` reads the same lines.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from bot.engine.score import sign
from bot.errors import BoardError, UsageError
from bot.game import Board, format_moves, parse_moves
from bot.lab.arena.workers import run_tasks

FIRST_PLY, LAST_PLY = 4, 39
"""Fewest and most discs of a judged position: earlier ones are few, later ones leave no choice."""
PLIES = LAST_PLY + 1 - FIRST_PLY
SKILLED_DEPTH = 4
"""Depth in plies of the minimax that makes half of the moves of every other game."""
COUNT, SEED = 2000, 1
"""Size and seed of the public set."""
Scores = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """An unfinished position with at least two playable columns, and their exact scores for the side to move."""

    columns: tuple[int, ...]
    """The moves, columns 0..6."""
    scores: Scores
    """Exact score of each column; None where it is full."""

    @property
    def board(self) -> Board:
        return Board.from_moves(self.columns)

    @property
    def ply(self) -> int:
        return len(self.columns)

    @property
    def best(self) -> int:
        """The exact score of the position."""
        return max(score for score in self.scores if score is not None)

    @property
    def worst(self) -> int:
        """The score after the worst move."""
        return min(score for score in self.scores if score is not None)

    @property
    def is_decisive(self) -> bool:
        """Whether the choice decides the outcome: at least one column gives it away."""
        return sign(self.worst) < sign(self.best)

    def as_line(self) -> str:
        """Return the position as a line of a file."""
        scores = ",".join("-" if score is None else str(score) for score in self.scores)
        return f"{format_moves(self.columns)} {self.best} {scores}"


def draw_positions(count: int, seed: int) -> list[tuple[int, ...]]:
    """Return the moves of ``count`` positions, no two of which are equal or mirror images; equal seeds give equal sets.

    The plies from FIRST_PLY to LAST_PLY come in turn, so that all have equal shares. In every other round all moves
    are random; in the rounds between, half of them are a minimax's.
    """
    seen: set[tuple[int, int]] = set()
    found = []
    for number in range(count):
        chance = random.Random(f"judge/{seed}/{number}")
        ply, skilled = FIRST_PLY + number % PLIES, number // PLIES % 2 == 1
        while True:
            board, columns = _played(ply, chance, skilled)
            mirrored = board.mirror()
            key = min((board.current, board.mask), (mirrored.current, mirrored.mask))
            if key not in seen and len(board.legal_columns()) > 1:
                break
        seen.add(key)
        found.append(columns)
    return found


def _played(ply: int, chance: random.Random, skilled: bool) -> tuple[Board, tuple[int, ...]]:
    """Return the position after ``ply`` moves of a game; a game that ends earlier is started again."""
    from bot.engine.deadline import Deadline
    from bot.engine.minimax import Minimax

    board, columns = Board(), list[int]()
    while len(columns) < ply:
        choices = list(board.legal_columns())
        if skilled and chance.random() < 0.5:
            choices = Minimax.best_columns(board, SKILLED_DEPTH, Deadline.never())[1]
        columns.append(chance.choice(choices))
        board = board.play(columns[-1])
        if board.is_over:
            board, columns = Board(), []
    return board, tuple(columns)


def solve_positions(moves: Iterable[tuple[int, ...]], workers: int = 1) -> Iterator[Judged]:
    """Solve all columns of each position and yield them in the order of completion."""
    for columns, scores in run_tasks(_column_scores, moves, workers=workers):
        yield Judged(columns, scores)


def _column_scores(columns: tuple[int, ...]) -> Scores:
    from bot.engine.perfect import shipped_book
    from bot.engine.solver import Solver

    board, book = Board.from_moves(columns), shipped_book()
    known = None if book is None else book.column_scores(board)
    return tuple(Solver().column_scores(board) if known is None else known)


def write_positions(path: Path, positions: Iterable[Judged], about: str) -> None:
    """Write a set, with ``about`` as a comment; raise UsageError where the file cannot be written."""
    lines = [f"# {about}", *(position.as_line() for position in positions)]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.", "Choose another file.") from None


def read_positions(path: Path | None = None) -> list[Judged]:
    """Return the positions of a file, or of the public set; raise UsageError where a line is wrong."""
    try:
        if path is None:
            text = resources.files("bot.lab.judge").joinpath("data/positions.txt").read_text(encoding="utf-8")
        else:
            text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UsageError(f"The positions {path} cannot be read: {reason}.") from None
    numbered = enumerate(text.splitlines(), start=1)
    found = [_judged(line, f"{path}, line {number}") for number, line in numbered if line and line[0] != "#"]
    if not found:
        raise UsageError(f"{path} contains no position.", "Make a set with `bot judge --make FILE`.")
    return found


def _judged(line: str, where: str) -> Judged:
    hint = "A line holds moves, the exact score, and the scores of the columns: `bot judge --make FILE` writes them."
    try:
        moves, best, columns = line.split()
        scores = tuple(None if text == "-" else int(text) for text in columns.split(","))
        position = Judged(parse_moves(moves), scores)
        board = position.board
        legal = () if board.is_over else board.legal_columns()
    except (BoardError, ValueError):
        raise UsageError(f"{where} is no judged position.", hint) from None
    known = tuple(column for column, score in enumerate(scores) if score is not None)
    if len(scores) != 7 or len(legal) < 2 or known != tuple(legal) or int(best) != position.best:
        raise UsageError(f"{where} is no judged position: its scores do not match its columns.", hint)
    return position


def digest(positions: Iterable[Judged]) -> str:
    """Return 16 hex digits that identify a set."""
    lines = "\n".join(position.as_line() for position in positions)
    return hashlib.sha256(lines.encode()).hexdigest()[:16]

"""How the public set of judged positions was drawn and solved: ``python -m tests.papers.public_set`` does it again.

The set is committed (bot/papers/positions.txt), and results stand on it; the tests draw its beginning again, so
that anyone can see that no position was picked.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bot.engine.deadline import Deadline
from bot.engine.minimax import Minimax
from bot.game import Board, format_moves
from bot.gauntlet.positions import Columns, mirror_key
from bot.papers.solved import PUBLIC, ColumnScores, solved_scores

FIRST_PLY, LAST_PLY = 4, 39
"""Fewest and most discs of a judged position: earlier ones are few, later ones leave no choice."""
PLIES = LAST_PLY + 1 - FIRST_PLY
COUNT, SEED = 2000, 1
"""Size and seed of the public set."""
SKILLED_DEPTH = 4
"""Depth in plies of the minimax that makes half of the moves of every other game."""


def draw_positions(count: int, seed: int) -> list[Columns]:
    """Return the moves of ``count`` positions, no two of which are equal or mirror images; equal seeds give equal sets.

    The plies from FIRST_PLY to LAST_PLY come in turn, so that all have equal shares. In every other round all moves
    are random; in the rounds between, half of them are a minimax's.
    """
    found: dict[frozenset[Board], Columns] = {}
    for number in range(count):
        chance = random.Random(f"judge/{seed}/{number}")
        while len(found) == number:
            columns = drawn_position(FIRST_PLY + number % PLIES, chance, is_skilled=number // PLIES % 2 == 1)
            board = Board.from_moves(columns)
            if len(board.legal_columns()) > 1:
                found.setdefault(mirror_key(board), columns)
    return list(found.values())


def drawn_position(plies: int, chance: random.Random, *, is_skilled: bool = False) -> Columns:
    """Return ``plies`` (0..41) random columns to an unfinished position; a game that ends earlier is started again.

    With ``is_skilled`` half of them are a minimax's.
    """
    columns: Columns = ()
    while len(columns) < plies:
        board = Board.from_moves(columns)
        choices: Sequence[int] = board.legal_columns()
        if is_skilled and chance.random() < 0.5:
            choices = Minimax.best_columns(board, SKILLED_DEPTH, Deadline())[1]
        columns += (chance.choice(choices),)
        if Board.from_moves(columns).is_over:
            columns = ()
    return columns


def as_line(columns: Columns, known: ColumnScores) -> str:
    """Return the position as a line of a file."""
    scores = ",".join("-" if score is None else str(score) for score in known)
    best = max(score for score in known if score is not None)
    return f"{format_moves(columns)} {best} {scores}"


if __name__ == "__main__":
    drawn = [as_line(columns, solved_scores(columns)) for columns in draw_positions(COUNT, SEED)]
    about = f"# {COUNT} positions, seed {SEED}: tests/papers/public_set.py"
    PUBLIC.write_text("\n".join([about, *drawn, ""]), encoding="utf-8")
    print(f"{len(drawn)} positions")

"""How sets of judged positions are made: the public one, its files for other programs, and others of the same kind.

python -m tests.lab.public_set FILE                        draw and solve the public set again
python -m tests.lab.public_set FILE --seed 2 --count 200   another set
python -m tests.lab.public_set FILE --export FOLDER        also as JSON lines and CSV, which are named after FILE

The public set is committed (bot/lab/judge/data/positions.txt), and results stand on it; the tests draw it again, so
that anyone can see that no position was picked.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.engine.deadline import Deadline
from bot.engine.minimax import Minimax
from bot.game import Board, format_moves
from bot.lab.exact import solved_scores
from bot.lab.judge.difficulty import is_decisive, is_hard
from bot.lab.positions import FIRST_PLY, PLIES, Columns, ScoredPosition, digest, mirror_key

COUNT, SEED = 2000, 1
"""Size and seed of the public set."""
VERSION = "positions-1"
"""Name of the public set's files for other programs; the tests write them again."""
BEFORE, AFTER = ("id", "moves", "board", "ply"), ("best", "decisive", "hard")
"""The fields before and after the scores."""
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
            columns = _drawn(FIRST_PLY + number % PLIES, chance, is_skilled=number // PLIES % 2 == 1)
            board = Board.from_moves(columns)
            if len(board.legal_columns()) > 1:
                found.setdefault(mirror_key(board), columns)
    return list(found.values())


def _drawn(plies: int, chance: random.Random, *, is_skilled: bool) -> Columns:
    """Return the moves to an unfinished position; a game that ends earlier is started again."""
    board, columns = Board(), list[int]()
    while len(columns) < plies:
        choices: Sequence[int] = board.legal_columns()
        if is_skilled and chance.random() < 0.5:
            choices = Minimax.best_columns(board, SKILLED_DEPTH, Deadline.never())[1]
        columns.append(chance.choice(choices))
        board = board.play(columns[-1])
        if board.is_over:
            board, columns = Board(), []
    return tuple(columns)


def record(number: int, position: ScoredPosition) -> dict[str, Any]:
    """Return a position as other programs read it; the number is that of its line in the set, from 1."""
    return {
        "id": number,
        "moves": format_moves(position.columns),
        "board": board_text(position.columns),
        "ply": position.ply,
        "scores": list(position.scores),
        "best": position.best,
        "decisive": is_decisive(position),
        "hard": is_hard(position),
    }


def board_text(columns: Columns) -> str:
    """Return 42 characters, the rows from the top: X for the first player's discs, O for the second's."""
    stacks = [""] * 7
    for ply, column in enumerate(columns):
        stacks[column] += "XO"[ply % 2]
    rows = zip(*(stack.ljust(6, ".") for stack in stacks), strict=True)
    return "".join(map("".join, reversed(list(rows))))


def export(folder: Path, name: str, positions: Sequence[ScoredPosition]) -> None:
    """Write the positions as JSON lines and as CSV, where the scores have a column each and a truth is 1 or 0."""
    records = [record(number, position) for number, position in enumerate(positions, start=1)]
    lines = [json.dumps(each, separators=(",", ":")) for each in records]
    (folder / f"{name}.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*BEFORE, *(f"score{column}" for column in range(1, 8)), *AFTER])
        for each in records:
            table.writerow([*(each[key] for key in BEFORE), *each["scores"], *(int(each[key]) for key in AFTER)])


def main() -> None:
    """Draw, solve and write a set, or export one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--export", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    drawn = draw_positions(given.count, given.seed)
    positions = [ScoredPosition(columns, solved_scores(columns)) for columns in drawn]
    about = f"# {given.count} positions, seed {given.seed}: tests/lab/public_set.py"
    lines = [about, *(position.as_line() for position in positions), ""]
    given.file.write_text("\n".join(lines), encoding="utf-8")
    if given.export is not None:
        export(given.export, given.file.stem, positions)
    print(f"{len(positions)} positions, digest {digest(positions)}")


if __name__ == "__main__":
    main()

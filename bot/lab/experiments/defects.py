"""The cost of the defects of van der Schee's published program: wrong values, more calls, strength by depth parity.

bot/lab/README.md#van-der-schee-evaluation and bot/lab/README.md#van-der-schee-search describe the defects.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bot.agent_types import Limit
from bot.game import Board
from bot.lab.arena.games import match_pairings, play_pairing
from bot.lab.arena.match import Record
from bot.lab.arena.openings import random_opening
from bot.lab.arena.statistics import wilson
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table

DEPTHS = (1, 2, 3, 4, 5, 6)
BLOCK = 25
"""Positions in one task."""
RANDOM_PLIES = 4
"""Random plies before the agents of a game start to choose."""
POSITIONS = "slips"
"""Part of the seed of the positions; another text would give other positions than the committed results."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return, for each depth, blocks of positions and the games of the published against the intended program."""
    blocks, games = (2, 20) if quick else (16, 200)
    return [
        {"kind": kind, "depth": depth, "number": number, "seed": seed}
        for depth in DEPTHS
        for kind, count in (("values", blocks), ("game", games))
        for number in range(count)
    ]


def work(task: Task) -> dict[str, Any]:
    """Judge one block of positions, or play one game."""
    if task["kind"] == "game":
        names = [f"{family}:{task['depth']}" for family in ("vds", "vds-intended")]
        pairing = match_pairings(names[0], names[1], task["number"] + 1, task["seed"], RANDOM_PLIES)[-1]
        result = play_pairing(pairing).result
        return {"points": result if pairing.first == names[0] else 1 - result}
    wrong = poor = calls = sound_calls = 0
    for number in range(BLOCK):
        place = task["number"] * BLOCK + number
        board = Board.from_moves(random_opening(place % 30, f"{POSITIONS}/{task['seed']}/{place}"))
        value, column, nodes = published(board, task["depth"])
        exact, sound_nodes = sound(board, task["depth"])
        wrong += value != max(exact.values())
        poor += exact[column] != max(exact.values())
        calls, sound_calls = calls + nodes, sound_calls + sound_nodes
    return {"wrong": wrong, "poor": poor, "calls": calls, "sound_calls": sound_calls}


def published(board: Board, depth: int) -> tuple[int, int, int]:
    """Return value, column and calls of the last depth of the published program."""
    from bot.lab.papers.van_der_schee import VanDerSchee

    decision = VanDerSchee("published", depth).choose(board, Limit(hard_s=np.inf))
    return int(decision.score or 0), decision.column, decision.nodes or 0


def sound(board: Board, depth: int) -> tuple[dict[int, int], int]:
    """Return each column's minimax value with the published leaf value, and the calls of MTD(f) without the defects."""
    from bot.lab.kernels.rules import COUNTERS, INFINITY, NODES
    from bot.lab.kernels.search import mtdf, search_columns
    from bot.lab.papers.growing_table import entries_needed, new_table
    from bot.lab.papers.van_der_schee import FIRST_GUESS, PUBLISHED

    discs, values, stop = (board.current, board.opponent), np.empty(7, dtype=np.int64), np.zeros(1, dtype=np.uint8)
    search_columns(*discs, depth, INFINITY, 7, PUBLISHED, np.zeros(COUNTERS, dtype=np.int64), stop, values)
    table, guess = new_table(2 * entries_needed(depth)), FIRST_GUESS
    for now in range(1, depth + 1):
        counters = np.zeros(COUNTERS, dtype=np.int64)
        guess, _ = mtdf(*discs, 1, now, guess, PUBLISHED, counters, table, stop)
    return {column: int(values[column]) for column in board.legal_columns()}, int(counters[NODES])


def _sum(results: Results, depth: int, key: str) -> int:
    return sum(result[key] for task, result in results if task["kind"] == "values" and task["depth"] == depth)


def _match(results: Results, depth: int) -> Record:
    record = Record()
    for task, result in results:
        if task["kind"] == "game" and task["depth"] == depth:
            record = record.plus(result["points"])
    return record


def cells(results: Results) -> list[Cell]:
    """Return, for each depth, the shares of wrong values and of worse columns, the calls, and the match score."""
    table = []
    for depth in DEPTHS:
        row = f"depth {depth}"
        positions = BLOCK * sum(task["kind"] == "values" and task["depth"] == depth for task, _ in results)
        wrong, poor = _sum(results, depth, "wrong"), _sum(results, depth, "poor")
        calls = _sum(results, depth, "calls") / _sum(results, depth, "sound_calls")
        match = _match(results, depth)
        score = wilson(match.points, match.games)
        table += [
            Cell(row, "share of wrong values", 0.0, wrong / positions, wilson(wrong, positions), 3),
            Cell(row, "share of worse columns", 0.0, poor / positions, wilson(poor, positions), 3),
            Cell(row, "calls for one of a sound search", None, calls),
            Cell(row, "score against the intended program", None, match.score, score),
        ]
    return table


def notes(results: Results) -> list[str]:
    """Return what a wrong value is, and the score by parity of the depth."""
    parity = {odd: [_match(results, depth).score for depth in DEPTHS if depth % 2 == odd] for odd in (0, 1)}
    rows = [["even", f"{np.mean(parity[0]):.2f}"], ["odd", f"{np.mean(parity[1]):.2f}"]]
    return [
        "A value is wrong if plain minimax to the same depth, with the same leaf function, gives another one. The"
        " published search stores unproven bounds: in an empty window, a value equal to the bound neither causes a"
        " cutoff nor shows whether the true value is above or below it.",
        "The leaf value is that of the side to move at the leaf. At odd depths this is the opponent, so the program"
        " plays the move that its own evaluation considers worst:\n\n"
        + markdown_table(rows, ["depths", "score against the intended program"]),
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw wrong values and the match by depth."""
    left, right = figure.subplots(1, 2)
    by_column: dict[str, list[Cell]] = {}
    for cell in cells(results):
        by_column.setdefault(cell.column, []).append(cell)
    for column in ("share of wrong values", "share of worse columns"):
        left.plot(DEPTHS, [cell.measured for cell in by_column[column]], "o-", label=column)
    left.set(xlabel="depth", title="against plain minimax", ylim=(0, None))
    left.legend()
    match = by_column["score against the intended program"]
    right.bar(DEPTHS, [cell.measured for cell in match], color=["tab:red" if d % 2 else "tab:blue" for d in DEPTHS])
    right.axhline(0.5, color="grey", linestyle="--")
    right.set(xlabel="depth (odd red, even blue)", title="score of the published against the intended", ylim=(0, 1))


DEFECTS = Experiment(
    "vds-defects",
    "van der Schee 2014: the cost of the published program's defects",
    "van der Schee 2014; the published leaf and search (no published table)",
    tasks,
    work,
    cells,
    notes,
    draw,
)

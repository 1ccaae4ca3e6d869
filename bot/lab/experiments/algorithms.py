"""Search algorithms on equal work: one evaluation, one column order, one tie rule. No paper has this experiment.

It answers Tommy 2017's recommendation to compare MTD(f) with newer algorithms than plain alpha-beta, and the EDAP01
report's outlook. All searches to a fixed depth return the same value and the same column, so that only their work
differs. Their work is counted, and their choices are judged, in positions of the judge's set (`bot/lab/judge`).
"""

from __future__ import annotations

import time
from typing import Any

from bot.agents.algorithms.catalogue import ALGORITHMS, HEURISTIC, OUTCOME, Searched, proven_outcome, search
from bot.agents.games import UNLIMITED
from bot.agents.kernels.rules import INFINITY
from bot.engine.score import sign
from bot.lab.arena.games import derived_seed
from bot.lab.experiments.algorithms_plot import draw
from bot.lab.experiments.algorithms_tables import DEPTHS, PROOF, UCT, VALUE, cells, notes
from bot.lab.experiments.base import Experiment, Task
from bot.lab.judge.positions import Judged, read_positions

PLIES = {VALUE: (4, 8, 12, 16, 20, 24, 28, 32), PROOF: (22, 24, 26, 28, 30, 32)}
QUICK_PLIES = {VALUE: (12, 24), PROOF: (28,)}
POSITIONS, QUICK_POSITIONS = 25, 2
"""Positions of each ply."""
MOST_LEAVES = 30_000
"""No further depth is searched after this many leaves in all depths together, beyond the depths of the tables."""
MINIMAX_DEPTH = 6
"""Depth that plain minimax reaches in every position, plies; the others reach that of the tables."""
WITHOUT_TABLE_FROM = 26
"""First ply at which searches without a table prove outcomes; earlier ones take too long."""
PLAYOUTS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return one task for each position and kind."""
    positions = read_positions()
    count = QUICK_POSITIONS if quick else POSITIONS
    return [
        {"kind": kind, "ply": ply, "position": number, "seed": seed}
        for kind, plies in (QUICK_PLIES if quick else PLIES).items()
        for ply in plies
        for number in [number for number, position in enumerate(positions) if position.ply == ply][:count]
    ]


def work(task: Task) -> dict[str, Any]:
    """Search one position by all algorithms; the scores of its columns are exact."""
    position = read_positions()[task["position"]]
    if task["kind"] == PROOF:
        return {"searches": prove(position)}
    searches: dict[str, Any] = {}
    for each in ALGORITHMS:  # the last one does not compute the value at which the one before it stops
        end = searches[each.same_until][-1] if each.same_until else {"value": 0}
        last = end["depth"] if abs(end["value"]) >= INFINITY else 42 - position.ply
        searches[each.name] = deepen(each.name, position, last)
    searches[UCT] = playouts(position, task["seed"])
    return {"scores": list(position.scores), "searches": searches}


def deepen(name: str, position: Judged, last: int) -> list[dict[str, Any]]:
    """Search to depth 1, 2, ... ``last``, until the game is decided or MOST_LEAVES leaves are searched.

    The guess is the value of the depth two plies before, because values of even and odd depths differ.
    """
    least = MINIMAX_DEPTH if name == "minimax" else DEPTHS[-1]
    rows, leaves, values = list[dict[str, Any]](), 0, [0, 0]
    for depth in range(1, last + 1):
        found = search(name, position.board, depth, guess=values[-2], problem=HEURISTIC)
        values.append(values[-2] if found.value is None else found.value)
        rows.append({"depth": depth, **_as_json(found)})
        leaves += found.leaves
        if abs(values[-1]) >= INFINITY or (depth >= least and leaves > MOST_LEAVES):
            break
    return rows


def prove(position: Judged) -> dict[str, Any]:
    """Prove the outcome of one position by all algorithms but plain minimax; None where proof numbers did not."""
    board, searches = position.board, dict[str, Any]()
    for each in ALGORITHMS:
        if each.name != "minimax" and (each.keeps_table or board.ply >= WITHOUT_TABLE_FROM):
            searches[each.name] = _as_json(search(each.name, board, 42 - board.ply, problem=OUTCOME))
    found = proven_outcome(board)
    searches["df-pn"] = None if found is None else _as_json(found)
    wrong = [name for name, row in searches.items() if row and row["value"] not in (None, sign(position.best))]
    assert not wrong, f"{wrong} contradict the exact solver in {position.as_line()}."
    return searches


def playouts(position: Judged, seed: int) -> list[dict[str, Any]]:
    """Ask UCT with growing numbers of playouts, each time with a new tree."""
    from bot.agents.algorithms.uct import Uct

    rows = []
    for count in PLAYOUTS:
        agent = Uct(f"uct:{count}", count, derived_seed("algorithms", seed, position.columns, count))
        start = time.thread_time()
        decision = agent.choose(position.board, UNLIMITED)
        seconds = round(time.thread_time() - start, 7)
        counts = {"leaves": decision.leaves, "nodes": decision.nodes, "seconds": seconds}
        rows.append({"depth": None, "value": None, "column": decision.column, **counts})
    return rows


def _as_json(found: Searched) -> dict[str, Any]:
    row = {"value": found.value, "column": found.column, "leaves": found.leaves, "nodes": found.nodes}
    return {**row, "passes": found.passes, "seconds": round(found.seconds, 7)}


COMPARISON = Experiment(
    "algorithms",
    "Search algorithms on equal work",
    "this project; Tommy 2017 recommends the comparison",
    tasks,
    work,
    cells,
    notes,
    draw,
)

"""Regret: the exact value that each paper's agent gives away, judged by the solver. No paper has this experiment.

The papers' agents play reference games from random openings. In each position from ply 8 on, the solver scores all
columns and every agent chooses one. An agent's losses of value are summed over the game and halved, because in a game
of its own it would make only every other move.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import mean, median, stdev
from typing import Any

import numpy as np

from bot.game import Board
from bot.lab.arena.games import UNLIMITED, Pairing, play_pairing, ready_agent
from bot.lab.arena.openings import random_opening
from bot.lab.arena.statistics import CONFIDENCE
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table

FAMILIES = (
    "tommy-ab",
    "vds",
    "vds-intended",
    "halim",
    "kang-h1",
    "kang-h2",
    "edap01",
    "edap01-intended",
    "rmarcus",
)
PLAYERS = ("tommy-ab:4", "vds-intended:4", "halim:4", "kang-h1:4", "kang-h2:4", "edap01-intended:5", "rmarcus:5")
"""Agents of the reference games."""
FIRST_PLY, QUICK_FIRST_PLY = 8, 16
OPENING = 6
"""Random plies before a reference game."""
Scores = Sequence[int | None]
Lost = Callable[[Scores, int], float]
"""Returns what a column gives away, given the exact scores of all columns."""
BUDGETS_MS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Limits of the comparison at equal time: median time of a move, milliseconds."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return one task for each reference game."""
    depths, first_ply, games = ([2, 4, 6], QUICK_FIRST_PLY, 6) if quick else (list(range(1, 9)), FIRST_PLY, 100)
    return [{"game": game, "depths": depths, "first_ply": first_ply, "seed": seed} for game in range(games)]


def reference_game(seed: str) -> tuple[int, ...]:
    """Return the moves (columns 0..6) of a game of two of the papers' agents after six random plies."""
    names = random.Random(f"players/{seed}").sample(PLAYERS, 2)
    return play_pairing(Pairing(names[0], names[1], seed, random_opening(OPENING, seed))).moves


def work(task: Task) -> dict[str, Any]:
    """Return the exact scores, and each agent's column and time, in the positions of one game."""
    from bot.engine.solver import Solver

    solver = Solver()
    seed = f"{task['seed']}/{task['game']}"
    moves = reference_game(seed)
    names = ["random", *(f"{family}:{depth}" for family in FAMILIES for depth in task["depths"])]
    positions = []
    for ply in range(task["first_ply"], len(moves)):
        board = Board.from_moves(moves[:ply])
        picks = {}
        for name in names:
            decision = ready_agent(name, ply).choose(board, UNLIMITED)
            picks[name] = [decision.column, decision.seconds]
        positions.append({"ply": ply, "scores": solver.column_scores(board), "picks": picks})
    return {"moves": list(moves), "positions": positions}


def score_lost(scores: Scores, column: int) -> float:
    """Return the loss in score, in discs of the winner."""
    return float(max(score for score in scores if score is not None) - (scores[column] or 0))


def points_lost(scores: Scores, column: int) -> float:
    """Return the loss in points: 1 for a win, 0.5 for a draw."""
    best = max(score for score in scores if score is not None)
    return (_sign(best) - _sign(scores[column] or 0)) / 2.0


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def per_game(results: Results, agent: str, lost: Lost) -> list[float]:
    """Return what ``agent`` would give away in each reference game."""
    return [
        sum(lost(position["scores"], position["picks"][agent][0]) for position in result["positions"]) / 2
        for _, result in results
    ]


def move_ms(results: Results, agent: str) -> float:
    """Return the median time of a move, milliseconds; the mean would suffer from other load on the machine."""
    times: list[float] = [position["picks"][agent][1] for _, result in results for position in result["positions"]]
    return 1000 * median(times)


def by_ply(results: Results, agent: str, width: int = 4) -> tuple[list[float], list[float]]:
    """Return the middle of each group of plies, and the mean points lost per move in it."""
    groups: dict[int, list[float]] = {}
    for _, result in results:
        for position in result["positions"]:
            lost = points_lost(position["scores"], position["picks"][agent][0])
            groups.setdefault(position["ply"] // width, []).append(lost)
    order = sorted(groups)
    return [group * width + (width - 1) / 2 for group in order], [mean(groups[group]) for group in order]


def _depths(results: Results) -> list[int]:
    return list(results[0][0]["depths"])


def _cell(results: Results, agent: str, column: str, lost: Lost) -> Cell:
    games = per_game(results, agent, lost)
    half = CONFIDENCE * stdev(games) / len(games) ** 0.5
    return Cell(agent, column, None, mean(games), (mean(games) - half, mean(games) + half))


def cells(results: Results) -> list[Cell]:
    """Return, for each agent, points and score given away per game, and the time of a move."""
    agents = ["random", *(f"{family}:{depth}" for family in FAMILIES for depth in _depths(results))]
    table = []
    for agent in agents:
        table.append(_cell(results, agent, "points given away a game", points_lost))
        table.append(_cell(results, agent, "score given away a game", score_lost))
        table.append(Cell(agent, "milliseconds a move (median)", None, move_ms(results, agent), digits=4))
    return table


def notes(results: Results) -> list[str]:
    """Return the tables by depth and by time, and the differences to the best agent."""
    depths = _depths(results)
    lost = {
        (family, depth): mean(per_game(results, f"{family}:{depth}", points_lost))
        for family in FAMILIES
        for depth in depths
    }
    order = sorted(FAMILIES, key=lambda family: mean(lost[family, depth] for depth in depths))
    rows = [[f, *(f"{lost[f, d]:.2f}" for d in depths), f"{mean(lost[f, d] for d in depths):.2f}"] for f in order]
    baseline = mean(per_game(results, "random", points_lost))
    plies = [position["ply"] for _, result in results for position in result["positions"]]
    rivals = [f"{family} {_behind(results, family, order[0])}" for family in order[1:]]
    time_rows = []
    for budget in BUDGETS_MS:
        affordable = {
            agent: value for agent, value in lost.items() if move_ms(results, f"{agent[0]}:{agent[1]}") <= budget
        }
        ranked = sorted(affordable, key=lambda agent: affordable[agent])[:3]
        time_rows.append([f"{budget:g}", *(f"{f}:{d} ({affordable[f, d]:.2f})" for f, d in ranked)])
    return [
        f"{len(results)} reference games, {len(plies)} positions from ply {min(plies)} on. Points: 1 for a win, 0.5"
        f" for a draw. Random play gives away {baseline:.2f} points per game.",
        f"**At equal depth {order[0]} gives away the fewest points** (mean over all depths). Points per game:\n\n"
        + markdown_table(rows, ["agent", *(f"depth {depth}" for depth in depths), "mean"]),
        f"Points per game that the others give away in addition to those of {order[0]}, over the same games (mean over"
        " all depths, 95 % interval): " + ", ".join(rivals) + ".",
        "At equal time, the three agents that give away the fewest points, among those whose median move time is"
        " within the limit:\n\n" + markdown_table(time_rows, ["ms", "best", "second", "third"]),
    ]


def _behind(results: Results, family: str, best: str) -> str:
    """Return the mean difference of two families over the same games, and its interval."""
    lost = [
        [per_game(results, f"{name}:{depth}", points_lost) for depth in _depths(results)] for name in (family, best)
    ]
    more = (np.mean(lost[0], axis=0) - np.mean(lost[1], axis=0)).tolist()
    half = CONFIDENCE * stdev(more) / len(more) ** 0.5
    return f"{mean(more):.2f} ({mean(more) - half:.2f} to {mean(more) + half:.2f})"


def draw(figure: Any, results: Results) -> None:
    """Draw points lost by depth, by time and by ply."""
    depths = _depths(results)
    by_depth, by_time, plies = figure.subplots(1, 3)
    for family in FAMILIES:
        agents = [f"{family}:{depth}" for depth in depths]
        lost = [mean(per_game(results, agent, points_lost)) for agent in agents]
        by_depth.plot(depths, lost, "o-", label=family, markersize=3)
        by_time.plot([move_ms(results, agent) for agent in agents], lost, "o-", markersize=3)
        plies.plot(*by_ply(results, f"{family}:{depths[len(depths) // 2]}"), "o-", markersize=3)
    by_depth.set(xlabel="depth", ylabel="points given away a game", title="at equal depth", ylim=(0, None))
    by_time.set(xlabel="milliseconds a move (median)", title="at equal time", xscale="log", ylim=(0, None))
    plies.set(xlabel="ply", title=f"points a move, depth {depths[len(depths) // 2]}", ylim=(0, None))
    by_depth.legend(fontsize="x-small")


REGRET = Experiment(
    "regret",
    "Regret: exact value given away by the papers' agents",
    "this project; judged by its exact solver",
    tasks,
    work,
    cells,
    notes,
    draw,
)

"""Tommy 2017, Table 1: alpha-beta against MTD(f) at depths 5 to 10, either side starting.

bot/lab/README.md#tommy-experiment describes the experiment.
"""

from __future__ import annotations

from statistics import mean
from typing import Any

from bot.lab.arena.games import Pairing, play_pairing
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table

DEPTHS = range(5, 11)
COLUMNS = (
    "seconds a move, X",
    "seconds a move, O",
    "O faster by (%)",
    "leaves X",
    "leaves O",
    "O fewer leaves by (%)",
    "passes",
    "results",
)
PUBLISHED: dict[int, tuple[float | str, ...]] = {
    5: (0.1317, 0.1089, 17.28, 12242, 5451, 55.47, 201, "X 1, O 1"),
    6: (0.3083, 0.3089, -0.19, 17885, 8705, 51.33, 255, "X 1, O 1"),
    7: (1.6981, 0.6767, 60.15, 175759, 36906, 79.00, 456, "X 1, O 1"),
    8: (2.3185, 1.5027, 35.19, 218777, 73957, 66.20, 715, "X 1, O 1"),
    9: (14.7149, 3.0543, 79.24, 1311365, 143557, 89.05, 478, "X 1, O 1"),
    10: (27.1850, 5.0731, 81.34, 3352837, 327609, 90.23, 590, "Draw 2"),
}
"""As printed, with decimal points for commas."""
RUNS = 10
"""Runs of each game, as in the paper; all runs have the same moves, only the times are averaged."""


def tasks(quick: bool, _seed: int) -> list[Task]:
    """Return the twelve conditions, ten runs each (quick: one)."""
    return [
        {"depth": depth, "first": first, "run": run}
        for depth in DEPTHS
        for first in "XO"
        for run in range(1 if quick else RUNS)
    ]


def work(task: Task) -> dict[str, Any]:
    """Play one game; return leaves and times of both sides, the passes and the moves."""
    depth = task["depth"]
    names = {"X": f"tommy-ab:{depth}", "O": f"tommy-mtdf:{depth}"}
    order = "XO" if task["first"] == "X" else "OX"
    x_player, o_player = order.index("X"), order.index("O")
    played = play_pairing(Pairing(names[order[0]], names[order[1]]))
    winner = {1.0: order[0], 0.0: order[1], 0.5: "draw"}[played.result]
    return {
        "winner": winner,
        "moves": "".join(map(str, played.moves)),
        "leaves_x": sum(played.of_player(x_player, played.leaves)),
        "leaves_o": sum(played.of_player(o_player, played.leaves)),
        "passes": sum(played.of_player(o_player, played.passes)),
        "seconds_x": played.of_player(x_player, played.seconds),
        "seconds_o": played.of_player(o_player, played.seconds),
    }


def measured(depth: int, results: Results) -> tuple[float | str, ...]:
    """Return one row as in the paper: counts are truncated means of the two games, times are means over all moves."""
    games = [result for task, result in results if task["depth"] == depth]
    once = [result for task, result in results if task["depth"] == depth and task["run"] == 0]
    time_x = mean(second for game in games for second in game["seconds_x"])
    time_o = mean(second for game in games for second in game["seconds_o"])
    leaves_x, leaves_o, passes = (int(mean(game[key] for game in once)) for key in ("leaves_x", "leaves_o", "passes"))
    wins = {side: sum(game["winner"] == side for game in once) for side in ("X", "O", "draw")}
    outcome = f"Draw {wins['draw']}" if wins["draw"] == 2 else f"X {wins['X']}, O {wins['O']}"
    faster, fewer = 100 * (1 - time_o / time_x), round(100 * (1 - leaves_o / leaves_x), 2)
    return time_x, time_o, faster, leaves_x, leaves_o, fewer, passes, outcome


def cells(results: Results) -> list[Cell]:
    """Return Table 1."""
    table = []
    for depth in DEPTHS:
        row = zip(COLUMNS, PUBLISHED[depth], measured(depth, results), (4, 4, 2, 0, 0, 2, 0, 0), strict=True)
        table += [Cell(f"depth {depth}", column, there, here, digits=digits) for column, there, here, digits in row]
    return table


def notes(results: Results) -> list[str]:
    """Return how many cells agree, and the games behind the table."""
    once = [(task, result) for task, result in results if task["run"] == 0]
    rows = [
        [
            task["depth"],
            task["first"],
            game["winner"],
            len(game["moves"]),
            int(game["leaves_x"]),
            int(game["leaves_o"]),
            int(game["passes"]),
            game["moves"],
        ]
        for task, game in once
    ]
    same = all(len({game["moves"] for task, game in once if task["depth"] == depth}) == 1 for depth in DEPTHS)
    counts = [cell for cell in cells(results) if cell.column in ("leaves X", "leaves O", "passes", "results")]
    equal = sum(cell.difference in (0, "equal") for cell in counts)
    return [
        f"**{equal} of {len(counts)} cells of leaves, passes and results are equal to the published ones.** The times"
        " were measured on another machine and in another language: only their trend can agree.",
        "The games (columns 0 to 6):\n\n"
        + markdown_table(rows, ["depth", "first", "winner", "plies", "leaves X", "leaves O", "passes", "moves"]),
        f"Both orders of moving first give the same moves at every depth: {'yes' if same else 'no'}.",
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw leaves and times by depth, published and measured."""
    leaves, times = figure.subplots(1, 2)
    for axes, places, title in ((leaves, (3, 4), "leaves a game"), (times, (0, 1), "seconds a move")):
        for place, side, colour in zip(places, ("X, alpha-beta", "O, MTD(f)"), ("tab:blue", "tab:red"), strict=True):
            axes.plot(DEPTHS, [PUBLISHED[d][place] for d in DEPTHS], "o--", color=colour, label=f"{side}, published")
            here = [measured(d, results)[place] for d in DEPTHS]
            axes.plot(DEPTHS, here, "x-", color=colour, label=f"{side}, measured")
        axes.set(title=title, xlabel="depth", yscale="log")
        axes.legend(fontsize="small")


TABLE_1 = Experiment(
    "tommy-table1",
    "Tommy 2017, Table 1: alpha-beta against MTD(f)",
    "Tommy, Hardjianto, Agani 2017, Table 1",
    tasks,
    work,
    cells,
    notes,
    draw,
)

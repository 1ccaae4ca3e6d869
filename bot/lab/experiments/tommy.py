"""Tommy 2017, Table 1: alpha-beta against MTD(f) at depths 5 to 10, either side starting.

bot/lab/README.md#tommy-experiment describes the experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import Any

from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table
from bot.lab.experiments.inference import Estimate, average, ratio
from bot.lab.experiments.plots import COLOURS, POINTS, error_bars
from bot.lab.experiments.records import of_player, pairing_json
from bot.lab.experiments.tommy_games import work

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
COUNTED = ("leaves X", "leaves O", "passes", "results")
"""The columns that do not depend on the machine."""
PUBLISHED: dict[int, tuple[float | str, ...]] = {
    5: (0.1317, 0.1089, 17.28, 12242, 5451, 55.47, 201, "X 1, O 1"),
    6: (0.3083, 0.3089, -0.19, 17885, 8705, 51.33, 255, "X 1, O 1"),
    7: (1.6981, 0.6767, 60.15, 175759, 36906, 79.00, 456, "X 1, O 1"),
    8: (2.3185, 1.5027, 35.19, 218777, 73957, 66.20, 715, "X 1, O 1"),
    9: (14.7149, 3.0543, 79.24, 1311365, 143557, 89.05, 478, "X 1, O 1"),
    10: (27.1850, 5.0731, 81.34, 3352837, 327609, 90.23, 590, "Draw 2"),
}
"""As printed, with decimal points for commas."""
RUNS = 40
"""Runs of each game, four times as many as in the paper; all have the same moves, only the times are averaged."""
SESSION = 10
"""Runs that follow each other. The ratio of the two times varies less within a session than from hour to hour, with
what else the machine does, so sessions are the sample. Interrupt the experiment to have them at different times."""
SIDES = {"X": "tommy-ab", "O": "tommy-mtdf"}


def tasks(quick: bool, _seed: int) -> list[Task]:
    """Return the twelve conditions, forty runs each (quick: one)."""
    return [
        {"depth": depth, "first": first, "run": run, "games": [condition(depth, first)]}
        for run in range(1 if quick else RUNS)
        for depth in DEPTHS
        for first in "XO"
    ]


def condition(depth: int, first: str, opening: Sequence[int] = ()) -> dict[str, Any]:
    """Return one game to be played, by the side that moves first."""
    one, other = (f"{SIDES[side]}:{depth}" for side in ("XO" if first == "X" else "OX"))
    return pairing_json(one, other, 0, opening)


def sides(results: Results, depth: int) -> list[dict[str, Any]]:
    """Return each game of one depth by side: the winner, leaves and passes, and each run's seconds."""
    games = []
    for task, result in results:
        if task["depth"] == depth:
            game = result["games"][0]
            order = "XO" if task["first"] == "X" else "OX"
            x_player, o_player = order.index("X"), order.index("O")
            games.append(
                {
                    "first": task["first"],
                    "run": task.get("run", 0),
                    "opening": task["games"][0].get("opening", ""),
                    "winner": {1.0: order[0], 0.0: order[1], 0.5: "draw"}[game["result"]],
                    "moves": game["moves"],
                    "values": game["values"],
                    "leaves_x": sum(of_player(game, x_player, "leaves")),
                    "leaves_o": sum(of_player(game, o_player, "leaves")),
                    "passes": sum(of_player(game, o_player, "passes")),
                    "seconds_x": of_player(game, x_player, "seconds"),
                    "seconds_o": of_player(game, o_player, "seconds"),
                }
            )
    return games


def mean_times(results: Results, depth: int) -> tuple[list[float], list[float]]:
    """Return each session's mean seconds a move, of X and of O."""
    sessions: dict[int, list[dict[str, Any]]] = {}
    for game in sides(results, depth):
        sessions.setdefault(game["run"] // SESSION, []).append(game)
    x_times, o_times = (
        [mean(second for game in games for second in game[key]) for games in sessions.values()]
        for key in ("seconds_x", "seconds_o")
    )
    return x_times, o_times


def measured(depth: int, results: Results) -> tuple[float | str, ...]:
    """Return one row as in the paper: counts are truncated means of the two games, times are means over all moves."""
    games = sides(results, depth)
    once = [game for game in games if game["run"] == 0]
    time_x = mean(second for game in games for second in game["seconds_x"])
    time_o = mean(second for game in games for second in game["seconds_o"])
    leaves_x, leaves_o, passes = (int(mean(game[key] for game in once)) for key in ("leaves_x", "leaves_o", "passes"))
    wins = {side: sum(game["winner"] == side for game in once) for side in ("X", "O", "draw")}
    outcome = f"Draw {wins['draw']}" if wins["draw"] == 2 else f"X {wins['X']}, O {wins['O']}"
    faster, fewer = 100 * (1 - time_o / time_x), round(100 * (1 - leaves_o / leaves_x), 2)
    return time_x, time_o, faster, leaves_x, leaves_o, fewer, passes, outcome


def intervals(results: Results, depth: int) -> dict[str, Estimate]:
    """Return the measured times of a depth with their intervals, which follow from the differences between sessions."""
    times = mean_times(results, depth)
    slower = ratio(times[1], times[0])
    faster = Estimate(100 * (1 - slower.value), 100 * (1 - slower.high), 100 * (1 - slower.low), slower.size)
    return dict(zip(COLUMNS[:3], (*map(average, times), faster), strict=True))


def cells(results: Results) -> list[Cell]:
    """Return Table 1; times have intervals if there are several sessions."""
    table = []
    for depth in DEPTHS:
        spread = intervals(results, depth)
        row = zip(COLUMNS, PUBLISHED[depth], measured(depth, results), (6, 6, 2, 0, 0, 2, 0, 0), strict=True)
        for column, there, here, digits in row:
            found = spread.get(column)
            interval = found.interval if found is not None and found.size > 1 else None
            basis = f"{found.size} sessions" if found is not None else "counted exactly"
            table.append(Cell(f"depth {depth}", column, there, here, interval, digits, basis=basis))
    return table


def notes(results: Results) -> list[str]:
    """Return how many cells agree, and the games behind the table."""
    rows = [
        [depth, game["first"], game["winner"], len(game["moves"])]
        + [int(game[key]) for key in ("leaves_x", "leaves_o", "passes")]
        + [game["moves"]]
        for depth in DEPTHS
        for game in sides(results, depth)
        if game["run"] == 0
    ]
    counts = [cell for cell in cells(results) if cell.column in COUNTED]
    equal = sum(cell.difference in (0, "equal") for cell in counts)
    return [
        f"{equal} of {len(counts)} cells of leaves, passes and results are equal to the published ones. The times were"
        " measured on another machine and in another language: only their trend can agree. Those measured here are"
        " processor time.",
        "The games (columns 0 to 6), one of each condition; play is deterministic, the other runs repeat their moves"
        " and count for the times only:\n\n"
        + markdown_table(rows, ["depth", "first", "winner", "plies", "leaves X", "leaves O", "passes", "moves"]),
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw leaves and times by depth, published and measured."""
    leaves, times = figure.subplots(1, 2)
    for axes, places, title, unit in (
        (leaves, (3, 4), "Leaves evaluated", "leaves per game (log scale)"),
        (times, (0, 1), "Time of a move", "seconds per move (log scale)"),
    ):
        for place, name, side in zip(places, ("X, alpha-beta", "O, MTD(f)"), (0, 1), strict=True):
            published = [PUBLISHED[depth][place] for depth in DEPTHS]
            ring = {"marker": "o", "markersize": 11, "mfc": "none", "linestyle": "--"}
            axes.plot(DEPTHS, published, **ring, color=COLOURS[side], label=f"{name}, published")
            here = [float(measured(depth, results)[place]) for depth in DEPTHS]
            found = [intervals(results, depth).get(COLUMNS[place]) for depth in DEPTHS]
            axes.errorbar(DEPTHS, here, error_bars(here, found), **POINTS[side], label=f"{name}, measured")
        axes.set(title=title, xlabel="search depth (plies)", ylabel=unit, yscale="log")
        axes.legend()


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

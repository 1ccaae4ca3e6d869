"""Regret: the exact value that each paper's agent gives away, judged by the solver. No paper has this experiment.

The papers' agents play reference games from random openings. In each position from ply 8 on, the solver scores all
columns and every agent chooses one. An agent's losses of value are summed over the game and halved, because in a game
of its own it would make only every other move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any

from bot.lab.experiments.base import Cell, Experiment, Results, markdown_table
from bot.lab.experiments.inference import Estimate, average, middle
from bot.lab.experiments.plots import POINTS, error_bars
from bot.lab.experiments.regret_positions import FAMILIES, tasks, work

Scores = Sequence[int | None]
Lost = Callable[[Scores, int], float]
"""Returns what a column gives away, given the exact scores of all columns."""
BUDGETS_MS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Limits of the comparison at equal time: median time of a move, milliseconds."""
FEWEST = 20
"""Positions that a group of plies needs to be drawn."""


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
        sum(lost(position["scores"], position["picks"][agent]) for position in result["positions"]) / 2
        for _, result in results
    ]


def move_ms(results: Results, agent: str) -> Estimate:
    """Return the median time of a move, milliseconds; the mean would suffer from other load on the machine."""
    times = [1000 * position["seconds"][agent] for _, result in results for position in result["positions"]]
    return middle(times)


def by_ply(results: Results, agent: str, width: int = 4) -> tuple[list[float], list[Estimate]]:
    """Return the middle of each group of plies, and the mean points lost per move in it."""
    groups: dict[int, list[float]] = {}
    for _, result in results:
        for position in result["positions"]:
            lost = points_lost(position["scores"], position["picks"][agent])
            groups.setdefault(position["ply"] // width, []).append(lost)
    order = [group for group in sorted(groups) if len(groups[group]) >= FEWEST]
    return [group * width + (width - 1) / 2 for group in order], [average(groups[group]) for group in order]


def depths_of(results: Results) -> list[int]:
    """Return the depths at which the agents were asked."""
    return list(results[0][0]["depths"])


def given_away(results: Results, agent: str, lost: Lost = points_lost) -> Estimate:
    """Return what an agent gives away a game."""
    return average(per_game(results, agent, lost))


def more_than(results: Results, agents: Sequence[str], others: Sequence[str]) -> Estimate:
    """Return what the first agents give away more than the others, on average over the same games."""
    one, other = (
        [mean(lost) for lost in zip(*(per_game(results, name, points_lost) for name in names), strict=True)]
        for names in (agents, others)
    )
    return average([here - there for here, there in zip(one, other, strict=True)])


def cells(results: Results) -> list[Cell]:
    """Return, for each agent, points and score given away per game, and the time of a move."""
    agents = ["random", *(f"{family}:{depth}" for family in FAMILIES for depth in depths_of(results))]
    table, games = [], f"{len(results)} games"
    for agent in agents:
        for column, lost in (("points given away a game", points_lost), ("score given away a game", score_lost)):
            found = given_away(results, agent, lost)
            table.append(Cell(agent, column, None, found.value, found.interval, basis=games))
        time_ms = move_ms(results, agent)
        basis = f"{time_ms.size} moves"
        table.append(Cell(agent, "milliseconds a move (median)", None, time_ms.value, time_ms.interval, 4, basis=basis))
    return table


def names_of(family: str, results: Results) -> list[str]:
    """Return a family's agents at all depths."""
    return [f"{family}:{depth}" for depth in depths_of(results)]


def notes(results: Results) -> list[str]:
    """Return the tables by depth and by time, and the differences to the agent with the lowest mean."""
    depths = depths_of(results)
    lost = {(f, d): given_away(results, f"{f}:{d}") for f in FAMILIES for d in depths}
    order = sorted(FAMILIES, key=lambda family: mean(lost[family, depth].value for depth in depths))
    rows = [[f, *(_short(lost[f, d]) for d in depths), f"{mean(lost[f, d].value for d in depths):.2f}"] for f in order]
    rivals = []
    for family in order[1:]:
        more = more_than(results, names_of(family, results), names_of(order[0], results))
        rivals.append([family, f"{more.value:+.2f}", f"{more.low:+.2f} to {more.high:+.2f}"])
    time_rows = []
    for budget in BUDGETS_MS:
        affordable = [agent for agent in lost if move_ms(results, f"{agent[0]}:{agent[1]}").value <= budget]
        ranked = sorted(affordable, key=lambda agent: lost[agent].value)[:3]
        time_rows.append([f"{budget:g}", *(f"{f}:{d} ({_short(lost[f, d])})" for f, d in ranked)])
    plies = [position["ply"] for _, result in results for position in result["positions"]]
    return [
        f"{len(results)} reference games, {len(plies)} positions from ply {min(plies)} on. Points: 1 for a win, 0.5"
        f" for a draw. Random play gives away {_short(given_away(results, 'random'))} points per game. Whole programs"
        " are compared (search, evaluation, move order and ties), not evaluations alone.",
        "Points given away per game at equal depth, with half the 95 % interval, in the order of the mean:\n\n"
        + markdown_table(rows, ["agent", *(f"depth {depth}" for depth in depths), "mean"]),
        f"More than {order[0]} over the same games, mean over all depths. Where the interval contains 0, the sample"
        " does not separate the two:\n\n" + markdown_table(rivals, ["agent", "points a game", "95 % interval"]),
        "At equal time, the three agents that give away the fewest points, among those whose median move time is"
        " within the limit:\n\n" + markdown_table(time_rows, ["ms", "lowest", "second", "third"]),
    ]


def _short(found: Estimate) -> str:
    return f"{found.value:.2f} ± {found.high - found.value:.2f}"


def draw(figure: Any, results: Results) -> None:
    """Draw points lost by depth, by time and by ply."""
    depths = depths_of(results)
    axes = figure.subplots(1, 3)
    for place, family in enumerate(FAMILIES):
        agents = names_of(family, results)
        lost = [given_away(results, agent) for agent in agents]
        style = {**POINTS[place], "markersize": 5, "linewidth": 1, "capsize": 2}
        values = [found.value for found in lost]
        beside = [depth + 0.07 * (place - len(FAMILIES) // 2) for depth in depths]  # else the intervals hide each other
        axes[0].errorbar(beside, values, error_bars(values, lost), **style, label=family)
        axes[1].errorbar([move_ms(results, agent).value for agent in agents], values, error_bars(values, lost), **style)
        plies, by_group = by_ply(results, agents[len(agents) // 2])
        values = [found.value for found in by_group]
        axes[2].errorbar(plies, values, error_bars(values, by_group), **style)
    axes[0].set(title="At equal depth", xlabel="search depth (plies)", ylabel="points given away per game")
    axes[1].set(title="At equal time", xlabel="median move time (ms, log scale)", xscale="log")
    axes[1].set(ylabel="points given away per game")
    axes[2].set(title=f"By ply, depth {depths[len(depths) // 2]}", xlabel="ply", ylabel="points given away per move")
    for plot in axes:
        plot.set_ylim(0, None)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)


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

"""The cost of the defects of van der Schee's published program: wrong values, more calls, strength by depth parity.

bot/lab/README.md#van-der-schee-evaluation and bot/lab/README.md#van-der-schee-search describe the defects.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.lab.arena.match import Record
from bot.lab.experiments.base import Cell, Experiment, Results, markdown_table
from bot.lab.experiments.defects_positions import BLOCK, DEPTHS, STACKED, tasks, work
from bot.lab.experiments.inference import Estimate, difference, ratio, share
from bot.lab.experiments.plots import BLUE, ORANGE, POINTS, cell_bars
from bot.lab.experiments.records import different, games_of


def blocks(results: Results, depth: int, key: str) -> list[float]:
    """Return a count of each block of positions."""
    return [result[key] for task, result in results if task["kind"] == "values" and task["depth"] == depth]


def positions_with(results: Results, depth: int, key: str) -> Estimate:
    """Return the share of positions with a wrong value, or with a worse column."""
    counts = blocks(results, depth, key)
    return share(sum(counts), BLOCK * len(counts))


def calls(results: Results, depth: int) -> Estimate:
    """Return the published program's calls for one call of a sound search."""
    return ratio(blocks(results, depth, "calls"), blocks(results, depth, "sound_calls"))


def match(results: Results, depths: Iterable[int]) -> Record:
    """Return the record of the published program against the intended one."""
    record = Record()
    for depth in depths:
        for game, played in games_of(results, kind="game", depth=depth):
            starts = game["first"] == f"vds:{depth}"
            record = record.plus(played["result"] if starts else 1 - played["result"])
    return record


def score(results: Results, depths: Iterable[int]) -> Estimate:
    """Return the points per game of the published program; the sample's size is the number of different games."""
    chosen = list(depths)
    record = match(results, chosen)
    size = sum(len(different(games_of(results, kind="game", depth=depth))) for depth in chosen)
    return share(record.points, record.games, size)


def by_parity(results: Results, odd: int) -> Estimate:
    """Return the score of the published program at odd (1) or even (0) depths."""
    return score(results, [depth for depth in DEPTHS if depth % 2 == odd])


def threats(results: Results) -> dict[str, Any]:
    """Return the scores of the position with stacked threats."""
    return next(result for task, result in results if task["kind"] == "threats")


def cells(results: Results) -> list[Cell]:
    """Return, for each depth, the shares of wrong values and of worse columns, the calls, and the match score."""
    table = []
    for depth in DEPTHS:
        row, games = f"depth {depth}", games_of(results, kind="game", depth=depth)
        found = [positions_with(results, depth, key) for key in ("wrong", "poor")]
        cost, points = calls(results, depth), score(results, [depth])
        basis = f"{found[0].size} positions"
        played = f"{points.size} different of {len(games)} games"
        table += [
            Cell(row, "share of wrong values", None, found[0].value, found[0].interval, 3, basis=basis),
            Cell(row, "share of worse columns", None, found[1].value, found[1].interval, 3, basis=basis),
            Cell(row, "calls for one of a sound search", None, cost.value, cost.interval, basis=basis),
            Cell(row, "score against the intended program", None, points.value, points.interval, basis=played),
        ]
    return table


def notes(results: Results) -> list[str]:
    """Return what a wrong value is, and the score by parity of the depth."""
    parity = [by_parity(results, odd) for odd in (0, 1)]
    gap, stacked = difference(*parity), threats(results)
    rows = [
        [name, f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"]
        for name, found in zip(("even", "odd"), parity, strict=True)
    ]
    return [
        "A value is wrong if plain minimax to the same depth, with the same leaf function, gives another one. The"
        " published search stores unproven bounds: in an empty window, a value equal to the bound neither causes a"
        " cutoff nor shows whether the true value is above or below it.",
        "The leaf value is that of the side to move at the leaf, at odd depths the opponent. Points per game against"
        " the intended program, by parity of the depth:\n\n"
        + markdown_table(rows, ["depths", "score (95 %)"])
        + f"\n\nEven less odd: {gap.value:+.2f} ({gap.low:+.2f} to {gap.high:+.2f}).",
        f"After the moves {STACKED} (columns 1 to 7) the first player, who has stacked threats, scores"
        f" {stacked['published']} as published and {stacked['intended']} as intended.",
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw wrong values and the match by depth."""
    left, right = figure.subplots(1, 2)
    table = cells(results)
    for place, column in enumerate(("share of wrong values", "share of worse columns")):
        values, errors = cell_bars(cell for cell in table if cell.column == column)
        left.errorbar(DEPTHS, values, errors, **POINTS[place], label=column)
    left.set(title="Against plain minimax", xlabel="search depth (plies)", ylabel="share of positions", ylim=(0, None))
    left.legend(loc="upper left")
    values, errors = cell_bars(cell for cell in table if cell.column == "score against the intended program")
    for odd, colour, hatch in ((1, ORANGE, "//"), (0, BLUE, "")):
        chosen = [place for place, depth in enumerate(DEPTHS) if depth % 2 == odd]
        right.bar(
            [DEPTHS[place] for place in chosen],
            [values[place] for place in chosen],
            yerr=[[side[place] for place in chosen] for side in errors],
            color=colour,
            edgecolor="black",
            hatch=hatch,
            capsize=3,
            label=f"{'odd' if odd else 'even'} depths, 95 % interval",
        )
    right.axhline(0.5, color="black", linestyle=":", label="equal strength")
    right.set(title="Published against intended program", xlabel="search depth (plies)", ylabel="points per game")
    right.set(ylim=(0, 0.8), xticks=DEPTHS)
    right.legend(loc="upper right")


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

"""Tommy 2017 beyond its two games a depth: the same programs from every position after four plies.

The paper's claims about the searches rest on one game each, from the empty board. Here the same two programs play from
openings that differ, so that the claims are tested on games that differ. The openings are the sample: games from the
same opening resemble each other, whatever the depth and whichever program moves first, and are averaged. A second
experiment counts the leaves of the two move orderings that the paper describes.
"""

from __future__ import annotations

from itertools import product
from statistics import mean
from typing import Any

from bot.game import Board
from bot.lab.experiments.base import Cell, Experiment, Results, Task
from bot.lab.experiments.inference import Estimate, average, ratio
from bot.lab.experiments.plots import POINTS, cell_bars
from bot.lab.experiments.records import different, games_of, play
from bot.lab.experiments.tommy import PUBLISHED, condition, sides

DEPTHS, QUICK_DEPTHS = (5, 6, 7, 8), (5, 6)
PLIES = 4
"""Plies of an opening: each side has made the same number of moves."""
QUICK_STEP = 50
"""A quick run plays every 50th opening."""
ORDERINGS = {"list": "the fixed list of columns", "weight": "the weight of the landing hole"}
ORDERING_DEPTH = 5


def all_openings() -> list[tuple[int, ...]]:
    """Return one order of moves for each position after `PLIES` plies, one of each two that mirror each other."""
    openings: dict[frozenset[tuple[int, int]], tuple[int, ...]] = {}
    for columns in product(range(7), repeat=PLIES):
        board = Board.from_moves(columns)
        either = frozenset((side.current, side.mask) for side in (board, board.mirror()))
        openings.setdefault(either, columns)
    return list(openings.values())


def tasks(quick: bool, _seed: int) -> list[Task]:
    """Return two games for every depth and opening: either program moves first (quick: fewer depths and openings)."""
    openings = all_openings()[:: QUICK_STEP if quick else 1]
    return [
        {"depth": depth, "first": first, "games": [condition(depth, first, opening)]}
        for depth in (QUICK_DEPTHS if quick else DEPTHS)
        for opening in openings
        for first in "XO"
    ]


def depths_of(results: Results) -> list[int]:
    """Return the depths that were played."""
    return sorted({task["depth"] for task, _ in results})


def by_opening(results: Results, depth: int) -> dict[str, list[dict[str, Any]]]:
    """Return the games of a depth by their opening, as `sides` describes them."""
    games: dict[str, list[dict[str, Any]]] = {}
    for game in sides(results, depth):
        games.setdefault(game["opening"], []).append(game)
    return games


def first_mover(results: Results, depth: int | None = None) -> Estimate:
    """Return the first mover's score at one depth or at all; the sample consists of the openings."""
    points: dict[str, list[float]] = {}
    for task, result in results:
        if depth in (None, task["depth"]):
            points.setdefault(task["games"][0].get("opening", ""), []).append(result["games"][0]["result"])
    return average([mean(games) for games in points.values()])


def leaf_ratio(results: Results, depth: int) -> Estimate:
    """Return O's leaves for each leaf of X, over the openings of a depth."""
    openings = by_opening(results, depth).values()
    leaves_o, leaves_x = ([sum(game[key] for game in games) for games in openings] for key in ("leaves_o", "leaves_x"))
    return ratio(leaves_o, leaves_x)


def _passes_by_opening(results: Results, depth: int) -> dict[str, float]:
    return {
        opening: mean(game["passes"] / len(game["seconds_o"]) for game in games)
        for opening, games in by_opening(results, depth).items()
    }


def passes(results: Results, depth: int) -> Estimate:
    """Return O's passes a move, over the openings of a depth."""
    return average(list(_passes_by_opening(results, depth).values()))


def more_passes(results: Results, depth: int, other: int) -> Estimate:
    """Return how many more passes a move O needs at ``depth`` than at ``other``, over the same openings."""
    here, there = _passes_by_opening(results, depth), _passes_by_opening(results, other)
    return average([count - there[opening] for opening, count in here.items()])


def same_moves(results: Results) -> tuple[int, int]:
    """Return in how many openings both programs play the same game, whichever moves first, and the number of all."""
    pairs: dict[tuple[int, str], set[str]] = {}
    for task, result in results:
        opening = task["games"][0].get("opening", "")
        pairs.setdefault((task["depth"], opening), set()).add(result["games"][0]["moves"])
    return sum(len(moves) == 1 for moves in pairs.values()), len(pairs)


def cells(results: Results) -> list[Cell]:
    """Return the leaves, passes and the first mover's score by depth."""
    table = []
    for depth in depths_of(results):
        games = games_of(results, depth=depth)
        basis = f"{len(by_opening(results, depth))} openings, {len(different(games))} different of {len(games)} games"
        row, fewer = f"depth {depth}", leaf_ratio(results, depth)
        starts, count = first_mover(results, depth), passes(results, depth)
        saved = (100 * (1 - fewer.high), 100 * (1 - fewer.low))
        table += [
            Cell(row, "O fewer leaves by (%)", None, 100 * (1 - fewer.value), saved, basis=basis),
            Cell(row, "passes a move", None, count.value, count.interval, basis=basis),
            Cell(row, "score of the first mover", None, starts.value, starts.interval, basis=basis),
        ]
    return table


def notes(results: Results) -> list[str]:
    """Return how often the programs play the same game, and what the sample is."""
    same, count = same_moves(results)
    return [
        f"The openings are all positions after {PLIES} plies, without mirror images. Intervals count"
        " openings, not games: games from the same opening resemble each other and are averaged.",
        f"From {same} of {count} openings and depths both programs play the same game, whichever moves first.",
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw the leaves saved and the first mover's score by depth."""
    table, depths = cells(results), depths_of(results)
    columns = (
        ("O fewer leaves by (%)", "MTD(f) saves leaves", "fewer leaves than alpha-beta (%)", (0, 100)),
        ("score of the first mover", "First mover", "points per game (1 win, 0.5 draw)", (0, 1)),
    )
    for axes, (column, title, unit, limits) in zip(figure.subplots(1, 2), columns, strict=True):
        values, errors = cell_bars(cell for cell in table if cell.column == column)
        axes.errorbar(depths, values, errors, **POINTS[0], label="all openings, 95 % interval")
        if limits[1] == 100:
            published = [PUBLISHED[depth][5] for depth in depths]
            axes.plot(depths, published, "--", marker="o", mfc="white", color="black", label="published, two games")
        else:
            axes.axhline(0.5, color="black", linestyle=":", label="no advantage")
        axes.set(title=title, xlabel="search depth (plies)", ylabel=unit, ylim=limits, xticks=depths)
        axes.legend(loc="lower right")


def ordering_tasks(_quick: bool, _seed: int) -> list[Task]:
    """Return one task for each of the two orderings."""
    return [{"ordering": ordering, "depth": ORDERING_DEPTH} for ordering in ORDERINGS]


def ordering_work(task: Task) -> dict[str, Any]:
    """Count X's leaves a game with one ordering."""
    from bot.lab.experiments.ordering import by_list, by_weight, mean_leaves

    return {"leaves": mean_leaves(task["depth"], by_list if task["ordering"] == "list" else by_weight)}


def ordering_cells(results: Results) -> list[Cell]:
    """Return the leaves of both orderings beside the published number."""
    published = float(PUBLISHED[ORDERING_DEPTH][3])
    return [
        Cell(ORDERINGS[task["ordering"]], "leaves X", published, result["leaves"], digits=0, basis="counted exactly")
        for task, result in results
    ]


def ordering_notes(_results: Results) -> list[str]:
    """Return what the paper says of the ordering."""
    return ["The text describes an ordering by the weight of the hole, the pseudo-code a fixed list of columns."]


def ordering_draw(figure: Any, results: Results) -> None:
    """Draw the leaves of both orderings beside the published number."""
    axes, table = figure.subplots(), ordering_cells(results)
    bars = axes.bar([cell.row for cell in table], [float(cell.measured or 0) for cell in table], 0.5, color="#56B4E9")
    axes.bar_label(bars, fmt="%.0f")
    axes.axhline(float(table[0].published or 0), color="black", linestyle="--", label="published")
    axes.set(title=f"X's leaves at depth {ORDERING_DEPTH}, by move ordering", ylabel="leaves per game", ylim=(0, 15000))
    axes.legend()


OPENINGS = Experiment(
    "tommy-openings",
    "Tommy 2017: the same programs from all openings of four plies",
    "Tommy, Hardjianto, Agani 2017, sections on the results; openings of this project",
    tasks,
    play,
    cells,
    notes,
    draw,
)
ORDERING = Experiment(
    "tommy-ordering",
    "Tommy 2017: the order in which holes are searched",
    "Tommy, Hardjianto, Agani 2017, text and pseudo-code",
    ordering_tasks,
    ordering_work,
    ordering_cells,
    ordering_notes,
    ordering_draw,
)

"""Tommy 2017 beyond its two games a depth: the same programs from all 49 openings of two plies.

The paper's claims about the searches rest on one game each, from the empty board. Here the same two programs play from
every opening of two plies, so that the claims are tested on games that differ. A second experiment counts the leaves of
the two move orderings that the paper describes.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from bot.lab.experiments.base import Cell, Experiment, Results, Task
from bot.lab.experiments.inference import Estimate, average, ratio, share
from bot.lab.experiments.plots import POINTS, cell_bars
from bot.lab.experiments.records import different, games_of, play
from bot.lab.experiments.tommy import PUBLISHED, condition, sides

DEPTHS, QUICK_DEPTHS = (5, 6, 7, 8), (5, 6)
ORDERINGS = {"list": "the fixed list of columns", "weight": "the weight of the landing hole"}
ORDERING_DEPTH = 5


def tasks(quick: bool, _seed: int) -> list[Task]:
    """Return two games for every depth and opening: either program moves first (quick: fewer depths and openings)."""
    openings = list(product(range(7), repeat=2))[:: 4 if quick else 1]
    return [
        {"depth": depth, "first": first, "games": [condition(depth, first, opening)]}
        for depth in (QUICK_DEPTHS if quick else DEPTHS)
        for opening in openings
        for first in "XO"
    ]


def depths_of(results: Results) -> list[int]:
    """Return the depths that were played."""
    return sorted({task["depth"] for task, _ in results})


def first_mover(results: Results, depth: int | None = None) -> Estimate:
    """Return the first mover's score; each sequence of moves at a depth counts once, whichever program moved first."""
    points = {}
    for task, result in results:
        if depth in (None, task["depth"]):
            points[task["depth"], result["games"][0]["moves"]] = result["games"][0]["result"]
    return share(sum(points.values()), len(points))


def leaf_ratio(results: Results, depth: int) -> Estimate:
    """Return O's leaves for each leaf of X, over all games of a depth."""
    games = sides(results, depth)
    return ratio([game["leaves_o"] for game in games], [game["leaves_x"] for game in games])


def passes(results: Results, depth: int) -> Estimate:
    """Return O's passes a move."""
    return average([game["passes"] / len(game["seconds_o"]) for game in sides(results, depth)])


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
        basis = f"{len(different(games))} different of {len(games)} games"
        row, fewer = f"depth {depth}", leaf_ratio(results, depth)
        starts, count = first_mover(results, depth), passes(results, depth)
        saved = (100 * (1 - fewer.high), 100 * (1 - fewer.low))
        table += [
            Cell(row, "O fewer leaves by (%)", None, 100 * (1 - fewer.value), saved, basis=basis),
            Cell(row, "passes a move", None, count.value, count.interval, basis=basis),
            Cell(row, "score of the first mover", None, starts.value, starts.interval, basis=f"{starts.size} games"),
        ]
    return table


def notes(results: Results) -> list[str]:
    """Return how often the programs play the same game."""
    same, count = same_moves(results)
    return [f"From {same} of {count} openings and depths both programs play the same game, whichever moves first."]


def draw(figure: Any, results: Results) -> None:
    """Draw the leaves saved and the first mover's score by depth."""
    table, depths = cells(results), depths_of(results)
    columns = (
        ("O fewer leaves by (%)", "MTD(f) saves leaves", "fewer leaves than alpha-beta (%)", (0, 100)),
        ("score of the first mover", "First mover", "points per game (1 win, 0.5 draw)", (0, 1)),
    )
    for axes, (column, title, unit, limits) in zip(figure.subplots(1, 2), columns, strict=True):
        values, errors = cell_bars(cell for cell in table if cell.column == column)
        axes.errorbar(depths, values, errors, **POINTS[0], label="49 openings, 95 % interval")
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
    "Tommy 2017: the same programs from 49 openings",
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

"""Kang 2019, Tables 6 to 9, and weak heuristics that search deeper: 100 games for each cell, also by starting player.

bot/lab/README.md#kang-experiments describes the experiments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from statistics import mean
from typing import Any

from bot.lab.arena.match import Record
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table
from bot.lab.experiments.inference import Estimate, share
from bot.lab.experiments.plots import MEASURED_BAR, PUBLISHED_BAR, cell_bars
from bot.lab.experiments.records import Game, different, games_of, pairing_json, play

GAMES = 100
GAMES_6 = 60
"""Games of each cell of Table 6, six times as many as the table's own."""
GAMES_DEPTH = 400
"""Games of each pair of unequal depths: the weak heuristics repeat many of their games."""
QUICK_GAMES = 4
BLOCK = 10
"""Games in one task."""
TIES = ("lowest", "highest", "centre", "random")
"""Which of equal columns is played; the paper's text describes the lowest."""
RANDOM = "random=3"
"""The paper's "random move = 3", counted in the agent's own moves."""

DEPTHS = (2, 4, 6, 8)
TABLE_6_WINS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0.5, 0.5), (0.5, 0.3), (0.9, 0.1), (0.8, 0.2)),
    4: ((0.2, 0.7), (0.5, 0.4), (0.6, 0.4), (0.7, 0.3)),
    6: ((0.1, 0.9), (0.4, 0.6), (0.5, 0.5), (0.5, 0.3)),
    8: ((0.0, 1.0), (0.3, 0.7), (0.2, 0.8), (0.4, 0.4)),
}
"""By the second player's depth, then the first's: shares of games won by the first and by the second."""
TABLE_7_WINS = {"1": 0.48, "2": 0.40, "3": 0.48, "4": 0.40}
TABLE_8_WINS = {"1+2": 0.54, "1+2+3": 0.60, "1+2+3+4": 0.80}
TABLE_9_WINS = {2: (0.24, 0.76), 4: (0.60, 0.39), 6: (0.76, 0.22), 8: (0.81, 0.19)}
TABLE_8_PLAN = ("3+4", "2+3+4")
"""Combinations that Table 5 announces, and whose results the paper does not print."""
DEPTH_PAIRS = {
    "F1 at depth 6, H2 at depth 2": ("1", 6, 2),
    "F1 at depth 8, H2 at depth 4": ("1", 8, 4),
    "F4 at depth 6, H2 at depth 2": ("4", 6, 2),
    "F4 at depth 8, H2 at depth 4": ("4", 8, 4),
}
"""Weak heuristics that search deeper: features of H1, its depth, and the depth of H2."""


def _games(cell: str, one: str, other: str, alternate: bool, quick: bool, seed: int, games: int = GAMES) -> list[Task]:
    """Return the tasks of one cell: blocks of games of ``one`` against ``other``, started in turn or all by ``one``."""
    size = QUICK_GAMES if quick else BLOCK
    return [
        {
            "cell": cell,
            "games": [
                _game(one, other, alternate and number % 2 == 1, f"{seed}/{cell}/{block}/{number}")
                for number in range(size)
            ],
        }
        for block in range(1 if quick else games // BLOCK)
    ]


def _game(one: str, other: str, swap: bool, seed: str) -> dict[str, Any]:
    return pairing_json(*((other, one) if swap else (one, other)), seed)


def _cell_games(results: Results, cell: str, part: str) -> list[Game]:
    """Return the games of a cell, or of its part "started" or "replied": those that its ``one`` starts or not."""
    games = games_of(results, cell=cell)
    one = games[0][0]["first"] if games else ""
    return [game for game in games if part in ("", "started" if game[0]["first"] == one else "replied")]


def record(results: Results, cell: str, part: str = "") -> Record:
    """Return the record of the cell's ``one`` over all games, or over the part "started" or "replied"."""
    total = Record()
    one = next((task["games"][0]["first"] for task, _ in results if task["cell"] == cell), "")
    for game, played in _cell_games(results, cell, part):
        total = total.plus(played["result"] if game["first"] == one else 1 - played["result"])
    return total


def sample_size(results: Results, cell: str, part: str = "") -> int:
    """Return the number of different games."""
    return len(different(_cell_games(results, cell, part)))


def basis(results: Results, cell: str, part: str = "") -> str:
    """Return how many games a cell has, and how many of them differ."""
    return f"{sample_size(results, cell, part)} different of {len(_cell_games(results, cell, part))} games"


def _wins(cell: str, names: tuple[str, str], published: float | None, results: Results, part: str = "") -> Cell:
    """Return the share that ``one`` wins, or loses if the column's name says that the other wins."""
    row, column = names
    games = record(results, cell, part)
    won = games.lost if column in ("second wins", "H2 wins") else games.won
    found = share(won, games.games, sample_size(results, cell, part))
    return Cell(row, column, published, found.value, found.interval, basis=basis(results, cell, part))


def table_6_tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games of all pairs of depths; the first H1 always starts."""
    tasks = []
    for second, first in product(DEPTHS, DEPTHS):
        names = (f"kang-h1:{first},{RANDOM}", f"kang-h1:{second},{RANDOM}")
        tasks += _games(f"{first}-{second}", *names, False, quick, seed, GAMES_6)
    return tasks


def table_6_cells(results: Results) -> list[Cell]:
    """Return two shares for each pair of depths."""
    cells = []
    for second, first in product(DEPTHS, DEPTHS):
        published = TABLE_6_WINS[second][DEPTHS.index(first)]
        row, cell = f"first depth {first}, second depth {second}", f"{first}-{second}"
        cells.append(_wins(cell, (row, "first wins"), published[0], results))
        cells.append(_wins(cell, (row, "second wins"), published[1], results))
    return cells


def table_6_notes(results: Results) -> list[str]:
    """Return the table in the paper's form."""
    rows = []
    for second in DEPTHS:
        records = [record(results, f"{first}-{second}") for first in DEPTHS]
        shares = [f"{games.won / games.games:.2f}, {games.lost / games.games:.2f}" for games in records]
        rows.append([second, *shares])
    here = deeper(results)
    return [
        markdown_table(rows, ["second \\ first", *DEPTHS]),
        f"The deeper search scores {here.value:.2f} points per game ({here.low:.2f} to {here.high:.2f}; published:"
        f" {published_deeper():.2f}). The first H1 always starts, so the two halves of the table show the results by"
        " starting player.",
    ]


def deeper(results: Results) -> Estimate:
    """Return the score of the deeper search over all games of unequal depths."""
    points = games = size = 0.0
    for first, second in product(DEPTHS, DEPTHS):
        if first != second:
            found = record(results, f"{first}-{second}")
            points += found.points if first > second else found.games - found.points
            games += found.games
            size += sample_size(results, f"{first}-{second}")
    return share(points, int(games), int(size))


def published_deeper(table: dict[int, tuple[tuple[float, float], ...]] = TABLE_6_WINS) -> float:
    """Return the same score in a published table."""
    points = []
    for first, second in product(DEPTHS, DEPTHS):
        won, lost = table[second][DEPTHS.index(first)]
        if first != second:
            score = won + (1 - won - lost) / 2
            points.append(score if first > second else 1 - score)
    return mean(points)


def _against_h2(features: str, depth: int, other_depth: int | None = None) -> tuple[str, str]:
    return f"kang-h1:{depth},features={features},{RANDOM}", f"kang-h2:{other_depth or depth},{RANDOM}"


def cell_name(part: str, ties: str) -> str:
    """Return the name of a cell of Table 7 or 8: H1's features, and which of equal columns is played."""
    return f"F{part}" if ties == TIES[0] else f"F{part}, ties {ties}"


def parts_of(results: Results) -> list[str]:
    """Return the subsets of features that were played."""
    return [name[1:] for name in dict.fromkeys(task["cell"] for task, _ in results) if "," not in name]


def subset_tasks(subsets: Sequence[str], quick: bool, seed: int) -> list[Task]:
    """Return the games of subsets of features against H2 at depth 4, for every order of ties."""
    tasks = []
    for ties, part in product(TIES, subsets):
        names = [f"{name},ties={ties}" if ties != TIES[0] else name for name in _against_h2(part, 4)]
        tasks += _games(cell_name(part, ties), names[0], names[1], True, quick, seed)
    return tasks


def subset_cells(subsets: Sequence[str], wins: dict[str, float], results: Results) -> list[Cell]:
    """Return H1's share of wins, in total and by starting player."""
    return [
        cell
        for ties, part in product(TIES, subsets)
        for cell in _split(results, cell_name(part, ties), (wins.get(part), None))
    ]


def _split(results: Results, cell: str, published: tuple[float | None, float | None]) -> list[Cell]:
    cells = [
        _wins(cell, (cell, "H1 wins"), published[0], results),
        _wins(cell, (cell, "H2 wins"), published[1], results),
    ]
    for part, words in (("started", "H1 wins when it starts"), ("replied", "H1 wins when it replies")):
        cells.append(_wins(cell, (cell, words), None, results, part))
    return cells


def table_9_tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games of H1 against H2 at equal depth."""
    return [
        task for depth in DEPTHS for task in _games(f"depth {depth}", *_against_h2("1+2+3+4", depth), True, quick, seed)
    ]


def table_9_cells(results: Results) -> list[Cell]:
    """Return the shares of both, and H1's by starting player."""
    return [cell for depth, shares in TABLE_9_WINS.items() for cell in _split(results, f"depth {depth}", shares)]


def table_9_notes(_results: Results) -> list[str]:
    """Return what the paper leaves open."""
    return [
        "The paper states neither who starts nor which of equal columns is played. Here the sides start in turn and the"
        " lowest column is played; `bot experiment run readings-kang` plays all other readings."
    ]


def depth_tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games of weak heuristics that search deeper than H2."""
    return [
        task
        for cell, (features, depth, other) in DEPTH_PAIRS.items()
        for task in _games(cell, *_against_h2(features, depth, other), True, quick, seed, GAMES_DEPTH)
    ]


def depth_cells(results: Results) -> list[Cell]:
    """Return the shares of both, and H1's by starting player."""
    return [cell for name in DEPTH_PAIRS for cell in _split(results, name, (None, None))]


def depth_notes(_results: Results) -> list[str]:
    """Return what the paper says about it."""
    return [
        "The paper says that a weaker heuristic with more depth can beat a stronger one, and has no table for it. Each"
        " single feature here loses to Heuristic-2 at equal depth (Table 7)."
    ]


def subset_notes(_results: Results) -> list[str]:
    """Return what the paper leaves open."""
    return [
        "The paper states neither who starts nor how many rounds were played, and its text leaves open which of equal"
        " columns is played; here the sides start in turn, and every order of ties is played. The intervals follow from"
        " the number of different games; the plot shows the lowest of equal columns. Feature 1 is part of the search: a"
        " finished game is always recognised."
    ]


def draw_bars(
    figure: Any, results: Results, *, cells: Callable[[Results], list[Cell]], column: str, title: str
) -> None:
    """Draw published and measured shares side by side."""
    chosen = [cell for cell in cells(results) if cell.column == column and ", ties" not in cell.row]
    axes = figure.subplots()
    places = list(range(len(chosen)))
    measured, errors = cell_bars(chosen)
    printed = [(place, float(cell.published)) for place, cell in enumerate(chosen) if cell.published is not None]
    if printed:
        axes.bar([place - 0.2 for place, _ in printed], [value for _, value in printed], 0.4, **PUBLISHED_BAR)
    label = "rebuilt, with 95 % interval"
    axes.bar([place + 0.2 for place in places], measured, 0.4, yerr=errors, label=label, **MEASURED_BAR)
    slanted = {"rotation": 40, "ha": "right"} if len(chosen) > 5 else {}
    axes.set_xticks(places, [_short(cell.row) for cell in chosen], **slanted)
    axes.set(title=title, ylabel=f"share of games: {column}", ylim=(0, 1))
    axes.legend(loc="upper left", ncols=2)


def _short(row: str) -> str:
    """Return a row's name as the axis has room for."""
    return row.replace("first depth ", "").replace(" second depth ", " ").replace(", H2 at", ",\nH2 at")


def _experiment(name: str, title: str, table: str, column: str, *parts: Any) -> Experiment:
    tasks, cells, notes = parts
    draw = partial(draw_bars, cells=cells, column=column, title=title)
    return Experiment(name, f"Kang 2019, {title}", f"Kang, Wang, Hu 2019, {table}", tasks, play, cells, notes, draw)


def _subsets(number: int, title: str, wins: dict[str, float], unprinted: Sequence[str] = ()) -> Experiment:
    subsets = (*wins, *unprinted)
    tasks, cells = partial(subset_tasks, subsets), partial(subset_cells, subsets, wins)
    table = f"Table {number}"
    return _experiment(f"kang-table{number}", f"{table}: {title}", table, "H1 wins", tasks, cells, subset_notes)


TABLE_6 = _experiment(
    "kang-table6",
    "Table 6: Heuristic-1 against itself at depths 2 to 8",
    "Table 6",
    "first wins",
    table_6_tasks,
    table_6_cells,
    table_6_notes,
)
TABLE_7 = _subsets(7, "one feature against Heuristic-2 at depth 4", TABLE_7_WINS)
TABLE_8 = _subsets(8, "several features against Heuristic-2 at depth 4", TABLE_8_WINS, TABLE_8_PLAN)
TABLE_9 = _experiment(
    "kang-table9",
    "Table 9: Heuristic-1 against Heuristic-2",
    "Table 9",
    "H1 wins",
    table_9_tasks,
    table_9_cells,
    table_9_notes,
)
DEPTH = _experiment(
    "kang-depth",
    "weak heuristics that search deeper than Heuristic-2",
    "conclusions",
    "H1 wins",
    depth_tasks,
    depth_cells,
    depth_notes,
)

"""Halim, the 8 x 8 table: the system, which always starts, against the web AI of rmarcus.info.

bot/lab/README.md#halim-experiment describes the experiment.
"""

from __future__ import annotations

from statistics import mean
from typing import Any

from bot.game import Board
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table
from bot.lab.experiments.plots import BLUE, RED
from bot.lab.experiments.records import pairing_json, play

DEPTHS = range(1, 9)
PUBLISHED = {
    1: "W7 W7 W7 W7 W7 W7 W7 W7",
    2: "D42 L28 L40 L40 L38 W17 W7 W7",
    3: "L14 L38 L30 L22 L30 W39 W7 W7",
    4: "L22 L34 D42 W35 W33 W37 W35 D42",
    5: "L30 W35 L42 W33 W35 W37 W39 W19",
    6: "L26 D42 L42 L40 W31 W31 W27 W29",
    7: "L32 L30 L36 L34 L34 W31 D42 W35",
    8: "L22 W35 L42 W33 W35 W31 W33 W31",
}
"""By the opponent's depth, then the system's: W, D or L from the system's view, and the number of plies."""
Table = dict[tuple[int, int], str]
"""Results such as W7, by the opponent's depth and the system's."""
PUBLISHED_TOTALS = {"W": 36, "L": 23, "D": 5}
PUBLISHED_WIN_MEAN = 23.89
"""Mean plies of a win, as printed in the paper's text."""
PUBLISHED_LOSS_MEAN = 32.30
"""Mean plies of a loss, as printed in the paper's text."""
RECOMMENDED = ""
DEFENSIVE, MOVES_SECOND = "defend=1", "moves second"
VARIANTS = (DEFENSIVE, MOVES_SECOND)
"""The recommended reading with a2 < a3, and with the web AI moving first. `readings` plays all other readings."""
QUICK_DEPTH = 4
"""Largest depth of the variants in a quick run."""
SAMPLES = 5
"""Runs with random ties; the paper's table may be one such run."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return the 64 games; unless quick, also with random ties."""
    options = [RECOMMENDED, *VARIANTS] + ([] if quick else [f"ties=random#{sample}" for sample in range(SAMPLES)])
    deepest = QUICK_DEPTH if quick else DEPTHS[-1]
    return [
        {"option": option, "opponent": opponent, "system": system, "games": [_game(option, opponent, system, seed)]}
        for option in options
        for opponent in DEPTHS
        for system in DEPTHS
        if option == RECOMMENDED or max(opponent, system) <= deepest
    ]


def _game(option: str, opponent: int, system: int, seed: int) -> dict[str, Any]:
    """Return one game; in the option, "#" separates the number of a random sample."""
    options = "" if option == MOVES_SECOND else option.partition("#")[0]
    names = [f"halim:{system}" + (f",{options}" if options else ""), f"rmarcus:{opponent}"]
    if option == MOVES_SECOND:
        names.reverse()
    return pairing_json(names[0], names[1], f"{seed}/{option}/{opponent}/{system}")


def table(results: Results, option: str = RECOMMENDED) -> Table:
    """Return the games by (opponent's depth, system's depth)."""
    return {
        (task["opponent"], task["system"]): outcome(result["games"][0]["moves"], second=option == MOVES_SECOND)
        for task, result in results
        if task["option"] == option
    }


def outcome(moves: str, second: bool = False) -> str:
    """Return the result in the paper's form, W, L or D for the system, which moves first or ``second``, and plies."""
    board = Board.from_moves(map(int, moves))
    if not board.has_winner:
        return f"D{board.ply}"
    return ("W" if board.ply % 2 != second else "L") + str(board.ply)


def published() -> Table:
    """Return the paper's table in the same form."""
    return {(row, column): game for row in DEPTHS for column, game in enumerate(PUBLISHED[row].split(), start=1)}


def totals(games: Table) -> dict[str, float]:
    """Return wins, losses and draws, the mean plies of wins and losses, and wins by the system's depth."""
    plies = {kind: [int(game[1:]) for game in games.values() if game[0] == kind] for kind in "WLD"}
    counts: dict[str, float] = {
        "wins": len(plies["W"]),
        "losses": len(plies["L"]),
        "draws": len(plies["D"]),
        "mean plies of a win": mean(plies["W"] or [0]),
        "mean plies of a loss": mean(plies["L"] or [0]),
    }
    for depth in DEPTHS:
        counts[f"wins at depth {depth}"] = sum(game[0] == "W" for (_, own), game in games.items() if own == depth)
    return counts


def cells(results: Results) -> list[Cell]:
    """Return the 64 games, then the totals."""
    ours, theirs = table(results), published()
    games = [
        Cell(
            f"opponent depth {row}", f"system depth {column}", theirs[row, column], ours[row, column], basis="one game"
        )
        for row in DEPTHS
        for column in DEPTHS
    ]
    ours_total, theirs_total = totals(ours), totals(theirs)
    return games + [
        Cell("all games", key, theirs_total[key], ours_total[key], digits=2 if "mean" in key else 0)
        for key in theirs_total
    ]


def notes(results: Results) -> list[str]:
    """Return how many cells agree, and the totals of the variants."""
    options = list(dict.fromkeys(task["option"] for task, _ in results))
    rows = [_summary_row("published", published())]
    rows += [_summary_row(option or "recommended reading", table(results, option)) for option in options]
    header = ["system", "games", "W / L / D", "mean win", "mean loss", "losses at depth 6 to 8"]
    return [
        f"Of 64 cells, {equal_cells(table(results))} are equal in result and length, {equal_winners(table(results))} in"
        " result. Play is deterministic, so these are counts, not samples. The paper does not define its evaluation"
        " exactly; `bot experiment run readings-halim` plays every reading of it.",
        markdown_table(rows, [*header, "cells equal", "results equal"]),
    ]


def equal_cells(games: Table) -> int:
    """Return the number of cells with the published result and length."""
    return sum(published()[place] == game for place, game in games.items())


def equal_winners(games: Table) -> int:
    """Return the number of cells with the published result."""
    return sum(published()[place][0] == game[0] for place, game in games.items())


def _summary_row(label: str, games: Table) -> list[object]:
    total = totals(games)
    deep_losses = sum(game[0] == "L" for (_, own), game in games.items() if own >= 6)
    return [
        label,
        len(games),
        f"{total['wins']:.0f} / {total['losses']:.0f} / {total['draws']:.0f}",
        f"{total['mean plies of a win']:.2f}",
        f"{total['mean plies of a loss']:.2f}",
        deep_losses,
        equal_cells(games),
        equal_winners(games),
    ]


FACES = {"W": "#56B4E9", "D": "#FFFFFF", "L": "#E69F00"}
"""Light colours under black text, which colour-blind readers can tell apart; the letter repeats them."""


def draw(figure: Any, results: Results) -> None:
    """Draw both tables, and wins by the system's depth."""
    from matplotlib.patches import Patch

    axes = figure.subplots(1, 3, width_ratios=(3, 3, 2))
    ours, theirs = table(results), published()
    draw_table(axes[0], theirs, "Published")
    draw_table(axes[1], ours, "Rebuilt, recommended reading")
    words = {"W": "system wins", "D": "draw", "L": "system loses"}
    patches = [Patch(facecolor=FACES[key], edgecolor="black", label=word) for key, word in words.items()]
    figure.legend(handles=patches, loc="outside lower center", ncols=3)
    for games, label, style, colour in ((theirs, "published", "o--", BLUE), (ours, "rebuilt", "s-", RED)):
        wins = [totals(games)[f"wins at depth {depth}"] for depth in DEPTHS]
        axes[2].plot(DEPTHS, wins, style, color=colour, label=label, mfc="white" if label == "published" else colour)
    axes[2].set(
        title="Wins of 8 games", xlabel="system's depth (plies)", ylabel="wins", xticks=DEPTHS, ylim=(-0.4, 8.4)
    )
    axes[2].legend(loc="lower right")


def draw_table(axes: Any, games: Table, title: str) -> None:
    """Draw a table of results: letter and plies in each cell."""
    from matplotlib.patches import Rectangle

    for (opponent, system), game in games.items():
        corner = (system - 0.5, opponent - 0.5)
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=FACES[game[0]], edgecolor="black", linewidth=0.5))
        axes.text(system, opponent, game, ha="center", va="center", fontsize=10)
    axes.grid(False)
    axes.set(title=title, xlabel="system's depth (plies)", ylabel="opponent's depth (plies)")
    axes.set(xticks=DEPTHS, yticks=DEPTHS, xlim=(0.5, 8.5), ylim=(8.5, 0.5))


TABLE_1 = Experiment(
    "halim-table1",
    "Halim: the system against the web AI, depths 1 to 8",
    "Halim, Judianto, Lukas, Widjaja, Table 1",
    tasks,
    play,
    cells,
    notes,
    draw,
)

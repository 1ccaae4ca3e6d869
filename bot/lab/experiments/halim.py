"""Halim, the 8 x 8 table: the system, which always starts, against the web AI of rmarcus.info.

bot/lab/README.md#halim-experiment describes the experiment.
"""

from __future__ import annotations

from statistics import mean
from typing import Any

from bot.lab.arena.games import Pairing, play_pairing
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table

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
PUBLISHED_LOSS_MEAN = 32.30
"""Mean plies of a loss, as printed in the paper's text."""
READINGS = ("", "touched=1", "difference=1", "literal=1,touched=1", "pairs=1", "pairs=1,touched=1")
"""Options of the agent: the recommended reading first, then the alternatives."""
SAMPLES = 10
"""Runs with random ties; the paper's table may be one such run."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return the 64 games; unless quick, also with the other readings and ten times with random ties."""
    options = [""] if quick else [*READINGS, *(f"ties=random#{sample}" for sample in range(SAMPLES))]
    return [
        {"option": option, "opponent": opponent, "system": system, "seed": seed}
        for option in options
        for opponent in DEPTHS
        for system in DEPTHS
    ]


def work(task: Task) -> dict[str, Any]:
    """Play one game; in the option, "#" separates the number of a random sample."""
    option = task["option"].partition("#")[0]
    name = f"halim:{task['system']}" + (f",{option}" if option else "")
    seed = f"{task['seed']}/{task['option']}/{task['opponent']}/{task['system']}"
    played = play_pairing(Pairing(name, f"rmarcus:{task['opponent']}", seed))
    return {"game": {1.0: "W", 0.5: "D", 0.0: "L"}[played.result] + str(len(played.moves))}


def table(results: Results, option: str = "") -> dict[tuple[int, int], str]:
    """Return the games by (opponent's depth, system's depth)."""
    return {(t["opponent"], t["system"]): r["game"] for t, r in results if t["option"] == option}


def published() -> dict[tuple[int, int], str]:
    """Return the paper's table in the same form."""
    return {(row, column): game for row in DEPTHS for column, game in enumerate(PUBLISHED[row].split(), start=1)}


def totals(games: dict[tuple[int, int], str]) -> dict[str, float]:
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
        Cell(f"opponent depth {row}", f"system depth {column}", theirs[row, column], ours[row, column])
        for row in DEPTHS
        for column in DEPTHS
    ]
    ours_total, theirs_total = totals(ours), totals(theirs)
    return games + [
        Cell("all games", key, theirs_total[key], ours_total[key], digits=2 if "mean" in key else 0)
        for key in theirs_total
    ]


def notes(results: Results) -> list[str]:
    """Return how many cells agree, and the totals of the other readings."""
    options = list(dict.fromkeys(task["option"] for task, _ in results))
    rows = [_summary_row("published", published())]
    rows += [_summary_row(option or "recommended reading", table(results, option)) for option in options]
    exact, outcome = rows[1][-2:]
    header = [
        "reading",
        "W / L / D",
        "mean win",
        "mean loss",
        "losses at depth 6 to 8",
        "cells equal",
        "outcomes equal",
    ]
    return [
        f"**Of 64 cells, {exact} are equal in result and length, {outcome} in result.** The paper does not define its"
        " evaluation exactly, so the totals and their trend are compared as well.",
        markdown_table(rows, header),
    ]


def _summary_row(label: str, games: dict[tuple[int, int], str]) -> list[object]:
    total, theirs = totals(games), published()
    deep_losses = sum(game[0] == "L" for (_, own), game in games.items() if own >= 6)
    return [
        label,
        f"{total['wins']:.0f} / {total['losses']:.0f} / {total['draws']:.0f}",
        f"{total['mean plies of a win']:.2f}",
        f"{total['mean plies of a loss']:.2f}",
        deep_losses,
        sum(games[place] == theirs[place] for place in theirs),
        sum(games[place][0] == theirs[place][0] for place in theirs),
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw wins by the system's depth, and both tables in colours."""
    axes = figure.subplots(1, 3, width_ratios=(2, 1.6, 1.6))
    ours, theirs = table(results), published()
    for games, label, style in ((theirs, "published", "o--"), (ours, "measured", "x-")):
        axes[0].plot(DEPTHS, [totals(games)[f"wins at depth {depth}"] for depth in DEPTHS], style, label=label)
    axes[0].set(title="wins of 8", xlabel="system's depth")
    axes[0].legend()
    points = {"W": 1.0, "D": 0.5, "L": 0.0}
    for place, games, title in ((axes[1], theirs, "published"), (axes[2], ours, "measured")):
        place.imshow([[points[games[r, c][0]] for c in DEPTHS] for r in DEPTHS], cmap="RdYlGn", vmin=0, vmax=1)
        for row in DEPTHS:
            for column in DEPTHS:
                place.text(column - 1, row - 1, games[row, column], ha="center", va="center", fontsize=6)
        place.set(title=title, xlabel="system's depth", ylabel="opponent's depth")
        place.set(xticks=range(8), xticklabels=DEPTHS, yticks=range(8), yticklabels=DEPTHS)


TABLE_1 = Experiment(
    "halim-table1",
    "Halim: the system against the web AI, depths 1 to 8",
    "Halim, Judianto, Lukas, Widjaja, Table 1",
    tasks,
    work,
    cells,
    notes,
    draw,
)

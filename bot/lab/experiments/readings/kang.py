"""Kang, Table 9: every reading of what the text leaves open, scored against the published rows, with a row held out.

All readings play the rows of depths 2, 4 and 6. The programs that come closest play depth 8, which has no part in the
choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean
from typing import Any

from bot.lab.arena.match import Record
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table
from bot.lab.experiments.inference import Estimate, difference, share
from bot.lab.experiments.kang import TABLE_9_WINS
from bot.lab.experiments.plots import POINTS, error_bars
from bot.lab.experiments.readings.kang_games import (
    FINAL_GAMES,
    FINALISTS,
    HELD_OUT_DEPTH,
    OPEN_CHOICES,
    QUICK_FINALISTS,
    TRAINING_DEPTHS,
    blocks,
    tasks,
)
from bot.lab.experiments.records import Game, different, play

IN_TURN = "in turn"
ROUNDS = 100
"""Rounds of each published row, as Table 5 announces."""
SHOWN = 8


@dataclass(frozen=True)
class Played:
    """A reading of the programs and of who starts, and the record of H1 by depth."""

    program: tuple[str, ...]
    starter: str
    records: dict[int, Record]
    sizes: dict[int, int]
    """Different games by depth."""

    @property
    def name(self) -> str:
        return f"{', '.join(f'{key} {value}' for key, value in zip(OPEN_CHOICES, self.program, strict=True))}"

    def wins(self, depth: int) -> Estimate:
        """Return the share of games that H1 wins."""
        return share(self.records[depth].won, self.records[depth].games, self.sizes[depth])

    def score(self, depth: int) -> Estimate:
        """Return the points of H1 per game."""
        return share(self.records[depth].points, self.records[depth].games, self.sizes[depth])

    @property
    def error(self) -> float:
        """Mean distance of both sides' shares from the published ones, over the training rows that were played."""
        rows = [depth for depth in TRAINING_DEPTHS if depth in self.records]
        return mean(distance(self.records[depth], depth) for depth in rows)


def distance(record: Record, depth: int) -> float:
    """Return the mean distance of both sides' shares of wins from those of a published row."""
    shares = record.won / record.games, record.lost / record.games
    return mean(abs(here - there) for here, there in zip(shares, TABLE_9_WINS[depth], strict=True))


def fits(reading: Played, depth: int) -> bool:
    """Return whether a published share, as that of 100 rounds, can be that of this reading: 95 % interval of both."""
    there = share(ROUNDS * TABLE_9_WINS[depth][0], ROUNDS)
    gap = difference(reading.wins(depth), there)
    return gap.low <= 0 <= gap.high


def played(results: Results) -> list[Played]:
    """Return all readings, the closest to the training rows first."""
    games: dict[tuple[tuple[str, ...], str], dict[int, list[Game]]] = {}
    for task, result in results:
        program = tuple(task["program"].values())
        for starter in (task["starter"], IN_TURN):
            by_depth = games.setdefault((program, starter), {})
            by_depth.setdefault(task["depth"], []).extend(zip(task["games"], result["games"], strict=True))
    found = [
        Played(
            *key,
            {depth: _record(each) for depth, each in by_depth.items()},
            {depth: len(different(each)) for depth, each in by_depth.items()},
        )
        for key, by_depth in games.items()
    ]
    return sorted(found, key=lambda reading: reading.error)


def _record(games: list[Game]) -> Record:
    total = Record()
    for pairing, game in games:
        total = total.plus(game["result"] if pairing["first"].startswith("kang-h1") else 1 - game["result"])
    return total


def more(results: Results, quick: bool, seed: int) -> list[Task]:
    """Return the games of the held-out row, for the programs of the closest readings."""
    programs = list(dict.fromkeys(reading.program for reading in played(results)))
    chosen = programs[: QUICK_FINALISTS if quick else FINALISTS]
    return [
        task
        for program in chosen
        for task in blocks(dict(zip(OPEN_CHOICES, program, strict=True)), HELD_OUT_DEPTH, FINAL_GAMES, seed)
    ]


def depths_of(results: Results) -> list[int]:
    """Return the depths that were played."""
    return sorted({task["depth"] for task, _ in results})


def cells(results: Results) -> list[Cell]:
    """Return, for each row, the best reading's shares, and the range over all readings."""
    ranked = played(results)
    table = []
    for depth in depths_of(results):
        there = [reading for reading in ranked if depth in reading.records]
        best, (won, lost) = there[0], TABLE_9_WINS[depth]
        shares = [reading.wins(depth).value for reading in there]
        basis = f"{best.sizes[depth]} different of {best.records[depth].games} games"
        other = share(best.records[depth].lost, best.records[depth].games, best.sizes[depth])
        part = "held out" if depth == HELD_OUT_DEPTH else "training"
        row = f"depth {depth} ({part})"
        table += [
            Cell(row, "best reading: H1 wins", won, best.wins(depth).value, best.wins(depth).interval, basis=basis),
            Cell(row, "best reading: H2 wins", lost, other.value, other.interval, basis=basis),
            Cell(row, "lowest of all readings", won, min(shares), basis=f"{len(there)} readings"),
            Cell(row, "highest of all readings", won, max(shares), basis=f"{len(there)} readings"),
        ]
    return table


def notes(results: Results) -> list[str]:
    """Return the closest readings, the range over all, and what no reading reproduces."""
    ranked, depths = played(results), depths_of(results)
    rows = [_row(reading, depths) for reading in (*ranked[:SHOWN], ranked[-1])]
    published = ["published", "-", *(f"{TABLE_9_WINS[depth][0]:.2f}" for depth in depths), "-", "-"]
    header = ["reading", "who starts", *(f"H1 wins, depth {depth}" for depth in depths), "distance", "rows that fit"]
    lines = []
    for depth in depths:
        there = [reading for reading in ranked if depth in reading.records]
        shares = [reading.wins(depth).value for reading in there]
        fitting = sum(fits(reading, depth) for reading in there)
        lines.append(
            [
                depth,
                f"{TABLE_9_WINS[depth][0]:.2f}",
                f"{min(shares):.2f} to {max(shares):.2f}",
                f"{fitting} of {len(there)}",
            ]
        )
    training = [depth for depth in depths if depth != HELD_OUT_DEPTH]
    all_rows = sum(all(fits(reading, depth) for depth in training) for reading in ranked)
    return [
        f"{len(ranked)} readings: {len(ranked) // 3} of the programs, each with H1 starting, H2 starting and both in"
        " turn. The distance is the mean difference from the published shares at depths"
        f" {', '.join(map(str, training))}; depth {HELD_OUT_DEPTH} has no part in the"
        " choice. The closest readings, and the farthest:\n\n" + markdown_table([published, *rows], header),
        "By row; a reading fits where the 95 % interval of the difference to the published share, taken as that of"
        f" {ROUNDS} rounds, contains 0:\n\n"
        + markdown_table(lines, ["depth", "published: H1 wins", "range over readings", "readings that fit"]),
        f"Readings that fit all rows of the training part: {all_rows} of {len(ranked)}.",
    ]


def _row(reading: Played, depths: list[int]) -> list[object]:
    shares = [f"{reading.wins(depth).value:.2f}" if depth in reading.records else "-" for depth in depths]
    known = [depth for depth in depths if depth in reading.records]
    fitting = sum(fits(reading, depth) for depth in known)
    return [reading.name, reading.starter, *shares, f"{reading.error:.3f}", f"{fitting} of {len(known)}"]


def draw(figure: Any, results: Results) -> None:
    """Draw H1's share by depth: published, the closest reading, and the range over all."""
    ranked, depths = played(results), depths_of(results)
    axes = figure.subplots()
    there = {depth: [reading.wins(depth).value for reading in ranked if depth in reading.records] for depth in depths}
    low, high = [min(there[depth]) for depth in depths], [max(there[depth]) for depth in depths]
    axes.fill_between(depths, low, high, color="#DDDDDD", label="range over all readings played")
    axes.plot(depths, [TABLE_9_WINS[depth][0] for depth in depths], "--", marker="o", color="black", label="published")
    best = next((reading for reading in ranked if set(depths) <= reading.records.keys()), ranked[0])
    known = [depth for depth in depths if depth in best.records]
    found = [best.wins(depth) for depth in known]
    values = [estimate.value for estimate in found]
    label = f"closest reading ({best.name}; {best.starter}), 95 % interval"
    axes.errorbar(known, values, error_bars(values, found), **POINTS[1], label=label)
    axes.set(title="Table 9: Heuristic-1 against Heuristic-2", xlabel="search depth of both (plies)")
    axes.set(ylabel="share of games that H1 wins", ylim=(0, 1.25), xticks=depths, yticks=[0, 0.25, 0.5, 0.75, 1])
    axes.legend(loc="upper left")


EXPERIMENT = Experiment(
    "readings-kang",
    "Kang 2019, Table 9: all readings of what the text leaves open",
    "Kang, Wang, Hu 2019, Table 9",
    tasks,
    play,
    cells,
    notes,
    draw,
    more,
)

"""Halim et al.: minimax to depth 8 (the *system*, S) against the web program of rmarcus.info (its *opponent*, O).

The programs: bot/agents/papers/halim.py and rmarcus.py; what the paper leaves open: bot/agents/papers/halim.md. The
paper is Indonesian; all quotations are our translations. It names the terms of its evaluation in words only, so every
*reading* of them is played. Games are without chance, except those with random ties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import comb
from random import Random
from typing import Any

import numpy as np

from bot.agents.kernels.windows import DIRECTIONS
from bot.agents.papers.halim import ENDS, VIEWS
from bot.game import Board
from bot.game.board import bits
from bot.lab.arena.tasks import PlannedGame, PlannedQuestion
from bot.lab.exact import keeps_outcome
from bot.lab.positions import judged_positions
from bot.lab.replication.findings import Finding, above, certain, readings_above
from bot.lab.replication.statistics import exact, mean
from bot.lab.replication.study import Rows, Study
from bot.lab.replication.tables import ComparedTable, printed

study = Study(
    __name__,
    "Halim et al.",
    "A. M. Halim, F. Judianto, S. Lukas, P. Widjaja: Pemodelan dan pengimplementasian permainan Connect Four."
    " Universitas Pelita Harapan.",
    "No. The paper names the four terms of its evaluation in words only, and states neither the time limit of its games"
    " nor how the program chose among equal columns. All readings of the terms that we see"
    " are played and judged together; what we noticed says whether the table can choose among them.",
)

PRINTED = printed("""
opponent 1   2   3   4   5   6   7   8
1        W7  W7  W7  W7  W7  W7  W7  W7
2        D42 L28 L40 L40 L38 W17 W7  W7
3        L14 L38 L30 L22 L30 W39 W7  W7
4        L22 L34 D42 W35 W33 W37 W35 D42
5        L30 W35 L42 W33 W35 W37 W39 W19
6        L26 D42 L42 L40 W31 W31 W27 W29
7        L32 L30 L36 L34 L34 W31 D42 W35
8        L22 W35 L42 W33 W35 W31 W33 W31
""")
"""Tabel 1: rows are depths of the opponent, columns of the system; in row 1 one W7 stands for all columns."""
RESULTS = "LDW"
"""Lost, drawn and won: 0, 1 and 2 half points of the system."""
LOSS_LENGTH = 32.30
"""Pengujian Sistem: mean number of discs of the games lost."""
WAYS = 4_531_985_219_092
"""1. Pendahuluan."""
DEPTHS = range(1, 9)
OPPONENTS = DEPTHS[:5]
"""Ours: those that all readings can afford to meet; 24 of the table's 64 cells are left."""
CHOICES = product(range(2), range(4), range(1, 4), range(2), range(2), ENDS, VIEWS)
READINGS = ["plus={},lines={},discs={},difference={},distinct={},ends={},view={}".format(*each) for each in CHOICES]
"""Options of bot/agents/papers/halim.py, one for each phrase that can be read in several ways.

The first reading is the recommended one; the first half subtracts x3.
"""
ALL = range(len(READINGS))
SAMPLE = Random(0).sample(ALL, 72)
"""Ours: readings that show what a time limit and random ties change."""
NODES = 20_000
"""Ours, as a time limit: most nodes for a move."""
CELL = ["reading", "opponent", "system"]
"""Columns that name a game of a run."""
LINES = [start * (1 + 2**step + 4**step + 8**step) for step, starts in DIRECTIONS for start in bits(starts)]
"""All sets of four cells in a line."""


def _games(
    quick: bool, readings: Iterable[int], opponents: range, systems: range, also: str = "", first: str = "S"
) -> Iterator[PlannedGame]:
    """Yield the games of readings in cells of Table 1, labelled with what is printed there."""
    for opponent, system, reading in product(opponents, systems, readings):
        if quick and (reading not in SAMPLE[:8] or opponent > 2 or system % 2 == 0):
            continue
        players = {"S": f"halim:{system},{READINGS[reading]}{also}", "O": f"rmarcus:{opponent}"}
        cell = PRINTED.iloc[opponent - 1, system - 1]
        labels = {
            "reading": reading,
            "opponent": opponent,
            "system": system,
            "printed_points": RESULTS.index(cell[0]) / 2,
            "printed_plies": int(cell[1:]),
        }
        yield PlannedGame(players, first, labels=labels)


@study.run
def games(quick: bool) -> Iterator[PlannedGame]:
    """Table 1 against opponents 1 to 5, in all readings."""
    return _games(quick, ALL, OPPONENTS, DEPTHS)


@study.run
def recommended() -> Iterator[PlannedGame]:
    """Table 1 in the recommended reading."""
    return _games(False, [0], DEPTHS, DEPTHS)


@study.run
def second(quick: bool) -> Iterator[PlannedGame]:
    """A part of Table 1 with the opponent moving first."""
    return _games(quick, ALL, DEPTHS[:4], DEPTHS[:5], first="O")


@study.run
def weights(quick: bool) -> Iterator[PlannedGame]:
    """The same part with a2 and a3 exchanged, where x3 is subtracted: added, it rewards the opponent's lines."""
    return _games(quick, ALL[: len(ALL) // 2], DEPTHS[:4], DEPTHS[:5], ",defend=1")


@study.run
def clock(quick: bool) -> Iterator[PlannedGame]:
    """A limit of nodes for each move, spent on depths 1, 2, ... as a clock is; depths 6 to 8 can reach it."""
    return _games(quick, SAMPLE, OPPONENTS, DEPTHS, f"@nodes={NODES}")


@study.run
def random_ties(quick: bool) -> Iterator[PlannedGame]:
    """A column drawn among equal ones, as the program does unless it is told to be deterministic."""
    return _games(quick, SAMPLE, OPPONENTS, DEPTHS, ",ties=random")


@study.run
def answers(quick: bool) -> Iterator[PlannedQuestion]:
    """Solved positions, each in a reading that is drawn for it."""
    step = 100 if quick else 1
    for position, depth in product(judged_positions(4, 39, step), DEPTHS):
        reading = Random(position).choice(READINGS)
        yield PlannedQuestion({"S": f"halim:{depth},{reading}"}, position, {"depth": depth})


def _by_reading(rows: Rows) -> Rows:
    """Return the share of games won in each reading, per cent."""
    return 100.0 * (rows.S_points == 1).groupby(rows.reading).mean()


def _by_depth(points: Rows, rows: Rows) -> Rows:
    """Return the share of games won for each depth of the system (rows) and reading (columns), per cent."""
    return 100.0 * (points == 1).groupby([rows.system, rows.reading]).mean().unstack()


def _per_ply(shares: Rows) -> Any:
    """Return for each column what a ply of depth adds, by least squares; rounded, so that no change is 0."""
    return np.polyfit(shares.index, shares, 1)[0].round(9)


def _agreeing(rows: Rows, points: Rows) -> Rows:
    """Return for each reading how many games have the results given."""
    return (rows.S_points == points).groupby(rows.reading).sum()


def _as_printed(rows: Rows) -> Rows:
    """Return for each reading how many games have the printed result and number of discs."""
    return _agreeing(rows, rows.printed_points.where(rows.plies == rows.printed_plies))


@cache
def _met(moves: str) -> Any:
    """Return how many lines the discs of the first and of the second mover (rows) extend and close (columns).

    A disc extends a line that holds discs of its side alone, and closes one that holds discs of the other side alone.
    """
    counts, board = np.zeros((2, 2)), Board()
    for column in moves:
        after = board.play(int(column))
        for met in LINES:
            own, other = met & board.current > 0, met & board.opponent > 0
            if met & (board.mask ^ after.mask) and own != other:
                counts[board.ply % 2, int(other)] += 1
        board = after
    return counts


def _extended(rows: Rows) -> Any:
    """Return for each reading the share of lines that both movers' discs extend instead of closing, per cent."""
    counts = np.stack(rows.moves.map(_met).groupby(rows.reading).sum())
    return 100 * counts[:, :, 0] / counts.sum(axis=2)


def _judged(values: Iterable[float], bound: float, unit: str, sentence: str) -> Finding:
    """Return the finding that a number lies above ``bound``, from its value in each reading played."""
    return readings_above([exact(value) for value in values], bound, unit, sentence, exist=len(READINGS))


@study.table
def table_1(recommended: Rows) -> ComparedTable:
    """Table 1: result and number of discs, by the opponent's depth (rows) and the system's (columns)"""
    ours = PRINTED.copy()
    for game in recommended.itertuples():
        ours.iloc[game.opponent - 1, game.system - 1] = f"{RESULTS[int(2 * game.S_points)]}{game.plies}"
    note = "Ours is the recommended reading, without a time limit and with the lowest of equal columns."
    return ComparedTable(PRINTED, ours, note=note)


@study.plot
def depth(games: Rows, axes: Any) -> None:
    """Games won against opponents 1 to 5 by Table 1, and by all readings (boxes: half of them, whiskers: 90 %)"""
    shares, table = _by_depth(games.S_points, games), _by_depth(games.printed_points, games)
    axes.boxplot(shares.T, positions=shares.index, whis=(5, 95), showfliers=False)
    axes.plot(table.index, table.iloc[:, 0], "o-", label="Table 1")
    axes.set(xlabel="the system's depth in plies", ylabel="games won, %")
    axes.legend()


@study.statement
def the_table(games: Rows, clock: Rows, random_ties: Rows) -> Finding:
    """Tabel 1: "Each box contains the letter W (won), L (lost) or D (draw), followed by the number of rounds".

    Tested: whether a reading gives all cells that all readings played.
    """
    equal, limited, drawn = (_as_printed(rows) for rows in (games, clock, random_ties))
    cells = len(games) // len(equal)
    sentence = (
        f"The estimate is the number of cells, of {cells} against opponents 1 to {games.opponent.max()}, that have the"
        f" printed result and number of discs. In {len(limited)} readings it is at most {limited.max()} with"
        f" {NODES:,} nodes for a move, and at most {drawn.max()} with random ties."
    )
    return _judged(equal, cells - 1, "cells as printed", sentence)


@study.statement
def seven_discs(games: Rows) -> Finding:
    """Pengujian Sistem: "For every depth the designed system can win the game in only 7 steps", against opponent 1."""
    short = _as_printed(games[games.opponent == 1])
    depths = games.system.nunique()
    sentence = f"The estimate is the number of depths, of {depths}, that win with the game's seventh disc."
    return _judged(short, depths - 1, "depths that win with seven discs", sentence)


@study.statement
def mean_loss(recommended: Rows) -> Finding:
    """Pengujian Sistem: "But of the system's 23 losses, the opponent's mean winning step is 32.30"."""
    lost = recommended[recommended.printed_points == 0].printed_plies
    sentence = f"By Table 1 itself, {len(lost)} losses take {lost.sum()} discs: {lost.mean():.2f} each."
    return certain(lost.mean(), LOSS_LENGTH, "discs", sentence, margin=0.005)


@study.statement
def deeper_wins(games: Rows, clock: Rows, random_ties: Rows) -> Finding:
    """5. Simpulan, 1: "The deeper the search tree, the greater also the chance to win"."""
    table = _per_ply(_by_depth(games.printed_points, games))
    found, limited, drawn = (_per_ply(_by_depth(rows.S_points, rows)) for rows in (games, clock, random_ties))
    sentence = (
        "The estimate is what a ply of the system's depth adds to its share of games won against opponents 1 to"
        f" {games.opponent.max()}, points of %. By the printed table it is {table[0]:.1f}; the mean of {len(limited)}"
        f" readings is {limited.mean():.1f} with {NODES:,} nodes for a move, {drawn.mean():.1f} with random ties."
    )
    return _judged(found, 0, "points of % per ply", sentence)


@study.statement
def beats_shallower_opponents(games: Rows) -> Finding:
    """Pengujian Sistem: "There are many cases where the system beats the opponent at a higher depth".

    The higher depth is the system's: the next sentences call it natural, and set against it losses to lower depths.
    """
    deeper = games[games.system > games.opponent]
    sentence = (
        f"{deeper[deeper.S_points == 0].reading.nunique():,} readings lose a game to a shallower opponent. The estimate"
        " is the share of games won against shallower opponents; the source has no number for 'many', here it is more"
        f" than half. In the printed table the share is {100 * (deeper.printed_points == 1).mean():.0f} %."
    )
    return _judged(_by_reading(deeper), 50, "% of games won", sentence)


@study.statement
def attacks(games: Rows) -> Finding:
    """Pengujian Sistem: "the system tends to make attacking moves rather than defending", the other system to defend.

    The source concludes it from the lengths of games. Tested on the moves of both programs.
    """
    system, opponent = _extended(games).T
    sentence = (
        "A disc extends a line of four cells that holds discs of its own side alone, and closes one that holds discs of"
        f" the other side alone. Of these lines the system extends {system.mean():.1f} %, its opponent"
        f" {opponent.mean():.1f} %. The estimate is the difference."
    )
    return _judged(system - opponent, 0, "points of %", sentence)


@study.statement
def defends(games: Rows, weights: Rows) -> Finding:
    """Perancangan Sistem: "If the value a2 < a3 the system tends to play defensively"."""
    exchanged, as_printed = (_extended(rows)[:, 0] for rows in (weights, games.merge(weights[CELL])))
    sentence = (
        "Of the lines that the system's discs extend or close, they close"
        f" {100 - exchanged.mean():.1f} % with a2 = 100 and a3 = 200, and {100 - as_printed.mean():.1f} % with the"
        " printed weights. The estimate is the difference, in the readings that subtract the opponent's discs (x3)."
    )
    return _judged(as_printed - exchanged, 0, "points of %", sentence)


@study.statement
def first_move(games: Rows, second: Rows) -> Finding:
    """Pengujian Sistem: "And the first round is the key to winning a game of connect four"."""
    moving_first, moving_second = _by_reading(games.merge(second[CELL])), _by_reading(second)
    sentence = (
        f"The system wins {moving_first.mean():.1f} % of the games that it starts, and {moving_second.mean():.1f} % of"
        " the same ones when its opponent starts. The estimate is the difference."
    )
    return _judged(moving_first - moving_second, 0, "points of %", sentence)


@study.statement
def deeper_is_more_accurate(answers: Rows) -> Finding:
    """5. Simpulan, 1: "This is because minimax evaluation in its DFS is much more accurate than with a low depth"."""
    kept = list(map(keeps_outcome, answers.position, answers.S_column))
    shares = 100.0 * answers.assign(kept=kept).pivot_table("kept", "depth", "position")
    sentence = (
        f"In {len(shares.columns):,} solved positions, each asked in one reading, {shares.loc[1].mean():.1f} % of the"
        f" moves keep the best outcome at depth 1, {shares.loc[8].mean():.1f} % at depth 8. The estimate is what a ply"
        " adds; the source has no number for 'much', which is not judged."
    )
    return above(mean(_per_ply(shares), "positions"), 0, "points of % per ply", sentence)


@study.statement
def heuristic_matters(games: Rows) -> Finding:
    """5. Simpulan, 2: "Depth is not the only factor", "this depends also on the heuristic function used"."""
    chosen = games.opponent % 2 == 1
    first, rest = _by_reading(games[chosen]), _by_reading(games[~chosen])
    best, worst = rest[first >= first.quantile(0.75)].mean(), rest[first <= first.quantile(0.25)].mean()
    sentence = (
        "Chosen by their wins against opponents 1, 3 and 5, the best quarter of the readings (ties included) wins"
        f" {best:.1f} % of its games against 2 and 4, the worst quarter {worst:.1f} %, at the same depths."
    )
    return above(exact(best - worst), 0, "points of %", sentence)


@study.statement
def ways_with_one_hole() -> Finding:
    """1. Pendahuluan: "1 hole left in the board that is not filled, then there will be 4,531,985,219,092 ways"."""
    boards = 7 * comb(41, 20)
    sentence = (
        f"With one hole left, on top of one of 7 columns, 21 and 20 discs form at most {boards:,} boards. The source"
        " also counts 1,904,587,136,600 ways to win among them."
    )
    return above(exact(boards / WAYS), 1, "most boards / the printed number", sentence)


@study.noticed
def the_table_as_a_choice(games: Rows) -> str:
    """Choose readings by a part of the table, and look at the rest."""
    chosen = games.opponent % 2 == 1
    part, rest = games[chosen], games[~chosen]
    agreeing = _agreeing(rest, rest.printed_points)
    table = part.printed_points.to_numpy().reshape(-1, len(agreeing))

    def held_out(results: Any) -> Rows:
        found = _agreeing(part, results.ravel())
        return agreeing[found == found.max()]

    random, best = np.random.default_rng(0), held_out(table)
    shuffled = np.array([held_out(random.permutation(table)).mean() for _ in range(200)])
    return (
        f"The {len(best)} readings that agree best with the printed results (won, drawn or lost) against opponents 1, 3"
        f" and 5 have on average {best.mean():.1f} of the {len(rest) // len(agreeing)} results against 2 and 4; all"
        f" readings have {agreeing.mean():.1f}. Readings chosen by the same results, shuffled over their cells, have"
        f" {shuffled.mean():.1f}: {(shuffled >= best.mean()).sum()} of {len(shuffled)} shuffles do as well or better."
    )


@study.found
def summary(games: Rows, findings: dict[str, Finding]) -> str:
    """Say how near the readings come to Table 1, and what wins games."""
    equal, slopes = _as_printed(games), _per_ply(_by_depth(games.S_points, games))
    return (
        f"The best of {len(equal):,} readings gives {equal.max()} of the {len(games) // len(equal)} cells of Table 1"
        f" against opponents 1 to {games.opponent.max()}. A deeper search wins more in {(slopes > 0).sum():,} of them."
        f" {findings['heuristic_matters'].sentence}"
    )

"""Halim et al.: minimax to depth 8 (the *system*, S) against the web program of rmarcus.info (its *opponent*, O).

The programs: bot/papers/halim/program.py and rmarcus.py; what the paper leaves open: bot/papers/halim/notes.md. The
paper names the terms of its evaluation in words only, so every *reading* of them is played. Games are without chance,
except those with random ties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import comb
from random import Random
from typing import Any

import numpy as np
from pandas import DataFrame

from bot.game import Board
from bot.game.board import bits
from bot.lab.arena.tasks import PlannedGame, PlannedQuestion
from bot.lab.exact import keeps_outcome
from bot.lab.positions import judged_positions
from bot.lab.replication.findings import Finding, above, certain, readings_above
from bot.lab.replication.statistics import exact, mean
from bot.lab.replication.study import Rows, Study
from bot.lab.replication.tables import ComparedTable, blank, printed
from bot.papers.windows import DIRECTIONS

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
DEPTHS = range(1, 9)
MOST = DEPTHS[:5], DEPTHS
"""Ours: the cells (opponent, system) that all readings can afford to play; 24 of 64 are left."""
PART = DEPTHS[:4], DEPTHS[:5]
"""Ours: the cells that are played again with the opponent moving first, and with other weights."""
CHOICES = (
    "plus=0 plus=1",
    "lines=0 lines=1 lines=2 lines=3",
    "discs=1 discs=2 discs=3",
    "difference=0 difference=1",
    "distinct=0 distinct=1",
    "ends=dominant ends=flat ends=added ends=only",
    "view=own view=mover view=last",
)
READINGS = [",".join(chosen) for chosen in product(*map(str.split, CHOICES))]
"""Options of bot/papers/halim/program.py, one for each phrase that can be read in several ways.

The first reading is the recommended one.
"""
ALL = range(len(READINGS))
SUBTRACTING = ALL[: len(ALL) // 2]
"""The readings that subtract x3; added, it rewards the opponent's discs."""
SAMPLE = Random(0).sample(ALL, 72)
"""Ours: readings that show what a time limit and random ties change."""
NODES = 20_000
"""Ours, as a time limit: most nodes for a move."""
CELL = ["reading", "opponent", "system"]
"""Columns that name a game of a run."""
FIRST_CELLS = [(start, step) for step, starts in DIRECTIONS for start in bits(starts)]
LINES = np.array([start | start << step | start << 2 * step | start << 3 * step for start, step in FIRST_CELLS])
"""All sets of four cells in a line."""

study = Study(
    __name__,
    "Halim et al.",
    "A. M. Halim, F. Judianto, S. Lukas, P. Widjaja: Pemodelan dan pengimplementasian permainan Connect Four."
    " Universitas Pelita Harapan.",
    "No. The paper names the four terms of its evaluation in words only, and states neither the time limit of its games"
    " nor how the program chose among equal columns. The verdicts rest on the readings of the terms that were played,"
    f" of {len(READINGS):,} that we see; what we noticed says whether the table can choose among them.",
    terms="Quotations are our translations from Indonesian: Pendahuluan is the introduction, Perancangan Sistem the"
    " design of the system, Pengujian Sistem its test, Simpulan the conclusions. The system is the paper's program, and"
    " opponent 3 the web program of rmarcus.info, searching 3 plies. The system values a position by a1 x1 + a2 x2 + a3"
    " x3 + a4 x4, with the weights 1, 200, 100 and 1000: x1 counts its possible lines of four, x2 its discs on them, x3"
    " the opponent's discs on the opponent's lines, x4 finished games. In the recommended reading a line is possible"
    " while the other side has no disc on it, a disc counts once on each line, x3 is subtracted, and a finished game"
    " outweighs all else. A disc extends a line of four cells that so far holds discs of its own side alone, and closes"
    " one that holds those of the other alone.",
)


def _games(
    quick: bool, readings: Iterable[int], also: str = "", cells: Iterable[range] = MOST, first: str = "S"
) -> Iterator[PlannedGame]:
    """Yield the games of readings in cells of Table 1, labelled with what is printed there."""
    for opponent, system, reading in product(*cells, readings):
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
    return _games(quick, ALL)


@study.run
def recommended() -> Iterator[PlannedGame]:
    """Table 1 in the recommended reading."""
    return _games(False, [0], cells=(DEPTHS, DEPTHS))


@study.run
def second(quick: bool) -> Iterator[PlannedGame]:
    """A part of Table 1 with the opponent moving first."""
    return _games(quick, ALL, "", PART, "O")


@study.run
def weights(quick: bool) -> Iterator[PlannedGame]:
    """The same part with a2 and a3 exchanged, in the readings that subtract x3."""
    return _games(quick, SUBTRACTING, ",defend=1", PART)


@study.run
def clock(quick: bool) -> Iterator[PlannedGame]:
    """A limit of nodes for each move, spent on depths 1, 2, ... as a clock is; depths 6 to 8 can reach it."""
    return _games(quick, SAMPLE, f"@nodes={NODES}")


@study.run
def random_ties(quick: bool) -> Iterator[PlannedGame]:
    """A column drawn among equal ones, as the program does unless it is told to be deterministic."""
    return _games(quick, SAMPLE, ",ties=random")


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


def _by_depth(rows: Rows, points: str = "S_points") -> Rows:
    """Return the share of games won for each depth of the system (rows) and reading (columns), per cent."""
    return 100.0 * (rows[points] == 1).groupby([rows.system, rows.reading]).mean().unstack()


def _per_ply(shares: Rows) -> Any:
    """Return for each column what a ply of depth adds, by least squares; rounded, so that no change is 0."""
    return np.polyfit(shares.index, shares, 1)[0].round(9)


def _as_printed(rows: Rows) -> Rows:
    """Return for each reading how many games have the printed result and number of discs."""
    equal = (rows.S_points == rows.printed_points) & (rows.plies == rows.printed_plies)
    return equal.groupby(rows.reading).sum()


def _halves(games: Rows) -> tuple[Rows, Rows]:
    """Return the games against opponents of odd depth, by which readings are chosen, and all others."""
    odd = games.opponent % 2 == 1
    return games[odd], games[~odd]


def _chosen(values: Rows, ours: Rows, printed_points: Any) -> Rows:
    """Return the values of the readings (columns) that agree with the table in most cells (rows)."""
    equal = (ours == printed_points).sum()
    return values[equal == equal.max()]


@cache
def _met(moves: str) -> Any:
    """Return how many lines the discs of the first and of the second mover (rows) extend and close (columns)."""
    counts, board = np.zeros((2, 2)), Board()
    for column in moves:
        after = board.play(int(column))
        lines = LINES[LINES & (after.mask ^ board.mask) > 0]
        own, other = lines & board.current > 0, lines & board.opponent > 0
        counts[board.ply % 2] += (own & ~other).sum(), (other & ~own).sum()
        board = after
    return counts


def _extended(rows: Rows, mover: int = 0) -> Rows:
    """Return for each reading the share of lines that a mover's discs extend instead of closing, per cent."""
    counts = [_met(moves)[mover] for moves in rows.moves]
    sums = DataFrame(counts, rows.reading, ["extended", "closed"]).groupby("reading").sum()
    return 100 * sums.extended / sums.sum(axis=1)


def _judged(values: Rows, bound: float, unit: str, sentence: str, exist: int = len(READINGS)) -> Finding:
    """Return the finding that a number lies above ``bound``, from its value in each reading played."""
    return readings_above([exact(value) for value in values], bound, unit, sentence, exist=exist)


@study.table
def table_1(recommended: Rows) -> ComparedTable:
    """Table 1: result and number of discs, by the opponent's depth (rows) and the system's (columns)"""
    ours = blank(PRINTED)
    for game in recommended.itertuples():
        ours.iloc[game.opponent - 1, game.system - 1] = f"{RESULTS[int(2 * game.S_points)]}{game.plies}"
    return ComparedTable(
        PRINTED, ours, note="Ours is the recommended reading, with no time limit and the left-most of equal columns."
    )


@study.plot
def depth(games: Rows, axes: Any) -> None:
    """Share of games won by Table 1, and by the readings played (boxes: half of them, whiskers: 90 %)"""
    shares, table = _by_depth(games), _by_depth(games, "printed_points")
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
    return _judged(equal, cells - 1, "number of cells as printed", sentence)


@study.statement
def seven_discs(games: Rows) -> Finding:
    """Pengujian Sistem: "For every depth the designed system can win the game in only 7 steps", against opponent 1."""
    equal, depths = _as_printed(games[games.opponent == 1]), games.system.nunique()
    sentence = f"The estimate is the number of depths, of {depths}, that win with the game's seventh disc."
    return _judged(equal, depths - 1, "number of depths that win with seven discs", sentence)


@study.statement
def mean_loss(recommended: Rows) -> Finding:
    """Pengujian Sistem: "But of the system's 23 losses, the opponent's mean winning step is 32.30"."""
    lost = recommended[recommended.printed_points == 0].printed_plies
    sentence = f"By Table 1 itself, {len(lost)} losses take {lost.sum()} discs: {lost.mean():.2f} each."
    return certain(lost.mean(), 32.30, "discs", sentence, margin=0.005)


@study.statement
def deeper_wins(games: Rows, clock: Rows, random_ties: Rows) -> Finding:
    """5. Simpulan, 1: "The deeper the search tree, the greater also the chance to win"."""
    table = _per_ply(_by_depth(games, "printed_points"))
    found, limited, drawn = (_per_ply(_by_depth(rows)) for rows in (games, clock, random_ties))
    sentence = (
        "The estimate is what a ply of the system's depth adds to its share of games won against opponents 1 to"
        f" {games.opponent.max()}. By Table 1 it is {table[0]:.1f} percentage points; the mean of {len(limited)}"
        f" readings is {limited.mean():.1f} with {NODES:,} nodes for a move, {drawn.mean():.1f} with random ties."
    )
    return _judged(found, 0, "gain per ply in percentage points", sentence)


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
    return _judged(_by_reading(deeper), 50, "percentage of games won", sentence)


@study.statement
def attacks(games: Rows) -> Finding:
    """Pengujian Sistem: "the system tends to make attacking moves rather than defending", the other system to defend.

    The source concludes it from the lengths of games. Tested on the moves of both programs.
    """
    system, opponent = _extended(games), _extended(games, 1)
    sentence = (
        f"Of the lines that its discs extend or close, the system extends {system.mean():.1f} %, its opponent"
        f" {opponent.mean():.1f} %. The estimate is the difference."
    )
    return _judged(system - opponent, 0, "difference in percentage points", sentence)


@study.statement
def defends(games: Rows, weights: Rows) -> Finding:
    """Perancangan Sistem: "If the value a2 < a3 the system tends to play defensively"."""
    exchanged, as_printed = _extended(weights), _extended(games.merge(weights[CELL]))
    sentence = (
        "Of the lines that its discs extend or close, the system closes"
        f" {100 - exchanged.mean():.1f} % with a2 = 100 and a3 = 200, and {100 - as_printed.mean():.1f} % with the"
        " printed weights. The estimate is the difference. Only readings that subtract x3 are concerned."
    )
    return _judged(as_printed - exchanged, 0, "difference in percentage points", sentence, len(SUBTRACTING))


@study.statement
def first_move(games: Rows, second: Rows) -> Finding:
    """Pengujian Sistem: "And the first turn is the key to winning a game of connect four"."""
    moving_first, moving_second = _by_reading(games.merge(second[CELL])), _by_reading(second)
    sentence = (
        f"At {len(second[CELL[1:]].drop_duplicates())} pairs of depths the system wins {moving_first.mean():.1f} % of"
        f" the games that it starts, and {moving_second.mean():.1f} % of those that its opponent starts, which the web"
        " program could not. The estimate is the difference; that it is 'key' is not judged."
    )
    return _judged(moving_first - moving_second, 0, "difference in percentage points", sentence)


@study.statement
def deeper_is_more_accurate(answers: Rows) -> Finding:
    """5. Simpulan, 1: "This is because minimax evaluation in its DFS is much more accurate than with a low depth"."""
    kept = list(map(keeps_outcome, answers.position, answers.S_column))
    shares = 100.0 * answers.assign(kept=kept).pivot_table("kept", "depth", "position")
    sentence = (
        f"In {len(shares.columns):,} solved positions, each asked in one reading, {shares.loc[1].mean():.1f} % of the"
        f" moves keep the best outcome at depth 1, {shares.loc[8].mean():.1f} % at depth 8. The estimate is what a ply"
        " adds; the source has no number for 'much'."
    )
    return above(mean(_per_ply(shares), "positions"), 0, "gain per ply in percentage points", sentence)


@study.statement
def heuristic_matters(games: Rows) -> Finding:
    """5. Simpulan, 2: "Depth is not the only factor", "this depends also on the heuristic function used"."""
    first, rest = map(_by_reading, _halves(games))
    best, worst = rest[first >= first.quantile(0.75)].mean(), rest[first <= first.quantile(0.25)].mean()
    sentence = (
        "Chosen by their wins against opponents of odd depth, the best quarter of the readings (ties included) wins"
        f" {best:.1f} % of its games against those of even depth, the worst quarter {worst:.1f} %."
    )
    return above(exact(best - worst), 0, "difference in percentage points", sentence)


@study.statement
def ways_with_one_hole() -> Finding:
    """1. Pendahuluan: "1 hole left in the board that is not filled, then there will be 4,531,985,219,092 ways"."""
    boards = 7 * comb(41, 20)
    sentence = (
        f"If a way is a board: with one hole left, on top of one of 7 columns, 21 and 20 discs form at most {boards:,}."
        " The source also counts 1,904,587,136,600 ways to win among them."
    )
    return above(exact(boards / 4_531_985_219_092), 1, "most boards / the printed number", sentence)


@study.noticed
def the_table_as_a_choice(games: Rows) -> str:
    """Choose readings by a part of the table, and look at the rest."""
    part, rest = _halves(games)
    table = part.pivot(index=["opponent", "system"], columns="reading")
    agreeing = (rest.S_points == rest.printed_points).groupby(rest.reading).sum()
    ours, printed_points, random = table.S_points, table.printed_points, np.random.default_rng(0)
    best = _chosen(agreeing, ours, printed_points)
    shuffled = np.array([_chosen(agreeing, ours, random.permutation(printed_points)).mean() for _ in range(200)])
    return (
        f"The {len(best)} readings that agree best with the printed results (won, drawn or lost) against opponents of"
        f" odd depth have on average {best.mean():.1f} of the {len(rest) // len(agreeing)} results against those of"
        f" even depth; all readings have {agreeing.mean():.1f}. Readings chosen by the same results, shuffled over"
        f" their cells, have {shuffled.mean():.1f}: {(shuffled >= best.mean()).sum()} of {len(shuffled)} shuffles do"
        " as well or better."
    )


@study.found
def summary(games: Rows, findings: dict[str, Finding]) -> str:
    """Say how near the readings come to Table 1, and what wins games."""
    equal, slopes = _as_printed(games), _per_ply(_by_depth(games))
    return (
        f"The best of {len(equal):,} readings gives {equal.max()} of the {len(games) // len(equal)} cells of Table 1"
        f" against opponents 1 to {games.opponent.max()}, the recommended one {equal.iloc[0]}. A deeper search wins"
        f" more in {(slopes > 0).sum():,} of them. {findings['heuristic_matters'].sentence}"
    )

"""Claims of Halim et al.: a system with a linear evaluation against the web AI of rmarcus.info.

The paper does not define its evaluation. A claim on the system's play is judged over the readings that explain a part
of the table best and then play all of it (`bot experiment run readings-halim`): supported if it holds in all of them,
undecided otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import mean

from bot.lab.experiments.halim import (
    DEFENSIVE,
    DEPTHS,
    MOVES_SECOND,
    PUBLISHED_LOSS_MEAN,
    PUBLISHED_WIN_MEAN,
    Table,
    totals,
)
from bot.lab.experiments.halim import table as games_of
from bot.lab.experiments.inference import average
from bot.lab.experiments.ledger.claim import Claim, Data, Exact, Part, Readings, Sampled
from bot.lab.experiments.readings.halim import finalists
from bot.lab.experiments.records import games_of as records_of

SOURCE = "Halim et al."
TABLE, READINGS = "halim-table1", "readings-halim"
POINTS = {"W": 1.0, "D": 0.5, "L": 0.0}
FULL_TREE = 7**8


def _over_readings(data: Data, label: str, holds: Callable[[Table], bool]) -> list[Part]:
    final = [reading.games for reading in finalists(data.results[READINGS])]
    return [Readings(label, sum(holds(games) for games in final), len(final))]


def _totals(data: Data) -> list[Part]:
    found = totals(data.printed.halim_table)
    counts = tuple(int(found[key]) for key in ("wins", "losses", "draws"))
    return [Exact("wins, losses and draws in the printed table", ", ".join(map(str, counts)), counts == (36, 23, 5))]


def _mean_plies(data: Data, kind: str, stated: float) -> list[Part]:
    found = totals(data.printed.halim_table)[f"mean plies of a {kind}"]
    return [Exact(f"mean plies of a {kind} in the printed table", f"{found:.2f}", abs(found - stated) < 0.006)]


def deeper_wins_more(games: Table) -> bool:
    """Return whether the system wins more games at depths 5 to 8 than at depths 1 to 4."""
    wins = [totals(games)[f"wins at depth {depth}"] for depth in DEPTHS]
    return sum(wins[4:]) > sum(wins[:4])


def no_deep_loss(games: Table) -> bool:
    """Return whether the system loses no game at depths 6 to 8."""
    return not any(game[0] == "L" for (_, own), game in games.items() if own >= 6)


def quick_wins(games: Table) -> bool:
    """Return whether a win takes fewer plies than a loss on average."""
    found = totals(games)
    return found["losses"] > 0 and found["mean plies of a win"] < found["mean plies of a loss"]


def _seven_moves(games: Table) -> bool:
    return all(games[1, depth] == "W7" for depth in DEPTHS)


def _whole_table(data: Data) -> list[Part]:
    return _over_readings(data, "readings with all 64 cells", lambda games: games == data.printed.halim_table)


def _paired(data: Data, option: str, measure: Callable[[str], float]) -> list[float]:
    """Return the difference of a measure between a variant and the recommended reading, for each pair of depths."""
    usual, other = games_of(data.results[TABLE]), games_of(data.results[TABLE], option)
    return [measure(game) - measure(usual[cell]) for cell, game in other.items()]


def _defends(data: Data) -> list[Part]:
    longer = average(_paired(data, DEFENSIVE, lambda game: float(game[1:])))
    label = "plies a game, with a2 < a3 less usual"
    return [Sampled(label, longer, above=0, unit="pairs of depths", digits=1)]


def _first_helps(data: Data) -> list[Part]:
    lost = average([-gap for gap in _paired(data, MOVES_SECOND, lambda game: POINTS[game[0]])])
    return [Sampled("points per game, moving first less second", lost, above=0, unit="pairs of depths")]


def _pruning(data: Data) -> list[Part]:
    leaves = [
        count
        for _, game in records_of(data.results[TABLE], option="", system=8)
        for ply, count in enumerate(game["leaves"])
        if ply % 2 == 0
    ]
    shown = f"at most {max(leaves):,} of {FULL_TREE:,} in {len(leaves)} moves, {mean(leaves):,.0f} on average"
    return [Exact("leaves of a move at depth 8", shown, max(leaves) < FULL_TREE)]


CLAIMS = (
    Claim(
        "halim-totals",
        SOURCE,
        "Results",
        "Of 64 games the system wins 36, loses 23 and draws 5.",
        "The counts are those of the printed table.",
        _totals,
        (),
        "36 / 23 / 5",
    ),
    Claim(
        "halim-win-length",
        SOURCE,
        "Results",
        f"A win takes {PUBLISHED_WIN_MEAN:.2f} plies on average.",
        "The mean is that of the printed table.",
        partial(_mean_plies, kind="win", stated=PUBLISHED_WIN_MEAN),
        (),
        f"{PUBLISHED_WIN_MEAN:.2f}",
    ),
    Claim(
        "halim-loss-length",
        SOURCE,
        "Results",
        f"A loss takes {PUBLISHED_LOSS_MEAN:.2f} plies on average.",
        "The mean is that of the printed table.",
        partial(_mean_plies, kind="loss", stated=PUBLISHED_LOSS_MEAN),
        (),
        f"{PUBLISHED_LOSS_MEAN:.2f}",
    ),
    Claim(
        "halim-table",
        SOURCE,
        "Table 1",
        "The system has the 64 results of the table.",
        "All cells of a reading equal the printed ones.",
        _whole_table,
        (READINGS,),
        "64 cells",
    ),
    Claim(
        "halim-seven-moves",
        SOURCE,
        "Table 1 and text",
        "Against the web AI at depth 1 the system wins in seven plies at every depth.",
        "All eight cells of row 1 are W7 in a reading.",
        partial(_over_readings, label="readings with W7 in all of row 1", holds=_seven_moves),
        (READINGS,),
        "W7 in 8 cells",
    ),
    Claim(
        "halim-deeper",
        SOURCE,
        "Results",
        "The deeper the system searches, the more it wins.",
        "More wins at depths 5 to 8 than at depths 1 to 4, in a reading's whole table.",
        partial(_over_readings, label="readings that win more at depths 5 to 8", holds=deeper_wins_more),
        (READINGS,),
        "27 and 9 wins",
    ),
    Claim(
        "halim-consistent",
        SOURCE,
        "Results",
        "At depths 6 to 8 the system does not lose.",
        "No loss at depths 6 to 8 in a reading's whole table.",
        partial(_over_readings, label="readings without a loss at depths 6 to 8", holds=no_deep_loss),
        (READINGS,),
        "22 wins, 2 draws",
    ),
    Claim(
        "halim-attacks",
        SOURCE,
        "Discussion",
        "Wins are shorter than losses: the system attacks rather than defends.",
        "The mean win has fewer plies than the mean loss, in a reading's whole table.",
        partial(_over_readings, label="readings with shorter wins than losses", holds=quick_wins),
        (READINGS,),
        "23.89 and 32.30 plies",
    ),
    Claim(
        "halim-defends",
        SOURCE,
        "Evaluation",
        "With a2 below a3 the system plays defensively.",
        "With the weights of x2 and x3 exchanged, games last longer, over all pairs of depths (recommended reading).",
        _defends,
        (TABLE,),
    ),
    Claim(
        "halim-first",
        SOURCE,
        "Discussion",
        "Moving first helps.",
        "The system scores more when it moves first than when the web AI does, over all pairs of depths; the original"
        " web AI could not start, the rebuilt one can.",
        _first_helps,
        (TABLE,),
    ),
    Claim(
        "halim-pruning",
        SOURCE,
        "Method",
        "Alpha-beta spares most of the 7^8 = 5,764,801 leaves at depth 8.",
        "No move at depth 8 evaluates that many leaves.",
        _pruning,
        (TABLE,),
        "5,764,801",
    ),
    Claim(
        "halim-several-times",
        SOURCE,
        "Experiment",
        "Every combination of depths was played several times.",
        "The table prints one game for each, and deterministic programs repeat theirs.",
    ),
    Claim(
        "halim-heuristic",
        SOURCE,
        "Conclusion",
        "The heuristic matters as much as the depth.",
        "The paper names no measure by which the two could be compared.",
    ),
)

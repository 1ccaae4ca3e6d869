"""Claims of Kang 2019: two heuristics for minimax.

`kang_tables.py` has those on Tables 5 to 8; here are Table 9, the figures and the conclusions. Table 9 depends on what
the text leaves open: which of equal columns is played, who starts, and more. A claim on it is judged over all readings:
supported if it holds in all of them, undecided otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

from bot.lab.experiments.inference import LEVEL, Estimate, share
from bot.lab.experiments.kang import DEPTH_PAIRS, record, sample_size
from bot.lab.experiments.kang_figures import FIGURES, depths_of, fall, first_move, together
from bot.lab.experiments.ledger import kang_tables
from bot.lab.experiments.ledger.claim import Claim, Data, Exact, Part, Readings, Sampled
from bot.lab.experiments.ledger.kang_tables import SOURCE
from bot.lab.experiments.readings.kang import Played, fits, played
from bot.lab.experiments.readings.kang_games import TRAINING_DEPTHS
from bot.lab.experiments.regret import points_lost

FIGURE_RUN, DEPTH, READINGS, REGRET = "kang-figures", "kang-depth", "readings-kang", "regret"
EARLY = 16
"""Plies of a game's early stage."""


def points(data: Data, name: str, cell: str) -> Estimate:
    """Return H1's points per game in a cell."""
    games = record(data.results[name], cell)
    return share(games.points, games.games, sample_size(data.results[name], cell))


def _table_9_fits(data: Data) -> list[Part]:
    ranked = played(data.results[READINGS])
    rows = [depth for depth in TRAINING_DEPTHS if depth in ranked[0].records]
    fitting = sum(all(fits(reading, depth) for depth in rows) for reading in ranked)
    return [Readings("readings that fit the rows of depths 2, 4 and 6", fitting, len(ranked))]


def _over_readings(data: Data, label: str, holds: Callable[[Played], bool]) -> list[Part]:
    ranked = played(data.results[READINGS])
    return [Readings(label, sum(holds(reading) for reading in ranked), len(ranked))]


def _weak_at_2(reading: Played) -> bool:
    return reading.score(2).value < 0.5


def _better_deeper(reading: Played) -> bool:
    return all(reading.score(depth).value > 0.5 for depth in reading.records if depth > 2)


def _grows(reading: Played) -> bool:
    shares = [reading.score(depth).value for depth in sorted(reading.records)]
    return all(one < other for one, other in pairwise(shares))


def _weaker_but_deeper(data: Data) -> list[Part]:
    """Return the pairs that win more than half of the points beyond chance: the claim is that there are such pairs."""
    found = {cell: points(data, DEPTH, cell) for cell in DEPTH_PAIRS}
    level = LEVEL / len(found)
    winning = [cell for cell, score in found.items() if score.value > 0.5 and score.p_value(0.5) < level]
    shown = ", ".join(f"{cell} {each.value:.2f} ({each.low:.2f} to {each.high:.2f})" for cell, each in found.items())
    label = f"pairs in which the weaker heuristic wins, of {len(found)}: points per game {shown}"
    # One pair is enough; pairs without success refute nothing.
    return [Readings(label, 1 if winning else 0, 1)]


def _perfect_early(data: Data) -> list[Part]:
    results = data.results[REGRET]
    name = f"kang-h1:{max(results[0][0]['depths'])}"
    early = [
        points_lost(position["scores"], position["picks"][name])
        for _, result in results
        for position in result["positions"]
        if position["ply"] < EARLY
    ]
    given, first = sum(lost > 0 for lost in early), results[0][0]["first_ply"]
    shown = f"{given} of {len(early)} moves of {name}, plies {first} to {EARLY - 1}"
    return [Exact("moves that give away the outcome", shown, not given)] if early else []


def _nodes_fall(data: Data) -> list[Part]:
    results = data.results[FIGURE_RUN]
    return [
        Sampled(f"correlation of nodes with the move, depth {depth}", fall(results, depth), below=0, unit="moves")
        for depth in FIGURES
    ]


def _nodes_and_time(data: Data) -> list[Part]:
    results = data.results[FIGURE_RUN]
    return [
        Sampled(f"correlation of nodes with time, depth {depth}", together(results, depth), above=0, unit="moves")
        for depth in FIGURES
    ]


def _pruning(data: Data) -> list[Part]:
    results = data.results[FIGURE_RUN]
    found = {depth: first_move(results, depth) for depth in depths_of(results)}
    shown = ", ".join(f"{pruned:,} of {whole:,} at depth {depth}" for depth, (pruned, whole) in found.items())
    return [Exact("nodes of the first move", shown, all(pruned < whole for pruned, whole in found.values()))]


CLAIMS = (
    *kang_tables.CLAIMS,
    Claim(
        "kang-table9",
        SOURCE,
        "Table 9",
        "Heuristic-1 wins 0.24, 0.60 and 0.76 of the games at depths 2, 4 and 6.",
        "A reading fits if the 95 % interval of its difference to each printed share contains 0.",
        _table_9_fits,
        (READINGS,),
        "0.24, 0.60, 0.76",
    ),
    Claim(
        "kang-weak-at-2",
        SOURCE,
        "Text to Table 9",
        "At depth 2 Heuristic-1 is weaker than Heuristic-2.",
        "Its points per game at depth 2 are below 0.5 in a reading.",
        partial(_over_readings, label="readings in which Heuristic-1 is weaker at depth 2", holds=_weak_at_2),
        (READINGS,),
        "0.24",
    ),
    Claim(
        "kang-better-deeper",
        SOURCE,
        "Table 9",
        "At depths 4, 6 and 8 Heuristic-1 is stronger than Heuristic-2.",
        "Its points per game are above 0.5 at each depth that a reading played.",
        partial(_over_readings, label="readings in which it is stronger at each depth", holds=_better_deeper),
        (READINGS,),
        "0.60, 0.76, 0.81",
    ),
    Claim(
        "kang-grows",
        SOURCE,
        "Table 9",
        "Heuristic-1 gains with depth.",
        "Its points per game rise from each depth to the next in a reading.",
        partial(_over_readings, label="readings in which its points rise with depth", holds=_grows),
        (READINGS,),
        "0.24, 0.60, 0.76, 0.81",
    ),
    Claim(
        "kang-weaker-deeper",
        SOURCE,
        "Conclusion",
        "A weaker heuristic that searches deeper can beat a stronger one.",
        "Some single feature that searches four plies deeper scores above 0.5 against Heuristic-2 (lowest ties).",
        _weaker_but_deeper,
        (DEPTH,),
    ),
    Claim(
        "kang-early",
        SOURCE,
        "Abstract",
        "Heuristic-1 is perfect on the early stages.",
        "No early move at its greatest depth gives away the outcome, by the exact solver; one such move refutes it.",
        _perfect_early,
        (REGRET,),
    ),
    Claim(
        "kang-nodes-fall",
        SOURCE,
        "Figures 12 and 13",
        "The nodes of a move fall as the game proceeds.",
        "The correlation of mean nodes with the move's number is below 0 at depths 4 and 6.",
        _nodes_fall,
        (FIGURE_RUN,),
    ),
    Claim(
        "kang-nodes-time",
        SOURCE,
        "Figures 12 and 13",
        "Nodes and time of a move rise and fall together.",
        "The correlation of mean nodes with median time is above 0 at depths 4 and 6.",
        _nodes_and_time,
        (FIGURE_RUN,),
    ),
    Claim(
        "kang-pruning",
        SOURCE,
        "Method",
        "Alpha-beta searches fewer nodes than minimax.",
        "The first move's nodes are fewer than those of the whole tree, at every depth.",
        _pruning,
        (FIGURE_RUN,),
    ),
    Claim(
        "kang-neither-alone",
        SOURCE,
        "Conclusion",
        "Neither depth nor heuristic decides alone.",
        "The paper names no measure by which the two could be compared.",
    ),
)

"""What concerns all sources: their programs against each other, and the textbook searches that they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from bot.agents.algorithms.catalogue import ALGORITHMS
from bot.agents.family import families
from bot.lab.arena.searches import PlannedSearch
from bot.lab.arena.statistics import rate
from bot.lab.arena.tasks import PlannedGame, PlannedQuestion
from bot.lab.exact import keeps_outcome
from bot.lab.positions import judged_positions, opening_set
from bot.lab.replication.plots import line
from bot.lab.replication.statistics import ratio, share
from bot.lab.replication.study import Rows, Study
from bot.lab.replication.tables import markdown, number

study = Study(
    __name__,
    "All sources together",
    "The sources' programs against each other, and the textbook searches that they name, on equal work.",
    identified="",
    terms="Each program is played as its source's notes recommend. `depth3` is a search of three plies, the course's"
    " bot of 2024; `-intended` is a program without its listing's defects. SSS* and DUAL* are MTD with a first guess of"
    " plus and minus infinity.",
)

OPENING_PLIES, PAIRS = 4, 3
"""Openings of each pair of programs; from each it plays two games, one with either side moving first."""
NODES = 10_000
SEARCH_DEPTHS = (2, 4, 6, 8)
COMPARED = ("NegaScout + table", "MTD(f)", "SSS*", "DUAL*")
"""Searches in the plot; alpha-beta with the same table is the unit."""


def own_depths() -> list[str]:
    """Return every source's programs at the depth that is theirs, the course's bot of 2024 and random moves."""
    return [*(f"{family.name}:{family.own_depth}" for family in families()), "depth3", "random"]


def equal_nodes() -> list[str]:
    """Return every source's programs with the same number of nodes for a move."""
    return [f"{family.name}:42@nodes={NODES}" for family in families()]


@study.run
def games(quick: bool, seed: int) -> Iterator[PlannedGame]:
    """Each program against each other one of its list."""
    sides, pairs = (("one",), 1) if quick else (("one", "other"), PAIRS)
    openings = opening_set(OPENING_PLIES, pairs, seed)
    for agents in (own_depths(), equal_nodes()):
        for one, other in combinations(agents, 2):
            for opening in openings:
                for first in sides:
                    players = {"one": one, "other": other}
                    yield PlannedGame(players, first, "".join(map(str, opening)), labels=players)


@study.run
def answers(quick: bool) -> Iterator[PlannedQuestion]:
    """The same programs in positions whose exact scores are known."""
    step = 100 if quick else 8
    for agent in (*own_depths(), *equal_nodes()):
        for position in judged_positions(4, 39, step):
            yield PlannedQuestion({"it": agent}, position, {"agent": agent})


@study.run
def searches(quick: bool) -> Iterator[PlannedSearch]:
    """Every textbook search to the same depths in the same positions."""
    step, depths = (80, SEARCH_DEPTHS[:2]) if quick else (8, SEARCH_DEPTHS)
    for position in judged_positions(4, 32, step):
        for depth in depths:
            for algorithm in ALGORITHMS:
                yield PlannedSearch(algorithm, position, depth)


def ratings(agents: Sequence[str], games: Rows, answers: Rows) -> str:
    """Return the table of a list of agents, best first: rating, points, and how often their move keeps the outcome."""
    count = len(agents)
    points, played = np.zeros((count, count)), np.zeros((count, count))
    for (one, other), rows in games.groupby(["one", "other"]):
        if one in agents and other in agents:
            place = agents.index(one), agents.index(other)
            points[place], points[place[::-1]] = rows.one_points.sum(), rows.other_points.sum()
            played[place] = played[place[::-1]] = len(rows)
    lines = []
    for agent, rating, won, total in zip(agents, rate(points, played), points.sum(1), played.sum(1), strict=True):
        rows = answers[answers.agent == agent]
        kept = share([keeps_outcome(*each) for each in zip(rows.position, rows.it_column, strict=True)], "positions")
        cells = [f"`{agent}`", f"{rating.elo:+.0f}", f"{won:g} of {total:g}", number(kept, 2)]
        lines.append((rating.elo, cells))
    ordered = [cells for _, cells in sorted(lines, reverse=True)]
    return markdown(["agent", "Elo", "points", "outcome kept"], ordered)


@study.found
def programs(games: Rows, answers: Rows) -> str:
    """Rate all programs, first at their own depths, then with equal work."""
    positions = answers.position.nunique()
    own, equal = ratings(own_depths(), games, answers), ratings(equal_nodes(), games, answers)
    return (
        "Programs at the depths of their sources. All meet from the same few openings and are not independent, so"
        f" the ratings have no interval; *outcome kept* is the share of {positions} solved positions in which the move"
        f" keeps the outcome.\n\n{own}\n\nThe same with {NODES:,} nodes for each move.\n\n{equal}"
    )


@study.plot
def work(searches: Rows, axes: Any) -> None:
    """Nodes for the same value: as parts of alpha-beta's with the same table"""
    nodes = searches.pivot_table(index=["depth", "position"], columns="algorithm", values="nodes")
    depths = sorted(searches.depth.unique())
    for algorithm in COMPARED:
        parts = [nodes.loc[depth] for depth in depths]
        line(
            axes, depths, [ratio(part[algorithm], part["alpha-beta + table"], "positions") for part in parts], algorithm
        )
    axes.set(xlabel="depth in plies", ylabel="nodes / nodes of alpha-beta with a table", yscale="log")
    axes.legend()

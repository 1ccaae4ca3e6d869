"""EDAP01 report 2021: an alpha-beta agent that should not lose to the course's game server.

The program: bot/papers/edap01/program.py; what the report leaves open: bot/papers/edap01/notes.md. The report lists its
search line by line and prints neither the numbers of its evaluation nor a result. A *reading* is an evaluation that
fits its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from bot.game import Board
from bot.game.board import bits, has_four, playable_cells
from bot.lab.arena.searches import PlannedSearch
from bot.lab.arena.statistics import Estimate
from bot.lab.arena.tasks import PlannedGame, PlannedQuestion
from bot.lab.exact import exact_scores
from bot.lab.positions import judged_positions, read_positions
from bot.lab.replication.findings import Finding, above, certain, readings_above
from bot.lab.replication.plots import specification_curve
from bot.lab.replication.statistics import exact, mean, ratio, share
from bot.lab.replication.study import Rows, Study

FORMS = {"windows": "streaks in open windows", "runs": "streaks of adjacent discs"}
"""What 2.3, "streaks of different length from 2 to 4 played discs", can mean."""
STREAKS = ("10+100+100000", "2+5+1000", "1+10+100", "10+50+500")
"""Ours: values of a streak of two, three and four."""
COLUMNS = ("6+3+1", "3+2+1", "15+5+0")
"""Ours: values of a disc in column d, in c or e, and further out, which 2.3 ranks."""
READINGS = [
    f"form={form},streaks={streaks},columns={columns}" for form, streaks, columns in product(FORMS, STREAKS, COLUMNS)
]

study = Study(
    __name__,
    "EDAP01 report 2021",
    "H. Mohamad: Artificial Intelligence - EDAP01, Assignment 1: Adversarial Search. Report, Lund, 24 February 2021.",
    "No. The search is listed, but the evaluation only described: columns are ranked and streaks of two to four discs"
    f" counted, without a number. There are {len(READINGS)} readings here: streaks in open windows of four cells or of"
    f" adjacent discs, each with {len(STREAKS) * len(COLUMNS)} sets of numbers. Unlimitedly many more fit, and the"
    " report has no result that could choose.",
    terms="A reading is an evaluation that fits the report's words. The agent's defects are the places where the listed"
    " search departs from the one that the report describes (bot/papers/edap01/notes.md names them); without its"
    " defects it is the same program with these mended.",
)

STREAK = 20
"""1.2, objective 2: games in a row without a loss."""
LIKELY = 0.5 ** (1 / STREAK)
"""Ours, as the report names no chance: with this share of games not lost, such a row is as likely as not."""
ENDS = (
    "515605026026015666041444124154105222",
    "146501545006513113163446453466005303",
    "222226655050124460555446610106410411",
    "112145650555142246224142615006660004",
)
"""Positions with one free column, which wins."""
LATE = 30
"""Fewest discs of the positions in which passing is tried: earlier ones take long to solve."""


@study.run
def games(quick: bool) -> Iterator[PlannedGame]:
    """Against the course's bot: random moves in 2021, minimax to depth 3 by its text of 2024."""
    starts = [*product([""], range(1, 101)), *product(judged_positions(4, 4, 1), [1])]
    step = 10 if quick else 1
    for reading, bot in product(READINGS[::step], ("random", "depth3")):
        players = {"agent": f"edap01:5,{reading}", "bot": bot}
        for first, (opening, number) in product(players, starts[::step]):
            yield PlannedGame(players, first, opening, number, labels={"reading": reading, "against": bot})


@study.run
def positions(quick: bool) -> Iterator[PlannedQuestion]:
    """Other positions for each reading, so that their samples are independent."""
    judged = judged_positions(4, 32, 1)
    step = 10 if quick else 1
    for number, reading in enumerate(READINGS[::step]):
        agents = {
            "listed": f"edap01:5,{reading}",
            "intended": f"edap01-intended:5,{reading}",
            "left": f"edap01:5,{reading},order=left",
        }
        for position in judged[number :: len(READINGS)]:
            yield PlannedQuestion(agents, position, {"reading": reading})


@study.run
def ends() -> Iterator[PlannedQuestion]:
    """The listing and Figure 4 where the game ends with the next disc."""
    agents = {"listed": "edap01:5", "figure": "edap01-intended:5"}
    return (PlannedQuestion(agents, position) for position in ENDS)


@study.run
def searches(quick: bool) -> Iterator[PlannedSearch]:
    """Textbook searches, which share an evaluation of another source."""
    step = 320 if quick else 40
    for position in judged_positions(4, 32, step):
        for depth, algorithm in product((2, 4, 6, 8), ("minimax", "alpha-beta")):
            yield PlannedSearch(algorithm, position, depth)


def _empty_board() -> list[int]:
    """Return the exact scores of the seven first moves."""
    return [score for score in exact_scores("") if score is not None]


def _kept(games: Rows, bot: str, *, openings: bool = False) -> dict[str, Estimate]:
    """Return the share of games that each reading does not lose, from the empty board or from openings."""
    rows = games[(games.against == bot) & ((games.opening != "") == openings)]
    return {reading: share(points > 0, "games") for reading, points in rows.groupby("reading").agent_points}


def _likely(games: Rows, bot: str) -> int:
    return sum(found.value > LIKELY for found in _kept(games, bot).values())


def _streak(games: Rows, bot: str, about: str) -> Finding:
    sentence = (
        f"{about} The report sets this goal and gives no result. A row of {STREAK} games without a loss is more likely"
        f" than not, which is our limit, if {100 * LIKELY:.1f} % of the games are not lost. The verdict rests on that"
        " share."
    )
    shares = list(_kept(games, bot).values())
    return readings_above(shares, LIKELY, "share of games not lost", sentence, exist=len(READINGS))


@cache
def _outcome(own: int, other: int) -> int:
    """Return 1, 0 or -1: what the side to move reaches by perfect play, even if it has a disc too many."""
    moves = [own | cell for cell in bits(playable_cells(own | other))]
    if any(map(has_four, moves)):
        return 1
    return max((-_outcome(other, moved) for moved in moves), default=0)


@study.plot
def losses(games: Rows, axes: Any) -> None:
    """Games against a search of three plies, by what the report leaves open"""
    for form, start in product(FORMS, ("the empty board", "openings")):
        found = _kept(games, "depth3", openings=start == "openings")
        shares = [each for reading, each in found.items() if form in reading]
        specification_curve(axes, shares, f"{FORMS[form]}, from {start}")
    axes.axhline(LIKELY, color="black", label=f"{STREAK} games without a loss are as likely as not")
    axes.set(xlabel="sets of numbers of the evaluation, the worst first", ylabel="share of games not lost")
    axes.figure.legend(loc="outside lower center", ncols=2)


@study.statement
def first_columns() -> Finding:
    """1.5: "With perfect play, the first player can force a win, on or before the 41st move by starting in the middle"

    The next item: by starting in the four outer columns, the first player lets the second player force a win.
    """
    scores = _empty_board()
    equal = (scores[3] > 0) + sum(scores[column] < 0 for column in (0, 1, 5, 6))
    # With a score of s the winner plays 22 - s discs.
    sentence = (
        f"{equal} of these 5 first moves have the outcome that the report states: a win in the middle, a loss in each"
        f" outer column. With perfect play of both, the middle wins with move {2 * (22 - scores[3]) - 1}."
    )
    return certain(equal, 5, "first moves with the stated outcome", sentence)


@study.statement
def always_a_draw() -> Finding:
    """1.2, objective 1: "Connect Four is a solved game and one may always at least get a draw." """
    best = max(_empty_board())
    players = (best >= 0) + (best <= 0)
    sentence = (
        f"A draw or more can be forced by {players} of the 2 players. The report itself says in 1.5 that the first"
        ' player "can always win by playing the right moves".'
    )
    return certain(players, 2, "players who can force a draw", sentence)


@study.statement
def zugzwang() -> Finding:
    """1.5: "Zugzwang can arise, i.e. a situation in which the obligation to make a move is a serious disadvantage." """
    boards = [position.board for position in read_positions() if position.ply >= LATE]
    better = [-_outcome(board.opponent, board.current) > _outcome(board.current, board.opponent) for board in boards]
    sentence = (
        f"In {sum(better)} of {len(boards)} solved positions with {LATE} discs or more, the side to move would reach a"
        " better outcome if it could pass once."
    )
    return above(exact(sum(better)), 0, "positions", sentence)


@study.statement
def exponential(searches: Rows) -> Finding:
    """2.1: "the number of game states it has to examine is exponential in the depth of the tree"."""
    minimax = searches[searches.algorithm == "minimax"]
    nodes = minimax.pivot_table(index="position", columns="depth", values="nodes")
    growth = np.log(nodes[8] / nodes[4]) / np.log(nodes[4] / nodes[2])
    sentence = (
        f"From {len(nodes)} positions, minimax visits {nodes[2].mean():,.0f} nodes on average at depth 2,"
        f" {nodes[4].mean():,.0f} at depth 4 and {nodes[8].mean():,.0f} at depth 8. If such a number is exponential in"
        " the depth, its logarithm grows twice as much from 4 to 8 as from 2 to 4; if it is a power of the depth,"
        " equally. Our limit is the middle."
    )
    return above(mean(growth, "positions"), 1.5, "growth from depth 4 to 8 / from 2 to 4", sentence)


@study.statement
def same_decision(searches: Rows) -> Finding:
    """2.1: "it is possible to compute the correct minimax decision without looking at every node in the game tree"."""
    full, pruned = (rows.reset_index() for _, rows in searches.groupby("algorithm", sort=False))
    same = (pruned.column == full.column) & (pruned.value == full.value) & (pruned.nodes < full.nodes)
    sentence = (
        f"In {same.sum()} of {len(same)} searches to depths 2 to 8, alpha-beta finds minimax's column and value"
        f" with fewer nodes; in all it visits {100 * pruned.nodes.sum() / full.nodes.sum():.1f} % of minimax's nodes."
    )
    return certain(same.mean(), 1, "share of searches", sentence)


@study.statement
def listing(ends: Rows, positions: Rows) -> Finding:
    """2.2: Listing 1 "includes three functions according to the algorithm illustrated in Figure 4"."""
    listed, figure = ends.listed_nodes.sum(), ends.figure_nodes.sum()
    other = (positions.listed_column != positions.intended_column).mean()
    sentence = (
        f"In {len(ends)} positions whose only move wins, the algorithm of Figure 4 visits {figure} nodes and the"
        f" listing {listed}. Without its defects the agent plays another column in {100 * other:.0f} % of"
        f" {len(positions)} positions."
    )
    return certain(int(listed - figure), 0, "nodes more than by Figure 4", sentence)


@study.statement
def order_helps(positions: Rows) -> Finding:
    """2.3: "The order in which moves are considered has also been optimized to improve the performance" of pruning.

    It starts in the middle; from left to right is the order to which a program comes without thought.
    """
    found = [ratio(rows.left_leaves, rows.listed_leaves, "positions") for _, rows in positions.groupby("reading")]
    sentence = (
        f"The agent evaluates {positions.listed_leaves.mean():,.0f} leaves per position in its own order, and"
        f" {positions.left_leaves.mean():,.0f} from left to right. The verdict rests on the second number"
        " divided by the first."
    )
    return readings_above(found, 1, "ratio of leaves", sentence, exist=len(READINGS))


@study.statement
def streak_2021(games: Rows) -> Finding:
    """1.2, objective 2: "Not loose consistently in a row of 20 games.": against the bot of that time."""
    return _streak(games, "random", "In the server's source of January 2021 the bot moves at random.")


@study.statement
def streak_2024(games: Rows) -> Finding:
    """1.2, objective 2: "Not loose consistently in a row of 20 games.": against the bot of 2024."""
    about = "By the course's text of 2024 the bot is minimax of depth 3; it names no evaluation, so that is ours."
    return _streak(games, "depth3", about)


@study.noticed
def missed_wins(positions: Rows) -> str:
    """Count the wins that the agent does not take."""
    boards = [Board.from_moves(map(int, position)) for position in positions.position]
    wins = sum(any(map(board.wins_with, range(7))) for board in boards)
    taken = sum(map(Board.wins_with, boards, positions.listed_column))
    return (
        f"In {wins} positions a column wins at once; the agent plays such a column in {taken}, and without its defects"
        f" in {sum(map(Board.wins_with, boards, positions.intended_column))}."
    )


@study.noticed
def few_lines(games: Rows) -> str:
    """Compare the empty board with openings."""
    empty, others = _kept(games, "depth3"), _kept(games, "depth3", openings=True)
    best = max(empty, key=lambda reading: empty[reading].value)
    return (
        "From the empty board, a reading that does best against three plies loses"
        f" {100 - 100 * empty[best].value:.0f} % of its games, and from {games.opening.nunique() - 1} positions"
        f" after four plies {100 - 100 * others[best].value:.0f} %."
    )


@study.found
def summary(games: Rows) -> str:
    """Say whether the agent reaches its goal, and against which bot."""
    return (
        f"Of {games.reading.nunique()} evaluations that fit the report, {_likely(games, 'random')} are likely to make"
        f" {STREAK} games in a row without a loss against random moves, the server's bot of its time, and"
        f" {_likely(games, 'depth3')} against a search of three plies. The report does not print which one it used."
    )

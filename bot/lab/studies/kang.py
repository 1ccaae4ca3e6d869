"""Kang 2019: Heuristic-1 against itself, against Heuristic-2, and with some of its features only.

The programs: bot/papers/kang/program.py; what the paper leaves open: bot/papers/kang/notes.md. A *reading* is a
choice of all that is open. "Random move = 3" leaves every game to chance; *points* count a draw as half a win.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from bot.lab.arena.tasks import PlannedGame, PlannedQuestion
from bot.lab.exact import keeps_outcome
from bot.lab.positions import all_openings, opening_set
from bot.lab.replication.findings import Finding, Verdict, below, readings_above, readings_below
from bot.lab.replication.plots import line
from bot.lab.replication.statistics import LEVEL, exact, mean, rank_correlation, same_counts, share
from bot.lab.replication.study import Rows, Study
from bot.lab.replication.tables import ComparedTable, blank, printed

SHARED = [
    "ties=lowest,plies=0",
    "ties=centre,plies=0",
    "ties=random,plies=0",
    "ties=lowest,plies=1",
    "ties=centre,plies=1",
    "ties=random,plies=1",
]
"""What is open for both sides: which of equal columns is played, and whether both sides' moves count."""
DETAILS = [
    f"runs={runs},gap={gap},column={column},rest={rest}"
    for runs, gap, column, rest in product(("maximal", "every"), ("empty", "playable"), ("room", "now"), (0, 5000))
]
"""What is open in Heuristic-1."""
READINGS = [f"{shared},{details}" for shared, details in product(SHARED, DETAILS)]
CERTAIN = READINGS[:32]
"""Those that leave nothing to chance where no random move is played; there ``plies`` does not matter."""
WITH_RIVAL = list(product(("kang-h2", "kang-sample"), SHARED, DETAILS))
"""Readings with a rival: the matrix of 3.3.2 alone, or the program of reference 14 that it comes from."""
STARTERS = {
    "if both sides move first in turn": ["H1", "H2"],
    "if Heuristic-1 always moves first": ["H1"],
    "if Heuristic-2 always moves first": ["H2"],
}
"""Who moves first in Tables 7 to 9."""

study = Study(
    __name__,
    "Kang 2019",
    "X. Kang, Y. Wang, Y. Hu: Research on Different Heuristics for Minimax Algorithm, Insight from Connect-4 Game."
    " Journal of Intelligent Learning Systems and Applications 11 (2019) 15-31.",
    "No. The paper leaves open which of equally good columns is played, whether the random moves are every third of a"
    " side's own moves or of both sides', four details of Heuristic-1, and whether Heuristic-2 is a matrix alone or the"
    f" program that it comes from. There are {len(WITH_RIVAL)} combinations, {len(READINGS)} where Heuristic-1 plays"
    " itself. Who moves first in Tables 7 to 9 is open too: here both do equally often, and the tests of these tables"
    f" judge all {len(STARTERS)} cases, which makes {len(WITH_RIVAL) * len(STARTERS)} readings. None is preferred.",
    terms="Heuristic-1 (H1) adds up four features of a side's discs and subtracts the other side's: four connected ones"
    " (feature 1), three (2), two (3), and single discs, which count more near the middle (4). Heuristic-2 (H2) does so"
    ' with a fixed value for each square. "Random move = 3" means that at every third move a program plays one of its'
    " two best columns at random. Points count a draw as half a win.",
)

TABLE_6 = printed("""
depths H11   H12
2-2    0.5   0.5
2-4    0.2   0.7
2-6    0.1   0.9
2-8    0.0   1.0
4-2    0.5   0.3
4-4    0.5   0.4
4-6    0.4   0.6
4-8    0.3   0.7
6-2    0.9   0.1
6-4    0.6   0.4
6-6    0.5   0.5
6-8    0.2   0.8
8-2    0.8   0.2
8-4    0.7   0.3
8-6    0.5   0.3
8-8    0.4   0.4
""")
"""Table 6: shares of 10 rounds won by the first and the second player."""
TABLES_7_8 = printed("""
depth,features     H1
4,features=1       0.48
4,features=2       0.40
4,features=3       0.48
4,features=4       0.40
4,features=1+2     0.54
4,features=1+2+3   0.60
4,features=1+2+3+4 0.80
""")
"""Tables 7 and 8: shares won. The rounds are not printed; 50 is the fewest that gives these shares."""
TABLE_9 = printed("""
depth H1   H2
2     0.24 0.76
4     0.60 0.39
6     0.76 0.22
8     0.81 0.19
""")
"""Table 9: shares of 100 rounds (Table 5) won by either side."""
PRINTED_POINTS = 0.5 + TABLE_9.astype(float) @ [0.5, -0.5]
"""Points of Heuristic-1 by Table 9: what neither wins is drawn."""
GAMES = {"2": 10, "4": 10, "6": 4, "8": 1}
"""Games of a reading of Tables 7 to 9 with either side moving first, by depth."""
SINGLE = [f"6,features={feature}-2" for feature in "1234"] + [f"2-6,features={feature}" for feature in "1234"]
"""One feature against all, with either moving first."""
EARLY = 3
"""Ours: most discs of an early position."""


@study.run
def self_play(quick: bool) -> Iterator[PlannedGame]:
    """Table 6, and a single feature at depth 6 against all four at depth 2; games of depth 8 take longest."""
    readings = READINGS[:: 60 if quick else 1]
    for options, setting in product(readings, [*TABLE_6.index, *SINGLE]):
        first, second = setting.split("-")
        players = {"H11": f"kang-h1:{first},random=3,{options}", "H12": f"kang-h1:{second},random=3,{options}"}
        labels = {"reading": options, "setting": setting, "ahead": int(first[0]) - int(second[0])}
        games = 1 if "8" in setting else 4
        for number in range(games):
            yield PlannedGame(players, number=number + 1, labels=labels)


@study.run
def rivals(quick: bool) -> Iterator[PlannedGame]:
    """Tables 7 to 9."""
    pairs = WITH_RIVAL[:: 150 if quick else 1]
    for (rival, shared, details), setting, first in product(pairs, [*TABLE_9.index, *TABLES_7_8.index], ("H1", "H2")):
        players = {
            "H1": f"kang-h1:{setting},random=3,{shared},{details}",
            "H2": f"{rival}:{setting[0]},random=3,prune=1,{shared}",
        }
        labels = {"reading": f"{rival} {shared},{details}", "setting": setting}
        for number in range(GAMES[setting[0]]):
            yield PlannedGame(players, first, number=number + 1, labels=labels)


@study.run
def moves(quick: bool) -> Iterator[PlannedGame]:
    """Figures 12 and 13: the work of each move."""
    readings = READINGS[:: 60 if quick else 1]
    for options, depth in product(readings, (4, 6)):
        players = dict.fromkeys(("H11", "H12"), f"kang-h1:{depth},random=3,{options}")
        yield PlannedGame(players, number=1, by_move=True)


@study.run
def questions(quick: bool) -> Iterator[PlannedQuestion]:
    """Without random moves: all early positions, of two mirror images one, and positions of eight discs."""
    early = [columns for plies in range(EARLY + 1) for columns in all_openings(plies)]
    positions = [*early, *opening_set(8, 100, 0)][:: 25 if quick else 1]
    for options, columns in product(CERTAIN, positions):
        agents = {f"depth{depth}": f"kang-h1:{depth},{options}" for depth in (2, 4, 6)}
        yield PlannedQuestion(agents, "".join(map(str, columns)), {"reading": options})


def _listed(values: Rows) -> str:
    return ", ".join(f"{float(value):.2f}" for value in values)


def _mostly(points: Rows, rows: Rows, sentence: str, readings: list[Any]) -> Finding:
    """Return the finding on a statement that one side takes more than half of the points."""
    shares = [share(each, "games") for _, each in points.groupby(rows.reading)]
    return readings_above(shares, 0.5, "share of points", sentence, exist=len(readings))


def _beside(table: Rows, games: Rows, rounds: int) -> ComparedTable:
    """Return our games of all readings together: each has equally many, so their share is the mean over readings."""
    ours = blank(table)
    for setting, side in product(table.index, table.columns):
        won = games[f"{side}_points"] == 1
        ours.at[setting, side] = share(won[games.setting == setting], "games")
    note = (
        f"Shares of games won: printed, of {rounds} rounds, and ours, the mean over all readings played, with its"
        " interval. Bold: the printed share differs from this mean beyond chance. The rounds of Tables 6 and 9 are"
        " printed; those of Tables 7 and 8 are an assumption of ours, as their shares are multiples of 0.02."
    )
    return ComparedTable(table, ours, rounds=rounds, note=note)


def _compatible(games: Rows, table: ComparedTable, readings: list[Any], starters: Any) -> Finding:
    """Test for each reading whether one program can have played its games and the printed ones: won, lost, the rest."""
    shares = table.printed.astype(float)
    theirs = table.rounds * shares.assign(rest=1 - shares.sum(axis=1))
    won = games[[f"{side}_points" for side in shares.columns]] == 1
    outcomes = won.assign(rest=~won.any(axis=1))
    sizes, possible = [], []
    for starter, first in starters.items():
        for _, rows in outcomes[games["first"].isin(first)].groupby(games.reading):
            ours = rows.groupby(games.setting).sum().loc[shares.index]
            sizes.append(ours.sum(axis=1))
            if same_counts(theirs.round().to_numpy(), ours.to_numpy()) > LEVEL:
                possible.append(starter)
    by_starter = ", ".join(f"{possible.count(starter)} {starter}" for starter in starters)
    sentence = (
        f"For each reading played ({len(sizes)} of {len(readings) * len(starters)}), one test of all cells asks whether"
        f" one program can have played its games and the printed ones. It does not reject {by_starter}. A reading that"
        f" is not rejected need not reproduce the table: in a cell, {np.min(sizes)} to {np.max(sizes)} games of a"
        f" reading are compared with {table.rounds} printed ones."
    )
    verdict: Verdict = "undecided" if possible else "not reproduced"  # not to be rejected is no agreement
    return Finding(verdict, sentence, exact(len(possible)), "readings that can have given the table", "more than 0")


@study.table
def table_6(self_play: Rows) -> ComparedTable:
    """Table 6: Heuristic-1 against itself, by the depths of the first (H11) and the second player (H12)"""
    return _beside(TABLE_6, self_play, 10)


@study.table
def tables_7_8(rivals: Rows) -> ComparedTable:
    """Tables 7 and 8: Heuristic-1 (H1) with some of its features against Heuristic-2"""
    return _beside(TABLES_7_8, rivals, 50)


@study.table
def table_9(rivals: Rows) -> ComparedTable:
    """Table 9: Heuristic-1 (H1) against Heuristic-2 (H2) at equal depths"""
    return _beside(TABLE_9, rivals, 100)


@study.plot
def better(rivals: Rows, axes: Any) -> None:
    """Which heuristic is better, and at which depth?"""
    depths = TABLE_9.index
    line(axes, depths, [exact(points) for points in PRINTED_POINTS], "printed")
    for first, rows in rivals.groupby("first"):
        points = [share(rows.H1_points[rows.setting == depth], "games") for depth in depths]
        line(axes, depths, points, f"ours, {first} moves first")
    axes.set(xlabel="depth in plies", ylabel="points of Heuristic-1 against Heuristic-2")
    axes.legend()


@study.statement
def depths_table(self_play: Rows, table_6: ComparedTable) -> Finding:
    """Table 6: "Winning percentage of each depth pair when H1 fights against itself for 10 rounds." """
    return _compatible(self_play, table_6, READINGS, {"of them": ["H11"]})


@study.statement
def deeper_wins(self_play: Rows) -> Finding:
    """4: with more rounds, "the winning percentage of a heuristic with larger depth is bigger"."""
    rows = self_play[(self_play.ahead != 0) & self_play.setting.isin(TABLE_6.index)]
    points = rows.H11_points.where(rows.ahead > 0, rows.H12_points)
    sentence = "The verdict rests on the deeper side's points where Heuristic-1 plays itself at different depths."
    return _mostly(points, rows, sentence, READINGS)


@study.statement
def features_table(rivals: Rows, tables_7_8: ComparedTable) -> Finding:
    """Tables 7 and 8: "Winning percentage of using single feature of H1 over H2.", and of combined features."""
    return _compatible(rivals, tables_7_8, WITH_RIVAL, STARTERS)


@study.statement
def more_features(rivals: Rows) -> Finding:
    """4, to Table 8: "the winning percentage increases when more features are combined."

    This compares the ends of Table 8: features 1 and 2, and all four. Who moves first is the reading that matters.
    """
    points = rivals.pivot(index=["reading", "first", "number"], columns="setting", values="H1_points")
    won = (points == 1).astype(float)
    gains = won["4,features=1+2+3+4"] - won["4,features=1+2"]
    found = {first: mean(each, "pairs of games") for first, each in gains.groupby("first")}
    sentence = (
        f"Features 1 and 2, these and 3, and all four win {_listed(won[TABLES_7_8.index[4:]].mean())} of the games"
        f" (printed: {_listed(TABLES_7_8.H1[4:])}), the last less the first {found['H1'].value:+.2f} where Heuristic-1"
        f" moves first and {found['H2'].value:+.2f} where Heuristic-2 does. These two cases are the readings, each with"
        " all others together."
    )
    return readings_above([*found.values()], 0, "difference in the share of games won", sentence, exist=len(found))


@study.statement
def heuristics_table(rivals: Rows, table_9: ComparedTable) -> Finding:
    """Table 9: "Winning percentage of H1 and H2 when let them fight against each other at same depths." """
    return _compatible(rivals, table_9, WITH_RIVAL, STARTERS)


@study.statement
def weak_at_2(rivals: Rows) -> Finding:
    """4, to Table 9: "when Depth = 2, our heuristic H1 is so much weaker than H2"."""
    rows = rivals[rivals.setting == "2"]
    sentence = (
        f"Moving first and second, Heuristic-1 takes {_listed(rows.groupby('first').H1_points.mean())} of the points"
        f" at depth 2 (printed, without who moves first: {PRINTED_POINTS['2']:.2f}). The verdict rests on Heuristic-2's"
        " points where it always moves first, the case that is best for the statement, and only on whether it is"
        " stronger at all."
    )
    rows = rows[rows["first"] == "H2"]
    return _mostly(rows.H2_points, rows, sentence, WITH_RIVAL)


@study.statement
def stronger_from_4(rivals: Rows) -> Finding:
    """4, to Table 9: at depth 4 or larger, the right path "guarantees a higher winning percentage"."""
    rows = rivals[rivals.setting.isin(TABLE_9.index[1:]) & (rivals.number == 1)]
    sentence = (
        f"At depths 4, 6 and 8 Heuristic-1 takes {_listed(rows.groupby('setting').H1_points.mean())} of the points"
        f" (printed: {_listed(PRINTED_POINTS[1:])}). The verdict rests on its points where it always moves first, the"
        " case that is best for the statement, in equally many games of each depth."
    )
    rows = rows[rows["first"] == "H1"]
    return _mostly(rows.H1_points, rows, sentence, WITH_RIVAL)


@study.statement
def fewer_but_deeper(self_play: Rows) -> Finding:
    """5: searching deeper, a weaker heuristic with fewer features "can beat its opponent with more features"."""
    rows = self_play[self_play.setting.isin(SINGLE)]
    points = rows.H11_points.where(rows.ahead > 0, rows.H12_points)
    feature = rows.setting.str.extract("=(.)", expand=False)
    best = points[rows.number > 2].groupby(feature).mean().idxmax()
    sentence = (
        f"One feature at depth 6 plays all four at depth 2. Feature {best} does best in half of the games; the"
        " verdict rests on its points in the other half."
    )
    return _mostly(points[(rows.number <= 2) & (feature == best)], rows, sentence, READINGS)


@study.statement
def early(questions: Rows) -> Finding:
    """Abstract: "our heuristics with minimax algorithm is perfect on the early stages of the zero-sum game playing"."""
    rows = questions[questions.ply <= EARLY]
    lost = []
    for _, asked in rows.groupby("reading"):
        kept = [sum(map(keeps_outcome, asked.position, asked[f"depth{depth}_column"])) for depth in (2, 4, 6)]
        lost.append(exact(len(asked) - max(kept)))
    sentence = (
        f"Early means here at most {EARLY} discs: {rows.position.nunique()} positions. The verdict rests on the number"
        " of costly moves, which give a won or drawn game away, without random moves and at the best of depths 2, 4"
        " and 6."
    )
    return readings_below(lost, 1, "number of costly moves", sentence, exist=len(CERTAIN))


def _fall(moves: Rows, work: str) -> Any:
    found = [rank_correlation(game.ply, game[work]) for _, game in moves.iterrows()]
    return mean(found, "games")


@study.statement
def time_falls(moves: Rows) -> Finding:
    """4, to Figures 12 and 13: "time and the node numbers decrease with the increase of moves"."""
    sentence = (
        "In games at depths 4 and 6 a move's number has a rank correlation with its nodes of"
        f" {_fall(moves, 'nodes').value:.2f}, and with its time, on which the verdict rests, of"
        f" {_fall(moves, 'seconds').value:.2f}."
    )
    return below(_fall(moves, "seconds"), 0, "rank correlation", sentence)


@study.statement
def subtle_change(questions: Rows) -> Finding:
    """1: "heuristic becomes so essential that every subtle change in it can alter the final outcome of the move"."""
    columns = questions.pivot(index="position", columns="reading", values="depth4_column")
    # An axis for ties and one for each detail, which has its other value where the axis is flipped.
    moves = columns[CERTAIN].to_numpy().reshape(-1, 2, 2, 2, 2, 2)
    idle = sum((moves == np.flip(moves, detail)).all(axis=0) for detail in (2, 3, 4, 5))
    sentence = (
        "Each of the four details of Heuristic-1 that are open is changed alone; that such a change is subtle is ours."
        f" The verdict rests on the number of changes that alter none of {len(columns)} moves at depth 4; more"
        " positions can only lower it."
    )
    found = list(map(exact, np.ravel(idle)))
    return readings_below(found, 1, "number of changes without effect", sentence, exist=len(CERTAIN))


@study.found
def summary(rivals: Rows) -> str:
    """Say which heuristic is better, and whether a part of Table 9 chooses a reading that fits the rest."""
    points = rivals.groupby(["reading", "setting"]).H1_points.mean().unstack()
    errors = (points - PRINTED_POINTS) ** 2
    shallow, deep = errors["2"] + errors["4"], errors["6"] + errors["8"]
    size = min(10, len(points))
    chosen = deep[shallow.nsmallest(size).index].mean()
    drawn = np.array([deep.sample(size, random_state=draw).mean() for draw in range(999)])
    return (
        f"Against Heuristic-2, Heuristic-1 takes {points['2'].mean():.2f} of the points at depth 2 and"
        f" {points[['4', '6', '8']].mean().mean():.2f} at depths 4 to 8; the paper prints {PRINTED_POINTS['2']:.2f} and"
        f" {PRINTED_POINTS[1:].mean():.2f}. The {size} readings that come nearest to these points at depths 2 and 4 are"
        f" {chosen:.2f} from them at depths 6 and 8 (sum of squared differences), {size} random ones"
        f" {drawn.mean():.2f}: {100 * (drawn <= chosen + 1e-9).mean():.0f} % of {len(drawn)} random choices are as near"
        " or nearer."
    )

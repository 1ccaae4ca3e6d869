"""Kang 2019: Tables 6 to 9, and what the text says of them. The programs are in program.py, the statements in notes.md.

In every game *A* is the side that a statement is about: Heuristic-1, or the first of two. Shares are of won games:
draws count for nobody, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import hypot
from typing import Any, NamedTuple

from bot.gauntlet.arena.statistics import Range, share
from bot.papers.runs import Rows, Runner
from bot.papers.solved import keeps_outcome, openings
from bot.papers.study import HOLDS, Statement, Study, Table, listed
from bot.papers.tasks import Ask, Play, Task

ALL = "1+2+3+4"
FEATURES = ("1", "2", "3", "4", "1+2", "1+2+3", ALL)
GAMES = {2: 200, 4: 200, 6: 100, 8: 25}
"""Ours, by the deeper side's depth: games of the recommended reading with one side moving first."""
AT_4 = [f"4 {features}" for features in FEATURES]
"""The settings of Tables 7 and 8."""
ALIKE = 0.05
"""Ours: shares that differ by no more are similar."""


class Reading(NamedTuple):
    """What is chosen of all that the text leaves open."""

    rival: str
    both: str
    """Options of both sides."""
    own: str
    """Options of Heuristic-1."""

    def h1(self, depth: Any, features: str = ALL) -> str:
        """Return the name of Heuristic-1 with random moves."""
        return f"kang-h1:{depth},features={features},random=3{self.both}{self.own}"


CHOICES: list[Any] = [
    (("kang-h2", ""), ("kang-h2", ",wins=feature"), ("kang-sample", ",prune=1")),
    ("", ",ties=centre", ",ties=random"),
    ("", ",plies=1"),
    *(("", option) for option in (",runs=every", ",gap=playable", ",column=now", ",rest=5000", ",three=below")),
]
EVERY = [Reading(rival, ties + plies + wins, "".join(own)) for (rival, wins), ties, plies, *own in product(*CHOICES)]
"""All readings; the recommended one is the first."""
ALONE = [reading for reading in EVERY if "".join(reading).count("=") < 2]
"""The recommended one, and those in which one point is another."""
FIRST, BLIND = "kang-h2", "kang-h2,wins=feature"
"""What the recommended reading is called in the rows, and the one in which only feature 1 sees a won game."""

PRINTED_6 = """
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
"""
PRINTED_7_8 = """
features H1
1        0.48
2        0.40
3        0.48
4        0.40
1+2      0.54
1+2+3    0.60
1+2+3+4  0.80
"""
PRINTED_9 = """
depth H1   H2
2     0.24 0.76
4     0.60 0.39
6     0.76 0.22
8     0.81 0.19
"""
PRINTED_H1 = [float(line.split()[1]) for line in PRINTED_9.strip().split("\n")[1:]]
STARTS = {"kang-h2": "ours, in turn", "A": "ours, H1 always starts", "B": "ours, H2 always starts"}


def games(setting: str, reading: Reading, a: str, b: str, count: int, *, first: str = "AB") -> Iterator[Task]:
    """Play ``count`` games with each of the sides ``first`` moving first."""
    for number, mover in product(range(count), first):
        agents = {"A": a, "B": b} if mover == "A" else {"B": b, "A": a}
        yield Play(agents, number=number, labels={"setting": setting, "reading": "".join(reading)})


def rivals(reading: Reading, depth: int, count: int, features: str = ALL) -> Iterator[Task]:
    """Heuristic-1 against Heuristic-2 at equal depth."""
    rival = f"{reading.rival}:{depth},random=3{reading.both}"
    return games(f"{depth} {features}", reading, reading.h1(depth, features), rival, count)


def against_h2(less: int) -> Iterator[Task]:
    """Table 9 in the recommended reading, Tables 7 and 8 in all."""
    for depth in (2, 6, 8):
        yield from rivals(EVERY[0], depth, GAMES[depth] // less)
    for (number, reading), features in product(enumerate(ALONE), FEATURES):
        yield from rivals(reading, 4, (50 if number else 500) // less, features)


def against_itself(less: int) -> Iterator[Task]:
    """Table 6, where A moves first; in the other readings a part, with an eighth of the games."""
    for reading, one, two in product(ALONE[:-1], GAMES, GAMES):
        part = less if reading == EVERY[0] else 8 * less
        if part == less or (one != two and max(one, two) < 8):
            count = GAMES[max(one, two)] // part
            yield from games(f"{one}-{two}", reading, reading.h1(one), reading.h1(two), count, first="A")


def early(step: int) -> Iterator[Task]:
    """All positions of at most three discs, without random moves."""
    places = [start for discs in range(4) for start in openings(discs)][::step]
    for reading, depth, start in product(ALONE[:-1], GAMES, places):
        if depth < 8 or reading == EVERY[0]:
            labels = {"reading": "".join(reading), "depth": depth}
            yield Ask({"A": f"kang-h1:{depth}{reading.both}{reading.own}"}, start, labels=labels)


def moves(itself: Rows) -> Iterator[Task]:
    """Each move of five games at equal depth, timed five times."""
    for depth, line, number in product((4, 6), range(5), range(5)):
        played = itself.moves[itself.setting == f"{depth}-{depth}"].iloc[line]
        for ply in range(len(played)):
            labels = {"depth": depth, "third": 3 * ply // len(played)}
            yield Ask({"A": EVERY[0].h1(depth)}, played[:ply], number, timed=True, labels=labels)


def counted(rows: Rows) -> dict[str, Rows]:
    """Return the numbers of games that A wins, B wins, and of all, by setting, for each reading."""
    said = rows.assign(A=rows.A_points == 1, B=rows.B_points == 1, games=1)
    return {
        name: part.groupby("setting")[["A", "B", "games"]].sum() for name, part in said.groupby("reading", sort=False)
    }


def decided(row: Any) -> Range:
    """Return the share that A wins of the games with a winner."""
    return share(row.A, max(1, row.A + row.B))


def between(one: Range, other: Range) -> Range:
    """Return how far one share is above another, with the interval of the difference (Newcombe)."""
    gain = one.value - other.value
    return Range(
        gain,
        gain - hypot(one.value - one.low, other.high - other.value),
        gain + hypot(one.high - one.value, other.value - other.low),
    )


def shares(found: Rows, settings: Iterable[str]) -> Rows:
    """Return the shares that A and B win, a row for each setting."""
    rows = found.loc[[*settings]]
    return rows[["A", "B"]].div(rows.games, axis=0)


def study(run: Runner) -> Study:
    """Carry out the study."""
    less = 12 if run.quick else 1
    rows, itself = run("against Heuristic-2", against_h2(less)), run("against itself", against_itself(less))
    own = rows[rows.reading == FIRST]
    found, selves = counted(rows) | counted(own.assign(reading=own["first"])), counted(itself)
    depths = [f"{depth} {ALL}" for depth in GAMES]
    nine = {name: shares(found[name], depths) for name in STARTS}
    ours = nine[FIRST].set_axis([*GAMES])
    parts = [decided(found[FIRST].loc[each]) for each in depths]
    even = [depth for depth, part in zip(GAMES, parts, strict=True) if part.low <= 0.5 <= part.high]
    statements = [
        reversed_table(run, parts, nine),
        *features(found),
        deeper(selves),
        perfect(run("early positions", early(20 if run.quick else 1)), itself),
        falls(run("moves", moves(itself))),
    ]
    said = [statement.as_json()["verdict"] for statement in statements]
    sentences = [
        f"""Table 9 comes out reversed at {sum((ours.A > ours.B) != [False, True, True, True])} of 4 depths
        ({len(even)} of them within chance): at depths 2, 4, 6 and 8 Heuristic-1 wins {listed(100 * ours.A, ".1f")} %
        of its games against Heuristic-2, where the paper prints
        {listed((100 * part for part in PRINTED_H1), ".0f")} %.""",
        f"""Of the {len(statements[0].others) + 1:,} readings of its text that we played, in a few games each,
        {[*statements[0].others].count(100)} have the printed direction at depths 2, 4 and 6.""",
        f"Statements that hold in our games: {said.count(HOLDS)} of {len(said)}.",
    ]
    lines = {label: nine[name].A.set_axis([*GAMES]) for name, label in STARTS.items()}
    return Study(
        sentences,
        tables(found[FIRST], selves[FIRST], ours),
        statements,
        "Share of the games that Heuristic-1 wins against Heuristic-2, by depth",
        {"printed": dict(zip(GAMES, PRINTED_H1, strict=True)), **lines},
    )


def tables(own: Rows, itself: Rows, nine: Rows) -> list[Table]:
    """Return Tables 6 to 9 with ours, the last one first."""
    return [
        Table(
            "Table 9: Heuristic-1 against Heuristic-2 at equal depths, shares won",
            PRINTED_9,
            nine.to_numpy(),
            games=100,
            note="Printed are 100 games a depth (Table 5), ours 1,000 at depth 4, and 400, 200, 50 at depths 2, 6, 8.",
        ),
        Table(
            "Tables 7 and 8: Heuristic-1 with some features against Heuristic-2 at depth 4, share won",
            PRINTED_7_8,
            shares(own, AT_4)[["A"]].to_numpy(),
            games=50,
            note="""No number of games is printed: 50 is our assumption. Ours are 1,000 a line. The sign of features
                1+2+3 is on the edge: an exact interval in place of Wilson's would include our number. All features at
                depth 4 have 0.80 here and 0.60 in Table 9, the same setting by the text.""",
        ),
        Table(
            "Table 6: Heuristic-1 against itself, by the depths of first and second side, shares won by H11 and H12",
            PRINTED_6,
            shares(itself, (f"{one}-{two}" for one, two in product(GAMES, GAMES))).to_numpy(),
            games=10,
            note="""Printed are 10 games a line, ours 200; 100 where a side has depth 6, 25 where one has depth 8.""",
        ),
    ]


def reversed_table(run: Runner, own: Sequence[Range], nine: dict[str, Rows]) -> Statement:
    """4, to Table 9; the other readings in turn, and where A or B always starts."""
    first, *later = own
    right, ways = (first.high < 0.5) + sum(part.low > 0.5 for part in later), []
    for depth, count in ((2, 4), (4, 4), (6, 2)):
        tasks = (task for reading in EVERY[:: 60 if run.quick else 1] for task in rivals(reading, depth, count))
        rows = run(f"all readings, depth {depth}", tasks)
        lead = (rows.A_points - 0.5).groupby([rows.reading, rows["first"]]).sum().unstack()
        lead["in turn"] = lead.sum(axis=1)
        ways.append((lead < 0 if depth == 2 else lead > 0).astype(int).stack())
    counts = [way.sum() for way in ways]
    why = f"""The printed Table 9 says what the statement says: H1 has {listed(PRINTED_H1, ".2f")}. In our games
        {right} of 4 depths have the printed direction. At depths 2, 4, 6 and 8 H1 wins {listed(nine["A"].A, ".2f")}
        of the games that it starts, and {listed(nine["B"].A, ".2f")} of those that H2 starts. The other readings
        play depths 2, 4 and 6, with 2 to 8 games at each: of {len(ways[0]):,}, {counts[0]} have the printed
        direction at depth 2 ({ways[0].xs("B", level=1).sum()} of them where H2 always starts), {counts[1]} at depth
        4 and {counts[2]} at depth 6."""
    others = (100 * sum(ways) / len(ways)).drop((FIRST, "in turn"))
    return Statement(25 * right, lambda part: part == 100, why, "{:.0f} % of the depths", [*others])


def features(found: dict[str, Rows]) -> list[Statement]:
    """4, to Tables 7 and 8: single features, features that are alike, more features."""
    best, gaps, least = list[Range](), list[Range](), list[Range]()
    for each in found.values():
        rows = [each.loc[setting] for setting in AT_4]
        one, two, three, four, *more = (share(row.A, row.games) for row in rows)
        best.append(max(map(decided, rows[:4])))
        gaps.append(max(between(max(pair), min(pair)) for pair in ((one, three), (two, four))))
        least.append(min(map(between, more, [one, *more])))
    own, some = found[FIRST], ["4 1", *AT_4[4:]]
    single, steps = shares(own, AT_4[:4]), shares(own, some).A
    return [
        Statement(
            best[0],
            lambda part: part < 0.5,
            f"""Features 1, 2, 3 and 4 win {listed(single.A, ".2f")} of the games, H2 {listed(single.B, ".2f")}. They
            win {listed(shares(found[BLIND], AT_4[:4]).A, ".2f")} where only
            feature 1 sees a won game. In the printed table all four are below 0.5, but H2's share is not printed:
            with enough drawn games 0.48 could be more than H2's.""",
            "{:.2f} of the games with a winner",
            best[1:],
        ),
        Statement(
            gaps[0],
            lambda gap: gap <= ALIKE,
            f"""In the printed table the pairs are equal (0.48 and 0.48, 0.40 and 0.40); in our games they differ by
            {listed(single.A.diff(2).abs()[2:], ".2f")}. In 50 rounds, our assumption, even 0.48 and
            0.40 cannot be told apart.""",
            "{:.2f} apart",
            gaps[1:],
        ),
        Statement(
            least[0],
            lambda step: step > 0,
            f"""The printed shares rise: 0.48, 0.54, 0.60, 0.80. With feature 1; 1, 2; 1, 2, 3; and all, H1 wins
            {listed(steps, ".2f")} of its games; {listed(shares(found["A"], some).A, ".2f")} where it always starts,
            {listed(shares(found["B"], some).A, ".2f")} where H2 does. With features 1 and 2 H1 wins {own.A["4 1+2"]}
            games and H2 {own.B["4 1+2"]}. The steps are {listed(steps.diff()[1:], "+.2f")}.""",
            "{:+.2f} at the least step",
            least[1:],
        ),
    ]


def deeper(itself: dict[str, Rows]) -> Statement:
    """4, to Table 6."""
    found, numbers = [], []
    for each in itself.values():
        parts = {}
        for shallow, deep in combinations(GAMES, 2):
            if f"{deep}-{shallow}" in each.index:
                first, second = each.loc[f"{deep}-{shallow}"], each.loc[f"{shallow}-{deep}"]
                won, lost = first.A + second.B, first.B + second.A
                parts[f"{deep} against {shallow}"] = share(won, max(1, won + lost))
        found.append(parts)
        numbers.append(100 * sum(part.high >= 0.5 for part in parts.values()) / len(parts))
    two = itself[FIRST].loc["2-4"]
    why = f"""Of the games with a winner the deeper side wins, at depths
        {", ".join(f"{pair} {part.value:.2f}" for pair, part in found[0].items())}: more than half in
        {sum(part.value > 0.5 for part in found[0].values())} of 6 pairs, beyond chance in
        {sum(part.low > 0.5 for part in found[0].values())}. The first move can outweigh depth: depth 2 wins {two.A}
        and loses {two.B} of {two.games} games that it starts against depth 4. In the printed table the deeper side
        wins more in all 12 cells of different depths."""
    return Statement(numbers[0], lambda part: part == 100, why, "{:.0f} % of the pairs not against it", numbers[1:])


def early_costs(line: str) -> int:
    """Return the costly moves among the first four of a game."""
    return sum(not keeps_outcome(line[:ply], int(line[ply])) for ply in range(4))


def perfect(asked: Rows, itself: Rows) -> Statement:
    """Abstract: costly moves in all early positions, and at the beginning of its own games, where none is random."""
    asked["lost"] = [not kept for kept in map(keeps_outcome, asked.start, asked.A_column)]
    counts = asked.pivot_table("lost", "reading", "depth", "sum", sort=False)
    lines = (itself.moves[itself.setting == f"{depth}-{depth}"].iloc[0] for depth in GAMES)
    own = [*map(early_costs, lines)]
    best = counts.min(axis=1)
    why = f"""In {asked.start.nunique()} positions it plays {listed(counts.loc[FIRST], ".0f")} costly moves at depths 2,
        4, 6 and 8, and {listed(own)} of the first four moves are costly in a game against itself (one game a depth; the
        online sample is not the opponent): the rule's exception, none at any depth, does{" not" * bool(sum(own))}
        apply. Section 4 itself says of depth 2: "It might make some wrong moves at the beginning"."""
    return Statement(
        float(best[FIRST]) if sum(own) else None,
        lambda count: count == 0,
        why,
        f"{{:.0f}} costly moves in {asked.start.nunique()} positions",
        [*best.drop(FIRST)],
    )


def falls(asked: Rows) -> Statement:
    """4, to Figures 12 and 13: nodes and times by thirds of a game."""
    least = asked.groupby(["depth", "third", "start"])[["A_nodes", "A_seconds"]].min()
    work = least.groupby(["depth", "third"]).mean()
    down = (work.groupby("depth").diff() < 0).to_numpy().sum()
    together = [part.A_nodes.corr(part.A_seconds) for _, part in least.groupby("depth")]
    why = f"""Nodes of a decision, by thirds of a game: {listed(work.A_nodes[4], ",.0f")} at depth 4 and
        {listed(work.A_nodes[6], ",.0f")} at depth 6; milliseconds {listed(1000 * work.A_seconds[4], ".2f")} and
        {listed(1000 * work.A_seconds[6], ".2f")}. The correlations of nodes and time are {listed(together, ".2f")};
        1 would be points on one straight line that rises."""
    return Statement(down, lambda steps: steps == 8 and min(together) > 0, why, "{:.0f} of 8 steps down")

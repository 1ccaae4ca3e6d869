"""EDAP01 report 2021: what it says of its search and of its agent. The statements are in notes.md.

A *reading* is an evaluation that fits the report's words; the first one is recommended, and fills all options.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from bot.game import Board, parse_moves
from bot.gauntlet.arena.statistics import Range, share
from bot.papers.runs import Rows, Runner
from bot.papers.solved import openings, solved
from bot.papers.study import Statement, Study, listed, measured, results
from bot.papers.tasks import Ask, Play, Task

FORMS = ("runs", "windows")
"""What 2.3, "streaks of different length from 2 to 4 played discs", can mean."""
STREAKS = ("10+100+100000", "2+5+1000", "1+10+100", "10+50+500")
"""Ours: values of a streak of two, three and four."""
COLUMNS = ("6+3+1", "3+2+1", "15+5+0")
"""Ours: values of a disc in column d, in c or e, and further out, which 2.3 ranks."""
READINGS = [
    f"form={form},streaks={streaks},columns={columns}" for form, streaks, columns in product(FORMS, STREAKS, COLUMNS)
]
OWN = READINGS[0]
BOTS = {
    "random moves": "random",
    "1 ply": "edap01-intended:1",
    "2 plies": "edap01-intended:2",
    "3 plies": "edap01-intended:3",
    "4 plies": "edap01-intended:4",
}
"""The bot of January 2021 as far as it is known, and alpha-beta with the recommended evaluation, without defects."""
DEPTHS = range(1, 9)
LIMIT_S, SLOWER = 5, 3
"""1.2, objective 4; and how many times slower than ours the machine may be (ours)."""
SESSIONS = 3
"""Ours: how often each move is timed."""
RARE = 0.05
"""Ours: with fewer losses a performance is good."""


def questions(step: int) -> Iterator[Task]:
    """The listing, Figure 4, and the listing from left to right; other readings in every fifth position."""
    for reading in READINGS:
        roles = {"listed": "", "figure": ",search=figure4", "left": ",order=left"}
        agents = {role: f"edap01:5,{reading}{option}" for role, option in roles.items()}
        for start in solved(step if reading == OWN else 5 * step, 4, 32):
            yield Ask(agents, start, labels={"reading": reading})


def searches(step: int) -> Iterator[Task]:
    """Minimax and alpha-beta to each depth."""
    for depth, start in product(DEPTHS, solved(step, 4, 32)):
        agents = {"minimax": f"edap01:{depth},search=minimax", "pruned": f"edap01:{depth},search=figure4"}
        yield Ask(agents, start, labels={"depth": depth})


def games(step: int) -> Iterator[Task]:
    """Every reading against every bot, the student first: 200 draws, or the empty board and openings of four discs."""
    for reading, (bot, name) in product(READINGS, BOTS.items()):
        plan = product([""], range(200)) if name == "random" else product(["", *openings(4, 12)], [0])
        for start, number in [*plan][::step]:
            labels = {"reading": reading, "bot": bot}
            yield Play({"student": f"edap01:5,{reading}", "bot": name}, start, number, labels=labels)


def moments(played: Rows, sessions: int) -> Iterator[Task]:
    """Listing 1 in Python, in the student's positions of ten games of the recommended reading, in each session."""
    own = played[played.reading == OWN]
    for game in (*own[own.bot == "random moves"][:6].itertuples(), *own[own.bot == "4 plies"][:4].itertuples()):
        for ply, session in product(range(len(game.start), game.plies, 2), range(sessions)):
            agents = {"printed": "edap01-listing:5", "listed": "edap01:5"}
            yield Ask(agents, game.moves[:ply], session, True, {"session": session})


def study(run: Runner) -> Study:
    """Carry out the study."""
    step = 10 if run.quick else 1
    asked = run("positions", questions(step))
    searched = run("searches", searches(40 * step))
    played = run("games", games(step))
    timed = run("times", moments(played, 1 if run.quick else SESSIONS))
    longest = timed.loc[timed.printed_nodes.idxmax()]
    agents = {"plain": "edap01-listing:5", "course": "edap01-listing:5,course=1"}
    beside = run("environments", [Ask(agents, longest.start, number, True) for number in range(SESSIONS)])
    factor = measured([*(beside.course_seconds / beside.plain_seconds)])
    lost = (played.student_points == 0).groupby([played.bot, played.reading]).mean().unstack("bot")[[*BOTS]]
    own, differs, plies = lost.loc[OWN], listing(asked), 100 * lost["3 plies"]
    found = [
        f"""The report prints no game, no time and no result of its agent, and no number of its evaluation: what follows
        are games of {len(READINGS)} readings of our own. The recommended one loses
        {100 * own["random moves"]:.0f} % of its games against random moves,
        {plies[OWN]:.0f} % against alpha-beta of 3 plies, where the readings lose {plies.min():.0f} to {plies.max():.0f}
        %, and {100 * own["4 plies"]:.0f} % against 4 plies.""",
        f"""Listing 1 plays another column than the algorithm of its Figure 4 in {differs.ours:.1f} % of positions,
        and in Python its longest move takes {timed.groupby("session").printed_seconds.max().min():.1f} to
        {timed.printed_seconds.max():.1f} s on our machine; with a stand-in of ours for the course's environment that
        move takes {factor:.1f} times as long.""",
    ]
    statements = [
        *nodes_by_depth(searched),
        differs,
        order(asked),
        five_seconds(timed, longest, factor),
        good_performance(played[played.reading == OWN], lost),
    ]
    lines = {"the recommended reading": own, "the best of the readings": lost.min(), "the worst": lost.max()}
    return Study(found, [], statements, "Part of the games lost, by the opponent", lines)


def nodes_by_depth(searched: Rows) -> list[Statement]:
    """2.1: nodes of minimax at each depth, and decisions and nodes of alpha-beta beside it."""
    nodes = searched.groupby("depth")[["minimax_nodes", "pruned_nodes"]].mean()
    full, part = nodes.minimax_nodes, 100 * nodes.pruned_nodes / nodes.minimax_nodes
    factors = (full / full.shift()).dropna()
    deep = searched[searched.depth > 1]
    wrong = ((deep.minimax_column != deep.pruned_column) | (deep.minimax_value != deep.pruned_value)).sum()
    return [
        Statement(
            factors.min() / factors.max(),
            lambda least: least >= 0.5,
            f"""From {searched.start.nunique()} positions, minimax visits {full[2]:,.0f} nodes on average at depth 2,
            {full[4]:,.0f} at depth 4 and {full[8]:,.0f} at depth 8. From each depth to the next it is
            {listed(factors, ".1f")} times as many. Our number is the least of these factors as a part of the
            greatest.""",
            "{:.2f} of the greatest factor, at least",
        ),
        Statement(
            wrong,
            lambda count: count == 0 and part.loc[2:].max() < 100,
            f"""In {len(deep) - wrong} of {len(deep)} searches to depths 2 to 8, alpha-beta finds minimax's column and
            value. It visits {part[2]:.0f} % of minimax's nodes at depth 2, {part[4]:.0f} % at depth 4 and {part[8]:.1f}
            % at depth 8. In {(deep.pruned_nodes >= deep.minimax_nodes).sum()} searches nothing could be left out: there
            it visits as many.""",
            "{:.0f} searches that differ",
        ),
    ]


def listing(asked: Rows) -> Statement:
    """2.2: Listing 1 and Figure 4."""
    differs = asked.listed_column != asked.figure_column
    parts = 100 * differs.groupby(asked.reading, sort=False).mean()
    own = asked[asked.reading == OWN]
    boards = [Board.from_moves(parse_moves(start)) for start in own.start]
    winning = sum(any(map(board.wins_with, range(7))) for board in boards)
    missed = [winning - sum(map(Board.wins_with, boards, own[f"{role}_column"] - 1)) for role in ("listed", "figure")]
    why = f"""In {differs[own.index].sum()} of {len(own):,} positions the listing plays another column than Figure 4
        with the same evaluation. In {winning} positions a column wins at once: the listing does not play such a
        column in {missed[0]}, Figure 4 in {missed[1]}. The listing visits {own.listed_nodes.mean():,.0f} nodes for a
        move, Figure 4 {own.figure_nodes.mean():,.0f}. The cause of other columns is line 107, which asks the game's
        real board: below a win of the student the search goes on. Both can miss a win at once, because the report
        values a won game by its streaks: a later win with more twos and threes can count more."""
    return Statement(parts[OWN], lambda part: part == 0, why, "{:.1f} % of positions", [*parts.drop(OWN)])


def order(asked: Rows) -> Statement:
    """2.3: leaves in the report's order and from left to right."""
    leaves = asked.groupby("reading", sort=False)[["left_leaves", "listed_leaves"]].mean()
    ratios = leaves.left_leaves / leaves.listed_leaves
    why = f"""The listing evaluates {leaves.listed_leaves[OWN]:,.0f} leaves for a move in its own order, and
        {leaves.left_leaves[OWN]:,.0f} with the columns from left to right. Our number is the second divided by the
        first."""
    return Statement(ratios[OWN], lambda ratio: ratio > 1, why, "{:.2f} times the leaves", [*ratios.drop(OWN)])


def five_seconds(timed: Rows, longest: Rows, factor: Range) -> Statement:
    """1.2: seconds of Listing 1 in Python."""
    import platform

    times = timed.groupby("session").printed_seconds.max().tolist()
    alike = ((timed.printed_column == timed.listed_column) & (timed.printed_nodes == timed.listed_nodes)).sum()
    others = [*(SLOWER * each for each in times), factor.value * max(times)]
    why = f"""In {timed.start.nunique()} positions of whole games, each asked {len(times)} times, the median is
        {timed.printed_seconds.median():.2f} s (processor time, Python {platform.python_version()},
        {platform.machine()}). The longest move makes {longest.printed_nodes:,} deep copies. A machine {SLOWER} times
        slower would take up to {SLOWER * max(times):.1f} s. With our stand-in for the course's environment, whose
        `step` tests for four in a row, this move takes {factor:.1f} times as long, both asked one after the other,
        {SESSIONS} times: that is {others[-1]:.1f} s. The other numbers are the longest moves of the {len(times)}
        sessions on a machine {SLOWER} times slower, and that one. Compiled, the same search finds the same column
        with the same nodes in {alike} of {len(timed)} answers."""
    return Statement(measured(times), lambda time: time <= LIMIT_S, why, "{:.1f} s for the longest move", others)


def good_performance(own: Rows, lost: Rows) -> Statement:
    """4.3: losses against five bots."""
    shown = (f"{results(own.student_points[own.bot == bot])} against {bot}" for bot in BOTS)
    chance = own.student_points[own.bot == "random moves"] == 0
    random, worst = lost["random moves"], lost.max(axis=1)
    why = f"""Games won, lost and drawn by the recommended reading: {"; ".join(shown)}. The games against alpha-beta
        start on the empty board and after {own.start.nunique() - 1} openings of four discs. Our number is the losses
        against random moves. {(random < RARE).sum()} of {len(worst)} readings lose less than 1 game of 20 to random
        moves, and {(worst < RARE).sum()} of them do so against every one of the five bots: to the strongest one they
        lose {100 * worst.min():.0f} to {100 * worst.max():.0f} %. The text does not say what is good, nor against
        which opponent. Objective 2 of the report, a row of 20 games without a loss, is a goal whose result is not
        reported."""
    good = (worst < RARE).all() or None
    return Statement(
        share(chance.sum(), len(chance)),
        lambda losses: losses <= 0.5 and good,
        why,
        "{:.3f} of games lost",
        [*random.drop(OWN)],
    )

"""The coach: everything that it says of some games against plain rules and the solver, and each kind by an example."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import accumulate

import pytest

from bot.engine.agent import StopFlag
from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import Review, review
from bot.game import Board, parse_moves
from bot.lab.arena.games import Pairing, play_pairing
from bot.lab.positions import random_opening
from bot.learn.coach.coach import Coach
from bot.learn.coach.follow_up import follow_up
from bot.learn.coach.forcing import forced_win
from bot.learn.coach.insight import Account, account, insight
from bot.learn.coach.position import threats, view
from bot.learn.coach.reason import Insight, Reason
from bot.learn.coach.words import facts
from tests.learn import plain

DEADLINE_S = 600.0
"""Limit of each step of the analysis, seconds: more than any takes on any machine."""


def lost_games(count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the first ``count`` games of a seed that the weaker level lost."""
    rng, number = random.Random(seed), 0
    while count:
        levels = rng.sample(range(1, 7), 2)
        moves = play_pairing(Pairing(f"level:{levels[0]}", f"level:{levels[1]}", f"insight/{seed}/{number}")).moves
        winner, number = Board.from_moves(moves).winner, number + 1
        if winner and levels[winner - 1] > levels[2 - winner]:
            count -= 1
            yield tuple(moves)


@cache
def analyst() -> Analyst:
    """Return the analyst that all checks share."""
    return Analyst(shipped_book())


@cache
def score(board: Board, player: int) -> int:
    """Return the exact score of a board, by rules, book and solver, in the view of ``player``."""
    found = analyst().bounds(board, keep=True).score
    assert found is not None
    return found if board.ply % 2 == player - 1 else -found


def check_reason(before: Board, mistake: int, verdict: str, reason: Reason) -> None:
    """Raise AssertionError where the mistake loses no score, a quiet move does, or the line is no faster."""
    player, mover = reason.player, before.ply % 2 + 1
    start, after = score(before, mover), score(before.play(mistake), mover)
    assert start > after, "the move was no mistake"
    boards = list(accumulate(reason.line, Board.play, initial=before))
    for board in boards[1 : reason.quiet + 1]:
        assert score(board, mover) == (start if reason.missed else after), "a quiet move loses score"
    ours = score(boards[reason.quiet], player)
    assert ours == 0 if reason.kind == "follow-up that holds" else ours > 0, "the outcome is another"
    if verdict in ("slower", "sooner"):
        end = 2 * (22 - abs(after if verdict == "slower" else start)) - (player == 1)
        assert boards[-1].ply < end, "the line is as slow as the game without it"


def check_insight(before: Board, insight: Insight) -> None:
    """Raise AssertionError where exact play denies the line that wins, or a better column."""
    for board in list(accumulate(insight.line, Board.play, initial=before))[not insight.missed :]:
        assert score(board, insight.player) > 0, f"ply {board.ply} of the line is not won"
    for each in insight.better if insight.missed else ():
        assert score(before.play(each), insight.player) > 0, f"column {each + 1} does not win"


def checked(moves: tuple[int, ...], reviewed: Review) -> Account:
    """Return the account of a lost game; raise AssertionError where something in it is false."""
    found = account(moves, reviewed, DEADLINE_S)
    for ply, said in enumerate(found.insights):
        before = Board.from_moves(moves[:ply])
        if said is not None:
            plain.check_insight(plain.position(moves[:ply]), moves[ply], said)
            check_insight(before, said)
        if found.moment is not None and ply > found.moment and (ply - found.moment) % 2 == 0:
            assert score(before, ply % 2 + 1) < 0, "the game was not lost yet after its moment"
    return found


@pytest.mark.parametrize(("games", "seed"), [(2, 11), pytest.param(200, 1, marks=pytest.mark.slow)])
def test_every_reason_and_insight_of_lost_games_is_true(games: int, seed: int) -> None:
    reasons = insights = 0
    for moves in lost_games(games, seed):
        reviewed = review(moves, analyst(), DEADLINE_S)
        found = checked(moves, reviewed)
        assert found.moment is not None and found.moment % 2 != (len(moves) - 1) % 2, "it is a move of the loser"
        insights += sum(each is not None for each in found.insights)
        for lesson in Coach(analyst()).game(moves, reviewed):
            board, columns = Board.from_moves(moves[: lesson.ply]), plain.position(moves[: lesson.ply])
            assert lesson.column == moves[lesson.ply]
            for reason in lesson.reasons:
                plain.check_line(columns, lesson.column, reason, reason.kind.value, reason.quiet)
                check_reason(board, lesson.column, lesson.verdict, reason)
                reasons += 1
    assert reasons > 20 and insights > 1


FOLLOW = "only has to answer every disc in the same column"
RUNS_OUT = "in the end every other column is full or loses at once, too, and"
EXAMPLES = {
    "missed win": ("25344656", "O could make four at once in column 7."),
    "missed block": ("667644", "X makes four in column 5: that cell had to be blocked."),
    "poisoned column": ("54465332", "X makes four in column 2, directly above this disc."),
    "missed double threat": (
        "31414",
        "X could open two fours at the same time with column 5; O can block only one.",
    ),
    "allowed double threat": ("3344", "X can open two fours at the same time with column 2; O can block only one."),
    "missed forced sequence": (
        "5446533",
        "X could force a four with 5 5 6 3 7 7 4 4 6 3 7: each move threatens four.",
    ),
    "allowed forced sequence": ("544653", "X can force a four with 5 5 6 3 7 7 4 4 6 3 7: each move threatens four."),
    "gave up the odd threat": (
        "44454455545512212",
        f"With column 3, X {FOLLOW}; {RUNS_OUT} O must open column 3, below X's odd threat at c3.",
    ),
    "gave up the even threat": (
        "4623364426",
        f"With column 4, O {FOLLOW}; {RUNS_OUT} X must open column 3, below O's even threat at c4.",
    ),
    "missed follow-up win": ("4445445554551221221", f"With column 3, X {FOLLOW}: a four comes in every line."),
    "allowed the odd threat": (
        "52151124544422515544",
        f"With column 3, X {FOLLOW}; {RUNS_OUT} O must open column 3, below X's odd threat at c3.",
    ),
    "allowed the even threat": (
        "3444747",
        f"With column 3, O {FOLLOW}; {RUNS_OUT} X must open column 3, below O's even threat at c4.",
    ),
    "allowed follow-up win": ("5445543455445", f"With column 3, O {FOLLOW}: a four comes in every line."),
    "allowed quiet move": ("577143445547", "X can play column 7, and then every column of O loses."),
}
"""For each kind moves, the last of which is the mistake, and what is said of it."""


@pytest.mark.parametrize("kind", plain.KINDS)
def test_each_kind_of_insight_has_an_example_and_the_check_finds_it_falsified(kind: str) -> None:
    moves, text = EXAMPLES[kind]
    *before, column = parse_moves(moves)
    found = insight(Board.from_moves(before), column, int(kind == "allowed quiet move"))
    columns = plain.position(before)
    assert found is not None and (found.kind, found.text) == (kind, text)
    plain.check_insight(columns, column, found)
    for wrong in (
        replace(found, kind="missed block" if kind == "poisoned column" else "poisoned column"),
        replace(found, missed=not found.missed),
        replace(found, player=3 - found.player),
        replace(found, line=found.line[:-1]),
        replace(found, cells=(*found.cells, 41)[-4:]),
        replace(found, better=()),
        replace(found, better=(*found.better, column)),
    ):
        with pytest.raises((AssertionError, IndexError)):
            plain.check_insight(columns, column, wrong)


@pytest.mark.parametrize(("moves", "columns"), [("33445", range(7)), ("414141", [3]), ("", [3])])
def test_nothing_is_said_of_a_good_move_or_where_no_column_helps(moves: str, columns: list[int]) -> None:
    assert [insight(Board.from_moves(moves), column) for column in columns] == [None] * len(columns)


def test_what_is_said_of_positions_agrees_with_the_rules() -> None:
    forced = dangers = 0
    openings = [random_opening(6 + number % 34, f"coach{number}") for number in range(100)]
    for moves in openings:
        board, columns = Board.from_moves(moves), plain.position(moves)
        if board.is_over:
            continue
        said, mover = view(board), plain.to_move(columns)
        check_threats(board, columns)
        assert (len(said.danger) == 1) == bool(plain.fours(columns, 3 - mover))
        children = {column: plain.drop(columns, column) for column in plain.legal(columns)}
        losing = {
            each
            for each, child in children.items()
            if not plain.four_cells(child, each) and plain.fours(child, 3 - mover)
        }
        assert set(said.losing) == losing
        is_quiet = not plain.fours(columns, 3 - mover)
        assert said.zugzwang == (is_quiet and losing == set(children)), moves
        assert (forced_win(board, 2) is not None) == plain.forces(columns, 2)
        forced, dangers = forced + bool(said.forced), dangers + bool(said.danger)
    assert forced > 10 and dangers > 10


def check_threats(board: Board, columns: plain.Columns) -> None:
    """Compare the threats with discs put into each empty cell."""
    expected = []
    for cell in range(42):
        column, row = divmod(cell, 6)
        missing = row - len(columns[column])
        filled = (*columns[:column], (*columns[column], *[0] * missing), *columns[column + 1 :])
        expected += [(cell, player) for player in (1, 2) if missing >= 0 and column in plain.fours(filled, player)]
    found = threats(board)
    assert [(each.cell, each.player) for each in found] == expected
    for each in found:
        column, row = divmod(each.cell, 6)
        assert each.playable == (row == len(columns[column])) and each.odd == (row % 2 == 0)
        assert each.useless == (not each.playable and row > 0 and (each.cell - 1, 3 - each.player) in expected)


def test_follow_up_achieves_what_plain_enumeration_finds() -> None:
    """Where it claims something, so does the enumeration; where all columns are even, also the other way round."""
    claims = 0
    for number in range(200):
        moves = random_opening(20 + number % 17, f"coach{number}")
        board, columns = Board.from_moves(moves), plain.position(moves)
        if board.is_over:
            continue
        claimed = follow_up(board)
        reached = plain.follows(columns, 3 - plain.to_move(columns))
        if claimed is not None:
            assert reached == claimed.wins
            claims += 1
        elif sum(len(column) % 2 for column in columns) <= 1:
            assert reached == -1
    assert claims > 2


FACTS = {
    "41414": """O to move.
Threats of X: d4 (playable).
If O did nothing, X would win by force: 4.
X makes four at once after: 1 2 3 5 6 7.""",
    "46467165457562533175141774564": """O to move.
Threats of X: b3 (odd).
Threats of O: c5 (odd).
O wins by force: 3 2 6.
X makes four at once after: 2.""",
    "425522352673235325546166676131371777411": """O to move.
Threats of X: d5 (odd), d6 (useless).
Threats of O: d5 (odd), d6 (useless).
O is in zugzwang: every column lets X make four directly above.
X makes four in every line by answering every disc in the same column.""",
    "466177366776415116357335447414513255223": """O to move.
X never loses by answering every disc in the same column.""",
}


@pytest.mark.parametrize("moves", FACTS)
def test_a_position_is_described_in_sentences(moves: str) -> None:
    assert facts(view(Board.from_moves(moves)), len(moves)) == FACTS[moves].splitlines()


@pytest.mark.parametrize(
    ("moves", "moment", "doomed", "explained"),
    [
        ("5335435367364444665665143152111122", 20, None, False),  # only exact play says which move gave it away
        ("142634435265", 8, None, True),
        ("4141474", 5, 1, True),
        ("414147", None, None, False),
        ("257771314744647214154617633623313656555222", None, None, False),
    ],
)
def test_the_moment_of_a_game(moves: str, moment: int | None, doomed: int | None, explained: bool) -> None:
    columns = parse_moves(moves)
    found = account(columns, review(columns, analyst(), DEADLINE_S), DEADLINE_S)
    assert (found.moment, found.doomed, found.doomed_text is None) == (moment, doomed, doomed is None)
    assert (moment is not None and found.insights[moment] is not None) == explained


def test_without_time_the_moment_is_that_of_exact_play_and_no_move_is_explained() -> None:
    columns, stop = parse_moves("142634435265"), StopFlag()
    reviewed = review(columns, analyst(), DEADLINE_S)
    stop.set()
    for found in (account(columns, reviewed, DEADLINE_S, stop), account(columns, reviewed, -1.0)):
        assert found.insights == (None,) * 12 and found.moment == 0
    assert Coach(Analyst()).lesson(Board.from_moves("4455"), 1, deadline_s=0.0) is None

"""The gauntlet: versions by content, what is kept, the move that lost, and what is said of an agent."""

from __future__ import annotations

import json
import math
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.agents.external.forms import decision_of
from bot.cli.app import run
from bot.engine.shared import ready_analyst
from bot.errors import AgentError, ExitCode
from bot.game import Board, PlayedGame, parse_moves
from bot.game.board import has_four
from bot.gauntlet import run as gauntlet
from bot.gauntlet.chance import failed_in, questions, random_finding, state_finding, state_tasks
from bot.gauntlet.evidence import Evidence, Seen, evidence_of, seen_in
from bot.gauntlet.findings import Diagnosis, findings_of
from bot.gauntlet.losses import LostGame, explain, groups_of, listed, ranked
from bot.gauntlet.passing import (
    NO,
    OPEN,
    YES,
    Passing,
    course_bot,
    evidence,
    games_needed,
    interval,
    verdict_of,
)
from bot.gauntlet.positions import Columns, random_opening
from bot.gauntlet.run import history
from bot.gauntlet.sight import (
    FULL,
    OPENING,
    SEEN_AFTER,
    SightPosition,
    SightQuestion,
    StateQuestion,
    answer,
    four_of,
    passed,
    replies,
    right_columns,
    sight_positions,
    winning_columns,
)
from bot.gauntlet.versions import own_files, version_of
from bot.papers.solved import keeps_outcome, solved_scores
from tests.agents.external.programs import ended

OWN = """import helper

def choose(board):
    return helper.best(board)
"""
HELPER = "def best(board):\n    return board.legal_columns()[0]\n"
MENDED = """def best(board):
    legal = board.legal_columns()
    return next((column for column in legal if board.wins_with(column)), legal[-1])
"""
STATE = """asked = []

def best(board):
    asked.append(board)
    legal = board.legal_columns()
    passed = type(board)(board.opponent, board.mask)
    fours = [column for side in (board, passed) for column in legal if side.wins_with(column)]
    return (fours if len(asked) < 12 and fours else legal)[0]
"""
"""It sees every four, but only in its first moves."""
PLAN = """plan = {}

def best(board):
    legal = sorted(board.legal_columns(), key=lambda column: abs(column - 3))
    passed = type(board)(board.opponent, board.mask)
    fours = [column for side in (board, passed) for column in legal if side.wins_with(column)]
    known = plan.setdefault(board.ply, (fours or legal)[0])
    return known if known in legal else legal[0]
"""
"""It repeats its moves of an earlier game."""


@pytest.fixture(autouse=True)
def nothing_runs_on() -> Iterator[None]:
    """End every program that a test started."""
    with ended():
        yield


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(OWN, encoding="utf-8")
    Path("helper.py").write_text(HELPER, encoding="utf-8")
    return "mine.py:choose"


def test_a_version_is_the_content_of_the_file_and_of_what_it_imports(own):
    first = version_of(own)
    Path("other.py").write_text("nobody imports it", encoding="utf-8")
    assert version_of(own) == first and {path.name for path in own_files(own)} == {"mine.py", "helper.py"}
    Path("helper.py").write_text(MENDED, encoding="utf-8")
    assert version_of(own) != first
    Path("helper.py").write_text(HELPER, encoding="utf-8")
    assert version_of(own) == first


def test_a_program_whose_content_does_not_say_what_runs_has_no_files(tmp_path, monkeypatch):
    script, program = tmp_path / "run.sh", tmp_path / "run.py"
    program.write_text("#!/usr/bin/env python3\n", encoding="utf-8")
    for shell in ("/bin/sh", "/usr/bin/env bash"):
        script.write_text(f"#!{shell}\nexec something\n", encoding="utf-8")
        script.chmod(0o755)
        assert not own_files(f"command:{script}")
    program.chmod(0o755)
    assert not own_files("command:python3 -m something")
    (tmp_path / "helper.py").touch()
    program.write_text("#!/usr/bin/env python3\nimport helper\n", encoding="utf-8")
    assert program.resolve() in own_files(f"command:{program}")
    (tmp_path / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert {path.name for path in own_files(f"command:python3 {program}")} == {"run.py", "helper.py"}


def decides_one_thing(kind: str, columns: Columns) -> bool:
    """Return whether the solver proves that only the right columns keep the outcome, and what its kind promises."""
    right, scores = right_columns(kind, Board.from_moves(columns)), solved_scores(columns)
    if kind == FULL:
        return len(right) < 6
    known = {column: score for column, score in enumerate(scores) if score is not None}
    least = {"win at once": max(known.values()), "block four": 0, "prevent double threat": 0}.get(kind, 1)
    winning = [score for score in known.values() if score > 0]
    if kind == "win at once" and len(winning) < 2:  # another column wins, too, but later
        return False
    return {column for column, score in known.items() if score >= least} == {*right} and len(right) == 1


def test_each_position_of_the_sight_tests_decides_exactly_one_thing():
    """The solver proves that only the right columns keep the outcome; see `decides_one_thing` for each kind."""
    positions = [position for position in sight_positions() if position.kind != OPENING]
    kinds = Counter(position.kind for position in positions)
    assert all(kinds[kind] >= 12 for kind in (*SEEN_AFTER, FULL))
    for position in positions:
        assert decides_one_thing(position.kind, position.columns), position


def test_an_agent_that_draws_its_moves_is_seen_to_have_chance():
    """With one pair of seeds for all positions, the first draws would be equal in all of them 1 time in 7."""
    pairs = set()
    for each in sight_positions()[:12]:
        pairs.add(tuple([answer(SightQuestion("random", each, number))["column"] for number in (1, 2)]))
    assert len(pairs) > 5 and any(one != other for one, other in pairs)


@pytest.mark.parametrize(
    ("moves", "side", "ply", "column", "right"),
    [
        ("443164236426435", 1, 13, 2, [4]),
        ("4477447647113463515532563562", 0, 26, 5, [1]),
    ],
)
def test_the_move_that_lost_is_one_that_the_game_never_recovered_from(moves, side, ply, column, right):
    """In each game the loser had made an easier mistake before, and had been let off."""
    played = parse_moves(moves)
    loss = explain(LostGame(played, side))
    assert (loss["ply"], loss["column"], loss["right"]) == (ply, column, right)
    assert played[ply] == column and loss["plies"] == 2, "its own move, and the four that answers it"
    assert winning_columns(Board.from_moves(played[: ply + 1]))
    assert right == [each for each in range(7) if keeps_outcome(moves[:ply], each + 1)]


def test_what_the_interval_compares_with_is_a_probability():
    for games in (1, 7, 60):
        series = [math.comb(games, lost) * 0.9 ** (games - lost) * 0.1**lost for lost in range(games + 1)]
        total = sum(each * math.exp(evidence(games, lost, 0.9)) for lost, each in enumerate(series))
        assert total == pytest.approx(1)


def test_yes_needs_103_games_without_a_loss_and_the_time_that_is_missing_is_said():
    assert [verdict_of(*interval(games, 0)) for games in (102, 103)] == [OPEN, YES]
    assert verdict_of(*interval(8, 7)) == NO
    assert (games_needed(0, 0), games_needed(10, 0), games_needed(40, 1)) == (104, 94, 1240)
    players = ("mine", "depth3"), ("depth3", "mine")
    played = [PlayedGame((3, 3), *each, 0.5, of_moves={"seconds": (5.0, 1.0)}) for each in players * 2]
    said = Passing("mine", course_bot("depth3"), played).as_json(workers=2)
    assert said["by_beginner"] == {who: {"won": 0, "drawn": 2, "lost": 0} for who in ("agent", "bot")}
    assert said["text"].startswith("Unknown yet. Run the gauntlet again, about 5 minutes. Chance of 20")  # 100 games
    (one, two, many) = (Passing("mine", course_bot("depth3"), played).minutes(workers) for workers in (1, 2, 9))
    assert one == pytest.approx(2 * two) == pytest.approx(2 * many), "two games at once, whatever the processes"
    assert Passing("mine", course_bot("depth3"), []).value == 0.0, "nothing is known before the first game"
    lost = replace(played[0], result=0.0)
    passing = Passing("mine", course_bot("random"), [played[0]] * 1240 + [lost] * 40)
    assert (passing.verdict, passing.is_decided) == (OPEN, True), "so many games are enough"
    assert passing.as_json(workers=2)["text"].startswith(
        "Unknown after 1280 games. Chance of 20 in a row without a loss: "
    )


Player = Callable[[Board], int]


def own_side(board: Board) -> Board:
    return board


def sees(but: Callable[[tuple[int, ...]], bool] = lambda _cells: False, sides: Any = (own_side, passed)) -> Player:
    """Return a player who makes and blocks all fours ``but`` those whose cells are such, else plays near the middle.

    ``sides`` are those whose fours are completed, in order.
    """

    def choose(board: Board) -> int:
        for side in sides:
            for column in winning_columns(side(board)):
                cells = four_of(side(board), column)
                if not (cells and but(cells)):
                    return column
        return middle(board)

    return choose


def middle(board: Board) -> int:
    return min(board.legal_columns(), key=lambda column: abs(column - 3))


only_blocks = sees(sides=(passed,))


def never_plays_column_7(board: Board) -> int:
    column = sees()(board)
    return column if column < 6 else next((each for each in (3, 2, 4, 1, 5, 0) if board.can_play(each)), 7)


def shuns_vertical_fours(board: Board) -> int:
    """See all fours but vertical ones, and complete none of these by accident."""
    column = sees(is_vertical)(board)
    if any(is_vertical(four_of(side, column)) for side in (board, passed(board))):
        return next(each for each in board.legal_columns() if each != column)
    return column


def is_vertical(cells: tuple[int, ...]) -> bool:
    return bool(cells) and cells[1] - cells[0] == 1


def full_or_9(board: Board) -> int:
    """Play into full columns, into each of them less often than outside the board."""
    full = [column for column in range(7) if not board.can_play(column)]
    return full[board.ply % len(full)] if full else 3 + 6 * (board.ply % 2)


LOSES = "which is illegal and loses the game: `student_move` returned"


def in_top_row(cells: tuple[int, ...]) -> bool:
    return any(cell % 7 == 5 for cell in cells)


def counts_from_1(board: Board) -> int:
    return sees()(board) + 1


def helps(board: Board) -> int:
    good = winning_columns(board) + winning_columns(passed(board))
    return min(board.legal_columns(), key=lambda column: (column in good, abs(column - 3)))


def wins_in_three_plies(board: Board) -> int:
    """Take the leftmost win within three plies: all wins score alike."""
    for column in board.legal_columns():
        if board.wins_with(column) or right_columns("double threat", board)[:1] == (column,):
            return column
    return only_blocks(board)


def upside_down(board: Board) -> int:
    """See the fours that a disc in the top row makes."""
    for side in (board.current, board.opponent):
        for column in board.legal_columns():
            if has_four(side | 1 << column * 7 + 5):
                return column
    return middle(board)


def found(column: Callable[[SightPosition], int], **settings: bool) -> list[Diagnosis]:
    """Return what is found in these answers to all positions."""
    answers = {SightQuestion("mine", each): answered(column(each), each.columns) for each in sight_positions()}
    return findings_of(evidence_of("mine", answers, [], **settings))


def answered(column: int, moves: Columns = ()) -> dict[str, object]:
    error = ""
    try:
        decision_of(column, Board.from_moves(moves), "`student_move`", 0.0)
    except AgentError as illegal:
        error = str(illegal)
    return {"column": column, "seconds": 0.0, "error": error, "changed": False}


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (sees(), ""),
        (sees(lambda cells: cells[1] - cells[0] == 6), "It often does not see falling diagonal fours."),
        (sees(lambda cells: max(cells) >= 42), "It often does not see fours that reach column 7."),
        (never_plays_column_7, "It never plays column 7 where another has room, also in"),
        (lambda board: 9 if board.ply > 4 else 3, "It returns what is not a column"),
        (lambda _board: 3, f"It plays into full columns, {LOSES} 3, which is full (column 4, counted from 1)."),
        (full_or_9, f"It returns what is not a column, {LOSES} 9, which is not a column from 0 to 6."),
        (sees(in_top_row), "It often does not see fours that reach the top row."),
        (lambda board: (sees() if board.ply % 2 else middle)(board), "It often does not see fours when it began."),
        (shuns_vertical_fours, "It never sees vertical fours. It overlooks 28 of 28"),
        (counts_from_1, "It counts columns from 1 to 7, the course from 0 to 6: it returned 7 and never 0."),
        (only_blocks, "It only blocks"),
        (sees(sides=(own_side,)), "It does not block"),
        (sees(sides=(passed, own_side)), "It blocks where it could win at once (12 of 12)"),
        (helps, "It helps its opponent"),
        (wins_in_three_plies, "Wins are not preferred when they come sooner"),
        (upside_down, "It reads the board upside down"),
    ],
)
def test_a_planted_bug_is_what_is_said_first_and_its_positions_show_it(player, said):
    first = found(lambda each: player(Board.from_moves(each.columns)))[0]
    if not said:
        assert first.name == "depth" and "sees 2 plies" in first.text, "the player is sound"
        return
    assert first.text.startswith(said)
    for case in first.as_json([])["positions"]:
        column = player(Board.from_moves(case["moves"]))
        assert f"returned {column}," in case.get("error", f"returned {case['column']},")
        assert case["column"] not in case["right"]


def test_failures_of_an_agent_that_overlooks_a_direction_say_nothing_of_its_depth():
    """It fails in all double threats, and does not see rising diagonals."""
    player = sees(lambda cells: cells[1] - cells[0] == 8)
    said = found(lambda each: middle_but(each) if "double" in each.kind else player(Board.from_moves(each.columns)))
    assert [each.text.split(". ")[0] for each in said] == ["It often does not see rising diagonal fours"]


@pytest.mark.parametrize("step", [1, 7])
def test_a_four_that_is_not_seen_is_no_win_that_is_left_for_later_and_no_block_that_is_preferred(step):
    """The player does not see the fours of one direction, and is exact elsewhere: mostly it wins later."""

    def player(board: Board) -> int:
        seen = [c for side in (board, passed(board)) for c in winning_columns(side) if not unseen(four_of(side, c))]
        blind = [column for column in board.legal_columns() if not board.wins_with(column)] or board.legal_columns()
        return seen[0] if seen else min(blind, key=lambda column: ready_analyst().bounds(board.play(column)).lower)

    def unseen(cells: tuple[int, ...]) -> bool:
        return bool(cells) and cells[1] - cells[0] == step

    answers = {}
    for position in sight_positions():
        answers[SightQuestion("mine", position)] = answered(player(Board.from_moves(position.columns)))
    shown = evidence_of("mine", answers, [])
    seen = [*shown.seen]
    for number in range(200):  # as in games
        moves = random_opening(22, f"later/{number}")
        played = (*moves, player(Board.from_moves(moves)))
        seen += [replace(each, games=(number,)) for each in seen_in(played, 0) if each.moves == moves]
    assert [each.name for each in findings_of(replace(shown, seen=seen))] == ["overlooked fours"]


def test_a_block_that_still_wins_later_is_no_preference_for_blocks():
    """In each position it blocks the four of the side to move next, and wins later."""
    seen = []
    for moves in ("4746444243313556 5", "454644434637313225 5", "474441424637363556 6", "444744413357313635 6"):
        *before, column = parse_moves(moves)
        seen.append(Seen("win or block", tuple(before), column, winning_columns(Board.from_moves(before))))
    assert [each.name for each in findings_of(Evidence(seen, (), ()))] == ["it won later"]


@pytest.mark.parametrize("elsewhere", [1, 2])
def test_what_explains_most_lost_games_comes_first_and_what_cost_none_says_so(elsewhere):
    """Three games, of which a slip lost some and what is beyond four plies the others; another slip lost none."""
    answers = {SightQuestion("mine", each): answered(each.right[0], each.columns) for each in sight_positions()}
    shown = evidence_of("mine", answers, [])
    slip, harmless = (
        Diagnosis(moves, "A slip.", [Seen(OPENING, parse_moves(case), 0) for case in ("2", moves)])
        for moves in ("444", "222")
    )
    lost = []
    for number, plies in enumerate((6, 8, 20)):
        moves = f"{number + 1}12" if number < elsewhere else "444"
        lost.append({"moves": moves, "ply": 3, "column": 0, "right": [3], "plies": plies})
    found = [each.as_json(lost) for each in ranked([harmless, slip], shown, lost)]
    texts = {each["name"]: each["text"] for each in found}
    assert texts["444"] == f"A slip. It explains {3 - elsewhere} of 3 different lost games."
    positions = {each["name"]: [case["moves"] for case in each["positions"]] for each in found}
    assert (positions["444"], positions["222"]) == (["444", "2"], ["2", "222"]), "those that lost a game come first"
    assert list(texts)[-1] == "222" and texts["222"].endswith("No game was lost by such a move itself.")
    assert next(iter(texts)) == ("depth" if elsewhere == 2 else "444")
    if elsewhere == 2:
        assert "It sees 4 plies ahead" in texts["depth"] and "A search of 8 plies sees 2 of 2." in texts["depth"]
    deep = ranked([], shown, lost)[0].text
    assert deep.endswith("For 1 of 3 it takes more than 12 plies: a better evaluation helps.")
    assert "What lost 3 different lost games was played at move 4." in deep
    lost[0] = lost[0] | {"ply": 1}
    assert "was played at moves 2 and 4." in ranked([], shown, lost)[0].text
    lost = [lost[1] | {"moves": "444"}]
    assert slip.as_json(lost)["text"].endswith("It explains 1 of 1 different lost game.")


def test_lost_games_of_one_mistake_are_listed_once_and_the_most_frequent_kind_comes_first():
    start, slip = ("lost from the start", None), ("missed win", 2)
    games = [("4455", *slip), ("1234", *start), ("4456", *slip), ("2255", *slip)]
    lost = [{"moves": moves, "name": name, "ply": ply} for moves, name, ply in games]
    groups = groups_of(lost)
    assert [(each["text"], each["games"]) for each in groups] == [
        ("3 of 4: missed win.", [0, 2, 3]),
        ("1 of 4: lost from the start.", [1]),
    ]
    page = listed(lost, groups)
    assert [each["called"] for each in page["losses"]] == [
        "1. move 3, 2 games",
        "2. move 3, 1 game",
        "3. from the start, 1 game",
    ]
    assert (page["lost"], [each["games"] for each in page["groups"]]) == (4, [[0, 1], [2]])


def test_fours_that_are_overlooked_by_chance_are_no_group():
    """In each of them but the first, a group would be unlikely enough if it alone had been tried."""
    for seed in (0, 5, 21, 31, 40):
        chance = random.Random(seed)

        def seven_of_ten(each: SightPosition, chance: random.Random = chance) -> int:
            is_right = chance.random() < 0.7 or each.kind not in ("make four", "block four")
            return each.right[0] if is_right else middle_but(each)

        assert "overlooked fours" not in [each.name for each in found(seven_of_ten)], seed


def test_a_column_that_is_never_played_is_no_explanation_where_half_of_the_others_are_overlooked_too():
    chance = random.Random(1)

    def half(each: SightPosition) -> int:
        is_right = chance.random() < 0.5 or each.kind not in SEEN_AFTER
        column = each.right[0] if is_right else middle_but(each)
        return column if column < 6 else middle(Board.from_moves(each.columns))

    assert "column never played" not in [each.name for each in found(half)]


def test_an_agent_with_chance_is_accused_of_no_depth_by_what_it_overlooks_now_and_then():
    """It overlooks half of the positions that a search of three plies does not see."""
    deep = [each for each in sight_positions() if each.kind == "prevent double threat"][::2]
    for has_chance, names in ((False, ["depth"]), (True, [])):
        said = found(lambda each: middle_but(each) if each in deep else each.right[0], has_chance=has_chance)
        assert [each.name for each in said] == names


def middle_but(position: SightPosition) -> int:
    board = Board.from_moves(position.columns)
    return next(column for column in board.legal_columns() if column not in position.right)


def test_a_mistake_in_games_that_repeat_each_other_is_no_habit():
    """It does not block one four, in 8 equal games."""
    lost = PlayedGame(parse_moves("14142434"), "mine", "other", 0.0, of_moves={"seconds": (0.1,) * 8})
    shown = evidence_of("mine", {}, [lost] * 8)
    assert not findings_of(shown)
    assert [each.games for each in shown.seen if each.is_missed] == [tuple(range(8))]


def test_a_game_shows_each_win_at_once_and_each_four_that_one_move_blocks():
    """Plain counting: the columns that complete a four of either side before each of its moves."""
    for number in range(40):
        moves = random_opening(12 + number % 28, f"seen/{number}")
        expected = []
        for ply in range(number % 2, len(moves), 2):
            board = Board.from_moves(moves[:ply])
            legal = board.legal_columns()
            wins = tuple([each for each in legal if has_four(board.current | board.play(each).mask ^ board.mask)])
            threats = tuple([each for each in legal if has_four(board.opponent | board.play(each).mask ^ board.mask)])
            if wins:
                kind = "make four" if {*threats} <= {*wins} else "win or block"
                expected.append(Seen(kind, moves[:ply], moves[ply], wins))
            elif len(threats) == 1:
                expected.append(Seen("block four", moves[:ply], moves[ply], threats))
        assert [*seen_in(moves, number % 2)] == expected


def test_what_the_opponent_forfeits_is_not_the_agents_and_what_is_asked_twice_counts_once():
    forfeited = PlayedGame((3,), "mine", "other", 1.0, "it returned 7", of_moves={"seconds": (0.1,)})
    position = next(each for each in sight_positions() if each.kind == "make four")
    answers = {SightQuestion("mine", position, number): answered(3) for number in (1, 2)}
    shown = evidence_of("mine", answers, [forfeited])
    assert not shown.failures and [each.moves for each in shown.seen] == [position.columns]


@pytest.mark.parametrize(("better", "names"), [(0, ["state kept between games"]), (2, [])])
def test_state_is_named_only_where_new_processes_are_hardly_ever_the_worse_ones(better, names):
    failed = [each for each in sight_positions() if each.kind == "make four"][:6]
    asked = tuple(each.columns for each in failed)
    questions = {"used": StateQuestion("mine", (((),),), asked, 0), "new": StateQuestion("mine", (), asked, 0)}
    right, wrong = [each.right[0] for each in failed], [middle_but(each) for each in failed]
    columns = {"used": [*right[:better], *wrong[better:]], "new": [*wrong[:better], *right[better:]]}
    assert [each.name for each in state_finding(failed, questions, columns)] == names
    more = questions | {f"{name} again": question for name, question in questions.items()}
    assert not [*state_finding(failed, more, columns)], "half of the replies say nothing"


def test_questions_of_state_need_two_plies_and_follow_different_games():
    answers = {
        SightQuestion("mine", each): answered(middle_but(each)) for each in sight_positions() if each.kind in SEEN_AFTER
    }
    failed = failed_in(answers)
    assert {each.kind for each in failed} <= {kind for kind, plies in SEEN_AFTER.items() if plies < 3}
    assert 3 < len(failed) == len({len(each.columns) for each in failed}) <= 6
    assert not failed_in({each: said for each, said in answers.items() if SEEN_AFTER[each.position.kind] > 2})
    games = [
        PlayedGame((number % 7, 3), *players, 0.5) for number, players in enumerate([("mine", "x"), ("x", "mine")] * 6)
    ]
    asked = [*state_tasks("mine", failed, games, 0.01).values()]
    assert {each.asked for each in asked} == {tuple(each.columns for each in failed)}
    assert len({each.history for each in asked}) == 3 and [len(each.history) for each in asked] == [6, 0, 6, 0]
    begun = {positions[0] for each in asked for positions in each.history}
    assert begun == {(), *((first,) for first in range(6))}, "those of its own moves"
    assert not state_tasks("mine", failed, games, 1.0), "it is too slow"


@pytest.mark.parametrize(("right", "names"), [(3, ["random moves"]), (2, [])])
def test_chance_is_named_where_other_seeds_are_right_in_most_positions_of_a_mistake(right, names):
    fours = [each for each in sight_positions() if each.kind == "make four"][:4]
    failed = {each.columns: each for each in fours}
    answers = {SightQuestion("mine", each): answered(middle_but(each)) for each in fours}
    wrong = evidence_of("mine", answers, [])
    asked, found = questions("mine", wrong.seen, mean_s=0.1), {}
    for name, question in asked.items():
        moves = question.position.columns
        is_right = question.number == 2 and failed[moves] in fours[:right]
        found[name] = answered(failed[moves].right[0] if is_right else middle_but(failed[moves]))
    assert [each.name for each in random_finding(asked, found, wrong.seen)] == names
    assert {question.agent for question in asked.values()} == {"mine"}


COUNTING = "asked = []\n\ndef best(board):\n    asked.append(board)\n    return len(asked) % 7\n"


def test_a_question_of_state_asks_a_new_process_which_answers_nothing_where_it_fails(own):
    Path("helper.py").write_text(COUNTING, encoding="utf-8")
    first, position = replies(StateQuestion(own, (), ((),), 0)), sight_positions()[0]
    answer(SightQuestion(own, position))
    assert replies(StateQuestion(own, (), ((),), 0)) == first
    Path("helper.py").write_text("def best(board):\n    return 7\n", encoding="utf-8")
    assert replies(StateQuestion(own, (), ((), (3,)), 0)) == [None, None]
    failed = answer(SightQuestion(own, position))
    assert "returned 7" in failed["error"] and (failed["column"], failed["changed"]) == (None, False)


def test_lateness_names_the_move_from_which_on():
    times = {"seconds": (0.01,) * 12}
    late = "it did not reply within 5.0 s"
    played = PlayedGame(parse_moves("123456712345"), "mine", "other", 0.0, late, of_moves=times)
    (finding,) = findings_of(evidence_of("mine", {}, [played]))
    assert finding.text.startswith("It is late from move 13 of the game on (its own move 7): the course gives 5 s")
    (shown,) = finding.as_json([])["positions"]
    assert (shown["moves"], shown["column"], shown["error"]) == ("123456712345", None, played.ended)


def test_a_changed_version_is_tried_anew_and_what_is_said_can_be_seen_by_its_commands(own, capsys, monkeypatch):
    monkeypatch.setattr(gauntlet, "QUICK", replace(gauntlet.QUICK, explained=4, evidence_s=0.0))
    assert run(["gauntlet", own, "--quick", "--workers", "1"]) == ExitCode.DONE
    said = capsys.readouterr().out
    assert "all answers are legal" in said and "depth3 (the course's bot since 2024): no; " in said
    assert "What is wrong? " in said and "Also: " not in said
    shown = re.search(r"to see it: bot move '(\S+)' (\d+); what is right: bot analyse (\d+)", said)
    assert shown and run(["move", shown[1], shown[2]]) == ExitCode.DONE and run(["analyse", shown[3]]) == ExitCode.DONE
    capsys.readouterr()
    Path("helper.py").write_text(MENDED, encoding="utf-8")
    assert run(["gauntlet", own, "--quick", "--workers", "1", "--bot", "depth3", "--json"]) == ExitCode.DONE
    report = json.loads(capsys.readouterr().out)
    assert {loss["opponent"] for loss in report["losses"]} == {"depth3"}
    case = report["findings"][0]["positions"][0]
    assert {*case["right"], case["column"]} <= set(range(1, 8)), "columns are numbered from 1 in --json"
    page = history(Path("logs"), own)
    assert page["version"] == report["version"], "of the newest version"
    assert f"your agent plays column {case['column']}. Right: " in page["findings"][0]["positions"][0]["title"]
    assert page["lost"] == len(report["losses"]) and "of 0 games" not in page["passes"][0]["short"]


@pytest.mark.parametrize(("kept", "opponent"), [(STATE, "depth1"), (PLAN, "depth3")])
def test_state_that_is_kept_between_games_is_found_by_new_processes(kept, opponent, own, capsys):
    Path("helper.py").write_text(kept, encoding="utf-8")
    assert run(["gauntlet", own, "--quick", "--workers", "1", "--bot", opponent, "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["findings"][0]["name"] == "state kept between games"

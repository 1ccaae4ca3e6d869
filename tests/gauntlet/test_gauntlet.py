"""The gauntlet: versions by content, what is kept, the move that lost, and what is said of an agent."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.agents.games import play_game, ready_agent
from bot.cli.app import run
from bot.engine.score import sign
from bot.errors import ExitCode
from bot.game import Board, PlayedGame, parse_moves
from bot.game.board import STRIDE, has_four
from bot.gauntlet.evidence import Seen, evidence_of
from bot.gauntlet.exact import solved_scores
from bot.gauntlet.findings import findings_of
from bot.gauntlet.losses import LostGame, explain
from bot.gauntlet.passing import (
    GOAL,
    NO,
    OPEN,
    YES,
    Passing,
    course_bot,
    games_needed,
    interval,
    verdict_of,
)
from bot.gauntlet.positions import Columns
from bot.gauntlet.report import lines_of
from bot.gauntlet.run import QUICK, Gauntlet, history, open_store
from bot.gauntlet.sight import (
    FULL,
    OPENING,
    SEEN_AFTER,
    SightPosition,
    SightQuestion,
    answer,
    four_of,
    passed,
    right_columns,
    sight_positions,
    winning_columns,
)
from bot.gauntlet.versions import own_files, version_of
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


def test_a_program_whose_content_does_not_say_what_runs_has_no_files(tmp_path):
    script, program = tmp_path / "run.sh", tmp_path / "run.py"
    program.write_text("#!/usr/bin/env python3\n", encoding="utf-8")
    for shell in ("/bin/sh", "/usr/bin/env bash"):
        script.write_text(f"#!{shell}\nexec something\n", encoding="utf-8")
        script.chmod(0o755)
        assert not own_files(f"command:{script}")
    program.chmod(0o755)
    assert not own_files("command:python3 -m something")
    assert own_files(f"command:{program}") and own_files(f"command:{sys.executable} {program}")


def decides_one_thing(kind: str, columns: Columns) -> bool:
    """Return whether the solver proves that only the right columns keep the outcome, and what its kind promises."""
    board = Board.from_moves(columns)
    right, scores = right_columns(kind, board), solved_scores(columns)
    if kind == FULL:
        return len(right) < 6
    best = {column for column, score in enumerate(scores) if score == max(each for each in scores if each is not None)}
    winning = {column for column, score in enumerate(scores) if score is not None and score > 0}
    kept = {column for column, score in enumerate(scores) if score is not None and score >= 0}
    if kind == "win at once":  # another column wins, too, but later
        return best == set(right) and len(winning) > 1
    if kind in ("block four", "prevent double threat"):
        return kept == set(right)
    return winning == set(right)


def test_each_position_of_the_sight_tests_decides_exactly_one_thing():
    """The solver proves that only the right columns keep the outcome; see `decides_one_thing` for each kind."""
    positions = [position for position in sight_positions() if position.kind != OPENING]
    kinds = Counter(position.kind for position in positions)
    assert all(kinds[kind] >= 12 for kind in (*SEEN_AFTER, FULL))
    for position in positions:
        assert decides_one_thing(position.kind, position.columns), position
        assert len(position.right) == 1 or position.kind == FULL
    lost = [Board.from_moves(each.columns) for each in positions if each.kind == FULL and is_lost_at_once(each.columns)]
    tops = [board.current >> 3 * STRIDE + 5 & 1 for board in lost if not board.can_play(3)]
    assert min(Counter(tops).values()) >= 4, "a preset middle column is illegal there, whoever's disc is on top"


def is_lost_at_once(moves: Columns) -> bool:
    board = Board.from_moves(moves)
    return all(map(winning_columns, map(board.play, board.legal_columns())))


@pytest.mark.parametrize("kind", ["make four", "block four"])
def test_fours_of_each_direction_column_row_and_side_are_asked(kind):
    asked = [Seen(kind, each.columns, 0, each.right) for each in sight_positions() if each.kind == kind]
    assert min(Counter(each.direction for each in asked).values()) == 14
    for values, names in (
        (Counter(each.place[0] for each in asked), range(1, 8)),
        (Counter(each.place[1] for each in asked), range(1, 7)),
    ):
        assert all(values[name] >= 5 for name in names), values
    assert min(Counter(len(each.moves) % 2 for each in asked).values()) >= 20


def test_an_agent_that_draws_its_moves_is_seen_to_have_chance(tmp_path, monkeypatch):
    """With one pair of seeds for all positions, the first draws would be equal in all of them 1 time in 7."""
    monkeypatch.chdir(tmp_path)
    Path("drawn.py").write_text(
        "import random\n\ndef choose(board):\n    return random.choice(board.legal_columns())\n"
    )
    positions = sight_positions()[:12]
    pairs = [
        [answer(SightQuestion("drawn.py:choose", each, number))["column"] for number in (1, 2)] for each in positions
    ]
    assert len(set(map(tuple, pairs))) > 5 and any(one != other for one, other in pairs)


def outcome_of(moves: Columns) -> int:
    """Return 1, 0 or -1 for the side to move."""
    return max(sign(score) for score in solved_scores(moves) if score is not None)


@pytest.mark.parametrize("side", [0, 1])
def test_the_move_that_lost_is_found_by_an_independent_walk(side):
    for seed in range(4):
        weak, strong = ready_agent("depth2", seed), ready_agent("level:9", seed)
        first, second = (weak, strong) if side == 0 else (strong, weak)
        played = play_game(first, second, parse_moves("44"))
        moves, points = played.moves, abs(side - played.result)
        loss = explain(LostGame(moves, side, points)) if points < 1 else None
        better = [ply for ply in range(side, len(moves), 2) if outcome_of(moves[:ply]) > 2 * points - 1]
        if loss is None or not better:
            assert points == 1 or not better
            continue
        before = moves[: better[-1]]
        outcomes = {column: sign(score) for column, score in enumerate(solved_scores(before)) if score is not None}
        kept = [column for column, outcome in outcomes.items() if outcome == max(outcomes.values())]
        assert loss["column"] == moves[loss["ply"]] not in loss["right"]
        assert loss["ply"] >= better[-1], "the game never recovered from it"
        assert loss["ply"] > better[-1] or (set(loss["right"]) <= set(kept) and loss["column"] not in kept)


def test_yes_and_no_are_wrong_in_at_most_five_percent_of_series_however_often_one_looks():
    """Where the true probability is exactly one half, either answer is wrong; all series of 400 games are counted."""
    share = 0.5 ** (1 / GOAL)
    running, decided = {0: 1.0}, 0.0
    for games in range(1, 401):
        reached: Counter[int] = Counter()
        for lost, probability in running.items():
            reached[lost] += probability * share
            reached[lost + 1] += probability * (1 - share)
        running = {}
        for lost, probability in reached.items():
            if probability > 1e-9 and verdict_of(*interval(games, lost)) == OPEN:
                running[lost] = probability
            else:
                decided += probability
    assert 0.01 < decided <= 0.05


def test_yes_needs_103_games_without_a_loss_and_the_time_that_is_missing_is_said():
    assert [verdict_of(*interval(games, 0)) for games in (102, 103)] == [OPEN, YES]
    assert verdict_of(*interval(8, 7)) == NO
    assert games_needed(0, 0) == 104 and games_needed(10, 0) == 94
    players = ("mine", "depth3"), ("depth3", "mine")
    played = [PlayedGame((3, 3), *each, 0.5, of_moves={"seconds": (5.0, 1.0)}) for each in players * 2]
    found = Passing("mine", course_bot("depth3"), played).as_json(workers=2)
    assert found["by_beginner"] == {who: {"won": 0, "drawn": 2, "lost": 0} for who in ("agent", "bot")}
    assert found["text"].startswith("not yet: about 5 more minutes; 100 % (") and found["minutes"] == 5  # 100 games


@pytest.mark.parametrize(("own", "is_certain"), [("tommy-ab:2", True), ("depth2", False)])
def test_two_games_settle_it_only_where_neither_player_has_chance(own, is_certain, tmp_path):
    with open_store(tmp_path, own) as store:
        report = Gauntlet(own, store, QUICK, 1, lambda _part, _count: None).run([course_bot("tommy-ab:1")])
    (found,) = report["passes"]
    assert found["is_certain"] == is_certain and (found["games"] == 2) == is_certain
    assert ("two games say all" in found["text"]) == is_certain and found["verdict"] in (YES, NO)


Player = Callable[[Board], int]


def sees(cells: Callable[[list[int]], bool] = lambda _cells: True) -> Player:
    """Return a player who makes and blocks the fours for which ``cells`` is true, else plays near the middle."""

    def choose(board: Board) -> int:
        for side in (board, passed(board)):
            for column in winning_columns(side):
                if cells(list(four_of(side, column))):
                    return column
        return middle(board)

    return choose


def middle(board: Board) -> int:
    return min(board.legal_columns(), key=lambda column: abs(column - 3))


def never_plays_column_7(board: Board) -> int:
    column = sees()(board)
    return column if column < 6 else next((each for each in (3, 2, 4, 1, 5, 0) if board.can_play(each)), 7)


def only_blocks(board: Board) -> int:
    return next(iter(winning_columns(passed(board))), middle(board))


def never_blocks(board: Board) -> int:
    return next(iter(winning_columns(board)), middle(board))


def blocks_first(board: Board) -> int:
    return next(iter(winning_columns(passed(board)) + winning_columns(board)), middle(board))


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


def answered(column: int) -> dict[str, object]:
    error = "returned 7, which is not a column from 0 to 6." if column > 6 else ""
    return {"column": column, "seconds": 0.0, "error": error, "changed": False}


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (sees(), ""),
        (sees(lambda cells: not cells or cells[1] - cells[0] != 6), "It never sees falling diagonal fours."),
        (sees(lambda cells: not cells or cells[1] - cells[0] != 1), "It never sees vertical fours."),
        (sees(lambda cells: not any(cell >= 42 for cell in cells)), "It never sees fours that reach column 7."),
        (never_plays_column_7, "It never plays column 7, also in"),
        (sees(lambda cells: not any(cell % 7 == 5 for cell in cells)), "It never sees fours that reach the top row."),
        (only_blocks, "It only blocks"),
        (never_blocks, "It does not block"),
        (blocks_first, "It blocks where it could win at once (12 of 12), as if it took the opponent's side"),
        (helps, "It helps its opponent"),
        (wins_in_three_plies, "Wins are not preferred when they come sooner"),
        (upside_down, "It reads the board upside down"),
    ],
)
def test_a_planted_bug_is_what_is_said_first_and_its_positions_show_it(player, said):
    answers = [answered(player(Board.from_moves(each.columns))) for each in sight_positions()]
    first = findings_of(evidence_of("mine", sight_positions(), answers, []))[0]
    if not said:
        assert first.name == "depth" and "sees 2 plies" in first.text, "the player is sound"
        return
    assert first.text.startswith(said)
    for case in first.as_json([])["positions"]:
        assert player(Board.from_moves(case["moves"])) == case["column"] not in case["right"]


def test_an_agent_with_chance_is_accused_of_no_depth_by_what_it_overlooks_now_and_then():
    """It overlooks half of the positions that a search of three plies does not see."""
    answers, asked = [], Counter[str]()
    for each in sight_positions():
        asked[each.kind] += 1
        is_right = each.kind != "prevent double threat" or asked[each.kind] % 2
        answers.append(answered(each.right[0] if is_right else middle_but(each)))
    found = [
        [each.name for each in findings_of(evidence_of("mine", sight_positions(), answers, [], has_chance=has_chance))]
        for has_chance in (False, True)
    ]
    assert found == [["depth"], []]


def middle_but(position: SightPosition) -> int:
    board = Board.from_moves(position.columns)
    return next(column for column in board.legal_columns() if column not in position.right)


def test_ctrl_c_ends_the_work_and_the_report_says_what_is_known(own, tmp_path):
    done: list[str] = []

    def on_progress(part: str, missing: int) -> None:
        done.append(part)
        if done.count("sight") > 60 and not missing:
            raise KeyboardInterrupt

    with open_store(tmp_path, own) as store:
        report = Gauntlet(own, store, QUICK, 1, on_progress).run([course_bot("depth1")])
    assert report["is_stopped"] and report["rules"]["asked"] > 40 and report["passes"][0]["verdict"] == OPEN
    said = "\n".join(lines_of(report))
    assert "Ctrl-C ended it early" in said and "What is wrong? It" in said and "before its first game" in said
    with open_store(tmp_path, own) as store:
        assert store.known, "what is known is kept"


def test_a_mistake_in_games_that_repeat_each_other_is_no_habit():
    """It does not block one four, in 8 equal games."""
    lost = PlayedGame(parse_moves("14142434"), "mine", "other", 0.0, of_moves={"seconds": (0.1,) * 8})
    evidence = evidence_of("mine", [], [], [lost] * 8)
    assert not findings_of(evidence) and evidence.lost == [*range(8)]
    assert [each.games for each in evidence.seen if each.is_missed] == [tuple(range(8))]


def test_lateness_names_the_move_from_which_on_and_the_slowest_move():
    times = {"seconds": (0.01,) * 12}
    late = "it did not reply within 5.0 s"
    played = PlayedGame(parse_moves("123456712345"), "mine", "other", 0.0, late, of_moves=times)
    (finding,) = findings_of(evidence_of("mine", [], [], [played]))
    assert finding.text.startswith("It is late from move 13 of the game on (its own move 7): the course gives 5 s")
    assert finding.as_json([0]) == {
        "name": "late", "text": finding.text, "lost": 1,
        "positions": [{"moves": "123456712345", "column": None, "right": [], "game": 0, "error": played.ended}],
    }  # fmt: skip


def test_a_changed_version_is_tried_anew_and_an_unchanged_one_plays_nothing(own, capsys):
    kept = Path("logs/gauntlet/mine.py-choose.jsonl")
    assert run(["gauntlet", own, "--quick", "--workers", "1", "--pass", "0.9"]) == ExitCode.GOAL_MISSED
    said = capsys.readouterr().out
    assert "all answers are legal" in said and "depth3 (the course's bot since 2024): no; " in said
    assert "What is wrong? " in said and "Also: " not in said
    shown = re.search(r"to see it: bot move '(\S+)' (\d+); what is right: bot analyse (\d+)", said)
    assert shown and run(["move", shown[1], shown[2]]) == ExitCode.DONE and run(["analyse", shown[3]]) == ExitCode.DONE
    asked = kept.read_text().count(" sight ")
    assert run(["gauntlet", own, "--quick", "--workers", "1"]) == ExitCode.DONE
    assert kept.read_text().count(" sight ") == asked > 100, "nothing is asked again"
    capsys.readouterr()
    Path("helper.py").write_text(MENDED, encoding="utf-8")
    assert run(["gauntlet", own, "--quick", "--workers", "1", "--json"]) == ExitCode.DONE
    report = json.loads(capsys.readouterr().out)
    case = report["findings"][0]["positions"][0]
    assert {*case["right"], case["column"]} <= set(range(1, 8)), "columns are numbered from 1 in --json"
    versions = [version["version"] for version in history(Path("logs"), own)["versions"]]
    assert len(versions) == 2 and versions[-1] == report["version"]


def test_state_that_is_kept_between_games_is_found_by_new_processes(own, capsys):
    Path("helper.py").write_text(STATE, encoding="utf-8")
    assert run(["gauntlet", own, "--quick", "--workers", "1", "--bot", "depth1", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["findings"][0]["name"] == "state kept between games"


def test_an_agent_that_returns_no_column_is_told_so_first(own, capsys):
    Path("helper.py").write_text("def best(board):\n    return 9 if board.ply > 4 else 3\n", encoding="utf-8")
    assert run(["gauntlet", own, "--quick", "--workers", "1"]) == ExitCode.DONE
    said = capsys.readouterr().out
    assert (
        "What is wrong? It returns what is not a column" in said
        and "returned 9, which is not a column from 0 to 6" in said
    )

"""The gauntlet: versions by content, what is kept, the move that lost, and what is said of an agent."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bot.agents.games import play_game, ready_agent
from bot.cli.app import run
from bot.engine.score import sign
from bot.errors import ExitCode
from bot.game import Board, parse_moves
from bot.lab.arena.games import Pairing, PlayedPairing, play_pairing
from bot.lab.exact import solved_scores
from bot.lab.gauntlet.history import history
from bot.lab.gauntlet.losses import LostGame, explain, groups_of, said_at
from bot.lab.gauntlet.passing import CourseBot, Passing, course_bot, play_for_pass
from bot.lab.gauntlet.report import lines_of, own_tests_text
from bot.lab.gauntlet.rules import RuleQuestion, answer, rule_positions
from bot.lab.positions import Columns
from bot.lab.versions import own_files, version_of
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


def test_the_positions_of_the_rules_are_what_they_are_called():
    assert len(rule_positions()) == 100
    for position in rule_positions():
        board = Board.from_moves(position.columns)
        passed = Board(board.opponent, board.mask)
        assert set(position.right) <= set(board.legal_columns())
        if position.kind == "make four":
            assert tuple(filter(board.wins_with, range(7))) == tuple(position.right)
        elif position.kind == "block four":
            assert all(map(passed.wins_with, position.right))
        elif position.kind == "double threat":
            assert all((solved_scores(position.columns)[column] or 0) > 0 for column in position.right)


def test_an_agent_that_draws_its_moves_is_seen_to_have_chance(tmp_path, monkeypatch):
    """With one pair of seeds for all positions, the first draws would be equal in all of them 1 time in 7."""
    monkeypatch.chdir(tmp_path)
    Path("drawn.py").write_text(
        "import random\n\ndef choose(board):\n    return random.choice(board.legal_columns())\n"
    )
    answers = [answer(RuleQuestion("drawn.py:choose", position)) for position in rule_positions()[:12]]
    pairs = [found["columns"] for found in answers]
    assert len({tuple(pair) for pair in pairs}) > 5 and any(one != other for one, other in pairs)


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
        assert (loss["ply"], loss["right"]) == (better[-1], kept) and loss["column"] not in kept
        assert loss["plain"] is None or loss["plain"]["ply"] >= better[-1], "the game never recovered from it"


def test_what_an_agent_said_is_found_by_the_ply_whoever_began():
    played = play_game(ready_agent("depth2"), ready_agent("depth1"), parse_moves("4"))
    assert [said_at(played, ply)["depth"] for ply in range(3)] == [None, 1, 2]


def test_groups_say_whether_the_search_was_deep_enough():
    losses = [{"name": "missed block", "needs": 2, "depth": depth, "plain": None} for depth in (4, 4, 4)]
    assert groups_of(losses)[0]["text"].startswith(
        "3 of 3: missed block. Your search said it saw 4 plies, this needs 2 plies: deep enough in 3 of 3"
    )
    assert (
        own_tests_text({"right": 11, "of": 14, "again_wrong": 1})
        == "11 of 14 now right, 1 that was right is wrong again"
    )


def test_the_probability_of_passing_has_an_interval_unless_there_is_no_chance():
    bot = CourseBot("depth3", "")
    low, high = Passing(bot, 400, 400, 0, is_certain=False).interval
    assert 0.8 < low < 0.85 and high == 1
    assert Passing(bot, 2, 2, 1, is_certain=True).interval == (0.5**20, 0.5**20)


@pytest.mark.parametrize(
    ("bot", "has_chance", "is_certain"),
    [("random", False, False), ("tommy-ab:1", True, False), ("tommy-ab:1", False, True)],
)
def test_the_same_game_is_played_again_and_again_only_where_neither_has_chance(bot, has_chance, is_certain):
    def play(pairings: Sequence[Pairing]) -> list[PlayedPairing]:
        return [(each, play_pairing(each)) for each in pairings]

    passing, _ = play_for_pass("tommy-ab:2", course_bot(bot), play, most=2, has_chance=has_chance)
    assert passing.is_certain == is_certain


def test_a_changed_version_is_compared_and_an_unchanged_one_plays_nothing(own, capsys):
    kept = Path("logs/gauntlet/mine.py-choose.jsonl")
    assert run(["gauntlet", own, "--quick", "--workers", "1", "--pass", "0.9"]) == ExitCode.GOAL_MISSED
    said = capsys.readouterr().out
    assert "Too few games to say" not in said or "the games are spent. Without --quick it plays more." in said
    assert "all answers are legal" in said and "Why did it lose?" in said and "missed block" in said
    mistakes = re.findall(r": (\d+)\n(?:[.XO ]+\n)+[ \d]+\n.*played column (\d) in move (\d+);", said)
    assert mistakes and all(moves[int(move) - 1] == column for moves, column, move in mistakes)
    lines = len(kept.read_text().splitlines())
    assert run(["gauntlet", own, "--quick", "--workers", "1"]) == ExitCode.DONE
    assert len(kept.read_text().splitlines()) == lines + 1, "only the report is written again"
    capsys.readouterr()
    Path("helper.py").write_text(MENDED, encoding="utf-8")
    assert run(["gauntlet", own, "--quick", "--workers", "1", "--json"]) == ExitCode.DONE
    report = json.loads(capsys.readouterr().out)
    assert report["tests"]["of"] > 0 and report["before"]["games"] > 0
    quick, mixed = (list(lines_of(report | {"is_quick": is_quick})) for is_quick in (True, False))
    assert any(line.startswith("  passing random ") for line in quick)
    said = "  Elo, outcome kept and passing are not compared: one of the two runs was --quick."
    assert set(mixed) - set(quick) == {said}
    assert [version["version"] for version in history(Path("logs"), own)["versions"]][-1] == report["version"]


def test_an_agent_that_always_fails_is_asked_a_few_times_and_plays_nothing(own, capsys):
    Path("helper.py").write_text("def best(board):\n    return 9 if board.ply > 4 else 3\n", encoding="utf-8")
    assert run(["gauntlet", own, "--quick", "--workers", "1"]) == ExitCode.DONE
    assert "returned 9, which is not a column from 0 to 6" in capsys.readouterr().out

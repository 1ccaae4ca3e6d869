"""Puzzles: each is proven again from its definition, the same for everybody, and readable where it is exported to."""

from __future__ import annotations

import csv
import datetime
import html
import io
import json
import re
from itertools import islice
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.engine.agent import Stop
from bot.engine.score import sign
from bot.engine.solver import Solver
from bot.errors import ExitCode
from bot.game import Board, parse_moves
from bot.learn.puzzles.export import as_anki, as_json, as_solutions, as_text
from bot.learn.puzzles.generate import DAILY, Generator
from bot.learn.puzzles.puzzle import GRADES, Kind, Puzzle

COUNT = 4


@pytest.fixture(scope="module")
def generator() -> Generator:
    generator = Generator()
    generator.warm_up()
    return generator


@pytest.fixture(scope="module")
def made(generator: Generator) -> list[Puzzle]:
    trap = next(generator.puzzles("traps", [Kind.TRAP]))
    return [*islice(generator.puzzles(5), COUNT), trap]


def outcomes(board: Board, solver: Solver) -> dict[int, int]:
    """Return the outcome of every legal column for the side to move, each solved on its own."""
    found = {}
    for column in board.legal_columns():
        child = board.play(column)
        if child.is_over:
            found[column] = 1 if child.has_winner else 0
        else:
            solved = solver.solve(child, weak=True).outcome
            assert solved is not None
            found[column] = -solved
    return found


def test_each_puzzle_has_one_solution_by_its_definition(made: list[Puzzle]) -> None:
    solver = Solver()
    for puzzle in made:
        found = outcomes(puzzle.board, solver)
        best = max(found.values())
        good = {column for column, outcome in found.items() if outcome == best}
        assert puzzle.solution in good and len(found) >= 3
        if puzzle.kind is Kind.WIN:
            assert best == 1 and len(good) == 1
        elif puzzle.kind is Kind.DRAW:
            assert best == 0 and len(good) == 1
        else:
            assert best <= 0 and len(good) > 1
            answers = {column: outcomes(puzzle.board.play(column), solver) for column in good}
            right = {column: sum(outcome == -best for outcome in each.values()) for column, each in answers.items()}
            assert right[puzzle.solution] == 1
            assert all(count >= 3 for column, count in right.items() if column != puzzle.solution)
        assert {column: sign(score) for column, score in enumerate(puzzle.scores) if score is not None} == found


def test_the_line_begins_with_the_solution_and_ends_the_game_as_stated(made: list[Puzzle]) -> None:
    for puzzle in made:
        end = Board.from_moves([*parse_moves(puzzle.moves), *puzzle.line])
        assert puzzle.line[0] == puzzle.solution and end.is_over
        mover = puzzle.board.ply % 2 + 1
        score = puzzle.scores[puzzle.solution]
        assert score is not None
        assert end.winner == (None if score == 0 else mover if score > 0 else 3 - mover)
        if puzzle.kind is Kind.WIN:
            assert len(puzzle.line) == puzzle.plies


def test_grades_follow_the_plies_to_be_seen(made: list[Puzzle]) -> None:
    for puzzle in made:
        assert puzzle.plies >= 3
        least = (0, *GRADES)[puzzle.grade - 1]
        assert least < puzzle.plies and (puzzle.grade == 5 or puzzle.plies <= GRADES[puzzle.grade - 1])


def test_equal_seeds_make_equal_puzzles_and_other_seeds_others(made: list[Puzzle]) -> None:
    again = Generator()
    assert list(islice(again.puzzles(5), 3)) == made[:3]
    assert next(again.puzzles(6)).moves != made[0].moves


def test_only_the_wanted_kinds_and_grades_are_made(generator: Generator, made: list[Puzzle]) -> None:
    wanted = made[2]
    first = next(generator.puzzles(5, [wanted.kind], [wanted.grade]))
    assert (first.kind, first.grade) == (wanted.kind, wanted.grade)


def test_a_stop_ends_the_stream(generator: Generator) -> None:
    stop = Stop()
    stop.set()
    assert list(generator.puzzles(5, stop=stop)) == []


def test_a_day_has_the_same_puzzles_for_everybody_from_easy_to_hard(generator: Generator) -> None:
    day = datetime.date(2026, 11, 22)
    found = generator.daily(day)
    assert len(found) == DAILY
    assert [puzzle.plies for puzzle in found] == sorted(puzzle.plies for puzzle in found)
    assert all(puzzle.name.startswith("daily/2026-11-22-") for puzzle in found)


def test_the_text_holds_every_board_and_solution(made: list[Puzzle]) -> None:
    puzzles, solutions = as_text(made), as_solutions(made)
    for number, puzzle in enumerate(made, start=1):
        assert f"Puzzle {number} (" in puzzles
        assert f"{number}. Column {puzzle.solution + 1}: " in solutions
        assert puzzle.answer not in puzzles
    boards = re.findall(r"(?:[.XO ]+\n){6}1 2 3 4 5 6 7", puzzles)
    assert [Board.from_text(board) for board in boards] == [puzzle.board for puzzle in made]


def test_anki_reads_one_note_a_line(made: list[Puzzle]) -> None:
    lines = as_anki(made).splitlines()
    head = dict(line[1:].split(":", 1) for line in lines if line.startswith("#"))
    assert head["separator"] == "tab" and head["html"] == "true" and head["tags column"] == "3"
    body = io.StringIO("\n".join(line for line in lines if not line.startswith("#")))
    rows = list(csv.reader(body, delimiter="\t"))
    assert [len(row) for row in rows] == [len(head["columns"].split("\t"))] * len(made)
    for (front, back, tags), puzzle in zip(rows, made, strict=True):
        board = re.search(r"<pre>(.*)</pre>", front)
        assert board is not None
        assert Board.from_text(html.unescape(board[1].replace("<br>", "\n"))) == puzzle.board
        assert f"Column {puzzle.solution + 1}:" in back
        assert tags == f"connect-four {puzzle.kind.value} grade-{puzzle.grade}"


def test_json_holds_everything(made: list[Puzzle]) -> None:
    fields = json.loads(json.dumps(as_json(made[0])))
    assert fields["kind"] == made[0].kind.value and fields["solution"] == made[0].solution
    assert fields["grade"] == made[0].grade and fields["question"] and fields["answer"]


def test_the_command_writes_a_deck(tmp_path: Path, capsys: pytest.CaptureFixture[str], made: list[Puzzle]) -> None:
    file = tmp_path / "deck.txt"
    arguments = ["puzzles", "--seed", "5", "--count", "2", "--format", "anki", "--out", str(file)]
    assert run(arguments) == ExitCode.DONE
    assert "2 puzzles written" in capsys.readouterr().out
    assert file.read_text(encoding="utf-8") == as_anki(made[:2])


@pytest.mark.parametrize(
    "wrong",
    [
        ["--format", "pdf"],
        ["--kind", "mate"],
        ["--day", "yesterday"],
        ["--day", "today", "--kind", "win"],
        ["--count", "1", "--out", "/nowhere/at/all"],
    ],
)
def test_wrong_options_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["puzzles", *wrong]) == ExitCode.USAGE
    assert capsys.readouterr().err.rstrip().endswith(".")

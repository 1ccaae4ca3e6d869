"""`bot challenge` with scripted input: turns, undo, hints, resigning, leaving."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pytest

from bot.cli.app import run
from bot.errors import ExitCode


def transcript(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, *options: str) -> str:
    """Return what `bot challenge` prints for this input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert run(["challenge", *options]) == ExitCode.DONE
    return capsys.readouterr().out


def test_a_scripted_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown = transcript(monkeypatch, capsys, "4\nresign\n", "--level", "1", "--seed", "3")
    assert re.search(r"You lose: resigned. Moves: (4\d)\n.*: bot coach \1\n$", shown)
    assert shown.count("1 2 3 4 5 6 7") == 3


def test_bad_input_loses_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed = "9\n\n44\n4\nhello\nundo\nm\n"
    shown = transcript(monkeypatch, capsys, typed, "--moves", "444444", "--seed", "1")
    assert "'9' is not a column. Type a column (1-7), or undo" in shown and "'hello' is not a column. Type" in shown
    assert "There is no column in that." in shown
    assert "Give one column at a time." in shown
    assert "Column 4 is full." in shown
    assert "2 moves taken back." in shown
    assert "Moves: 4444" in shown
    assert "The game is not finished. To go on: bot challenge --level 2 --moves 4444" in shown


@pytest.mark.parametrize(("moves", "options"), [("", ()), ("4", ("--second",))], ids=["first", "second"])
def test_without_a_move_of_ones_own_nothing_is_taken_back(
    moves: str, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = transcript(monkeypatch, capsys, "undo\nm\n", "--moves", moves, *options)
    assert "There is no move of yours to take back." in shown
    assert f"Moves: {moves or 'none yet'}\n" in shown


def test_the_second_player_takes_back_a_move_and_its_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Moves: 4\n" in transcript(monkeypatch, capsys, "undo\nm\n", "--moves", "445", "--second")


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("121212212121343434434343565656656565777777", "A draw: the board is full."),
        ("1414141", "You win: four in a row."),
        ("17271727", "You lose: four in a row."),
    ],
)
def test_a_finished_game_is_concluded(
    moves: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in transcript(monkeypatch, capsys, "", "--moves", moves)


def test_the_same_seed_plays_the_same_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    games = {transcript(monkeypatch, capsys, "4\n4\n3\nq\n", "--seed", seed) for seed in ("1", "1", "1")}
    assert len(games) == 1


def test_a_person_who_takes_an_open_four_wins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = transcript(monkeypatch, capsys, "4\n", "--moves", "414141")
    assert "\nYou win: four in a row. Moves: 4141414\n" in shown


def test_a_hint_names_the_best_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown = transcript(monkeypatch, capsys, "hint\nq\n", "--moves", "414141")
    assert "X wins by force: 4." in shown
    assert "Best: 4. Your side wins in 1 move." in shown


def test_the_computer_starts_where_the_person_plays_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = transcript(monkeypatch, capsys, "", "--second", "--seed", "1")
    assert "You are O" in shown and shown.count("The computer plays") == 1
    assert re.search(r"bot challenge --level 2 --second --moves \d\n$", shown)


def test_levels_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown = transcript(monkeypatch, capsys, "", "--list").splitlines()
    assert len(shown) == 10 and sum(line.startswith("*") for line in shown) == 1


def test_a_pipe_plays_a_game() -> None:
    """The whole program: input comes from a pipe that ends."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "challenge", "--moves", "414141"],
        input="4\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\nYou win: four in a row. Moves: 4141414\n" in done.stdout

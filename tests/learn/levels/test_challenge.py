"""A person's game: the rules of turns, undo, resigning and the clock; and `bot challenge` with scripted input."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pytest

from bot.cli.app import run
from bot.engine.simple import Scripted
from bot.errors import BoardError, ExitCode, GameOverError, UsageError
from bot.game import Board, parse_moves
from bot.learn.levels.challenge import FIRST, SECOND, Challenge, Clock, Result


class Hand:
    """A clock's time, moved by hand."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_game_to_four_in_a_row() -> None:
    game = Challenge(Scripted("111"), FIRST)
    for column in (3, 3, 3):
        assert game.is_persons_turn
        game.play(column)
        assert not game.is_persons_turn
        game.reply()
    game.play(3)
    assert game.result == Result(FIRST, "four")
    with pytest.raises(GameOverError):
        game.play(0)


def test_the_second_player_waits_for_the_first_disc() -> None:
    game = Challenge(Scripted("4"), SECOND)
    assert not game.is_persons_turn
    assert game.reply() == 3
    assert game.is_persons_turn


def test_undo_takes_back_the_move_and_its_answer() -> None:
    game = Challenge(Scripted("12"), FIRST)
    game.play(3)
    assert game.undo() == 1
    game.play(2)
    game.reply()
    assert game.undo() == 2 and game.moves == []
    with pytest.raises(UsageError):
        game.undo()


def test_the_second_player_cannot_take_back_the_first_disc() -> None:
    game = Challenge(Scripted("4"), SECOND, parse_moves("4"))
    with pytest.raises(UsageError):
        game.undo()
    assert game.moves == [3]


def test_a_move_into_a_full_column_changes_nothing() -> None:
    game = Challenge(Scripted("4"), FIRST, parse_moves("444444"))
    with pytest.raises(BoardError):
        game.play(3)
    assert game.moves == list(parse_moves("444444"))


def test_a_full_board_is_a_draw() -> None:
    moves = parse_moves("121212212121343434434343565656656565777777")
    assert Board.from_moves(moves).winner is None
    assert Challenge(Scripted("1"), FIRST, moves).result == Result(None, "full")


def test_resigning_is_a_loss_that_can_be_taken_back() -> None:
    game = Challenge(Scripted("1"), SECOND, parse_moves("44"))
    game.resign()
    assert game.result == Result(FIRST, "resigned")
    game.undo()
    assert game.result is None


def test_the_clock_runs_only_between_start_and_pause() -> None:
    hand = Hand()
    clock = Clock(10.0, hand)
    game = Challenge(Scripted("1"), FIRST, clock=clock)
    hand.now_s += 50
    assert clock.left_s == 10.0
    clock.start()
    hand.now_s += 4
    clock.pause()
    hand.now_s += 50
    assert clock.left_s == 6.0 and game.result is None
    clock.start()
    hand.now_s += 7
    assert clock.left_s == 0.0
    assert game.result == Result(SECOND, "time")


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

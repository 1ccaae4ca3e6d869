"""What this room promises: the rules of Connect Four, and positions as moves, as a grid and as text."""

from __future__ import annotations

import json

import pytest

from bot.errors import BoardError
from bot.game import Board, PlayedGame, format_moves, parse_moves
from bot.game.notation import column_letter
from tests.positions import DRAWN

LAST_FOUR = "557353756357262164721166463253473447421112"
"""The 42nd disc makes four."""
PRINTED = """\
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . X X . . .
1 2 3 4 5 6 7"""


def test_the_sides_take_turns_and_discs_fall_on_one_another():
    assert str(Board.from_moves("443")) == PRINTED
    assert str(Board.from_moves("44")) == PRINTED.replace(". X X", ". . X")


@pytest.mark.parametrize("text", ["4435", "ddce", "DDCE", "4 4 3 5", "4,4,3,5", "4-4 3\t5", " 4d3e ", "4435\n"])
def test_moves_are_written_as_digits_or_letters(text):
    columns = parse_moves(text)
    assert columns == (3, 3, 2, 4)
    assert (format_moves(columns), "".join(map(column_letter, columns))) == ("4435", "ddce")


@pytest.mark.parametrize(
    ("moves", "winner"),
    [("1122334", 1), ("71212121", 2), ("12233434474", 1), ("76655454414", 1)],
    ids=["horizontal", "vertical", "rising", "falling"],
)
def test_four_in_a_row_wins_and_ends_the_game(moves, winner):
    board = Board.from_moves(moves)
    assert (board.has_winner, board.is_over, board.winner, board.legal_columns()) == (True, True, winner, ())
    assert board.winning_cells.bit_count() == 4
    assert Board.from_moves(moves[:-1]).winner is None


def test_a_full_board_without_a_four_is_a_draw():
    board = Board.from_moves(DRAWN)
    assert (board.ply, board.is_full, board.is_over, board.winner, board.legal_columns()) == (42, True, True, None, ())


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ("4444444", "Move 7 is not legal: Column 4 is full"),
        ("12121212", "Move 8 comes after the game has ended"),
        ([3, 7], "no column 7"),
        ([-1], "no column -1"),
        ("448", "'8' at place 3"),
        ("4 h", "'h' at place 3"),
        ([3, "4"], "not the number of a column"),
        (44, "not a sequence of moves"),
    ],
)
def test_a_move_that_cannot_be_played_is_refused_with_its_place_and_a_next_step(moves, problem):
    with pytest.raises(BoardError, match=problem) as refused:
        Board.from_moves(moves)
    assert refused.value.hint.endswith(".")


@pytest.mark.parametrize("moves", ["", "4", "44", "4455667", "1212121", DRAWN])
def test_a_position_can_be_read_back_as_grid_and_as_printed(moves):
    board = Board.from_moves(moves)
    assert Board.from_text(str(board)) == Board.from_grid(board.to_grid()) == board
    assert Board.from_text(str(board).replace("1 2 3 4 5 6 7", "a b c d e f g")) == board


@pytest.mark.parametrize("text", ["", "X", "X . . . . . Z\n" * 6, ". . . . . . .\n" * 5, None])
def test_a_text_that_is_no_board_is_refused_with_a_next_step(text):
    with pytest.raises(BoardError) as refused:
        Board.from_text(text)
    assert refused.value.hint.endswith(".")


def test_a_game_that_was_played_knows_its_result_and_survives_json():
    ends = ("1122334", "", 1), (DRAWN, "", 0.5), (LAST_FOUR, "", 0), ("443", "late", 1), ("44", "late", 0)
    for moves, forfeit, points in ends:
        assert PlayedGame.over(parse_moves(moves), forfeit=forfeit).result == points
    game = PlayedGame.over(
        parse_moves("1122334"), first="me", second="you", opening=1, of_moves={"leaves": (1, 2, None, 4, 5, 6)}
    )
    assert (game.points(0), game.points(1), PlayedGame((3,)).points(0)) == (1, 0, None)
    assert (game.of_player(0, "leaves"), game.of_player(1, "leaves")) == ([2, 4, 6], [1, 5])
    assert PlayedGame.from_json(json.loads(json.dumps(game.as_json()))) == game and game.board.winner == 1

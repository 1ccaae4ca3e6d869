"""Moves as text, and the board as plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BoardError
from bot.game import Board, format_moves, parse_moves
from bot.game.notation import column_letter


@given(st.lists(st.integers(0, 6)))
def test_what_is_written_can_be_read(columns):
    assert parse_moves(format_moves(columns)) == tuple(columns)
    assert parse_moves("".join(column_letter(column) for column in columns)) == tuple(columns)


@pytest.mark.parametrize("text", ["4435", "ddce", "DDCE", "4 4 3 5", "4,4,3,5", "4-4 3\t5", " 4d3e ", "4435\n"])
def test_digits_letters_and_separators_are_read(text):
    assert parse_moves(text) == (3, 3, 2, 4)


def test_no_moves_are_fine():
    assert parse_moves("") == ()
    assert format_moves(()) == ""


@pytest.mark.parametrize(
    ("text", "named"), [("448", "'8' at place 3"), ("0", "'0' at place 1"), ("4 h", "'h' at place 3")]
)
def test_what_is_no_column_is_named_with_its_place(text, named):
    with pytest.raises(BoardError, match=named) as caught:
        parse_moves(text)
    assert caught.value.hint


def test_the_board_is_drawn_with_the_first_player_as_x():
    assert str(Board.from_moves(parse_moves("443"))).splitlines() == [
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . O . . .",
        ". . X X . . .",
        "1 2 3 4 5 6 7",
    ]
    assert str(Board.from_moves(parse_moves("44"))).splitlines()[4:6] == [". . . O . . .", ". . . X . . ."]

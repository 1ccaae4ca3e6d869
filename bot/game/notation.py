"""Moves as text: columns 1-7 or a-g in order of play; and numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable

from bot.errors import BoardError

_COLUMN_OF = {name: column for names in ("1234567", "abcdefg", "ABCDEFG") for column, name in enumerate(names)}


def parse_moves(text: str) -> tuple[int, ...]:
    """Return the columns 0..6 of a move string such as "4435" or "ddce"; blanks, commas and dashes are skipped.

    Raises BoardError at the first character that is not a column.
    """
    columns = []
    for position, character in enumerate(text, start=1):
        if character.isspace() or character in ",-":
            continue
        if character not in _COLUMN_OF:
            raise BoardError(f"{character!r} at place {position} is not a column.", "Write columns as 1-7 or a-g.")
        columns.append(_COLUMN_OF[character])
    return tuple(columns)


def format_moves(columns: Iterable[int]) -> str:
    """Return the move string in digits 1-7 of columns 0..6."""
    return "".join(str(column + 1) for column in columns)


def column_name(column: int) -> str:
    """Return the name of a column 0..6 in messages: '1'..'7'."""
    return str(column + 1)


def column_names(columns: Iterable[int]) -> str:
    """Return columns 0..6 as "4 4 3"."""
    return " ".join(map(column_name, columns))


def column_letter(column: int) -> str:
    """Return the name of a column 0..6 in chess-like notation: 'a'..'g'."""
    return "abcdefg"[column]


def with_count(number: int, noun: str, none: str = "") -> str:
    """Return "1 game" or "2 games"; ``none`` in place of the number 0 where it is given."""
    shown = none if none and not number else f"{number:,}"
    return f"{shown} {noun}" if number == 1 else f"{shown} {noun}s"

"""What the last run at this server has taught: how requests fail there, and how its bot answers."""

from __future__ import annotations

from collections.abc import Iterator

from bot.client.odds import FateOdds
from bot.errors import BoardError
from bot.game import Board
from bot.journal.reader import Journal
from bot.journal.schema import Record
from bot.match.opponent_model import OpponentModel


def learn(past: Journal | None, odds: FateOdds, model: OpponentModel) -> bool:
    """Teach ``odds`` and ``model`` by the journal of a ``past`` run; returns whether replies were lost in it."""
    lost = False
    for record in _records(past):
        if record["type"] == "reply":
            odds.replied(record.get("first_byte_s"))
            for after, column in _answer(record):
                model.observe(after, column)
        elif record["type"] == "event" and record["kind"] == "reconciled" and "processed" in record:
            if record.get("killed"):
                odds.killed_over(record["processed"])
            else:
                odds.settled(record.get("first_byte_s"), record["processed"])
        lost = lost or (record["type"] == "event" and record["kind"] == "reply_lost")
    return lost


def _records(past: Journal | None) -> Iterator[Record]:
    for game in past.games if past is not None else ():
        yield from game.records


def _answer(record: Record) -> list[tuple[Board, int]]:
    """The position after the bot's answer and its column, if the reply tells them."""
    column, grid = record.get("botmove"), record.get("state")
    if not isinstance(column, int) or not 0 <= column <= 6 or not isinstance(grid, list):
        return []
    try:
        board = Board.from_grid(grid, to_move=1)
    except BoardError:
        return []
    top = board.mask & (0x3F << 7 * column)
    return [(board, column)] if board.opponent >> (top.bit_length() - 1) & 1 else []  # else it was no answer to us

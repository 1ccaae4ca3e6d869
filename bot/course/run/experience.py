"""What earlier journals of a server show: its bot's answers, and how often lost requests had been processed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.course.journal.reader import Journal
from bot.course.journal.schema import Record
from bot.course.run.resume import fold, records_of
from bot.course.session.answers import AnswerBook, DeliveryModel, answer_shown
from bot.errors import BoardError
from bot.game import Board


def answers_in(past: Iterable[Journal]) -> AnswerBook:
    """Return the bot's answers of all games in these journals."""
    return AnswerBook().gathered(
        answer for journal in past for game in journal.games for record in game.records for answer in _answer(record)
    )


def delivery_in(past: Journal | None) -> DeliveryModel:
    """Return how often lost requests had been processed in the last run."""
    if past is None:
        return DeliveryModel()
    return fold(records_of(past.path)).delivery


def _answer(record: Record) -> Iterator[tuple[Board, int]]:
    """Yield the board with the bot to move and its answer, if the record shows them."""
    column, grid = record.get("botmove"), record.get("state")
    if record["type"] != "reply" or not isinstance(column, int) or not 0 <= column <= 6 or not isinstance(grid, list):
        return
    try:
        before = answer_shown(Board.from_grid(grid, to_move=1), column)
    except BoardError:
        return
    if before is not None:
        yield before, column

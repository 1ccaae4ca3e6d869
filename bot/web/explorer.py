"""The opening book as a tree: the value of every reply to a position, and the games that went there.

Positions that differ only by a mirror image or by the order of moves are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bot.engine.agent import StopFlag
from bot.game import Board
from bot.web.runs import Runs, counts

if TYPE_CHECKING:
    from bot.engine.book.lookup import Book

MAX_GAMES = 5000
"""Games of journals that are counted, the newest first."""
MAX_PLIES = 20
"""Opening plies of each game that are counted."""
MAX_LISTED = 12
"""Games of a position that are listed."""
SOLVE_S = 2.0
"""Time for positions beyond the book, seconds."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A finished game of a journal, and where it went."""

    run: dict[str, str]
    """Name of the journal, when it began, and the engine that played."""
    number: int
    result: float
    positions: frozenset[int]
    """Keys of the positions after its first plies."""


def past_games(runs: Runs) -> list[PastGame]:
    """Return the finished games of the journals, those of the newest run first, at most `MAX_GAMES`."""
    found: list[PastGame] = []
    for journal in runs.outlines():
        finished = [game for game in journal.games if game.result]
        run = {"run": journal.path.name, "time": journal.header.time, "engine": journal.header.engine}
        for game in finished[-(MAX_GAMES - len(found)) :]:
            found.append(PastGame(run, game.number, game.result or 0.0, _positions(game.moves)))
        if len(found) == MAX_GAMES:
            break
    return found


@lru_cache(maxsize=2 * MAX_GAMES)
def _positions(columns: tuple[int, ...]) -> frozenset[int]:
    """Return the keys of the positions after the first plies of a game, up to one that cannot be played."""
    from bot.engine.book.lookup import book_key

    board, found = Board(), set()
    for column in columns[:MAX_PLIES]:
        if board.is_over or not board.can_play(column):
            break
        board = board.play(column)
        found.add(book_key(board))
    return frozenset(found)


def explore(board: Board, runs: Runs, stop: StopFlag | None = None) -> dict[str, Any]:
    """Return the page's view of a position in the book.

    ``replies``: for each column null where it is full, else ``lower``, ``upper``, ``exact`` and ``text`` (see
    `bot.web.analysis.analyse`), whether it is ``best``, and the journals' ``games``.
    ``games``: those that reached the position itself.
    """
    from bot.engine.analysis import best_columns
    from bot.engine.book.lookup import book_key
    from bot.engine.perfect import shipped_book
    from bot.web.analysis import column_bounds, column_json

    games = past_games(runs)

    def reached(position: Board) -> list[PastGame]:
        key = book_key(position)
        return [game for game in games if key in game.positions]

    columns = [None] * 7 if board.is_over else column_bounds(board, SOLVE_S, stop)
    best = best_columns(columns)
    replies: list[dict[str, Any] | None] = []
    for column, bounds in enumerate(columns):
        if bounds is None:
            replies.append(None)
            continue
        more = {"best": column in best, "games": _counted(reached(board.play(column)))}
        replies.append(column_json(bounds, board.ply) | more)
    here = reached(board)
    listed = [{**game.run, "number": game.number, "result": game.result} for game in here[:MAX_LISTED]]
    return {
        "book": _about(shipped_book(), board),
        "replies": replies,
        "games": {**_counted(here), "listed": listed},
    }


def _counted(games: list[PastGame]) -> dict[str, int]:
    return counts(game.result for game in games)


def _about(book: Book | None, board: Board) -> dict[str, Any]:
    """Return the book's depth and size, and whether it holds the position; an absent or damaged book holds nothing."""
    if book is None:
        return {"plies": 0, "positions": 0, "holds": False}
    return {"plies": book.plies, "positions": len(book.keys), "holds": book.score(board) is not None}

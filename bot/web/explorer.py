"""The opening book as a tree: the value of every reply to a position, and the games that went there.

Positions that differ only by a mirror image or by the order of moves are one.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.course.journal.journal import Journal
from bot.engine.agent import StopFlag
from bot.engine.score import plies_to_end
from bot.errors import BotError
from bot.game import Board
from bot.web.runs import Runs

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


@dataclass(slots=True)
class Visits:
    """The games that reached a position, by their result for the bot."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    listed: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, int]:
        """Return the counts."""
        return {"won": self.won, "drawn": self.drawn, "lost": self.lost}


class GameIndex:
    """Where the journals' games went. Safe for several threads; built again when a journal is new or has changed."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._lock = threading.Lock()
        self._mark: tuple[tuple[str, int], ...] = ()
        self._visits: dict[int, Visits] = {}

    def visits(self, board: Board) -> Visits:
        """Return the games that reached ``board`` or its mirror image."""
        from bot.engine.book.lookup import book_key

        with self._lock:
            self._update()
            return self._visits.get(book_key(board)) or Visits()

    def _update(self) -> None:
        paths = self._runs.paths()
        mark = tuple((path.name, path.stat().st_size) for path in paths if path.exists())
        if mark == self._mark:
            return
        visits: dict[int, Visits] = {}
        left = MAX_GAMES
        for path in paths:
            try:
                left -= _count(self._runs.outline(path), visits, left)
            except (BotError, OSError):
                continue
            if left <= 0:
                break
        self._mark, self._visits = mark, visits


def _count(journal: Journal, visits: dict[int, Visits], most: int) -> int:
    """Add the finished games of a run to ``visits``; return their number."""
    from bot.engine.book.lookup import book_key

    finished = [game for game in journal.games if game.result][-most:]
    for game in finished:
        result, board = game.result or 0, Board()
        for column in game.moves[:MAX_PLIES]:
            if board.is_over or not board.can_play(column):
                break
            board = board.play(column)
            seen = visits.setdefault(book_key(board), Visits())
            seen.won += result == 1
            seen.drawn += 0 < result < 1
            seen.lost += result < 0
            if len(seen.listed) < MAX_LISTED:
                seen.listed.append({"run": journal.path.name, "number": game.number, "result": result})
    return len(finished)


def explore(board: Board, index: GameIndex, stop: StopFlag | None = None) -> dict[str, Any]:
    """Return the page's view of a position in the book.

    ``replies``: for each column null where it is full, else ``lower``, ``upper``, ``exact`` and ``text`` (see
    `bot.web.analysis.analyse`), ``plies`` to the end, whether it is ``best``, and the journals' ``games``.
    ``games``: those that reached the position itself.
    """
    from bot.engine.analysis import best_columns
    from bot.engine.perfect import shipped_book
    from bot.web.analysis import column_bounds, column_json

    book = shipped_book()
    columns = [None] * 7 if board.is_over else column_bounds(board, SOLVE_S, stop)
    best = best_columns(columns)
    replies: list[dict[str, Any] | None] = []
    for column, bounds in enumerate(columns):
        if bounds is None:
            replies.append(None)
            continue
        more = {
            "plies": None if bounds.score is None else plies_to_end(bounds.score, board.ply),
            "best": column in best,
            "games": index.visits(board.play(column)).as_json(),
        }
        replies.append(column_json(bounds, board.ply) | more)
    here = index.visits(board) if board.ply else Visits()
    return {
        "book": _about(book, board),
        "replies": replies,
        "games": here.as_json() | {"listed": here.listed},
    }


def _about(book: Book | None, board: Board) -> dict[str, Any]:
    """Return the book's depth and size, and whether it holds the position; an absent or damaged book holds nothing."""
    if book is None:
        return {"plies": 0, "positions": 0, "holds": False}
    return {"plies": book.plies, "positions": len(book.keys), "holds": book.score(board) is not None}

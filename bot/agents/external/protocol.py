"""The agents' line protocol, version 1: the texts of requests and replies, and what they mean. No input or output.

A line that it does not allow is a UsageError, which says why, as a rule in a clause.

One ASCII line a request, one line a reply, words separated by blanks; README.md describes it for authors of programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.engine.agent import MAX_COUNT, Decision, Limit
from bot.errors import UsageError
from bot.game import Board, format_moves, parse_moves
from bot.game.board import COLUMNS, STRIDE, bits

HANDSHAKE = "c4agent 1"
"""The first request, with the version; the reply is the same and the program's name."""
NEW, READY, MOVE, QUIT, ERROR = "new", "ready", "move", "quit", "error"
NOTHING = "-"
"""Stands for no moves, and for no seed."""
_BOTTOM = sum(1 << column * STRIDE for column in range(COLUMNS))
MAX_LINE = 4096
"""Maximum length of a line, bytes."""


def _count(text: str) -> int:
    count = int(text)
    if not (text.isascii() and text.isdecimal() and count <= MAX_COUNT):
        raise ValueError
    return count


def _is_set(text: str) -> bool:
    return text == "1"


_FIELDS = {"time": "hard_s", "think": "think_s"}
"""Names of a limit's fields, where they are not those of its keys."""
_Readers = dict[str, Callable[[str], Any]]
_COUNTS: _Readers = dict.fromkeys(("depth", "nodes", "leaves"), _count)
_ASKED: _Readers = {"time": float, "think": float, **_COUNTS}
"""What reads the value of each key of a request."""
_REPLIED: _Readers = {
    "score": float,
    "proven": _is_set,
    **_COUNTS,
    "passes": _count,
    "line": parse_moves,
    "changed": _is_set,
}
"""What reads the value of each key of a reply."""


def _read(words: list[str], readers: _Readers) -> dict[str, Any]:
    """Return what ``key=value`` words say under the known keys."""
    found: dict[str, Any] = {}
    for word in words:
        key, _, text = word.partition("=")
        try:
            if key in readers:
                found[key] = readers[key](text)
        except ValueError:
            raise UsageError(f"{quoted(word)} cannot be read") from None
    return found


def _written(word: str, **values: object) -> str:
    """Return a line: a word, and the values that there are."""
    return " ".join([word, *(f"{key}={value}" for key, value in values.items() if value is not None)])


def seed_in(words: list[str]) -> int | None:
    """Return the seed of a `new` request, given as the words after `new`."""
    if len(words) != 1 or not (words[0] == NOTHING or words[0].isdecimal()):
        raise UsageError(f"write `{NEW} SEED` or `{NEW} {NOTHING}`")
    return None if words[0] == NOTHING else int(words[0])


def move_request(board: Board, limit: Limit) -> str:
    """Return the request for a move in an unfinished ``board``."""
    counts = {name: getattr(limit, name) for name in _COUNTS}
    asked = f"{MOVE} {format_moves(moves_to(board)) or NOTHING}"
    return _written(asked, time=f"{limit.hard_s:g}", think=f"{limit.think_s:g}", **counts)


def read_move_request(words: list[str]) -> tuple[Board, Limit]:
    """Return position and limit of a `move` request, given as the words after `move`."""
    if not words:
        raise UsageError(f"write `{MOVE} MOVES`, or `{MOVE} {NOTHING}` for the empty board")
    board = Board.from_moves(parse_moves(words[0]))  # which skips `-`
    if board.is_over:
        raise UsageError("the game is over in this position")
    given = _read(words[1:], _ASKED)
    return board, Limit(**{_FIELDS.get(key, key): value for key, value in given.items()})


def move_reply(decision: Decision) -> str:
    """Return the reply to a `move` request."""
    known = {key: getattr(decision, key) for key in _REPLIED if key != "line"}
    known |= {key: int(known[key]) or None for key in ("proven", "changed")}
    if decision.score is not None:
        known["score"] = f"{decision.score:g}"
    return _written(f"{MOVE} {decision.column + 1}", **known, line=format_moves(decision.pv) or None)


def read_move_reply(line: str, board: Board) -> Decision:
    """Return the decision in a reply; raises UsageError unless it names a legal column of ``board``."""
    words = line.split()
    if len(words) < 2 or words[0] != MOVE:
        others = "other output belongs on standard error"
        raise UsageError(f"it replied {quoted(line)} instead of `{MOVE} COLUMN`; {others}")
    column = "1234567".find(words[1]) if len(words[1]) == 1 else -1
    if problem := problem_of(column, board, first=1):
        raise UsageError(f"it chose column {quoted(words[1])}, which {problem}")
    given = _read(words[2:], _REPLIED)
    line_moves = given.pop("line", ())
    pv = line_moves if line_moves[:1] == (column,) else (column,)
    return Decision(column, pv=pv, source="external", **given)


def problem_of(column: int, board: Board, *, first: int) -> str:
    """Return why a column 0..6 is not legal, as a clause; empty if it is. The reader counts columns from ``first``."""
    if not 0 <= column < COLUMNS:
        return f"is not a column from {first} to {first + COLUMNS - 1}"
    if board.can_play(column):
        return ""
    return "is full" if first else f"is full (column {column + 1}, counted from 1)"


def moves_to(board: Board) -> tuple[int, ...]:
    """Return an order of moves that leads to an unfinished ``board``, not necessarily the order of its game.

    Raises UsageError where there is none.
    """
    seen: set[Board] = set()

    def back(at: Board) -> tuple[int, ...] | None:
        """Take back discs of the side that moved last; any order without four in a row is legal."""
        if not at.mask:
            return ()
        if at not in seen:
            seen.add(at)
            for top in bits((at.mask + _BOTTOM) >> 1 & at.opponent):
                before = back(Board(at.opponent ^ top, at.mask ^ top))
                if before is not None:
                    return (*before, top.bit_length() // STRIDE)
        return None

    moves = back(board)
    if moves is None:
        raise UsageError("No order of moves leads to this position.", "Check the discs and whose move it is.")
    return moves


def quoted(value: object) -> str:
    """Return how Python writes a foreign value, in ASCII and at most 60 characters of it."""
    text = written(value, ascii)
    return text if len(text) <= 60 else text[:60] + "..."


def written(value: object, write: Callable[[object], str] = str) -> str:
    """Return a foreign value as text, whatever its methods do that Python calls for it."""
    try:
        return write(value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"an object of type {type(value).__name__} that cannot be shown"

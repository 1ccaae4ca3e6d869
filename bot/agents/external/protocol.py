"""The agents' line protocol, version 1: the texts of requests and replies, and what they mean. No input or output.

One ASCII line a request, one line a reply, words separated by blanks; README.md describes it for authors of programs.
"""

from __future__ import annotations

from typing import Any

from bot.engine.agent import Decision, Limit
from bot.errors import BoardError, UsageError
from bot.game import Board, format_moves, parse_moves
from bot.game.board import COLUMNS, STRIDE

GREETING = "c4agent"
"""First word of the handshake."""
VERSION = "1"
NEW, READY, MOVE, QUIT, ERROR = "new", "ready", "move", "quit", "error"
NOTHING = "-"
"""Stands for no moves, and for no seed."""
MAX_LINE = 4096
"""Maximum length of a line, bytes."""

_FLOATS = {"time": "hard_s", "think": "think_s"}
_COUNTS = ("depth", "nodes", "leaves")
_REPLIED_COUNTS = ("depth", "nodes", "leaves", "passes")


class GarbledError(ValueError):
    """A line that the protocol does not allow; the text says why in a clause."""


def greeting(name: str = "") -> str:
    """Return the handshake: a request, or with a name the reply."""
    return f"{GREETING} {VERSION} {name}".strip()


def name_in(line: str) -> str:
    """Return the program's name in its handshake; raises GarbledError for any other line and another version."""
    words = line.split(maxsplit=2)
    if words[:2] != [GREETING, VERSION] or len(words) < 3:
        raise GarbledError(f"its first line is {quoted(line)}, not `{greeting('NAME')}`")
    return words[2]


def new_request(seed: int | None) -> str:
    """Return the request to forget everything and to prepare a game with this seed."""
    return f"{NEW} {NOTHING if seed is None else seed}"


def seed_in(words: list[str]) -> int | None:
    """Return the seed of a `new` request, given as the words after `new`."""
    if len(words) != 1 or not (words[0] == NOTHING or words[0].isdecimal()):
        raise GarbledError(f"write `{NEW} SEED` or `{NEW} {NOTHING}`")
    return None if words[0] == NOTHING else int(words[0])


def move_request(board: Board, limit: Limit) -> str:
    """Return the request for a move in an unfinished ``board``."""
    fields = [f"time={limit.hard_s:g}", f"think={limit.think_s:g}"]
    fields += [f"{name}={value}" for name in _COUNTS if (value := getattr(limit, name)) is not None]
    return " ".join([MOVE, format_moves(moves_to(board)) or NOTHING, *fields])


def read_move_request(words: list[str]) -> tuple[Board, Limit]:
    """Return position and limit of a `move` request, given as the words after `move`."""
    if not words:
        raise GarbledError(f"write `{MOVE} MOVES`, or `{MOVE} {NOTHING}` for the empty board")
    moves = "" if words[0] == NOTHING else words[0]
    try:
        board = Board.from_moves(parse_moves(moves))
    except BoardError as error:
        raise GarbledError(str(error)) from None
    if board.is_over:
        raise GarbledError("the game is over in this position")
    given: dict[str, Any] = {}
    for word in words[1:]:
        key, _, value = word.partition("=")
        if key in _FLOATS:
            given[_FLOATS[key]] = _number(word, value)
        elif key in _COUNTS:
            given[key] = _count(word, value)
    return board, Limit(**given)


def move_reply(decision: Decision) -> str:
    """Return the reply to a `move` request."""
    fields = [] if decision.score is None else [f"score={decision.score:g}"]
    fields += ["proven=1"] * decision.proven
    fields += [f"{name}={value}" for name in _REPLIED_COUNTS if (value := getattr(decision, name)) is not None]
    fields += [f"line={format_moves(decision.pv)}"] * bool(decision.pv)
    fields += ["changed=1"] * decision.changed
    return " ".join([MOVE, str(decision.column + 1), *fields])


def read_move_reply(line: str, board: Board) -> Decision:
    """Return the decision in a reply; raises GarbledError unless it names a legal column of ``board``."""
    words = line.split()
    if len(words) < 2 or words[0] != MOVE:
        others = "other output belongs on standard error"
        raise GarbledError(f"it replied {quoted(line)} instead of `{MOVE} COLUMN`; {others}")
    column = int(words[1]) - 1 if words[1].isascii() and words[1].isdecimal() and len(words[1]) < 9 else -1
    if problem := problem_of(column, board, first=1):
        raise GarbledError(f"it chose column {quoted(words[1])}, which {problem}")
    given = dict(word.partition("=")[::2] for word in words[2:])
    counts: dict[str, Any] = {name: _count(name, given[name]) for name in _REPLIED_COUNTS if name in given}
    try:
        line_moves = parse_moves(given.get("line", ""))
    except BoardError:
        raise GarbledError(f"its line {quoted(given['line'])} is not a sequence of columns") from None
    score = _number("score", given["score"]) if "score" in given else None
    pv = line_moves if line_moves[:1] == (column,) else (column,)
    proven, changed = (given.get(name) == "1" for name in ("proven", "changed"))
    return Decision(column, score, proven, pv=pv, source="external", changed=changed, **counts)


def problem_of(column: int, board: Board, *, first: int) -> str:
    """Return why a column 0..6 is not legal, as a clause; empty if it is. The reader counts columns from ``first``."""
    if not 0 <= column < COLUMNS:
        return f"is not a column from {first} to {first + COLUMNS - 1}"
    return "" if board.can_play(column) else "is full"


def moves_to(board: Board) -> tuple[int, ...]:
    """Return an order of moves that leads to an unfinished ``board``, not necessarily the order of its game.

    Raises UsageError where there is none.
    """
    dead: set[Board] = set()

    def back(at: Board) -> tuple[int, ...] | None:
        """Take back discs of the side that moved last; any order without four in a row is legal."""
        if not at.mask:
            return ()
        if at in dead:
            return None
        for column in range(COLUMNS):
            filled = at.mask >> column * STRIDE & (1 << STRIDE) - 1
            top = (filled + 1 >> 1) << column * STRIDE if filled else 0
            if top & at.opponent:
                before = back(Board(at.opponent ^ top, at.mask ^ top))
                if before is not None:
                    return (*before, column)
        dead.add(at)
        return None

    moves = back(board)
    if moves is None:
        raise UsageError("No order of moves leads to this position.", "Check the discs and whose move it is.")
    return moves


def quoted(value: object) -> str:
    """Return how Python writes a foreign value, in ASCII and at most 60 characters of it."""
    text = ascii(value)
    return text if len(text) <= 60 else text[:60] + "..."


def _number(what: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GarbledError(f"{quoted(text)} in {quoted(what)} is not a number") from None


def _count(what: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise GarbledError(f"{quoted(text)} in {quoted(what)} is not a whole number")
    return int(text)

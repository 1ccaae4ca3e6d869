"""A player of Connect Four for Kaggle's ConnectX: opening book, then a search to the end of the move's time.

`bot export kaggle` turns this module into one file that needs Python and numpy only: the search's functions are written
in place of the imports from `bot`, and the book into BOOK. Where numba is installed, the search is compiled in the
background while the book answers the first moves; until then, and without numba, it runs as plain Python.
"""

from __future__ import annotations

import base64
import threading
import time
import zlib
from types import FunctionType
from typing import Any

import numpy as np

from bot.engine.jit.bits import BOTTOM, FULL, mirror, playable_cells, winning_cells
from bot.engine.kernels.search import INFINITY, LAST_HORIZON, TABLE_SIZE, WIN, WORKSPACE_WORDS, search
from bot.game.columns import CENTRE_FIRST

BOOK = ""
"""The opening book's content: keys' differences and scores, compressed, as base 85."""
BOOK_POSITIONS = 0
KERNELS: tuple[str, ...] = ()
"""Names of the search's functions."""

ROWS, COLUMNS = 6, 7
MARGIN_S = 0.5
"""Seconds of a move's time that are left unused."""
ACT_TIMEOUT_S = 2.0
"""Kaggle's default time for a move, seconds."""

_loaded: dict[str, Any] = {}
"""The book's arrays, the compiled search and the tables, as soon as they are there."""


def popcount_in_python(bits: int) -> int:
    """Return the number of set bits."""
    return bin(bits).count("1")


def popcount_compiled(bits: int) -> int:
    """Return the number of set bits, in operations that numba compiles: sums of neighbours, twice as wide each time."""
    bits = (bits & 0x5555555555555555) + (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = (bits & 0x0F0F0F0F0F0F0F0F) + (bits >> 4 & 0x0F0F0F0F0F0F0F0F)
    bits += bits >> 8
    bits += bits >> 16
    bits += bits >> 32
    return bits & 0x7F


def compile_search() -> None:
    """Compile copies of the search's functions, which call each other, and keep the search in `_loaded`."""
    try:
        import numba

        space = dict(globals())
        for name in KERNELS:
            source = popcount_compiled if name == "popcount" else globals()[name]
            space[name] = numba.njit(nogil=True)(FunctionType(source.__code__, space, name))
        table, workspace = np.zeros(TABLE_SIZE, np.int64), np.zeros(WORKSPACE_WORDS, np.int64)
        flags = np.zeros(1, np.uint8), np.zeros(1, np.uint8)
        space["search"](0, 0, 0, -INFINITY, INFINITY, 3, table, workspace, *flags)
        _loaded["compiled"] = space["search"], table, workspace, *flags
    except Exception:  # numba is missing or too old for something here: plain Python plays as well, less deeply
        _loaded["compiled"] = None


def start_compiling() -> None:
    """Compile in the background, once."""
    if "thread" not in _loaded:
        _loaded["thread"] = threading.Thread(target=compile_search, daemon=True)
        _loaded["thread"].start()


def book_score(current: int, mask: int) -> int | None:
    """Return the exact score for the side to move; None where the book does not contain the position."""
    if not BOOK:
        return None
    if "keys" not in _loaded:
        content = zlib.decompress(base64.b85decode(BOOK))
        _loaded["keys"] = np.cumsum(np.frombuffer(content, "<i8", BOOK_POSITIONS))
        _loaded["scores"] = np.frombuffer(content, "i1", BOOK_POSITIONS, 8 * BOOK_POSITIONS)
    key = min(current + mask, mirror(current) + mirror(mask)) + BOTTOM
    place = int(np.searchsorted(_loaded["keys"], key))
    if place == len(_loaded["keys"]) or _loaded["keys"][place] != key:
        return None
    return int(_loaded["scores"][place])


def landing(mask: int, column: int) -> int:
    """Return the bit of the lowest empty cell of a column; 0 where it is full."""
    return mask + (1 << 7 * column) & ~mask & (0x3F << 7 * column)


def book_column(current: int, mask: int) -> int | None:
    """Return the column with the best exact score; None unless the book knows all replies."""
    scores = {}
    for column in CENTRE_FIRST:
        move = landing(mask, column)
        if move:
            score = book_score(current ^ mask, mask | move)
            if score is None:
                return None
            scores[column] = -score
    return max(scores, key=lambda column: scores[column])


def search_column(current: int, mask: int, seconds: float) -> int:
    """Return the move of the deepest search that ends in time; it stops early where the result is proven."""
    end = time.monotonic() + seconds
    tools: Any = _loaded.get("compiled")
    if tools is None:
        tools = search, [0] * TABLE_SIZE, [0] * WORKSPACE_WORDS, [0], [0]
    run, table, workspace, stop, deadline = tools
    if isinstance(table, np.ndarray):
        table.fill(0)
        workspace.fill(0)
    deadline[0] = 0
    alarm = threading.Timer(max(0.0, end - time.monotonic()), deadline.__setitem__, (0, 1))
    alarm.daemon = True
    alarm.start()
    ply = bin(mask).count("1")
    order = [column for column in CENTRE_FIRST if landing(mask, column)]
    best = order[0]
    work = table, workspace, stop, deadline
    for horizon in range(ply + 1, LAST_HORIZON + 1):
        value, column = -INFINITY, order[0]
        for candidate in order:
            below = mask | landing(mask, candidate)
            found = 0
            if below != FULL:
                found = -int(run(current ^ mask, below, ply + 1, -INFINITY, -value, horizon, *work))
            if deadline[0]:
                break
            if found > value:
                value, column = found, candidate
        if deadline[0]:
            break
        best = column
        order.sort(key=best.__ne__)
        if abs(value) > WIN:
            break
    alarm.cancel()
    return best


def choose(current: int, mask: int, seconds: float) -> int:
    """Return a column 0..6 for the side to move: a win, a block, the book's move, or the search's."""
    playable = playable_cells(mask)
    threats = winning_cells(current, mask) & playable or winning_cells(current ^ mask, mask) & playable
    for column in CENTRE_FIRST:
        if threats & landing(mask, column):
            return column
    known = book_column(current, mask)
    return search_column(current, mask, seconds) if known is None else known


def field(source: Any, name: str, default: Any = None) -> Any:
    """Return what an observation or a configuration has under a key, or as an attribute."""
    value = source.get(name) if hasattr(source, "get") else getattr(source, name, None)
    return default if value is None else value


def agent(observation: Any, configuration: Any) -> int:
    """Return our column 0..6. Kaggle calls the last function of the file."""
    start = time.monotonic()
    start_compiling()
    cells, mark = list(field(observation, "board")), field(observation, "mark")
    legal = [column for column in range(len(cells) // ROWS) if cells[column] == 0]
    if len(cells) != ROWS * COLUMNS or field(configuration, "inarow", 4) != 4:
        return min(legal, key=lambda column: abs(2 * column + 1 - field(configuration, "columns", COLUMNS)))
    current = mask = 0
    for place, cell in enumerate(cells):
        bit = 1 << (place % COLUMNS * 7 + ROWS - 1 - place // COLUMNS)
        mask |= bit if cell else 0
        current |= bit if cell == mark else 0
    limit_s = float(field(configuration, "actTimeout") or ACT_TIMEOUT_S)
    return choose(current, mask, max(0.05, limit_s - min(MARGIN_S, limit_s / 2) - (time.monotonic() - start)))

"""Positions that decide exactly one thing: a four to make or to block, the faster win, a double threat, full columns.

`sight.txt` holds them, a kind and moves (1-7) a line; the right columns follow from the board. That nothing else
decides is proven by the solver in tests/gauntlet/test_gauntlet.py.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.agents.external.child import end_programs
from bot.agents.games import ask, derived_seed, ready_agent
from bot.engine.agent import Limit
from bot.errors import AgentError
from bot.game import Board, parse_moves
from bot.game.board import DIRECTIONS, STRIDE, bits
from bot.gauntlet.positions import Columns, random_opening
from bot.learn.coach.pattern import defences

COURSE_LIMIT = Limit(hard_s=5.0, own_time=True)
"""The course's time limit of a move, in which a busy machine makes no agent late."""
FILE = Path(__file__).with_name("sight.txt")
DIRECTION_NAMES = dict(zip(DIRECTIONS, ("vertical", "horizontal", "falling diagonal", "rising diagonal"), strict=True))
"""Directions of a four by the distance of its bits; a rising diagonal goes up to the right."""
SEEN_AFTER = {
    "make four": 1,
    "win at once": 1,
    "win or block": 1,
    "block four": 2,
    "double threat": 3,
    "prevent double threat": 4,
}
"""Plies after which a search without faults is right, by the kind of position."""
FULL, OPENING = "full columns", "opening"
_OPENINGS = 8
"""Openings of 0, 1, 2, ... discs, in which an agent is asked twice: where much is equal, chance shows."""


@dataclass(frozen=True)
class SightPosition:
    """A position in which an agent is asked."""

    kind: str
    """A key of `SEEN_AFTER`; or `FULL` or `OPENING`, where the rules are the only question."""
    columns: Columns

    @property
    def right(self) -> tuple[int, ...]:
        """The columns that are right."""
        return right_columns(self.kind, Board.from_moves(self.columns))


@cache
def sight_positions() -> tuple[SightPosition, ...]:
    """Return all positions: openings, then the file's, in an order in which every beginning has all kinds."""
    openings = [SightPosition(OPENING, random_opening(plies, "sight")) for plies in range(_OPENINGS)]
    split = [line.partition(": ")[::2] for line in FILE.read_text(encoding="ascii").splitlines()]
    return (*openings, *[SightPosition(kind, parse_moves(moves)) for kind, moves in split])


def winning_columns(board: Board) -> tuple[int, ...]:
    """Return the columns that make four for the side to move."""
    return tuple(filter(board.wins_with, board.legal_columns()))


def passed(board: Board) -> Board:
    """Return the same discs with the other side to move."""
    return Board(board.opponent, board.mask)


def right_columns(kind: str, board: Board) -> tuple[int, ...]:
    """Return the columns that are right in a position of this kind."""
    legal = board.legal_columns()
    if kind == "block four":
        return winning_columns(passed(board))
    if kind == "double threat":
        return tuple([column for column in legal if defences(board.play(column), 1)])
    if kind == "prevent double threat":
        return tuple([column for column in legal if not wins_in_three(board.play(column))])
    return winning_columns(board) if kind in SEEN_AFTER else legal


def wins_in_three(board: Board) -> bool:
    """Return whether the side to move makes four within three plies, against every defence."""
    columns = board.legal_columns()
    return any(map(board.wins_with, columns)) or any(defences(board.play(column), 1) for column in columns)


def four_of(board: Board, column: int) -> tuple[int, ...]:
    """Return the cells (column * 7 + row) of the four that the side to move makes; empty: none, or more than one."""
    cells = tuple([cell.bit_length() - 1 for cell in bits(board.play(column).winning_cells)])
    return cells if len(cells) == 4 else ()


def place_of(cell: int) -> tuple[int, int]:
    """Return column and row of a cell, both from 1, the row from below."""
    return cell // STRIDE + 1, cell % STRIDE + 1


@dataclass(frozen=True)
class SightQuestion:
    """A position, for a new object of an agent with a seed of its own."""

    agent: str
    position: SightPosition
    number: int = 1
    """Objects with different numbers have different seeds."""


Answers = Mapping[SightQuestion, dict[str, Any]]
"""What `answer` says of each question."""


def answer(question: SightQuestion) -> dict[str, Any]:
    """Return an agent's column, its time and its error."""
    return _answers(question.agent, (question.position.columns,), "rules", question.number)[0]


@dataclass(frozen=True)
class StateQuestion:
    """Positions for one new process of an agent, asked after the positions of some games, or at once."""

    agent: str
    history: tuple[tuple[Columns, ...], ...]
    asked: tuple[Columns, ...]
    number: int
    """Which of two equal questions it is."""


def replies(question: StateQuestion) -> list[int | None]:
    """Return the columns that a new process answers; None where it failed."""
    end_programs()
    for positions in question.history:
        _answers(question.agent, positions, "state")
    found = [_answers(question.agent, (columns,), "state")[0]["column"] for columns in question.asked]
    end_programs()
    return found


def _answers(agent: str, positions: Sequence[Columns], *seed: object) -> list[dict[str, Any]]:
    """Return the answers of one object of the agent, those of a game or of one position, to its first failure."""
    found: list[dict[str, Any]] = []
    start = time.perf_counter()
    try:
        # The seed is of the position, too: from one seed, the first draw would be the same in all positions.
        player = ready_agent(agent, derived_seed(*seed, *positions[0]))
        for columns in positions:
            start = time.perf_counter()
            decision = ask(player, Board.from_moves(columns), COURSE_LIMIT)
            found.append(
                {"column": decision.column, "seconds": decision.seconds, "error": "", "changed": decision.changed}
            )
    except AgentError as error:
        seconds = time.perf_counter() - start
        return [*found, {"column": None, "seconds": seconds, "error": str(error), "changed": False}]
    player.close()
    return found

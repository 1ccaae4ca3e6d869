"""What an agent did where something had to be seen: in the positions of `sight.py`, and in each move of its games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bot.game import Board, PlayedGame, format_moves
from bot.gauntlet.arena.games import points_of, side_of
from bot.gauntlet.exact import outcome
from bot.gauntlet.positions import Columns
from bot.gauntlet.sight import (
    DIRECTION_NAMES,
    FULL,
    OPENING,
    SEEN_AFTER,
    SightPosition,
    four_of,
    passed,
    place_of,
    winning_columns,
)

MAKE, BLOCK = "make four", "block four"


@dataclass(frozen=True)
class Seen:
    """One thing to see, and what the agent did."""

    kind: str
    """A key of `SEEN_AFTER`."""
    moves: Columns
    column: int
    """What it played."""
    right: tuple[int, ...]
    games: tuple[int, ...] = ()
    """Numbers of the games in which it was so; none: a position of `sight.py`."""

    @property
    def is_missed(self) -> bool:
        return self.column not in self.right

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The four to make or block, if it is a single one: cells, the one to be taken first."""
        board = Board.from_moves(self.moves)
        if len(self.right) != 1 or SEEN_AFTER[self.kind] > 2:
            return ()
        side = passed(board) if self.kind == BLOCK else board
        cells = four_of(side, self.right[0])
        return tuple(sorted(cells, key=lambda cell: board.mask >> cell & 1))

    @property
    def direction(self) -> str:
        first, second, *_ = sorted(self.cells)
        return DIRECTION_NAMES[second - first]

    @property
    def place(self) -> tuple[int, int]:
        """Column and row of the cell to be taken."""
        return place_of(self.cells[0])

    @property
    def touched(self) -> list[tuple[int, int]]:
        """Column and row of all cells of the four."""
        return list(map(place_of, self.cells))

    @cached_property
    def value(self) -> int:
        """The outcome of what it played: 1, 0 or -1."""
        return -outcome(Board.from_moves(self.moves).play(self.column))

    @cached_property
    def best(self) -> int:
        """The outcome of what was right."""
        return -outcome(Board.from_moves(self.moves).play(self.right[0]))

    @property
    def wins_later(self) -> bool:
        """Whether it left a win at once for one that comes later."""
        return self.is_missed and SEEN_AFTER[self.kind] == 1 and self.value > 0

    @property
    def was_lost(self) -> bool:
        """Whether the right column would have lost, too."""
        return self.is_missed and self.kind == BLOCK and self.best < 0

    def as_json(self) -> dict[str, Any]:
        """Return the position as a finding shows it."""
        moves = format_moves(self.moves)
        return {"moves": moves, "column": self.column, "right": list(self.right), "game": next(iter(self.games), None)}


@dataclass(frozen=True)
class Failure:
    """An answer that was no legal move in time."""

    moves: Columns
    error: str
    games: tuple[int, ...] = ()

    @property
    def kind(self) -> str:
        """Return "illegal", "late" or "error"."""
        if "which is full" in self.error or "which is not a column" in self.error:
            return "illegal"
        return "late" if "did not reply within" in self.error else "error"

    def as_json(self) -> dict[str, Any]:
        """Return the position as a finding shows it."""
        game = next(iter(self.games), None)
        return {"moves": format_moves(self.moves), "column": None, "right": [], "game": game, "error": self.error}


@dataclass(frozen=True)
class OwnMove:
    """A move of the agent."""

    moves: Columns
    """The position before it."""
    column: int
    seconds: float


@dataclass(frozen=True)
class Evidence:
    """All that an agent did."""

    seen: Sequence[Seen]
    failures: Sequence[Failure]
    moves: Sequence[OwnMove]
    lost: Sequence[int]
    """Numbers of the games that it lost."""
    has_chance: bool = False
    """Whether it may draw its moves, so that it overlooks something now and then."""


def evidence_of(
    agent: str,
    positions: Sequence[SightPosition],
    answers: Sequence[dict[str, Any]],
    games: Sequence[PlayedGame],
    *,
    has_chance: bool = False,
) -> Evidence:
    """Return what these answers and games show; what occurred in several games, or was asked twice, counts once."""
    asked: list[Seen] = []
    occurred: defaultdict[Seen, list[int]] = defaultdict(list)
    failures: list[Failure] = []
    moves: list[OwnMove] = []
    for position, found in zip(positions, answers, strict=True):
        if found["error"]:
            failures.append(Failure(position.columns, found["error"]))
            continue
        moves.append(OwnMove(position.columns, found["column"], found["seconds"]))
        if position.kind not in (FULL, OPENING):
            asked.append(Seen(position.kind, position.columns, found["column"], position.right))
    for number, game in enumerate(games):
        side = side_of(agent, game)
        for ply in range(side, len(game.moves), 2):
            moves.append(OwnMove(game.moves[:ply], game.moves[ply], game.of_moves["seconds"][ply]))
        if game.ended and len(game.moves) % 2 == side:
            failures.append(Failure(game.moves, game.ended, (number,)))
        for each in seen_in(game.moves, side):
            occurred[each].append(number)
    lost = [number for number, game in enumerate(games) if points_of(agent, game) == 0]
    seen = [*dict.fromkeys(asked), *(replace(each, games=tuple(numbers)) for each, numbers in occurred.items())]
    return Evidence(seen, failures, moves, lost, has_chance)


def seen_in(moves: Columns, side: int) -> Iterator[Seen]:
    """Yield the fours that one side could make, or had to block, in a game."""
    for ply in range(side, len(moves), 2):
        board = Board.from_moves(moves[:ply])
        wins, threats = winning_columns(board), winning_columns(passed(board))
        if wins:
            kind = "win or block" if set(threats) - set(wins) else MAKE
            yield Seen(kind, moves[:ply], moves[ply], wins)
        elif len(threats) == 1:
            yield Seen(BLOCK, moves[:ply], moves[ply], threats)

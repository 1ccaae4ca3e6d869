"""What an agent did where something had to be seen: in the positions of `sight.py`, and in each move of its games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bot.engine.score import sign
from bot.engine.shared import ready_analyst
from bot.game import Board, PlayedGame, format_moves
from bot.gauntlet.arena.games import side_of
from bot.gauntlet.positions import Columns
from bot.gauntlet.sight import (
    FULL,
    OPENING,
    SEEN_AFTER,
    Answers,
    four_of,
    passed,
    place_of,
    winning_columns,
)

MAKE, BLOCK = "make four", "block four"


def outcome(board: Board) -> int:
    """Return 1, 0 or -1: what the side to move reaches, even where a pass gave it a disc too many or too few."""
    score = ready_analyst().bounds(board).score
    assert score is not None, "without a deadline there is a score"
    return sign(score)


@dataclass(frozen=True)
class Seen:
    """One thing to see, and what the agent did; or an answer that was no legal move in time."""

    kind: str
    """A key of `SEEN_AFTER`; or "illegal", "late" or "error"."""
    moves: Columns
    column: int | None
    """What it played."""
    right: tuple[int, ...] = ()
    games: tuple[int, ...] = ()
    """Numbers of the games in which it was so; none: a position of `sight.py`."""
    error: str = ""

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
    def place(self) -> tuple[int, int]:
        """Column and row of the cell to be taken."""
        return place_of(self.cells[0])

    def after(self, column: int) -> int:
        """Return the outcome of a column: 1, 0 or -1."""
        return -outcome(Board.from_moves(self.moves).play(column))

    @cached_property
    def wins_later(self) -> bool:
        """Whether it left a win at once for one that comes later."""
        if self.column is None or not self.is_missed or SEEN_AFTER[self.kind] > 1:
            return False
        return self.after(self.column) > 0

    @cached_property
    def was_lost(self) -> bool:
        """Whether the right column would have lost, too."""
        return self.is_missed and self.kind == BLOCK and self.after(self.right[0]) < 0

    def as_json(self) -> dict[str, Any]:
        """Return the position as a finding shows it."""
        found: dict[str, Any] = {"moves": format_moves(self.moves), "column": self.column, "right": list(self.right)}
        return found | {"error": self.error} if self.error else found


def failed(moves: Columns, error: str, *games: int) -> Seen:
    """Return an answer that was no legal move in time."""
    kind = "late" if "did not reply within" in error else "error"
    if "which is full" in error or "which is not a column" in error:
        kind = "illegal"
    return Seen(kind, moves, None, games=games, error=error)


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
    failures: Sequence[Seen]
    moves: Sequence[OwnMove]
    has_chance: bool = False
    """Whether it may draw its moves, so that it overlooks something now and then."""


def evidence_of(agent: str, answers: Answers, games: Sequence[PlayedGame], *, has_chance: bool = False) -> Evidence:
    """Return what these answers and games show; what occurred in several games, or was asked twice, counts once."""
    asked: list[Seen] = []
    occurred: defaultdict[Seen, list[int]] = defaultdict(list)
    failures: list[Seen] = []
    moves: list[OwnMove] = []
    for question, found in answers.items():
        position = question.position
        if found["error"]:
            failures.append(failed(position.columns, found["error"]))
            continue
        moves.append(OwnMove(position.columns, found["column"], found["seconds"]))
        if position.kind not in (FULL, OPENING):
            asked.append(Seen(position.kind, position.columns, found["column"], position.right))
    for number, game in enumerate(games):
        side = side_of(agent, game)
        for ply in range(side, len(game.moves), 2):
            moves.append(OwnMove(game.moves[:ply], game.moves[ply], game.of_moves["seconds"][ply]))
        if game.ended and len(game.moves) % 2 == side:
            failures.append(failed(game.moves, game.ended, number))
        for each in seen_in(game.moves, side):
            occurred[each].append(number)
    seen = [*dict.fromkeys(asked), *(replace(each, games=tuple(numbers)) for each, numbers in occurred.items())]
    return Evidence(seen, failures, moves, has_chance)


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

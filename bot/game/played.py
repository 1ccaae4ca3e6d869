"""A game that was played: the one type for it, whoever played it and wherever it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.game.board import Board
from bot.game.notation import format_moves, parse_moves


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played, as far as it went; the first player made the even plies."""

    moves: tuple[int, ...]
    """Columns 0..6 in the order of play, those of the opening included."""
    first: str = ""
    """Who made the first disc: an agent's name, a role or a person; empty where that is not known."""
    second: str = ""
    result: float | None = None
    """Points of the first player: 1 for a win, 0.5 for a draw, 0 for a loss; None: the game has no result."""
    ended: str = ""
    """Why a game ended that the board does not end, such as "late" or a sentence; empty otherwise."""
    opening: int = 0
    """Plies of the opening, which neither player chose."""
    began: str = ""
    """When it began, ISO 8601 in UTC; empty where that was not kept."""
    of_moves: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """What was kept of each move after the opening, by its name in `bot.engine.agent.Decision`: "seconds", "leaves"."""

    @classmethod
    def over(cls, moves: tuple[int, ...], *, forfeit: str = "", **more: Any) -> PlayedGame:
        """Return a game with its result: the board's, or after a ``forfeit`` a loss of the side to move."""
        board = Board.from_moves(moves)
        result: float | None = None
        if board.has_winner or forfeit:
            result = float(board.ply % 2)  # the side to move has lost
        elif board.is_over:
            result = 0.5
        return cls(moves, result=result, ended=forfeit, **more)

    @property
    def board(self) -> Board:
        """The final position."""
        return Board.from_moves(self.moves)

    def points(self, player: int) -> float | None:
        """Return the points of a player, 0 (first) or 1."""
        return None if self.result is None else abs(player - self.result)

    def of_player(self, player: int, name: str) -> list[Any]:
        """Return what was kept of each move of a player, 0 or 1, without None."""
        plies = range(self.opening, len(self.moves))
        kept = zip(plies, self.of_moves[name], strict=True)
        return [value for ply, value in kept if ply % 2 == player and value is not None]

    def as_json(self) -> dict[str, Any]:
        """Return everything as one JSON object, the moves as columns 1 to 7."""
        return {**vars(self), "moves": format_moves(self.moves), "of_moves": dict(self.of_moves)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> PlayedGame:
        """Return the game that `as_json` describes."""
        kept = {name: tuple(values) for name, values in fields["of_moves"].items()}
        return cls(**{**fields, "moves": parse_moves(fields["moves"]), "of_moves": kept})

"""The bodies of the page's requests: what they may hold, and games as columns that have been checked."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bot.agents.catalogue import MOST_PLAYOUTS
from bot.game import Board, parse_moves
from bot.web.standalone import NAMES


def _columns(moves: Any) -> tuple[int, ...]:
    """Return the columns 0..6 of moves such as "4435"; raise BoardError at one that cannot be played."""
    if not isinstance(moves, str):
        raise ValueError("moves are a string of columns")
    columns = parse_moves(moves)
    Board.from_moves(columns)
    return columns


MovesField = Annotated[tuple[int, ...], BeforeValidator(_columns)]


Name = Annotated[str, Field(min_length=1, max_length=60)]


class Body(BaseModel):
    """Body of a request: unknown fields and infinite numbers are rejected."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class PositionRequest(Body):
    """A position or a game, and the time to spend on it."""

    moves: MovesField = ()
    time_s: Annotated[float, Field(ge=0.05, le=60)] = 5.0


class ChanceRequest(Body):
    """Body of /api/chance: a game, the side that lost it, the level that won it, and the plies of its key moments."""

    moves: MovesField
    side: Annotated[int, Field(ge=0, le=1)]
    level: Annotated[int, Field(ge=1, le=10)]
    moments: Annotated[tuple[int, ...], Field(max_length=3)] = ()


class MoveRequest(Body):
    """Body of /api/move: a position, and the agent that chooses a move in it, with its settings."""

    moves: MovesField = ()
    agent: Annotated[str, Field(max_length=40)] = "perfect"
    depth: Annotated[int, Field(ge=1, le=MOST_PLAYOUTS)] | None = None
    options: Annotated[str, Field(max_length=100)] = ""
    time_s: Annotated[float, Field(ge=0.05, le=60)] = 2.0
    random: bool = False
    game: Annotated[str, Field(max_length=40)] = ""
    """The game's id, made by the page: an agent from outside has an object of its own for each."""


class PageRequest(Body):
    """Body of /api/page: a game, and who played it from which ply on."""

    moves: MovesField = ()
    start: Annotated[int, Field(ge=0, le=42)] = 0
    names: tuple[Name, Name] = NAMES

"""The bots that the server may play: scripted ones here, all others from the engine and the laboratory."""

from __future__ import annotations

from collections.abc import Callable

from bot.engine import Agent, Decision, Limit, Stop
from bot.errors import UsageError
from bot.game import Board, parse_moves

DEFAULT_OPPONENT = "depth3"
"""The course's own text of 2024: its bot searches three plies by minimax."""


class Scripted:
    """Plays the listed columns in turn where they are legal, else the leftmost legal one.

    The place in the script is the number of its own discs on the board, so that every game begins anew.
    """

    def __init__(self, script: str) -> None:
        self._columns = parse_moves(script)
        self.name = f"scripted:{script}"

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        number = board.ply // 2
        legal = board.legal_columns()
        if not legal:
            raise ValueError("the game is over")
        wanted = self._columns[number] if number < len(self._columns) else legal[0]
        return Decision(wanted if wanted in legal else legal[0], source="script")


def make_opponent(name: str, seed: int | None, make_agent: Callable[..., Agent]) -> Agent:
    """The bot called ``name``: `scripted:COLUMNS`, or whatever ``make_agent`` knows.

    Raises UsageError for a name that nobody knows.
    """
    kind, _, script = name.partition(":")
    if kind != "scripted":
        return make_agent(name, seed=seed)
    if not script:
        raise UsageError("A scripted opponent needs its columns.", "Write --opponent scripted:4455.")
    return Scripted(script)

"""The solvers under test: ours, BitBully where it is installed, any other by its command; each with a cold table."""

from __future__ import annotations

from typing import Any, Protocol

from bot.engine.score import Solved
from bot.engine.solver import Solver
from bot.errors import UsageError
from bot.game import Board
from bot.trials.bench.peer import LONGEST_WAIT_S, CommandPeer
from bot.trials.bench.positions import WAKING, Position

COMMAND = "command:"
"""What `--peer` begins with where the rest is the command of another solver."""


class SolverUnderTest(Protocol):
    """A solver whose `score` and `outcome` are timed."""

    name: str
    nodes: int
    """Positions visited by the last call."""
    seconds: float | None
    """Processor time of the last call by the solver's own clock; None: the benchmark's clock counts."""

    @property
    def clearing(self) -> str:
        """Who pays for clearing the table, as a sentence."""

    def set_up(self, position: Position) -> None:
        """Prepare ``position``, untimed."""

    def score(self) -> int | None:
        """Return the exact score of the prepared position."""

    def outcome(self) -> int | None:
        """Return the outcome of the prepared position: 1 win, 0 draw, -1 loss."""

    def close(self) -> None:
        """End what belongs to the solver."""


class Ours:
    """The engine's solver. It clears its table itself, within the measured time."""

    name = "bot"
    nodes = 0
    seconds: float | None = None
    clearing = "Clearing the table of bot is part of its time."

    def __init__(self, table_mb: int = 4, threads: int = 1) -> None:
        self._solver = Solver(table_mb, threads)
        self._solver.warm_up()
        self._waking = self._board = Board.from_moves(WAKING)

    def set_up(self, position: Position) -> None:
        self._board = self._waking
        self.outcome()
        self.score()
        self._board = position.board

    def score(self) -> int | None:
        return self._noted(self._solver.solve(self._board)).score

    def outcome(self) -> int | None:
        return self._noted(self._solver.solve(self._board, weak=True)).outcome

    def close(self) -> None:
        """Do nothing: the solver ends with this process."""

    def _noted(self, solved: Solved) -> Solved:
        self.nodes = solved.nodes
        return solved


class BitBully:
    """BitBully (Markus Thill, C++) without its opening book.

    Clearing its table takes about 40 ms, a thousand times as long as a late position, and is not timed. Outcomes are
    solved with two null windows, which is faster than one window around the draw.
    """

    name = "bitbully"
    nodes = 0
    seconds: float | None = None
    clearing = "Clearing the table of bitbully, about 40 ms, is not part of its time."

    def __init__(self) -> None:
        """Raises UsageError where it is not installed."""
        try:
            from bitbully import bitbully_core
        except ImportError:
            raise UsageError(
                "--peer bitbully needs BitBully.", "Install it with `pip install 'bot-connect-four[peer]'`."
            ) from None
        self._core: Any = bitbully_core.BitBullyCore()
        self._new_board = bitbully_core.BoardCore
        self._waking: Any = self._board_after(WAKING)
        self._board: Any = self._waking

    def set_up(self, position: Position) -> None:
        self._core.resetTranspositionTable()
        self._core.mtdf(self._waking, 0)
        self._board = self._board_after(position.columns)
        self._core.resetNodeCounter()

    def score(self) -> int | None:
        found = self._core.mtdf(self._board, 0)
        self.nodes = self._core.getNodeCounter()
        return int(found)

    def outcome(self) -> int | None:
        found = 1 if self._core.negamax(self._board, 0, 1, 0) > 0 else 0
        if not found and self._core.negamax(self._board, -1, 0, 0) < 0:
            found = -1
        self.nodes = self._core.getNodeCounter()
        return found

    def close(self) -> None:
        """Do nothing: the solver ends with this process."""

    def _board_after(self, columns: tuple[int, ...]) -> Any:
        board = self._new_board()
        for column in columns:
            board.play(column)
        return board


PEERS = {"bitbully": BitBully}


def peer_called(name: str, longest_wait_s: float = LONGEST_WAIT_S) -> SolverUnderTest:
    """Return the other solver of this name, or the one that ``command:PATH`` starts.

    Raises UsageError where there is none, it is not installed, or cannot be started.
    """
    if name.startswith(COMMAND):
        return CommandPeer(name.removeprefix(COMMAND), longest_wait_s)
    if name not in PEERS:
        raise UsageError(
            f"There is no peer called {name!r}.", f"Choose one of: {', '.join((*PEERS, COMMAND + 'PATH'))}."
        )
    return PEERS[name]()

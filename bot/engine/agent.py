"""The types between a caller that needs a move and an agent that chooses it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Protocol, SupportsIndex

from bot.errors import UsageError
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.jit.arrays import Flag


NO_LIMIT_S = 86_400.0
"""Time limit from which on a choice counts as unlimited, seconds (a day)."""
MAX_S = 1_000_000.0
"""Maximum time limit, seconds."""
MAX_COUNT = 10**15
"""Maximum depth, number of nodes or number of leaves."""


def check_seconds(name: str, value: object) -> None:
    """Raise UsageError unless the argument called ``name`` is a number of seconds, finite and not negative."""
    if not isinstance(value, Real) or not 0 <= float(value) <= MAX_S:
        raise UsageError(f"{name} cannot be {value!r:.60}.", f"Give seconds from 0 to {MAX_S:,.0f}.")


def check_count(name: str, value: object, most: int) -> None:
    """Raise UsageError unless the argument called ``name`` is an integer, of any library, from 1 to ``most``."""
    try:
        number = index(value)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        number = 0
    if not 1 <= number <= most:
        raise UsageError(f"{name} cannot be {value!r:.60}.", f"Give a whole number from 1 to {most:,}.")


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a choice may take: a cap and an aim in seconds, a depth in plies, and a number of nodes or leaves.

    ``hard_s`` is the cap and ``think_s`` the aim of a search whose move is not proven. ``depth``, ``nodes`` and
    ``leaves`` are maxima of all iterations together; None: no maximum. Raises UsageError for a negative
    time, or a count below 1.
    """

    hard_s: float = 5.0
    """Cap, seconds: the choice is made by then in any case."""
    think_s: float = 0.2
    """Aim of a search whose move is not proven, seconds; a proven move comes earlier."""
    depth: int | None = None
    """Maximum search depth in plies; None: as deep as the time allows."""
    nodes: int | None = None
    """Maximum number of positions visited in all iterations together; None: no maximum."""
    leaves: int | None = None
    """Maximum number of positions evaluated, likewise."""
    own_time: bool = False
    """Whether an agent from outside is judged by the time in which it could run, however busy the machine is."""

    def __post_init__(self) -> None:
        check_seconds("hard_s", self.hard_s)
        check_seconds("think_s", self.think_s)
        for name in ("depth", "nodes", "leaves"):
            value = getattr(self, name)
            if value is not None:
                check_count(name, value, MAX_COUNT)

    @property
    def is_counted(self) -> bool:
        """Whether the work is limited by nodes or leaves, and so does not depend on the machine."""
        return self.nodes is not None or self.leaves is not None


@dataclass(frozen=True, slots=True, eq=False)  # two flags that are not set are two flags
class StopFlag:
    """A flag that ends a running search within 10 ms; kernels poll ``flag[0]`` and never write it."""

    _byte: bytearray = field(default_factory=lambda: bytearray(1))

    @property
    def flag(self) -> Flag:
        """The flag as kernels take it: an array (uint8, one item) over the memory of this object."""
        import numpy as np  # only searches need arrays: what the opening book answers does not

        return np.frombuffer(self._byte, dtype=np.uint8)

    def set(self) -> None:
        """End the search that holds this flag; safe from any thread."""
        self._byte[0] = 1

    @property
    def is_set(self) -> bool:
        return bool(self._byte[0])


@dataclass(frozen=True, slots=True)
class Decision:
    """A chosen column and what is known about it.

    ``column`` is 0..6. ``score`` is in the view of the side to move; where ``proven`` is set, it is the exact value (0
    a draw, +n a win, -n a loss), else it is in the agent's own units. ``depth`` is in plies; ``pv`` is the line that
    the agent expects, columns 0..6. What it does not say is None, or empty.
    """

    column: int
    """Column 0..6, always legal."""
    score: float | None = None
    """In the view of the side to move: on the field's scale if proven (`bot.engine.score`), else in the agent's own
    units."""
    proven: bool = False
    """Whether ``score`` is the exact game-theoretic value of the position."""
    depth: int | None = None
    """Last fully searched depth, plies."""
    nodes: int | None = None
    leaves: int | None = None
    passes: int | None = None
    """Null-window searches of MTD(f)."""
    pv: tuple[int, ...] = ()
    """The line that the agent expects, columns 0..6; the first is ``column``. Empty as a rule."""
    seconds: float = 0.0
    source: str = ""
    """Method that found the column: "book", "solver", "search", "proof", "random", "script", "external" or "forced"
    (only one legal or one winning column)."""
    note: str = ""
    """A sentence for the user and the journal where another agent had to choose; empty as a rule."""
    changed: bool = False
    """Whether the agent changed the board that it was given, which was a copy."""
    safe: bool = True
    """Where several boards are possible: whether the column is a best one on each of them."""
    saved: float | None = None
    """There, the probability of not losing."""


class Chooser(Protocol):
    """What a class of one's own needs in order to play: see bot/agents/external/README.md."""

    def choose(self, board: Board, limit: Limit) -> Decision | SupportsIndex:
        """Return a legal column 0..6 for the side to move of an unfinished ``board``, alone or in a decision."""
        ...


class Agent(ABC):
    """Anything that chooses columns: engines, systems of publications, opponents."""

    name: str
    note = ""
    """What an agent from outside says of itself when it is ready, for instance in which form it gets the board."""

    def warm_up(self) -> None:  # noqa: B027  # most agents have nothing to load or compile
        """Make the agent ready to move, so that nothing compiles on the move clock."""

    @abstractmethod
    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """Return a legal column for the side to move of an unfinished ``board``.

        Raises GameOverError on a finished board. Returns within ``limit.hard_s`` seconds and 10 ms after ``stop``.
        Keeps to the counts of ``limit``, or its docstring says which it ignores; equal seeds play equal games.
        """

    def close(self) -> None:  # noqa: B027  # most agents hold nothing
        """Release what the agent holds, such as a program."""


class Derived(Agent):
    """An agent that chooses by a function over others; the first one's note is its own."""

    def __init__(
        self, name: str, agents: Sequence[Agent], choose: Callable[[Board, Limit, StopFlag | None], Decision]
    ) -> None:
        self.name = name
        self._agents = agents
        self._choose = choose

    @property
    def note(self) -> str:  # type: ignore[override]
        return self._agents[0].note

    def warm_up(self) -> None:
        """Make all of them ready to move."""
        for agent in self._agents:
            agent.warm_up()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`."""
        return self._choose(board, limit, stop)

    def close(self) -> None:
        """Release what they hold."""
        for agent in self._agents:
            agent.close()

"""The one list of agents: every command, the page and the Python API make agents by name here.

A name is an agent of this package, or one from outside (`bot.agents.external.names`), with an optional budget
(`bot.engine.budgeted`).

Nothing heavy is imported before an agent is made, and nothing is compiled before `warm_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from bot.agents.family import PAPER_DEPTHS, families, make_paper_agent
from bot.engine.agent import Agent, Limit
from bot.engine.budgeted import Budgeted, split_budget
from bot.errors import UsageError
from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS

Maker = Callable[[str, "int | None"], Agent]
"""Makes the agent of a full name, with the seed of its random choices (None: another one each time)."""

ALL_NAMES = "All names: `bot agents`."
"""Next step after an unknown name."""

DEFAULT_DEPTH = 4
"""Depth offered for agents that need one and name no default, in plies."""


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """One agent, or one family of agents that differ in depth and options."""

    name: str
    about: str
    make: Maker
    depth: int | None = None
    """The depth offered where none is given, in plies; None: the agent takes no depth."""
    deepest: int = PAPER_DEPTHS[-1]
    number: str = "DEPTH"
    """What the number in a name means, as lists of names show it."""
    depth_optional: bool = False
    """Whether the name alone, without a depth, is an agent."""
    options: tuple[str, ...] = ()
    randomises: bool = False
    """Whether it can choose at random among moves that it finds equal."""
    moves_everywhere: bool = True
    """Whether it has a move in every unfinished position; `proof` has none off its plan."""
    counts: bool = False
    """Whether its search can be limited by nodes and leaves."""

    def full_name(self, depth: int | None = None) -> str:
        """Return the name that `make_agent` knows: ``depth3``, ``tommy-ab:4`` or just ``perfect``."""
        if self.depth is None:
            return self.name
        return f"{self.name}{'' if self.name == COURSE_BOT else ':'}{depth or self.depth}"


COURSE_BOT = "depth"
"""The family of the course's own bot, written without a colon: depth1 to depth8."""
_COURSE_DEPTHS = range(1, 9)
MOST_PLAYOUTS = 1_000_000
"""Largest number of playouts of a move of `uct`; their nodes take 72 MB."""


def _perfect(_name: str, _seed: int | None) -> Agent:
    from bot.engine.perfect import Perfect

    return Perfect()


def _proof(name: str, _seed: int | None) -> Agent:
    from bot.proof.player import ProofPlayer

    return ProofPlayer() if name == "proof" else ProofPlayer(_perfect("perfect", None), name=name)


def _timed(name: str, _seed: int | None) -> Agent:
    from bot.engine.timed import TimedSearch

    return TimedSearch("mtdf" if name == "mtdf" else "alphabeta")


def _random(_name: str, seed: int | None) -> Agent:
    from bot.engine.random_mover import RandomMover

    return RandomMover(seed)


def _minimax(name: str, seed: int | None) -> Agent:
    from bot.engine.minimax import Minimax

    return Minimax(int(name.removeprefix(COURSE_BOT)), seed)


def _level(name: str, seed: int | None) -> Agent:
    from bot.learn.levels.player import make_level

    return make_level(name, seed)


def _scripted(name: str, _seed: int | None) -> Agent:
    from bot.engine.scripted import Scripted

    script = name.partition(":")[2]
    if not script:
        raise UsageError("A scripted agent needs its columns.", "Write scripted:4455, for instance.")
    return Scripted(script)


def _uct(name: str, seed: int | None) -> Agent:
    from bot.agents.algorithms.uct import make_uct

    return make_uct(name, MOST_PLAYOUTS, seed)


def _external(name: str, seed: int | None) -> Agent:
    from bot.agents.external.agent import ExternalAgent
    from bot.agents.external.names import command_of

    return ExternalAgent(name, command_of(name), seed)


@cache
def own_entries() -> tuple[AgentEntry, ...]:
    """Return the agents that are no publication's, the engine's first; it loads nothing."""
    return (
        AgentEntry("perfect", "the bot itself: book, exact solver, search", _perfect, randomises=True, counts=True),
        AgentEntry("proof", "the proven strategy, without search", _proof, moves_everywhere=False),
        AgentEntry("proof+perfect", "the proven strategy, and perfect everywhere else", _proof),
        AgentEntry("mtdf", "the bot's search alone, MTD(f)", _timed, randomises=True, counts=True),
        AgentEntry("alphabeta", "the bot's search alone, alpha-beta", _timed, randomises=True, counts=True),
        AgentEntry("random", "any legal column", _random, randomises=True),
        AgentEntry(
            COURSE_BOT, "the course's own bot: minimax", _minimax, depth=3, deepest=_COURSE_DEPTHS[-1], randomises=True
        ),
        AgentEntry(
            "uct",
            "Monte-Carlo tree search with random playouts",
            _uct,
            depth=1000,
            deepest=MOST_PLAYOUTS,
            number="PLAYOUTS",
            randomises=True,
        ),
        AgentEntry(
            "level",
            "for people: levels from beginner to perfect, in place of a depth",
            _level,
            depth=DEFAULT_LEVEL,
            deepest=len(LEVELS),
            number="LEVEL",
            randomises=True,
        ),
    )


@cache
def paper_entries() -> tuple[AgentEntry, ...]:
    """Return the agents of the publications; it loads numba and their modules, but compiles nothing."""
    return tuple(
        AgentEntry(
            family.name,
            f"{family.source}: {family.about}",
            make_paper_agent,
            depth=family.default_depth or DEFAULT_DEPTH,
            depth_optional=family.default_depth is not None,
            options=tuple(family.options),
            randomises="ties" in family.options,
            counts=True,
        )
        for family in families()
    )


def entries() -> Iterator[AgentEntry]:
    """Yield all agents; the publications are loaded only when it comes to them."""
    yield from own_entries()
    yield from paper_entries()


def entry(name: str) -> AgentEntry:
    """Return the entry called ``name``, without depth and options; raise UsageError where there is none."""
    for known in entries():
        if known.name == name:
            return known
    raise UsageError(f"There is no agent called {name!r}.", ALL_NAMES)


def agent_names() -> tuple[str, ...]:
    """Return what a user may write; a family whose depth has to be given shows as ``name:DEPTH``."""
    names: list[str] = []
    for known in entries():
        if known.name == COURSE_BOT:
            names += [known.full_name(depth) for depth in _COURSE_DEPTHS]
        elif known.depth is None:
            names.append(known.name)
        else:
            names += [known.name] * known.depth_optional + [f"{known.name}:{known.number}"]
    return (*names, "scripted:COLUMNS")


def make_agent(name: str, *, seed: int | None = None) -> Agent:
    """Return the agent called ``name``, not yet warmed up; equal seeds play equal games.

    Raises UsageError, with the list of names, where there is none.

    Examples
    --------
    >>> make_agent("depth3").name
    'depth3'
    """
    return maker_of(name)(name, seed)


def dependable_agent(name: str, *, seed: int | None = None) -> Agent:
    """Return the agent called ``name``; where a program from outside fails in a move, `perfect` makes that move.

    For games that must go on: those at a course server, and those of the embedded one.
    """
    agent = make_agent(name, seed=seed)
    if not is_external(name):
        return agent
    from bot.agents.external.agent import WithSubstitute
    from bot.engine.perfect import Perfect

    return WithSubstitute(agent, Perfect())


def is_external(name: str) -> bool:
    """Return whether the agent called ``name`` is a program outside the package; raise UsageError if there is none."""
    return _found(split_budget(name)[0]) is _external


def maker_of(name: str) -> Maker:
    """Return what makes the agent called ``name``, without loading anything; raise UsageError where there is none."""
    base, budget = split_budget(name)
    maker = _found(base)
    if maker is _external:
        from bot.agents.external.names import command_of

        command_of(base)  # the file or the program must exist
    if budget is None:
        return maker
    _check_budget(name, base, maker, budget)

    def with_budget(_name: str, seed: int | None) -> Agent:
        return Budgeted(name, maker(base, seed), budget)

    return with_budget


def _found(name: str) -> Maker:
    maker = _maker(name)
    if maker is None:
        raise UsageError(f"There is no agent called {name!r}.", _hint(name))
    return maker


def _check_budget(name: str, base: str, maker: Maker, budget: Limit) -> None:
    """Raise UsageError where the agent's search has no counters that could end it."""
    head = base.partition(",")[0].partition(":")[0]
    counts = maker is _external or next((known.counts for known in entries() if known.name == head), False)
    if budget.is_counted and not counts:
        raise UsageError(f"{base} cannot be limited by nodes or leaves, as {name!r} asks.", "Use @time= or @depth=.")


def _maker(name: str) -> Maker | None:
    head = name.partition(",")[0].partition(":")[0]
    if head == "scripted":
        return _scripted
    if name in {f"{COURSE_BOT}{depth}" for depth in _COURSE_DEPTHS}:
        return _minimax
    from bot.agents.external.names import installed_agents, names_a_program

    if names_a_program(name):
        return _external
    for known in entries():
        takes_more = known.depth is not None and known.name != COURSE_BOT
        if name == known.name != COURSE_BOT or (takes_more and head == known.name):
            return known.make
    return _external if name.partition(",")[0] in installed_agents() else None


def _hint(name: str) -> str:
    """Return the next step after an unknown name: names that are spelled alike, and where all are listed."""
    from difflib import get_close_matches

    if name.endswith(".py"):
        return f"Name the class too: {name}:CLASS."
    near = get_close_matches(name, agent_names(), n=3)
    return (f"Did you mean {' or '.join(near)}? " if near else "") + ALL_NAMES

"""The one list of agents: every command, the page and the Python API make agents by name here.

A name is an agent of this package, or one from outside (`bot.agents.external.names`), with an optional budget
(`bot.agents.budgeted`).

Nothing heavy is imported before an agent is made, and nothing is compiled before `warm_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from bot.agents.budgeted import budgeted, split_budget
from bot.agents.external.names import command_of, installed_agents, names_a_program
from bot.agents.family import PAPER_DEPTHS, families_by_module, make_paper_agent
from bot.engine.agent import Agent
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
    modules: tuple[str, ...]
    """The modules that decide its moves, loaded when it is made.

    They are names, not imports: nothing of an agent is loaded before it is made.
    """
    build: Callable[..., Agent]
    """Makes an agent from its full name, the seed, and the loaded ``modules``."""
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

    def make(self, name: str, seed: int | None = None) -> Agent:
        """Return the agent of a full name; without a ``seed`` its random choices differ each time."""
        return self.build(name, seed, *map(import_module, self.modules))

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


def _scripted(name: str, _seed: int | None, module: Any) -> Any:
    script = name.partition(":")[2]
    if not script:
        raise UsageError("A scripted agent needs its columns.", "Write scripted:4455, for instance.")
    return module.Scripted(script)


SCRIPTED = AgentEntry("scripted", "the columns of its name", ("bot.engine.simple",), _scripted)
EXTERNAL = AgentEntry(
    "external",
    "a program outside the package",
    ("bot.agents.external.agent",),
    lambda name, seed, agent: agent.ExternalAgent(name, command_of(name), seed),
    counts=True,
)


_PERFECT, _PROOF = "bot.engine.perfect", "bot.proof.player"
_TIMED = ("bot.engine.timed",), lambda name, _seed, timed: timed.TimedSearch(name)
OWN_ENTRIES = (
    AgentEntry(
        "perfect",
        "plays perfectly: opening book, exact solver, and search",
        (_PERFECT,),
        lambda _name, _seed, perfect: perfect.Perfect(),
        randomises=True,
        counts=True,
    ),
    AgentEntry(
        "proof",
        "the proven strategy, without search",
        (_PROOF,),
        lambda _name, _seed, proof: proof.ProofPlayer(),
        moves_everywhere=False,
    ),
    AgentEntry(
        "proof+perfect",
        "the proven strategy, and perfect everywhere else",
        (_PROOF, _PERFECT),
        lambda name, _seed, proof, perfect: proof.ProofPlayer(perfect.Perfect(), name=name),
    ),
    AgentEntry("mtdf", "the bot's search alone, MTD(f)", *_TIMED, randomises=True, counts=True),
    AgentEntry("alphabeta", "the bot's search alone, alpha-beta", *_TIMED, randomises=True, counts=True),
    AgentEntry(
        "random",
        "any legal column",
        ("bot.engine.simple",),
        lambda _name, seed, random: random.RandomMover(seed),
        randomises=True,
    ),
    AgentEntry(
        COURSE_BOT,
        "the course's own bot: minimax",
        ("bot.engine.minimax",),
        lambda name, seed, minimax: minimax.Minimax(int(name.removeprefix(COURSE_BOT)), seed),
        depth=3,
        deepest=_COURSE_DEPTHS[-1],
        randomises=True,
    ),
    AgentEntry(
        "uct",
        "Monte-Carlo tree search with random playouts",
        ("bot.agents.uct",),
        lambda name, seed, uct: uct.make_uct(name, MOST_PLAYOUTS, seed),
        depth=1000,
        deepest=MOST_PLAYOUTS,
        number="PLAYOUTS",
        randomises=True,
    ),
    AgentEntry(
        "level",
        "for people: levels from beginner to perfect, in place of a depth",
        ("bot.learn.levels.player",),
        lambda name, seed, player: player.make_level(name, seed),
        depth=DEFAULT_LEVEL,
        deepest=len(LEVELS),
        number="LEVEL",
        randomises=True,
    ),
)
"""The agents that are no publication's, the engine's first; nothing of them is loaded."""


@cache
def paper_entries() -> tuple[AgentEntry, ...]:
    """Return the agents of the publications; it loads numba and their modules, but compiles nothing."""
    return tuple(
        AgentEntry(
            family.name,
            f"{family.source}: {family.about}",
            (module,),
            lambda name, seed, _module: make_paper_agent(name, seed),
            depth=family.default_depth or DEFAULT_DEPTH,
            depth_optional=family.default_depth is not None,
            options=tuple(family.options),
            randomises="ties" in family.options,
            counts=True,
        )
        for module, listed in families_by_module().items()
        for family in listed
    )


def entries() -> Iterator[AgentEntry]:
    """Yield all agents; the publications are loaded only when it comes to them."""
    yield from OWN_ENTRIES
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

    For games that must go on: ours at a course server.
    """
    agent = make_agent(name, seed=seed)
    if not is_external(name):
        return agent
    dependable: Agent = import_module(EXTERNAL.modules[0]).with_substitute(agent, make_agent("perfect"))
    return dependable


def is_external(name: str) -> bool:
    """Return whether the agent called ``name`` is a program outside the package; raise UsageError if there is none."""
    return _entry_of(name) is EXTERNAL


def may_randomise(name: str) -> bool:
    """Return whether the agent called ``name`` can choose at random; of a program from outside nobody knows."""
    return is_external(name) or _entry_of(name).randomises


def agent_modules(name: str) -> tuple[str, ...]:
    """Return the modules that decide the moves of the agent called ``name``; raise UsageError where there is none.

    Of a program outside the package it is only the code that asks it.
    """
    return _entry_of(name).modules


def maker_of(name: str) -> Maker:
    """Return what makes the agent called ``name``, without loading anything; raise UsageError where there is none."""
    base, budget = split_budget(name)
    known = _found(base)
    if known is EXTERNAL:
        command_of(base)  # the file or the program must exist
    if budget is None:
        return known.make
    if budget.is_counted and not known.counts:
        raise UsageError(f"{base} cannot be limited by nodes or leaves, as {name!r} asks.", "Use @time= or @depth=.")
    return lambda _name, seed: budgeted(name, known.make(base, seed), budget)


def _entry_of(name: str) -> AgentEntry:
    """Return the entry that makes the agent of a full name."""
    return _found(split_budget(name)[0])


def _found(name: str) -> AgentEntry:
    """Return the entry that makes the agent called ``name``, a name without budget; raise UsageError if none does."""
    head = name.partition(",")[0].partition(":")[0]
    if head == SCRIPTED.name:
        return SCRIPTED
    if names_a_program(name):
        return EXTERNAL
    for known in entries():
        if known.name == COURSE_BOT:
            if name in {f"{COURSE_BOT}{depth}" for depth in _COURSE_DEPTHS}:
                return known
        elif name == known.name or (known.depth is not None and head == known.name):
            return known
    if name.partition(",")[0] in installed_agents():
        return EXTERNAL
    raise UsageError(f"There is no agent called {name!r}.", _hint(name))


def _hint(name: str) -> str:
    """Return the next step after an unknown name: names that are spelled alike, and where all are listed."""
    from difflib import get_close_matches

    if name.endswith(".py"):
        return f"Name the class too: {name}:CLASS."
    near = get_close_matches(name, agent_names(), n=3)
    return (f"Did you mean {' or '.join(near)}? " if near else "") + ALL_NAMES

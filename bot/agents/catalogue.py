"""The one list of agents: every command, the page and the Python API make agents by name here.

A name is an agent of this package (`bot.agents.family`), or one from outside (`bot.agents.external.names`).

Nothing heavy is imported before an agent is made, and nothing is compiled before `warm_up`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

from bot.agents.external.names import command_of, names_a_program
from bot.agents.family import Family, budgeted, paper_families, split_budget
from bot.engine.agent import Agent
from bot.errors import UsageError
from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS

ALL_NAMES = "All names: `bot agents`."
"""Next step after an unknown name."""
COURSE_BOT = "depth"
"""The family of the course's own bot, written without a colon: depth1 to depth8."""
MOST_PLAYOUTS = 1_000_000
"""Largest number of playouts of a move of `uct`; their nodes take 72 MB."""
_NAME, _NUMBER, _SEED = range(3)
"""Places of what a family's maker is given."""


def _lazily(place: str, *given: int) -> Callable[..., Agent]:
    """Return a maker that imports a class (`module:Class`) only when it is called.

    ``given``: what the class is called with, of the name, the number in it and the seed.
    """
    return lambda *known: pkgutil.resolve_name(place)(*[known[each] for each in given])


def _scripted(name: str, *_: Any) -> Agent:
    from bot.engine.simple import Scripted

    script = name.partition(":")[2]
    if not script:
        raise UsageError("A scripted agent needs its columns.", "Write scripted:4455, for instance.")
    return Scripted(script)


def _external(name: str, _number: None, seed: int | None) -> Agent:
    from bot.agents.external.agent import ExternalAgent

    return ExternalAgent(name, command_of(name), seed)


def _proof_else_perfect(name: str, *_: Any) -> Agent:
    from bot.engine.perfect import Perfect
    from bot.proof.player import ProofPlayer

    return ProofPlayer(Perfect(), name=name)


SCRIPTED = Family("scripted", "the columns of its name", _scripted, depth=None, counts=False)
EXTERNAL = Family("external", "a program outside the package", _external, depth=None)
_TIMED = _lazily("bot.engine.timed:TimedSearch", _NAME)
OWN_FAMILIES = (
    Family(
        "perfect",
        "plays perfectly: opening book, exact solver, and search",
        _lazily("bot.engine.perfect:Perfect"),
        depth=None,
        randomises=True,
    ),
    Family(
        "proof",
        "the proven strategy, without search",
        _lazily("bot.proof.player:ProofPlayer"),
        depth=None,
        moves_everywhere=False,
        counts=False,
    ),
    Family(
        "proof+perfect",
        "the proven strategy, and perfect everywhere else",
        _proof_else_perfect,
        depth=None,
        counts=False,
    ),
    Family("mtdf", "the bot's search alone, MTD(f)", _TIMED, depth=None, randomises=True),
    Family("alphabeta", "the bot's search alone, alpha-beta", _TIMED, depth=None, randomises=True),
    Family(
        "random",
        "any legal column",
        _lazily("bot.engine.simple:RandomMover", _SEED),
        depth=None,
        randomises=True,
        counts=False,
    ),
    Family(
        COURSE_BOT,
        "the course's own bot: minimax",
        _lazily("bot.engine.minimax:Minimax", _NUMBER, _SEED),
        depth=3,
        deepest=8,
        sign="",
        randomises=True,
        counts=False,
    ),
    Family(
        "uct",
        "Monte-Carlo tree search with random playouts",
        _lazily("bot.agents.uct:Uct", _NAME, _NUMBER, _SEED),
        depth=1000,
        deepest=MOST_PLAYOUTS,
        number="PLAYOUTS",
        randomises=True,
        counts=False,
    ),
    Family(
        "level",
        "for people: levels from beginner to perfect, in place of a depth",
        _lazily("bot.learn.levels.player:LevelPlayer", _NUMBER, _SEED),
        depth=DEFAULT_LEVEL,
        deepest=len(LEVELS),
        number="LEVEL",
        randomises=True,
        counts=False,
    ),
)
"""The agents that are no publication's, the engine's first; nothing of them is loaded."""


def families() -> Iterator[Family]:
    """Yield all agents; the publications are loaded only when it comes to them."""
    yield from OWN_FAMILIES
    yield from paper_families()


def family_called(name: str) -> Family:
    """Return the family called ``name``, without number and options; raise UsageError where there is none."""
    for known in families():
        if known.name == name:
            return known
    raise UsageError(f"There is no agent called {name!r}.", ALL_NAMES)


def agent_names() -> tuple[str, ...]:
    """Return what a user may write; a family whose depth has to be given shows as ``name:DEPTH``."""
    names: list[str] = []
    for known in families():
        if known.name == COURSE_BOT:
            names += map(known.full_name, range(1, known.deepest + 1))
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
    return maker_of(name)(seed)


def dependable_agent(name: str, *, seed: int | None = None) -> Agent:
    """Return the agent called ``name``; where a program from outside fails in a move, `perfect` makes that move.

    For games that must go on: ours at a course server.
    """
    agent = make_agent(name, seed=seed)
    if not is_external(name):
        return agent
    from bot.agents.external.agent import with_substitute

    return with_substitute(agent, make_agent("perfect"))


def is_external(name: str) -> bool:
    """Return whether the agent called ``name`` is a program outside the package; raise UsageError if there is none."""
    return family_of(name) is EXTERNAL


def may_randomise(name: str) -> bool:
    """Return whether the agent called ``name`` can choose at random; of a program from outside nobody knows."""
    family = family_of(name)
    return family is EXTERNAL or family.may_randomise


def family_of(name: str) -> Family:
    """Return the family of the agent of a full name; raise UsageError where there is none."""
    name = split_budget(name)[0]
    head = name.partition(",")[0].partition(":")[0]
    if head == SCRIPTED.name:
        return SCRIPTED
    if names_a_program(name):
        return EXTERNAL
    for known in families():
        start = head if known.sign else head[:-1]
        if name == known.name or (known.depth is not None and start == known.name):
            return known
    raise UsageError(f"There is no agent called {name!r}.", _hint(name))


def maker_of(name: str) -> Callable[[int | None], Agent]:
    """Return what makes the agent called ``name``, given its seed; nothing is loaded before.

    Raises UsageError where there is none.
    """
    family = family_of(name)
    base, budget = split_budget(name)
    if family is EXTERNAL:
        command_of(base)  # the file or the program must exist
    make = family.maker(base)
    if budget is None:
        return make
    if budget.is_counted and not family.counts:
        raise UsageError(f"{base} cannot be limited by nodes or leaves, as {name!r} asks.", "Use @time= or @depth=.")
    return lambda seed: budgeted(name, make(seed), budget)


def _hint(name: str) -> str:
    """Return the next step after an unknown name: names that are spelled alike, and where all are listed."""
    from difflib import get_close_matches

    if name.endswith(".py"):
        return f"Name the function or class too: {name}:NAME."
    near = get_close_matches(name, agent_names(), n=3)
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    return f"{meant}{ALL_NAMES} One of your own: FILE.py:NAME (export a notebook as a .py file)."

"""The names of all agents. Nothing heavy is imported before an agent is made, nothing compiled before `warm_up`."""

from __future__ import annotations

from collections.abc import Callable

from bot.engine.agent import Agent
from bot.errors import UsageError

Maker = Callable[[str, int | None], Agent]
"""Makes the agent of a full name, with the seed of its random choices (None: a different one each time)."""

_makers: dict[str, Maker] = {}
_families: dict[str, Maker] = {}


def register(name: str, make: Maker) -> None:
    """Add the agent ``name``, or replace it."""
    _makers[name] = make


def register_family(family: str, make: Maker) -> None:
    """Add all agents called ``family:...``, or replace them; ``make`` raises UsageError at a name it cannot read."""
    _families[family] = make


def agent_names() -> tuple[str, ...]:
    """What a user may write, in order of registration; a family shows as ``name:DEPTH``."""
    return (*_makers, *(f"{family}:DEPTH" for family in _families))


def make_agent(name: str, *, seed: int | None = None) -> Agent:
    """The agent called ``name``, not yet warmed up; equal seeds play equal games.

    Raises UsageError, with the list of names, where there is none.
    """
    family, colon, _ = name.partition(":")
    make = _families.get(family) if colon else _makers.get(name)
    if make is None:
        raise UsageError(f"There is no engine called {name!r}.", f"Choose one of: {', '.join(agent_names())}.")
    return make(name, seed)


def _random(_name: str, seed: int | None) -> Agent:
    from bot.engine.random_mover import RandomMover

    return RandomMover(seed)


def _minimax(name: str, seed: int | None) -> Agent:
    from bot.engine.minimax import Minimax

    return Minimax(int(name.removeprefix("depth")), seed)


def _mtdf(_name: str, _seed: int | None) -> Agent:
    from bot.engine.timed import TimedSearch

    return TimedSearch("mtdf")


def _alphabeta(_name: str, _seed: int | None) -> Agent:
    from bot.engine.timed import TimedSearch

    return TimedSearch("alphabeta")


def _perfect(_name: str, _seed: int | None) -> Agent:
    from bot.engine.perfect import Perfect

    return Perfect()


def _proof(name: str, _seed: int | None) -> Agent:
    from bot.proof.player import ProofPlayer

    return ProofPlayer() if name == "proof" else ProofPlayer(_perfect("perfect", None), name=name)


register("perfect", _perfect)
register("proof", _proof)
register("proof+perfect", _proof)
register("mtdf", _mtdf)
register("alphabeta", _alphabeta)
register("random", _random)
for _depth in range(1, 9):
    register(f"depth{_depth}", _minimax)

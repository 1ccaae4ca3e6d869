"""All agents by name, wherever they live: the engine's own and the laboratory's."""

from __future__ import annotations

from bot.engine import Agent


def make_agent(name: str, *, seed: int | None = None) -> Agent:
    """The agent called ``name``; raises UsageError, with the list of names, where there is none."""
    from bot.engine import registry
    from bot.lab.agents import register_papers

    register_papers()
    return registry.make_agent(name, seed=seed)

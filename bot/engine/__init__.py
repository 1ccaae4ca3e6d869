"""Choosing a move within a limit: book, exact solver, iterative-deepening search."""

from bot.engine.agent import Agent, Decision, Limit, Stop
from bot.engine.registry import agent_names, make_agent, register, register_family
from bot.engine.warmup import warm_up

__all__ = [
    "Agent",
    "Decision",
    "Limit",
    "Stop",
    "agent_names",
    "make_agent",
    "register",
    "register_family",
    "warm_up",
]

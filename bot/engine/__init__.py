"""Choosing a move within a limit: book, exact solver, iterative-deepening search."""

from bot.engine.agent import Agent, Decision, Limit, Stop

__all__ = ["Agent", "Decision", "Limit", "Stop"]

"""Asking agents over processes; the answers are kept in pieces, and an interrupted run resumes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from bot.lab.arena.workers import run_tasks
from bot.lab.judge.answers import Answer, Piece, ask
from bot.lab.positions import PLIES
from bot.lab.sources import sources_of
from bot.lab.store import Store

HEAD = {"answers": "bot judge"}
"""The head of a store of answers."""
PIECE = PLIES
"""Positions of a piece of work, one of each ply: the most that a kill can lose in each process."""
Progress = Callable[[str, int, int], None]
"""Called with an agent, the number of its positions that are done, and of all positions."""


def ask_all(
    agents: Sequence[str],
    moves: Sequence[tuple[int, ...]],
    store: Store,
    *,
    seed: int = 0,
    workers: int = 1,
    progress: Progress = lambda _agent, _done, _total: None,
) -> dict[str, list[Answer]]:
    """Return every agent's answers after each of ``moves``, in their order.

    Pieces that ``store`` has for the same positions, seed and sources are not asked again; new ones are added.
    Raises UsageError for an unknown agent, and where the store cannot be written.
    """
    sources = {agent: sources_of(ask, agent) for agent in agents}
    pieces = [
        Piece(agent, tuple(moves[first : first + PIECE]), first, seed)
        for agent in agents
        for first in range(0, len(moves), PIECE)
    ]
    missing = [piece for piece in pieces if store.get(piece.key, sources[piece.agent]) is None]
    left = Counter({agent: sum(len(piece.moves) for piece in missing if piece.agent == agent) for agent in agents})
    for piece, found in run_tasks(ask, missing, workers=workers):
        store.add(piece.key, {"answers": found}, sources[piece.agent])
        left[piece.agent] -= len(found)
        progress(piece.agent, len(moves) - left[piece.agent], len(moves))
    answers: dict[str, list[Answer]] = {agent: [] for agent in agents}
    for piece in pieces:
        answers[piece.agent] += [Answer(*parts) for parts in store.known[piece.key]["answers"]]
    return answers

"""Asking agents over processes; each answer is saved at once, and an interrupted run resumes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.lab.arena.workers import run_tasks
from bot.lab.judge.answers import Answer, Question, ask
from bot.lab.store import RecordStore
from bot.lab.versions import sources_of

HEAD = {"answers": "bot judge"}
"""The head of a store of answers."""


def ask_all(
    agents: Sequence[str],
    moves: Sequence[tuple[int, ...]],
    store: RecordStore,
    *,
    seed: int = 0,
    workers: int = 1,
    on_answers: Callable[[int], None] = lambda _count: None,
) -> dict[str, list[Answer]]:
    """Return every agent's answers after each of ``moves``, in their order.

    Answers that ``store`` has for the same position, seed and sources are not asked for again; new ones are added.
    ``on_answers`` is called with the number of answers that have come, first with that of the known ones.
    Raises UsageError for an unknown agent, and where the store cannot be written.
    """
    sources = {agent: sources_of(agent, ask.__module__) for agent in agents}
    questions = [Question(agent, columns, number, seed) for agent in agents for number, columns in enumerate(moves)]
    missing = [question for question in questions if store.get(question.key, sources[question.agent]) is None]
    on_answers(len(questions) - len(missing))
    for question, answer in run_tasks(ask, missing, workers=workers):
        store.add(question.key, {"answer": answer}, sources[question.agent])
        on_answers(1)
    answers: dict[str, list[Answer]] = {agent: [] for agent in agents}
    for question in questions:
        answers[question.agent].append(Answer(*store.known[question.key]["answer"]))
    return answers

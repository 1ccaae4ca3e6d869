"""The studies, carried out on made-up games: what they plan, and each number that they make of it, is the recorded one.

The players draw what they choose and what it costs from the task alone, so that another plan gives other numbers, too.
"""

from __future__ import annotations

import platform
import random
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.agents.family import load
from bot.engine.agent import Agent, Decision
from bot.game import Board, PlayedGame
from bot.gauntlet.arena.statistics import Range
from bot.gauntlet.store import RecordStore
from bot.papers import tasks
from bot.papers.page import studies
from bot.papers.runs import Runner
from bot.papers.study import Study

RECORDED = Path(__file__).with_name("studies.txt")
"""A line a sentence, a table or a statement: its name, the verdict, and the numbers in it."""


def drawn(task: tasks.Task, role: str, _agent: Agent, board: Board) -> Decision:
    """Return a made-up decision; of four, three play and value alike in all roles of a question."""
    place = f"{task.moves} {task.number} {board.mask}"
    chance = random.Random(f"{place} {role} {vars(task)}")
    choice = random.Random(place) if chance.random() < 0.75 else chance
    column, score = choice.choice(board.legal_columns()), choice.randrange(-9, 10)
    nodes, leaves, passes = (chance.randrange(1, most) for most in (10_000, 5_000, 50))
    return Decision(column, score, nodes=nodes, leaves=leaves, passes=passes, seconds=chance.random())


def numbers(text: str) -> str:
    return " ".join(re.findall(r"[-+]?\d[\d,]*(?:\.\d+)?|inf|nan", text))


def lines_of(name: str, run: Runner) -> Iterator[str]:
    """Yield what a study says in numbers."""
    study: Study = load(name, "study").study(run)
    for sentence in study.found:
        yield f"{name} found | {numbers(sentence)}"
    for table in study.tables:
        yield f"{name} {table.title} | {'; '.join(' '.join(row[1:]) for row in table.rows[1:])}"
    for number, statement in enumerate(study.statements, start=1):
        said = statement.as_json()
        yield f"{name} {number} {said['verdict']} | {said['ours']} | {said['others']} | {numbers(said['why'])}"
    for line, points in study.lines.items():
        yield f"{name} plot {line} | {' '.join(f'{key}={value:.4g}' for key, value in dict(points).items())}"


def test_a_difference_of_shares_has_the_interval_of_newcombe():
    from bot.papers.kang.study import between

    found = between(Range(0.9, 0.6, 0.95), Range(0.2, 0.08, 0.6))
    assert found == pytest.approx((0.7, 0.7 - 0.5, 0.7 + 0.13))  # 3-4-5 and 5-12-13


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    """Provide the quick run of a study with made-up games."""
    monkeypatch.setattr(tasks, "ready_agent", Mock())
    monkeypatch.setattr(tasks.Task, "decided", drawn)
    monkeypatch.setattr(platform, "python_version", lambda: "3")
    with RecordStore(None, {}) as store:
        yield Runner(store, quick=True)


@pytest.mark.parametrize("name", studies())
def test_each_number_of_a_study_is_the_recorded_one_for_made_up_games(name, run, tmp_path):
    said = [*lines_of(name, run)]
    expected = [line for line in RECORDED.read_text("utf-8").splitlines() if line.startswith(f"{name} ")]
    (tmp_path / "said").write_text("\n".join(said), "utf-8")
    assert said == expected, f"a study that is meant to say something else: see {tmp_path}/said"


def test_a_game_that_ends_in_a_draw_is_not_lost(run, monkeypatch):
    """No made-up game of this study ends so."""
    monkeypatch.setattr(PlayedGame, "points", lambda *_: 0.5)
    study: Study = load("edap01", "study").study(run)
    assert not any(points.any() for points in study.lines.values())
    assert study.statements[-1].as_json()["ours"].startswith("0.000 (")

"""The judge's answers and its committed leaderboard."""

from __future__ import annotations

import json
from pathlib import Path

import bot.lab
from bot.agents.games import UNLIMITED, ready_agent
from bot.game import Board
from bot.lab.judge.answers import Question, ask
from bot.lab.judge.leaderboard import field
from bot.lab.judge.run import HEAD, ask_all
from bot.lab.store import Store


def test_an_answer_is_the_agents_decision_saved_with_the_sources_of_that_agent_alone() -> None:
    position = (3, 3, 2)
    found = ready_agent("tommy-mtdf:5").choose(Board.from_moves(position), UNLIMITED)
    answer = ask(Question("tommy-mtdf:5", position))
    assert answer.column == found.column and answer.seconds > 0
    asked: list[int] = []
    with Store(None, HEAD) as store:
        ask_all(["kang-h2:2@nodes=10", "kang-h1:2", "tommy-ab:2"], [()], store, on_answers=asked.append)
        one, same, other = (record["sources"] for record in store.known.values())
    assert one == same != other and asked == [0, 1, 1, 1]


def test_the_committed_leaderboard_covers_the_field() -> None:
    results = json.loads((Path(bot.lab.__file__).parent / "results" / "judge.json").read_text())
    assert {each["agent"] for each in results} == set(field()) and len(results) >= 30
    decisive = {each["agent"]: each["decisive"]["value"] for each in results}
    assert decisive["perfect"] == 1.0 and decisive["random"] < decisive["tommy-ab:4"]
    assert [*decisive.values()] == sorted(decisive.values(), reverse=True)

"""Tasks: a game and a question by hand, what decides a result, and which answers are asked once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.agent import Decision, StopFlag
from bot.game import Board
from bot.lab.arena import tasks
from bot.lab.arena.searches import PlannedSearch
from bot.lab.arena.tasks import PlannedGame, PlannedQuestion, PlannedTask
from bot.lab.replication.run import key_of, without_times

GAME = PlannedGame({"X": "scripted:4444", "O": "scripted:5555"}, "X")
DRAWN = "436014551150160155104632660465204242223333"
WORK = {f"{role}_{count}": 0 for role in "XO" for count in ("leaves", "nodes", "passes")}


def done(task: PlannedTask, seed: str = "0") -> dict[str, Any]:
    """Perform a task; return its result without times."""
    return without_times(task.perform(seed, StopFlag()))


@pytest.mark.parametrize(
    ("changed", "result"),
    [
        ({}, "3434343 | 1 1 0 | 4 3"),
        ({"first": "O"}, "4343434 | 1 0 1 | 3 4"),
        ({"first": ""}, "3434343 | 1 1 0 | 4 3"),
        ({"opening": "343434"}, "3434343 | 1 1 0 | 1 0"),
        ({"opening": "434343", "first": "O"}, "4343434 | 1 0 1 | 0 1"),
        ({"opening": DRAWN[:40]}, f"{DRAWN} | 0.5 0.5 0.5 | 1 1"),
    ],
)
def test_the_result_of_a_game(changed, result):
    """Moves, points of the first player, of X and of O, and the own moves of X and of O."""
    moves, points, own = result.split(" | ")
    found = dict(zip(("first_points", "X_points", "O_points"), map(float, points.split()), strict=True))
    found |= dict(zip(("X_moves", "O_moves"), map(int, own.split()), strict=True))
    assert done(replace(GAME, **changed)) == {**found, "moves": moves, "plies": len(moves), **WORK}


@pytest.mark.parametrize(
    "changed",
    [
        {"first": "Z"},
        {"players": {"X": "random"}},
        {"players": {"X": "random", "O": "random", "Z": "random"}},
        {"players": {"X": "random", "first": "random"}},
    ],
)
def test_a_game_of_other_than_two_roles_is_refused(changed):
    with pytest.raises(ValueError, match="a game has two roles, one of which moves first"):
        replace(GAME, **changed)


def test_an_agent_that_fails_loses_by_forfeit(monkeypatch):
    monkeypatch.setattr(tasks, "ready_agent", lambda name, _seed: Counting(fails=name == "scripted:5555"))
    found = done(GAME)
    assert (found["moves"], found["first_points"], found["O_points"]) == ("0", 1, 0)
    assert found["forfeit"].startswith("scripted:5555 failed: ValueError")


def test_a_row_can_have_the_numbers_of_each_move():
    found = replace(GAME, opening="34", by_move=True).perform("0", StopFlag())
    assert found["ply"] == [2, 3, 4, 5, 6] and {"nodes", "leaves", "passes", "seconds"} < found.keys()
    assert all(len(numbers) == 5 for numbers in found.values())


def test_a_question_has_each_agents_answer_in_its_own_units():
    found = done(PlannedQuestion({"one": "scripted:1234567", "other": "tommy-ab:1"}, "01010"))
    assert (found["ply"], found["one_column"], found["one_value"], found["one_leaves"]) == (5, 2, 0, 0)
    assert (found["other_column"], found["other_leaves"]) == (0, 7), "it stops three in a column"


CHANGES = {
    "players": {"X": "scripted:4444", "O": "random"},
    "first": "O",
    "opening": "1",
    "number": 1,
    "repeat": 1,
    "by_move": True,
}


def test_every_field_decides_the_result_but_for_labels_which_name_the_row():
    keys = {key_of(replace(GAME, **{name: value}), 0) for name, value in CHANGES.items()}  # type: ignore[arg-type]
    question = PlannedQuestion(GAME.players, "1")
    others: list[PlannedTask] = [question, replace(question, position="2")]
    others += [PlannedSearch("SSS*", "1", depth) for depth in (2, 3)]
    keys |= {key_of(GAME, 0), key_of(GAME, 1), *(key_of(other, 0) for other in others)}
    assert len(keys) == len(CHANGES) + 6
    assert key_of(replace(GAME, labels={"depth": 3}), 0) == key_of(GAME, 0)
    assert key_of(PlannedGame({"X": "a", "O": "b"}), 0) != key_of(PlannedGame({"O": "b", "X": "a"}), 0), "X begins"


def test_a_seeded_game_differs_by_its_number():
    tasks_of_a_run = [PlannedGame({"X": "depth2", "O": "random"}, number=number) for number in range(5)]
    assert len({done(task, key_of(task, 0))["moves"] for task in tasks_of_a_run}) == 5


def test_both_players_have_draws_of_their_own():
    games = [done(PlannedGame({"X": "random", "O": "random"}), str(seed)) for seed in range(5)]
    assert any(game["moves"][0] != game["moves"][1] for game in games)


class Counting:
    """Plays the leftmost column and counts its answers."""

    name = "counting"
    repeats = True
    asked = 0

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    def choose(self, board: Board, *_: object) -> Decision:
        """Count, then answer."""
        if self.fails:
            raise ValueError
        Counting.asked += 1
        return Decision(board.legal_columns()[0])


def test_a_known_answer_is_used_again_but_not_where_times_are_repeated(monkeypatch):
    tasks._known.clear()
    monkeypatch.setattr(tasks, "ready_agent", lambda _name, _seed: Counting())
    counts = []
    for repeat in (0, 0, 1, 2):
        Counting.asked = 0
        plies = done(replace(GAME, repeat=repeat))["plies"]
        counts.append(Counting.asked)
    assert counts == [plies, 0, plies, plies]


@pytest.mark.parametrize(
    ("name", "is_remembered"),
    [
        *((name, False) for name in ("random", "depth3", "uct:5", "level:1", "kang-h1:2,ties=random")),
        *((name, False) for name in ("kang-h1:2,random=3", "halim:2,think=1", "tommy-ab:2@nodes=50", "mtdf@depth=1")),
        *((name, True) for name in ("kang-h1:2", "halim:2")),
    ],
)
def test_an_agent_with_chance_clock_or_memory_is_asked_every_time(name, is_remembered):
    tasks._known.clear()
    done(PlannedGame({"X": name, "O": "random"}, opening=DRAWN[:30]))
    assert {key[0] for key in tasks._known} == ({name} if is_remembered else set())

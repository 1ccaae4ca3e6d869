"""From runs to tasks: combinations, sets of positions, and pieces of one set of modules."""

from __future__ import annotations

import pytest

from bot.agents.family import families
from bot.errors import UsageError
from bot.game import Board
from bot.lab.experiments.paper import Run, Screen, all_runs
from bot.lab.experiments.plan import (
    PIECE,
    agents_in,
    agents_of,
    is_held,
    modules_of,
    rows_of,
    tasks_of,
    values_of,
)
from bot.lab.positions import mirror_key, read_positions

PAIR = {"X": "tommy-ab:{depth}", "O": "random"}


def run_of(**changes: object) -> Run:
    return Run.model_validate({"title": "a run", "players": PAIR, **changes})


def test_every_combination_of_labels_is_a_row_the_first_slowest() -> None:
    run = run_of(grid={"depth": [2, 3], "game": 2}, quick={"depth": [2]})
    assert list(rows_of(run, quick=False)) == [{"depth": depth, "game": game} for depth in (2, 3) for game in (0, 1)]
    assert [row["depth"] for row in rows_of(run, quick=True)] == [2, 2]


def test_every_pair_of_a_field_meets() -> None:
    run = run_of(players={"one": "{one}", "other": "{other}"}, field=["a", "b", "c"], grid={"game": 2})
    rows = list(rows_of(run, quick=False))
    assert [(row["one"], row["other"]) for row in rows[::2]] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(rows) == 6


def test_the_sources_appear_in_a_field_by_themselves() -> None:
    own = [f"{family.name}:{family.own_depth}" for family in families()]
    assert agents_in(["families", "random"]) == [*own, "random"]
    assert agents_in(["families:42@nodes=9"])[:2] == ["edap01:42@nodes=9", "edap01-intended:42@nodes=9"]
    assert {"tommy-ab:10", "halim:8", "kang-h1:8", "vds:4", "rmarcus:5"} <= set(own)
    for name in ("round-robin", "round-robin-nodes"):
        names = agents_in(list(all_runs()[name].field))
        assert len(names) >= len(own)


def test_sets_of_positions() -> None:
    assert values_of(3) == [0, 1, 2]
    assert values_of("random 6") == ["random 6"]
    openings = values_of("all 2")
    assert len(openings) == len({mirror_key(Board.from_moves(map(int, str(each)))) for each in openings}) == 25, (
        "the middle twice is its own mirror image"
    )
    assert values_of("all 2 / 10") == openings[::10]
    judged = values_of("judge 8-9 / 5")
    wanted = [position for position in read_positions() if position.ply in (8, 9)][::5]
    assert judged == ["".join(map(str, position.columns)) for position in wanted]
    with pytest.raises(UsageError, match="'some 4' is not a set of positions"):
        values_of("some 4")


def test_a_task_has_agents_of_the_same_modules_and_few_rows() -> None:
    run = run_of(
        players={"X": "{name}", "O": "random"}, grid={"name": ["kang-h1:2", "kang-h2:2", "halim:2"], "game": 20}
    )
    tasks = tasks_of("a-run", run, quick=False, seed=3)
    assert [len(task["rows"]) for task in tasks] == [PIECE, 10, 20]
    assert {task["seed"] for task in tasks} == {3}
    for task in tasks:
        assert task["agents"] == [agents_of(run, row) for row in task["rows"]]
        assert len({tuple(modules_of({**task, "agents": [names]})) for names in task["agents"]}) == 1
    assert [row for task in tasks for row in task["rows"]] == list(rows_of(run, quick=False))
    assert modules_of(tasks[-1]) == [
        "bot.lab.experiments.play",
        "bot.agents.papers.halim",
        "bot.engine.simple",
    ]


def test_the_names_of_agents_have_the_rows_labels() -> None:
    assert agents_of(run_of(), {"depth": 7}) == {"X": "tommy-ab:7", "O": "random"}


def test_who_starts_must_be_a_player() -> None:
    with pytest.raises(UsageError, match="no player is called 'Y'"):
        agents_of(run_of(), {"depth": 7, "first": "Y"})


def test_only_the_chosen_readings_play_the_held_out_part() -> None:
    screen = Screen(table="t", held={"cell": [9]}, keep=1)
    run = run_of(grid={"depth": [1, 2, 3], "cell": [7, 8, 9]}, readings=["depth"], screen=screen)
    first = [row for task in tasks_of("r", run, quick=False, seed=0) for row in task["rows"]]
    assert len(first) == 6 and not any(is_held(run, row) for row in first)
    held = [row for task in tasks_of("r", run, quick=False, seed=0, chosen=[{"depth": 2}]) for row in task["rows"]]
    assert held == [{"depth": 2, "cell": 9}]


def test_the_tasks_of_every_run_of_every_source_can_be_made() -> None:
    for name, run in all_runs().items():
        if run.screen is None:
            tasks = tasks_of(name, run, quick=True, seed=0)
            assert tasks and all(task["rows"] for task in tasks), name

"""From runs to tasks: combinations, sets of positions, and pieces of one set of modules."""

from __future__ import annotations

import pytest

from bot.agents.family import families
from bot.errors import UsageError
from bot.lab.experiments.paper import Run
from bot.lab.experiments.plan import PIECE, agents_in, agents_of, modules_of, rows_of, tasks_of, values_of
from bot.lab.positions import all_openings, read_positions


def test_every_combination_of_labels_is_a_row_the_first_slowest() -> None:
    run = Run(title="", grid={"depth": [2, 3], "game": 2}, quick={"depth": [2]}, skip=[{"depth": [3], "game": [1]}])
    rows = [{"depth": 2, "game": 0}, {"depth": 2, "game": 1}, {"depth": 3, "game": 0}]
    assert list(rows_of(run, quick=False)) == rows and list(rows_of(run, quick=True)) == rows[:2]


def test_every_pair_of_a_field_meets_and_all_publications_are_in_it() -> None:
    run = Run(title="", field=["a", "b", "c"], grid={"game": 1})
    assert [row["one"] + row["other"] for row in rows_of(run, quick=False)] == ["ab", "ac", "bc"]
    own = agents_in(["families", "random"])
    assert len(own) == len(families()) + 1 and {"tommy-ab:10", "halim:8", "vds:4", "rmarcus:5", "random"} <= {*own}
    assert agents_in(["families:42@nodes=9"])[0] == "edap01:42@nodes=9"


def test_sets_of_positions() -> None:
    openings = values_of("all 2")
    assert openings == ["".join(map(str, columns)) for columns in all_openings(2)] and len(openings) == 25
    assert values_of("all 2 / 10") == openings[::10] and values_of("all 0-2") == ["", *"0123", *openings]
    wanted = [position.columns for position in read_positions() if position.ply in (8, 9)][::5]
    assert values_of("judge 8-9 / 5 + all 0") == ["".join(map(str, columns)) for columns in [*wanted, ()]]
    assert values_of(3) == [0, 1, 2] and values_of("random 6") == ["random 6"]
    with pytest.raises(UsageError, match="'some 4' is not a set of positions"):
        values_of("some 4")


def test_a_task_has_agents_of_the_same_modules_and_few_rows() -> None:
    grid = {"name": ["kang-h1:2", "kang-h2:2", "halim:2"], "game": 20}
    run = Run(title="", players={"X": "{name}", "O": "random"}, grid=grid)
    tasks = tasks_of("a-run", run, quick=False, seed=3)
    assert [len(task["rows"]) for task in tasks] == [PIECE, 10, 20]
    assert [row for task in tasks for row in task["rows"]] == list(rows_of(run, quick=False))
    assert tasks[-1]["agents"] == [{"X": "halim:2", "O": "random"}] * 20
    assert modules_of(tasks[-1]) == ["bot.lab.experiments.play", "bot.agents.papers.halim", "bot.engine.simple"]


def test_who_starts_is_a_player() -> None:
    with pytest.raises(UsageError, match="no player is called 'Y'"):
        agents_of(Run(title="", players={"X": "random", "O": "random"}), {"first": "Y"})

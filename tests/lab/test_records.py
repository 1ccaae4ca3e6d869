"""Raw games, manifests, and reruns that must be identical but for times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bot.lab.experiments.catalogue import EXPERIMENTS, find_readings
from bot.lab.experiments.manifest import digest, is_timed, read_manifest, without_times
from bot.lab.experiments.readings import halim_games, kang_games
from bot.lab.experiments.records import pairing_json, play
from bot.lab.experiments.rerun import rerun
from bot.lab.experiments.runner import run_experiment

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.game import Board
from bot.lab.experiments import records

Entries = list[tuple[dict[str, Any], dict[str, Any]]]


def test_a_game_leaves_moves_and_every_turns_counts() -> None:
    task = {"games": [pairing_json("tommy-ab:3", "tommy-mtdf:3", 0, (3, 3))]}
    game = json.loads(json.dumps(play(task)))["games"][0]
    board = Board.from_moves(map(int, game["moves"]))
    assert board.is_over and game["moves"].startswith("33") and game["opening"] == 2
    assert game["result"] == (0.5 if not board.has_winner else float(board.ply % 2))
    turns = len(game["moves"]) - 2
    assert [len(game[key]) for key in records.TURNS] == [turns] * 5
    assert all(count > 0 for count in game["leaves"]) and all(count > 0 for count in game["seconds"])
    assert all(count is None for count in game["passes"][::2]) and all(count > 0 for count in game["passes"][1::2])
    assert set(map(type, game["values"])) <= {float, str}, "an infinite value is text, because JSON has none"


def test_a_players_numbers_are_those_of_its_turns() -> None:
    game = {"moves": "330145", "opening": 1, "nodes": [10, 20, None, 40, 50]}
    assert records.of_player(game, 0, "nodes") == [20, 40]
    assert records.of_player(game, 1, "nodes") == [10, 50]


def test_games_that_repeat_each_other_count_once() -> None:
    games = [("a", "b", "33"), ("a", "b", "34"), ("a", "b", "33"), ("b", "a", "33")]
    listed = [({"first": one, "second": other}, {"moves": moves}) for one, other, moves in games]
    assert [records.different(listed).index(game) for game in (listed[0], listed[1], listed[3])] == [0, 1, 2]
    assert len(records.different(listed)) == 3


@pytest.mark.parametrize(
    ("name", "timed"),
    [
        ("halim:4", False),
        ("halim:4,think=1", True),
        ("vds:4", False),
        ("vds", True),
        ("perfect", True),
        ("mtdf", True),
        ("depth3", False),
        ("random", False),
    ],
)
def test_agents_with_a_time_budget_are_known(name: str, timed: bool) -> None:
    assert records.has_time_budget(name) is timed
    assert is_timed({"games": [pairing_json("random", name, 0)]}) is timed


def test_no_experiment_has_an_agent_with_a_time_budget() -> None:
    for experiment in EXPERIMENTS.values():
        assert not any(is_timed(task) for task in experiment.tasks(False, 0)), experiment.name


def test_a_digest_ignores_times_order_and_tasks_that_depend_on_time() -> None:
    task: dict[str, Any] = {"depth": 1}
    other: dict[str, Any] = {"depth": 2}
    one: Entries = [(task, {"seconds": [1], "nodes": 3}), (other, {"games": [{"seconds": 2, "moves": "3"}]})]
    two: Entries = [(other, {"games": [{"seconds": 9, "moves": "3"}]}), (task, {"seconds": [7], "nodes": 3})]
    assert digest(one) == digest(two)
    assert digest(one) != digest([(task, {"nodes": 4}), one[1]])
    timed: tuple[dict[str, Any], dict[str, Any]] = ({"games": [pairing_json("perfect", "random", 0)]}, {"games": []})
    assert digest([*one, timed]) == digest(one)
    assert without_times({"a": [{"seconds": 1, "b": 2}]}) == {"a": [{"b": 2}]}


def test_a_rerun_is_identical_but_for_times_and_names_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_experiment("kang-table7", tmp_path, quick=True)
    path = tmp_path / "kang-table7.manifest.json"
    content = read_manifest(path)
    assert content["command"] == "bot experiment run kang-table7 --quick"
    assert {"fingerprint", "seed", "machine", "versions"} <= content.keys() and content["compared"] == content["tasks"]
    found = rerun(path)
    assert found.equal and found.whole and found.same_sources and found.compared == content["tasks"]
    assert run(["experiment", "rerun", str(path), "--sample", "2"]) == ExitCode.DONE
    assert "2 tasks performed again, drawn at random; identical but for times." in capsys.readouterr().out

    lines = (tmp_path / "kang-table7.jsonl").read_text().splitlines()
    entry = json.loads(lines[1])
    entry["result"]["games"][0]["nodes"][0] += 1
    (tmp_path / "kang-table7.jsonl").write_text("\n".join([lines[0], json.dumps(entry), *lines[2:]]) + "\n")
    assert rerun(path, sample=content["tasks"]).differing == (entry["key"],)

    path.write_text(json.dumps({**content, "digest": "0" * 64, "fingerprint": "other"}))
    assert run(["experiment", "rerun", str(path)]) == ExitCode.GOAL_MISSED
    printed = capsys.readouterr().out
    assert (
        "1 differ" in printed and "the sources have changed since" in printed and f"differs: {entry['key']}" in printed
    )

    (tmp_path / "kang-table7.jsonl").unlink()
    with pytest.raises(UsageError, match="not beside"):
        rerun(path, sample=1)


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"experiment": "kang-table7"}'])
def test_another_file_is_no_manifest(content: str | None, tmp_path: Path) -> None:
    path = tmp_path / "some.manifest.json"
    if content is not None:
        path.write_text(content)
    assert run(["experiment", "rerun", str(path)]) == ExitCode.USAGE


def test_readings_games_are_those_of_the_named_agents() -> None:
    """The readings' own loop shares the web AI's replies; each game is the one that the two agents play."""
    for number in (0, 333, 700, 1007):
        task = halim_games.tasks(False, 0)[number]
        moves = dict(zip(halim_games.cells_of("training"), halim_games.work(task)["moves"], strict=True))
        options = halim_games.name_of(task["reading"])
        cells = [(1, 1), (1, 3), (3, 2), (4, 4)]
        games = [
            pairing_json(f"halim:{system}" + (f",{options}" if options else ""), f"rmarcus:{opponent}", 0)
            for opponent, system in cells
        ]
        assert [game["moves"] for game in play({"games": games})["games"]] == [moves[cell] for cell in cells], options


def test_readings_enumerate_every_open_choice_once() -> None:
    halim = halim_games.readings()
    assert len(halim) == len({halim_games.name_of(reading) for reading in halim}) == 1152
    assert halim_games.name_of(halim[0]) == ""
    kang = kang_games.programs()
    assert len({kang_games.names(program, 4) for program in kang}) == len(kang) == 16
    with pytest.raises(UsageError):
        find_readings("tommy")

"""From experiments to tasks, and what another run, seed or edit performs again."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from bot.agents.family import families
from bot.errors import UsageError
from bot.lab.experiments import run as machine
from bot.lab.experiments.paper import Labels, RunPlan, find_run
from bot.lab.experiments.plan import PIECE, agents_in, modules_of, rows_of, tasks_of, values_of
from bot.lab.experiments.run import key_of, read_manifests, rerun, run_experiment, saved
from bot.lab.positions import all_openings, read_positions
from tests.lab.sources import SOURCE, Write


def test_every_combination_of_labels_is_a_row_the_first_slowest() -> None:
    run = RunPlan(title="", grid={"depth": [2, 3], "game": 2}, quick={"depth": [2]}, skip=[{"depth": [3], "game": [1]}])
    rows = [{"depth": 2, "game": 0}, {"depth": 2, "game": 1}, {"depth": 3, "game": 0}]
    assert list(rows_of(run, quick=False)) == rows and list(rows_of(run, quick=True)) == rows[:2]


def test_every_pair_of_a_field_meets_and_all_publications_are_in_it() -> None:
    run = RunPlan(title="", field=["a", "b", "c"], grid={"game": 1})
    assert [(row["one"], row["other"]) for row in rows_of(run, quick=False)] == [*combinations("abc", 2)]
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
    names: Labels = ["kang-h1:2", "kang-h2:2", "halim:2"]
    run = RunPlan(title="", players={"X": "{name}", "O": "random"}, grid={"name": names, "game": 20})
    tasks = tasks_of("a-run", run, quick=False, seed=3)
    assert [len(task["rows"]) for task in tasks] == [PIECE, 10, 20]
    assert [row for task in tasks for row in task["rows"]] == list(rows_of(run, quick=False))
    assert tasks[-1]["agents"] == [{"X": "halim:2", "O": "random"}] * 20
    assert modules_of(tasks[-1]) == ["bot.lab.experiments.play", "bot.agents.papers.halim", "bot.engine.simple"]


def test_a_task_is_performed_once_for_its_settings_and_sources(
    sources: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources("toy.toml", SOURCE)
    digests = []
    for seed, quick, by, lines in ((0, True, "", 2), (1, True, "", 3), (0, True, "", 3), (0, True, "by", 4)):
        monkeypatch.setattr(machine, "sources_of", lambda _task, by=by: by)
        run_experiment("games", tmp_path, quick=quick, seed=seed)
        assert len((tmp_path / "games.jsonl").read_text().splitlines()) == lines
        digests.append(read_manifests(tmp_path)["games"]["digest"])
    assert digests[1] != digests[0] == digests[2] == digests[3]
    run_experiment("games", tmp_path, seed=1)
    about, frame = read_manifests(tmp_path)["games"], saved("games", tmp_path)
    assert (about["command"], about["tasks"]) == ("bot experiment run games --seed 1", 4)
    assert frame is not None and frame.size == 100, "the last run counts"


@pytest.mark.parametrize("text", ["{", "[]", '{"games": {}}'])
def test_a_manifest_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no manifest of 'games'"):
        rerun("games", tmp_path, progress=lambda *_step: None)
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="is not a manifest"):
        read_manifests(tmp_path)


def test_what_a_run_asks_for_is_part_of_a_tasks_key_and_its_words_are_not(sources: Write) -> None:
    keys = []
    for words in ("Games'", "Other words'", "Games'\nmoves = true", "Games'\nexact = true"):
        sources("toy.toml", SOURCE.replace("Games'", words))
        keys.append(key_of(tasks_of("games", find_run("games"), quick=True, seed=0)[0]))
    assert keys[0] == keys[1] and len(set(keys)) == 3

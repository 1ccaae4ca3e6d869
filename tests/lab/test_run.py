"""Runs of experiments: what another run, seed or edit repeats, and what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.agents.catalogue import make_agent
from bot.agents.games import play_game
from bot.errors import UsageError
from bot.lab.experiments import run as machine
from bot.lab.experiments.paper import find_run
from bot.lab.experiments.plan import pieces, rows_of, tasks_of
from bot.lab.experiments.run import digest, key_of, read_manifests, rerun, run_experiment, saved, without_times
from tests.lab.sources import SOURCE, Write


def test_a_task_is_performed_once_for_its_settings_and_sources(
    sources: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources("toy.toml", SOURCE)
    digests, performed = [], []
    perform = machine.perform
    monkeypatch.setattr(machine, "perform", lambda task: performed.append(task["seed"]) or perform(task))
    for seed, quick in ((0, True), (1, True), (0, True), (0, False)):
        run_experiment("games", tmp_path, quick=quick, seed=seed)
        digests.append(read_manifests(tmp_path)["games"]["digest"])
    assert performed == [0, 1, *[0] * 4]
    assert digests[0] == digests[2] and len(set(digests)) == 3
    about, frame = read_manifests(tmp_path)["games"], saved("games", tmp_path)
    assert (about["command"], about["tasks"], about["quick"]) == ("bot experiment run games", 4, False)
    assert frame is not None and frame.size == 100, "the last run counts"
    monkeypatch.setattr(machine, "sources_of", lambda _task: "other")
    run_experiment("games", tmp_path, quick=True, seed=1)
    assert len(performed) == 7
    assert read_manifests(tmp_path)["games"]["command"] == "bot experiment run games --quick --seed 1"


@pytest.mark.parametrize("name", ["edap01-ends", "tommy-orders", "algorithms"])
def test_every_kind_of_work_repeats_itself_but_for_times(name: str) -> None:
    run = find_run(name)
    task = pieces(name, run, list(rows_of(run, quick=True))[:2], seed=0)[0]
    once, twice = machine.perform(task), machine.perform(task)
    assert digest([(task, once)]) == digest([(task, twice)])
    for row in once["rows"]:
        times = {key for key in row if key.endswith("seconds")}
        assert times and without_times(row).keys() == row.keys() - times
        row["nodes"] = row.pop(next(iter(times)))
    assert digest([(task, once)]) != digest([(task, twice)])


@pytest.mark.parametrize("text", ["{", "[]", '{"games": {}}'])
def test_a_manifest_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no manifest of 'games'"):
        rerun("games", tmp_path, progress=lambda *_step: None)
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="is not a manifest"):
        read_manifests(tmp_path)


def test_what_a_run_asks_for_is_part_of_a_tasks_key_and_its_words_are_not(sources: Write) -> None:
    def key(right: str = "", wrong: str = "") -> str:
        sources("toy.toml", SOURCE.replace(right, wrong))
        return key_of(tasks_of("games", find_run("games"), quick=True, seed=0)[0])

    assert key("title = 'Games'", "title = 'Other words'") == key()
    more = [key("title = 'Games'", f"title = 'Games'\n{what} = true") for what in ("moves", "exact")]
    assert len({key(), key("depth1", "depth2"), *more}) == 4


SCREENED = """
source = 'Toy'
cite = 'nobody'

[run.screened]
title = 'Readings'
players = { X = "tommy-ab:{depth}", O = "tommy-ab:{other}" }
grid = { depth = [1, 2, 3], other = [1, 2, 3] }
readings = ["depth"]
screen = { table = "screened", held = { other = [3] }, keep = 1 }

[table.screened]
title = 'Table'
rows = ["other"]
columns = { result = "outcome(X)" }
printed = '''
1 PRINTED1
2 PRINTED2
3 W7
'''
"""


@pytest.mark.parametrize("depth", [1, 3])
def test_the_reading_that_explains_the_first_part_plays_the_rest(sources: Write, tmp_path: Path, depth: int) -> None:
    text = SCREENED
    for other in (1, 2):
        played = play_game(make_agent(f"tommy-ab:{depth}"), make_agent(f"tommy-ab:{other}"))
        text = text.replace(f"PRINTED{other}", f"{'WDL'[round(2 - 2 * played.result)]}{len(played.moves)}")
    sources("toy.toml", text)
    run_experiment("screened", tmp_path)
    frame = saved("screened", tmp_path)
    assert frame is not None and frame.size == 3 * 2 + len({1, depth})
    assert {*frame.where({"other": 3}).values("depth")} == {1, depth}, "the best reading, and the recommended one"

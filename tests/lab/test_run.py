"""Runs of experiments: what another run, seed or edit repeats, and what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import UsageError
from bot.lab.experiments import run as machine
from bot.lab.experiments.paper import find_run
from bot.lab.experiments.plan import tasks_of
from bot.lab.experiments.run import key_of, read_manifests, rerun, run_experiment, saved
from tests.lab.sources import SOURCE, Write


def test_a_task_is_performed_once_for_its_settings_and_sources(
    sources: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources("toy.toml", SOURCE)
    digests = []
    for seed, quick, by, lines in (
        (0, True, 1, 2),
        (1, True, 1, 3),
        (0, True, 1, 3),
        (0, False, 1, 7),
        (1, True, 2, 8),
    ):
        monkeypatch.setattr(machine, "sources_of", lambda _task, by=by: str(by))
        run_experiment("games", tmp_path, quick=quick, seed=seed)
        about, frame = read_manifests(tmp_path)["games"], saved("games", tmp_path)
        assert len((tmp_path / "games.jsonl").read_text().splitlines()) == lines
        assert frame is not None and frame.size == (30 if quick else 100), "the last run counts"
        digests.append(about["digest"])
    assert digests == [*digests[:2], digests[0], digests[3], digests[1]] and len(set(digests)) == 3
    assert (about["command"], about["tasks"]) == ("bot experiment run games --quick --seed 1", 1)


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

"""`bot experiment`: what it lists, runs, writes and repeats, and what it says where something is missing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bot.lab.experiments import run as machine
from bot.lab.experiments.paper import all_runs, papers
from tests.cli.programs import Cli

FAST = "edap01-ends"


def test_without_a_name_all_experiments_are_listed(cli: Cli) -> None:
    lines = cli("experiment run").stdout.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(all_runs())
    assert [line.split(":")[0] for line in lines if not line.startswith("  ")] == list(papers())


@pytest.mark.parametrize("name", ["edap01", "all"])
def test_the_name_of_a_source_means_all_of_its_experiments(
    name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(machine, "run_experiment", lambda name, _out, **_settings: asked.append(name))
    assert "There are no results of experiments" in cli(f"experiment run {name} --out .").stderr, "nothing was played"
    assert asked == list(all_runs() if name == "all" else papers()[name].run)


def test_a_run_is_written_reported_and_repeated(cli: Cli, tmp_path: Path) -> None:
    assert cli(f"experiment run {FAST} --out .").stdout.split() == ["edap01.md", "README.md"]
    made = {f"{FAST}.jsonl", "manifest.json", "ledger.json", "edap01.md", "README.md"}
    assert {path.name for path in tmp_path.iterdir()} == made
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert cli("experiment report --out .").stdout.split() == [f"{name}.md" for name in [*papers(), "README"]]
    manifest[FAST]["digest"] = "0" * 64
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    again = cli(f"experiment rerun {FAST} --out .")
    assert (again.returncode, again.stdout) == (5, f"{FAST}: different.\n")


def test_what_is_not_installed_is_named(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli(f"experiment run {FAST} --out .")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = cli("experiment report --out .")
    assert done.returncode == 0 and "edap01.md" in done.stdout and not list(tmp_path.glob("*.svg"))
    assert "No plots were drawn: they need matplotlib. Install it with the extra `lab`" in done.stderr
    monkeypatch.setitem(sys.modules, "scipy", None)
    for line in (f"run {FAST}", "report"):
        done = cli(f"experiment {line} --out .")
        assert done.returncode == 2 and "need scipy" in done.stderr and "pip install -e '.[lab]'" in done.stderr
    for line in ("experiment run", "match depth1 random --games 4", "judge random --count 36 --saved a.jsonl"):
        assert cli(line).returncode == 0, "it needs no scipy"

"""`bot experiment`: what it lists, runs and writes, and what it says where something is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.experiment import OUT
from bot.lab.replication import run as machine
from bot.lab.replication.study import studies
from tests.lab.sources import TOY, papers_folder


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the study `toy` be among the others."""
    with papers_folder(tmp_path / "papers", monkeypatch) as write:
        write("toy_study.py", TOY)
        yield


def test_all_means_every_study(cli, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(machine, "run_study", lambda study, _out, **_settings: asked.append(study.name))
    monkeypatch.setattr("bot.lab.replication.pages.write_page", lambda study, *_, **_settings: Path(f"{study.name}.md"))
    monkeypatch.setattr("bot.lab.replication.pages.read_about", lambda *_: {"statements": []})
    assert cli("experiment run all").stdout.split() == [f"{name}.md" for name in studies()] and asked == [*studies()]
    assert asked[-1] == "toy" and "toy             Toy 2026\n" in cli("experiment run").stdout


def test_a_run_is_reported_with_its_settings(cli, tmp_path):
    page = str(OUT / "toy.md")
    done = cli("experiment run toy --quick --seed 4")
    assert done.stdout.split() == [page] and "2 statements: supported 1, refuted 1.\n" in done.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / OUT).iterdir()}
    for line in ("experiment report", "experiment report toy", "experiment report all"):
        assert cli(line).stdout.split() == [page], "those of all that were run"
    assert made == {path.name: path.read_bytes() for path in (tmp_path / OUT).iterdir()}


def test_what_is_not_installed_is_named(cli, tmp_path, monkeypatch):
    cli("experiment run toy --out a")
    (tmp_path / "a" / "toy.svg").unlink()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = cli("experiment report --out a")
    assert done.returncode == 0 and "toy.md" in done.stdout and not list(tmp_path.glob("a/*.svg"))
    assert "![" not in (tmp_path / "a" / "toy.md").read_text(encoding="utf-8")
    assert "No plots were drawn: they need matplotlib. Install it with the extra `lab`" in done.stderr
    for library in ("scipy", "pandas"):
        monkeypatch.setitem(sys.modules, library, None)
        for line in ("run", "run toy --out a", "report --out a"):
            done = cli(f"experiment {line}")
            assert (
                done.returncode == 2 and f"need {library}" in done.stderr and "pip install -e '.[lab]'" in done.stderr
            )
        assert cli("match depth1 random --games 4").returncode == 0, f"it needs no {library}"
        monkeypatch.delitem(sys.modules, library)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("run toys", "There is no study called 'toys'."),
        ("report --out a", "There are no results of experiments in a."),
        ("report toy --out a", "a has no finished run of toy. Run `bot experiment run toy`"),
        ("run toy --out papers/toy_study.py", "cannot be"),
    ],
)
def test_a_mistake_is_one_sentence(line, message, cli):
    done = cli(f"experiment {line}")
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1

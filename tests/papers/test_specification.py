"""What this room promises: a paper is one folder, its page follows from its numbers, and a run resumes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from bot.agents.catalogue import make_agent
from bot.agents.family import papers
from bot.agents.games import ready_agent
from bot.cli.paper import show
from bot.gauntlet.arena.statistics import Range, share
from bot.gauntlet.store import RecordStore
from bot.gauntlet.versions import sources_of
from bot.papers import page as pages
from bot.papers import runs, tasks
from bot.papers.page import IDENTIFIED, NOTICED, OPEN, paragraphs, read_notes, studies, write_page
from bot.papers.runs import HEAD, STORE, Runner
from bot.papers.study import Statement, Table, measured, one_line

README = Path(pages.__file__).with_name("README.md")


@pytest.mark.parametrize("name", papers())
def test_a_paper_is_one_folder_and_its_page_is_made_from_its_numbers(name):
    folder = papers()[name]
    title, notes = read_notes(folder / "notes.md")
    assert title and f"[{name}]({name}/" in README.read_text("utf-8")
    if name not in studies():
        return
    if not (folder / "results.json").is_file():
        pytest.skip(f"not there yet: bot paper run {name} --out bot/papers")
    page = json.loads((folder / "results.json").read_text("utf-8"))
    assert (folder / "results.md").read_text("utf-8") == "\n\n".join(paragraphs(page)) + "\n"
    assert page["title"] == title and not page["quick"] and (folder / "results.svg").is_file()
    assert one_line(" ".join(page["found"])) in one_line(README.read_text("utf-8")), "the README says what was found"
    assert notes[IDENTIFIED] == page[IDENTIFIED] and notes[OPEN] == page[OPEN]
    for said in page["statements"]:
        assert said["said"] == notes[said["name"]] and "*Rule:*" in said["said"]


def test_a_plot_over_powers_of_ten_is_logarithmic(tmp_path):
    drawn = []
    for is_logarithmic in (False, True):
        study: Any = Mock(lines={"nodes": {1: 1, 2: 1000}}, plot="Nodes", is_logarithmic=is_logarithmic)
        pages.draw(study, tmp_path / "plot.svg")
        drawn.append("10^{2}" in (tmp_path / "plot.svg").read_text())
    assert drawn == [False, True]


def positive(number: float) -> bool | None:
    """Return whether a number is above 0; None for 0 itself, which is neither for nor against."""
    return None if number == 0 else number > 0


@pytest.mark.parametrize(
    ("ours", "others", "verdict"),
    [
        (1, [], "holds"),
        (-1, [-2.0, 0, Range(1, -1, 3)], "does not hold"),
        (Range(1, 0.5, 2), [1] * 19 + [-1], "holds"),
        (1, [1] * 18 + [-1], "depends on what the text leaves open"),
        (Range(1, -1, 3), [1, -1], "cannot be told"),
        (None, [], "cannot be told"),
        (0, [1], "cannot be told"),
    ],
)
def test_the_verdict_follows_from_the_numbers_by_the_rule(ours, others, verdict):
    statement = Statement(ours, positive, "Because.", "{:.1f} points", others)
    said = statement.as_json()
    assert said["verdict"] == verdict and bool(said["others"]) == bool(others)
    assert Statement(1, positive, "", others=[-1], few=1).as_json()["verdict"] == "holds"


def test_a_range_is_shown_and_chance_has_an_interval():
    said = Statement(measured([1, 2, 6]), positive, "", "{:.1f} s", [*np.array([1.0]), Range(4, 3, 5)]).as_json()
    assert (said["ours"], said["others"]) == ("3.0 (1.0 to 6.0) s", "1.0 to 4.0 s; 0 of 2 say the opposite")
    assert share(5, 10).low == pytest.approx(0.2366, abs=1e-4)


def test_a_cell_says_by_a_sign_whether_it_agrees():
    text = "game won steps s word\na_b 0.50 7 0.1 W\nc 0.10 9 0.2 L"
    table = Table("T", text, [[0.504, 7.2, 3.0, "W"], [0.2, 9.6, 1e-5, "D"]], machine=("s",))
    assert table.rows[1:] == [
        ["a b", "0.50 = 0.50", "7 = 7", "0.1 ~ 3", "W = W"],
        ["c", "0.10 ≠ 0.20", "9 ≠ 10", "0.2 ~ 1e-05", "L ≠ D"],
    ]
    assert table.agree == [True, True, True, False, False, False]
    chance = Table("T", "game won\na 0.50\nb 1.00", [[0.3], [0.3]], games=10)
    assert [row[1] for row in chance.rows[1:]] == ["0.50 ≈ 0.30", "1.00 ≠ 0.30"]


@pytest.fixture
def doe(own_papers, tmp_path):
    """Write the paper of the README; return a function that runs it, and returns what its page holds."""
    files = re.findall(r"<!-- (doe/\S+) -->\n```\w+\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert [name for name, _ in files] == ["doe/program.py", "doe/notes.md", "doe/study.py"]
    for name, text in files:
        own_papers(name, text + f"\n## {NOTICED}\n\nPairs are few.\n" * name.endswith(".md"))

    def made(out: str = "out", **settings: Any) -> dict[str, Any]:
        with RecordStore(tmp_path / out / STORE, HEAD) as store:
            path = write_page("doe", Runner(store, quick=True, **settings), tmp_path / out)
        return json.loads(path.with_suffix(".json").read_text("utf-8"))

    return made


def test_the_paper_of_the_readme_is_carried_out_and_resumes_where_it_was_interrupted(
    doe, monkeypatch, tmp_path, capsys
):
    performed: list[str] = []
    real = tasks.Task.perform

    def perform(task: tasks.Task) -> tasks.Record:
        performed.append(task.key)
        return real(task)

    monkeypatch.setattr(tasks.Task, "perform", perform)

    def interrupt(done: int, _tasks: int, _name: str) -> None:
        if done >= 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        doe(progress=interrupt)
    assert len(performed) == 40
    page = doe()
    assert len(performed) == len({*performed}) == page["runs"]["games"]["tasks"] == 120
    assert page["statements"][0]["verdict"] == "holds" and page["tables"][0]["rows"][3][1].startswith("1.00 ≈")
    assert doe() == page and len(performed) == 120
    assert [*paragraphs(page)][-2:] == [f"## {NOTICED}", "Pairs are few."]
    monkeypatch.setattr(tasks.Task, "perform", real)
    assert doe("other", workers=2)["runs"] == page["runs"], "two processes give the same digests"
    show("doe", tmp_path / "out")
    said = capsys.readouterr().out
    assert page["quick"] and page["found"][0] in said
    assert "quick run" in said and "quick run" in [*paragraphs(page)][1]


def test_a_saved_result_counts_for_the_sources_of_all_its_agents_and_a_digest_for_any(tmp_path, monkeypatch):
    agents = {"first": "random", "second": "tommy-ab:1"}
    with RecordStore(tmp_path / STORE, HEAD) as store:
        run = Runner(store)
        run("one", [tasks.Play(agents)])
        (saved,) = store.known.values()
        assert saved["sources"] == " ".join(sources_of(name, tasks.__name__) for name in agents.values())
        monkeypatch.setattr(runs, "_sources_of_agent", lambda _name: "changed")
        run("again", [tasks.Play(agents)])
        assert [each["sources"] for each in store.known.values()] == ["changed changed"]
    assert run.about["one"] == run.about["again"]


def test_the_first_role_moves_first_after_the_moves_and_its_points_are_its_own():
    played = tasks.Play({"one": "scripted:5555", "two": "scripted:6666"}, "4").perform()
    assert (played["moves"], played["one_points"], played["two_points"]) == ("45656565", 1, 0)
    assert (played["one_turns"], played["two_turns"], len(played["one_each_nodes"])) == (4, 3, 4)


def test_each_role_of_each_task_has_a_seed_of_its_own(monkeypatch):
    ready = Mock(side_effect=ready_agent)
    monkeypatch.setattr(tasks, "ready_agent", ready)
    for number in (0, 1, 0):
        tasks.Ask({"one": "random", "other": "random"}, number=number).perform()
    seeds = [call.args[1] for call in ready.call_args_list]
    assert len({*seeds[:4]}) == 4 and seeds[4:] == seeds[:2]


@pytest.mark.parametrize(("timed", "asked"), [(False, 1), (True, 2)])
def test_what_is_timed_is_never_taken_from_memory(timed, asked, monkeypatch):
    decided = Mock(side_effect=tasks.decided)
    monkeypatch.setattr(tasks, "decided", decided)
    for _ in range(2):
        tasks.Ask({"one": "halim:2"}, "1122335", timed=timed).perform()
    assert decided.call_count == asked


def test_only_an_agent_that_keeps_nothing_between_moves_answers_from_memory():
    names = ("tommy-mtdf:4", "halim:2", "vds:2", "random", "halim:2,ties=random", "kang-h2:2,random=3", "depth3")
    repeating = [name for name in names if getattr(make_agent(name), "repeats", False)]
    assert repeating == ["tommy-mtdf:4", "halim:2"]

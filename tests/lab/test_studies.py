"""The package's studies: what they quote, run and find; and their committed results."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pandas as pd
import pytest

from bot.agents.catalogue import agent_modules
from bot.lab.arena.tasks import PlannedTask
from bot.lab.positions import all_openings
from bot.lab.replication.pages import write_page
from bot.lab.replication.run import run_study
from bot.lab.replication.study import STUDIES, Study, paragraphs, studies

RESULTS = STUDIES.parent / "results"
NAMES = [*studies()]
MOST_QUICK, LONGEST_QUOTATION = 5000, 200


@pytest.fixture(params=NAMES)
def study(request: pytest.FixtureRequest) -> Study:
    """Return each study."""
    return studies()[request.param]


def test_a_study_names_its_source_and_says_whether_the_program_is_identified(study):
    assert study.source and study.cite.endswith(".") and study.terms.endswith(".")
    assert study.identified.endswith(".") or study.name == "joint"
    assert study.runs and study.summaries and len(study.plots) <= 1, "a second plot would have the same file"
    assert len({each.source for each in studies().values()}) == len(NAMES)


def test_every_statement_has_its_place_and_words_of_the_source(study):
    quoted = [paragraphs(function)[0] for function in study.statements.values()]
    assert len({*quoted}) == len(quoted)
    for text in quoted:
        assert re.match(r'[^":]*\w[^":]*: .*"[^"]+"|(Table|Figure)s? [\w, ]+: \w', text), text
        assert len(text) <= LONGEST_QUOTATION, text


def test_every_function_asks_for_what_is_known_when_it_is_called(study):
    known = {"quick", "seed"}
    for functions in (study.runs, study.tables):
        for name, function in functions.items():
            assert {*inspect.signature(function).parameters} <= known, name
            known.add(name)
    for functions in (study.statements, study.remarks, study.plots, study.summaries):
        for name, function in functions.items():
            extra = {"axes"} if functions is study.plots else {"findings"} - {*study.statements}
            if functions is study.statements:
                extra = set()
            assert {*inspect.signature(function).parameters} <= known | extra, name


def test_quick_runs_have_few_tasks_of_agents_that_there_are(study):
    tasks: list[PlannedTask] = []
    for function in study.runs.values():
        if {*inspect.signature(function).parameters} <= {"quick", "seed"}:  # the others follow from results
            tasks += study.call(function, {"quick": True, "seed": 0})
    assert 0 < len(tasks) < MOST_QUICK
    for name in {name for task in tasks for name in task.agent_names()}:
        assert agent_modules(name)


@pytest.fixture(scope="module")
def quick_tommy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the rows of Tommy 2017's quick run, and its statements."""
    study, out = studies()["tommy"], tmp_path_factory.mktemp("tommy")
    runs = run_study(study, out, quick=True, progress=lambda *_: None)
    page = write_page(study, runs, out, seed=0, quick=True)
    statements = json.loads(page.with_suffix(".json").read_text("utf-8"))["statements"]
    return {**{name: run.rows for name, run in runs.items()}, "found": {each["id"]: each for each in statements}}


def test_tommys_table_is_repeated_in_every_cell_without_times(quick_tommy):
    found = quick_tommy["found"]["tommy.the_table"]
    assert (found["verdict"], found["estimate"]["value"], found["stated"]) == ("supported", 42, "equal to 42")


BY_OPENING = (
    "fewer_leaves", "odd_depths_need_fewer_passes", "few_passes_few_leaves", "order_saves", "each_part_saves",
    "first_mover",
)  # fmt: skip


def test_a_part_of_tommys_openings_has_an_interval_and_all_of_them_are_without_chance(quick_tommy):
    study, games, openings = studies()["tommy"], quick_tommy["games"], quick_tommy["openings"]
    openings = pd.concat([openings, openings[openings.depth == 7].assign(depth=8)])
    exist = ["".join(map(str, columns)) for columns in all_openings(4)]
    stands_for = pd.DataFrame({"played": [exist[place - place % 50] for place in range(len(exist))], "opening": exist})
    full = {"games": games}
    for name, rows in (("openings", openings), ("parts", quick_tommy["parts"])):
        full[name] = rows.rename(columns={"opening": "played"}).merge(stands_for)
    committed = {each["id"]: each for each in json.loads((RESULTS / "tommy.json").read_text("utf-8"))["statements"]}
    for name in BY_OPENING:
        part, found = quick_tommy["found"][f"tommy.{name}"], study.call(study.statements[name], full)
        assert (part["estimate"]["size"], part["estimate"]["sample"]) == (12, "openings")
        page = committed[f"tommy.{name}"]
        assert found.estimate.is_exact and page["estimate"]["size"] == 0
        sentences = [re.sub(r"[-+]?[\d,.]*\d", "N", sentence) for sentence in (found.sentence, page["sentence"])]
        assert sentences[0] == sentences[1], "the page of a full run is as it was"
    first_mover = quick_tommy["found"]["tommy.first_mover"]
    assert first_mover["verdict"] == "undecided" and "from 12 of 568 openings of four" in first_mover["sentence"]


@pytest.fixture
def committed(study: Study) -> dict[str, Any]:
    """Return a study's committed results."""
    path = RESULTS / f"{study.name}.json"
    if not path.exists():
        pytest.skip(f"{path.name} is not there yet: bot experiment run {study.name} --out bot/lab/results")
    about: dict[str, Any] = json.loads(path.read_text("utf-8"), parse_constant=pytest.fail)
    return about


def test_committed_results_are_those_of_the_statements_that_there_are(study, committed):
    found = [(each["id"], each["statement"]) for each in committed["statements"]]
    assert found == [(f"{study.name}.{name}", paragraphs(each)[0]) for name, each in study.statements.items()]
    assert (committed["source"], committed["seed"], committed["quick"]) == (study.source, 0, False)
    assert committed["runs"].keys() == study.runs.keys()
    page = (RESULTS / f"{study.name}.md").read_text("utf-8")
    assert all(f"- **{each['verdict']}** {each['statement']}<br>" in page for each in committed["statements"])

"""The package's studies: what they quote, run and find; and their committed results."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pytest

from bot.agents.catalogue import agent_modules
from bot.lab.arena.tasks import PlannedTask
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

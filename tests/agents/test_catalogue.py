"""The one list of agents: what it names, what it makes, and what it says to a wrong name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.agents.catalogue import AgentEntry, agent_names, entries, entry, make_agent
from bot.agents.family import FOLDER, families_by_module
from bot.errors import UsageError


def test_every_listed_name_makes_the_agent_of_that_name() -> None:
    for listed in agent_names():
        name = listed.replace("COLUMNS", "44a")
        for number in ("DEPTH", "PLAYOUTS", "LEVEL"):
            name = name.replace(number, "3")
        assert make_agent(name, seed=1).name == name


@pytest.mark.parametrize("known", [*entries()], ids=lambda known: known.name)
def test_an_entry_s_full_name_is_an_agent(known: AgentEntry) -> None:
    assert make_agent(known.full_name()).name == known.full_name()
    if known.depth is not None:
        assert make_agent(known.full_name(known.deepest)).name == known.full_name(known.deepest)
        with pytest.raises(UsageError):
            make_agent(known.full_name(known.deepest + 1))
    else:
        with pytest.raises(UsageError):
            make_agent(f"{known.name}:4")


WRONG = ["", "depth9", "depth0", "MTDF", "mtdf:4", "nobody:3", "tommy", "scripted:", "scripted:48"]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_name_is_refused_with_a_next_step(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_agent(name)
    assert refused.value.hint


def test_a_misspelled_name_is_answered_with_its_neighbours() -> None:
    with pytest.raises(UsageError) as refused:
        make_agent("perfct")
    assert "perfect" in refused.value.hint


def test_a_file_without_a_class_is_asked_for_one() -> None:
    with pytest.raises(UsageError) as refused:
        make_agent("some/mine.py")
    assert "mine.py:CLASS" in refused.value.hint


def test_a_family_without_its_depth_says_what_is_missing() -> None:
    with pytest.raises(UsageError, match="depth"):
        make_agent("tommy-ab")
    assert entry("tommy-ab").depth is not None


def test_an_agent_of_the_engine_is_found_without_numba() -> None:
    """`bot move perfect` answers from the book; only the publications' modules, which hold kernels, load numba."""
    script = (
        "import sys; from bot.agents.catalogue import maker_of; maker_of('perfect'); maker_of('depth3'); "
        "maker_of('level:3@time=1'); print({'numpy', 'numba'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none", "FAMILY = ()", r"none\.py has no tuple FAMILIES"),
        (
            "one",
            "from bot.agents.papers.rmarcus import FAMILIES as f\nFAMILIES = f[0]",
            r"one\.py has no tuple FAMILIES",
        ),
        ("again", "from bot.agents.papers.rmarcus import FAMILIES", r"again\.py: there is another agent 'rmarcus'"),
        ("kang", "FAMILIES = ()", "two publications called kang"),
    ],
)
def test_a_publication_that_is_none_or_a_second_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, message: str
) -> None:
    (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(UsageError, match=message):
        families_by_module.__wrapped__()

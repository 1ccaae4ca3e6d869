"""Names of agents that are refused, each with a sentence and a next step; and how budgets after a name are read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.agents.catalogue import make_agent
from bot.agents.external.names import command_of
from bot.agents.family import FOLDER, budgeted, paper_families, split_budget
from bot.engine.agent import Limit
from bot.errors import UsageError
from bot.game import Board
from tests.agents.external.programs import Noting

REFUSED = {
    "All names: `bot agents`. One of your own: FILE.py:NAME": "|MTDF|mtdf:4|nobody:3|tommy|proof:3|a.ipynb:move",
    "Did you mean perfect or proof+perfect?": "perfct",
    "scripted:4455": "scripted:",
    "1-7": "scripted:48",
    "mine.py:NAME": "some/mine.py",
    "FILE.py:NAME.": "missing.py:Agent",
    "chmod +x PATH": "command:no-such-program",
    "command:./engine": "command:",
    "quotation marks": "command:'",
    "key=value": "tommy-ab:4,|kang-h1:4,random=3,random=3|mtdf@nodes=1,nodes=2|mtdf@depth=",
    "Write depth3": "depth9|depth0|depth",
    "tommy-ab:4": "tommy-ab|tommy-ab:|tommy-ab:0|tommy-ab:43|tommy-ab:-1|tommy-ab:x|tommy-ab:²",
    "Its options: wins, random, plies, ties, prune.": "kang-h2:3,features=1",
    "It takes none": "rmarcus:4,ties=random",
    "seconds": "vds:4,think=0|vds:4,think=inf|vds:4,think=x|mtdf@time=soon|mtdf@time=-1",
    "whole number above 0": "kang-h1:4,random=0|kang-h1:4,random=1.5|mtdf@nodes=0|mtdf@nodes=1.5",
    "one of lowest": "halim:4,ties=x",
    "one of dominant": "halim:4,ends=literal",
    "one of 0, 1": "halim:4,plus=2|kang-h1:4,plies=True",
    "one of maximal, every": "kang-h1:4,runs=1",
    "1+2+3": "kang-h1:4,features=5|kang-h1:4,features=1+x",
    "10+100+100000": "edap01,streaks=1+2|edap01,streaks=10+-5+100+1000",
    "uct:1000": "uct|uct:|uct:0|uct:x|uct:1000001",
    "from 1 to 1,000": "mtdf@nodes=1000000000000001",
    "Its options: time, depth, nodes, leaves": "mtdf@nodes=1,colour=3",
    "@time= or @depth=": "depth4@nodes=10|random@leaves=10|proof@nodes=10",
}
"""Names that are refused, by a part of the next step that the user is told."""


@pytest.mark.parametrize("hint", REFUSED)
def test_a_wrong_name_is_refused_with_a_next_step(hint):
    for name in REFUSED[hint].split("|"):
        with pytest.raises(UsageError) as refused:
            make_agent(name)
        assert hint in refused.value.hint, name
        assert refused.value.message.endswith((".", ":")) and refused.value.hint.endswith((".", ",depth=3.")), name


def test_a_program_is_started_by_the_path_that_its_name_gives(tmp_path, monkeypatch):
    """A link may name the environment that it belongs to, as that of an interpreter does."""
    monkeypatch.chdir(tmp_path)
    Path("python").symlink_to(sys.executable)
    assert command_of("command:./python -m mine") == (str(tmp_path / "python"), "-m", "mine")


PUBLICATIONS = {
    "none": ("FAMILY = ()", r"none.program\.py has no tuple FAMILIES"),
    "one": ("from bot.papers.rmarcus.program import FAMILIES as f\nFAMILIES = f[0]", "has no tuple FAMILIES"),
    "again": (
        "from bot.papers.rmarcus.program import FAMILIES",
        r"again.program\.py: there is another agent 'rmarcus'",
    ),
    "mine": (
        "from dataclasses import replace\nfrom bot.papers.tommy.program import FAMILIES\n"
        "FAMILIES = (replace(FAMILIES[0], name='mine'),) * 2",
        r"mine.program\.py: there is another agent 'mine'",
    ),
    "broken": ("1 / 0", r"broken.program\.py cannot be loaded: ZeroDivisionError"),
    "kang": ("FAMILIES = ()", "two publications called kang"),
}


@pytest.mark.parametrize("name", PUBLICATIONS)
def test_a_publication_that_is_none_or_a_second_one_is_named(own_papers, monkeypatch, name):
    text, message = PUBLICATIONS[name]
    own_papers(f"{name}/program.py", text)
    with pytest.raises(UsageError, match=message):
        paper_families.__wrapped__()
    monkeypatch.setenv(FOLDER, "missing")
    with pytest.raises(UsageError, match=f"{FOLDER} names, is not a folder"):
        paper_families.__wrapped__()


SMALLER = {
    "depth=3": [(Limit(5, 0.2), Limit(5, 0.2, depth=3)), (Limit(5, 0.2, depth=2), Limit(5, 0.2, depth=2))],
    "time=0.1": [(Limit(5, 0.2), Limit(0.1, 0.1)), (Limit(0.05, 0.02), Limit(0.05, 0.05))],
    "nodes=100": [(Limit(5, 0.2, nodes=50), Limit(5, 5, nodes=50))],
    "leaves=100,time=1": [(Limit(5, 0.2), Limit(1, 1, leaves=100))],
}


@pytest.mark.parametrize("budget", SMALLER)
def test_the_smaller_limit_counts(budget):
    """A count alone leaves the whole time to the search, so that equal counts search equal trees."""
    for limit, expected in SMALLER[budget]:
        agent, (name, own) = Noting(), split_budget(f"a@b:9,think=1@{budget}")
        assert own is not None and name == "a@b:9,think=1"
        budgeted(name, agent, own).choose(Board(), limit)
        assert agent.limit == expected

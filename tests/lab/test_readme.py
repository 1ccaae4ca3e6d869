"""What the laboratory's documents show: tables are right, and the examples do what they say."""

from __future__ import annotations

import json
import re
import runpy

from bot.agents.family import families
from tests.lab.write_readme import DOCUMENTS, LAB, PACKAGE, rewritten
from tests.processes import bot_here

ADDING = LAB / "replication" / "README.md"


def block(name: str, text: str) -> str:
    """Return the text of an example's file."""
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", text, re.DOTALL)
    assert found is not None, name
    return found[1]


def test_the_generated_tables_are_up_to_date_and_every_option_is_explained():
    assert {LAB / "README.md", PACKAGE / "agents" / "README.md"} <= {*DOCUMENTS}
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        assert rewritten(text) == text, f"{document}: run python -m tests.lab.write_readme"
    assert all(option.about for family in families() for option in family.options.values())


def test_the_paper_of_the_readme_is_listed_plays_is_judged_and_leaves_no_trace(sources, tmp_path):
    adding = ADDING.read_text(encoding="utf-8")

    def bot(command: str) -> str:
        done = bot_here(*command.split(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for name in ("doe.py", "doe_study.py"):
        sources(name, block(name, adding))
    assert "Doe 2026: pairs of neighbours" in bot("agents")
    assert bot("experiment run").splitlines()[-1].split() == ["doe", "Doe", "2026"]
    bot("experiment run doe --quick")
    results = tmp_path / "logs" / "experiments"
    shown = re.search(r"```\n(\| depth .*?)```", adding, re.DOTALL)
    assert shown is not None and shown[1] in (results / "doe.md").read_text(encoding="utf-8")
    statements = json.loads((results / "doe.json").read_text(encoding="utf-8"))["statements"]
    assert [each["verdict"] for each in statements] == ["supported", "supported"]
    assert bot("experiment report doe").split() == ["logs/experiments/doe.md"]
    test = runpy.run_path(str(sources("test_doe", block("test_doe.py", adding))))["test_pairs_of_neighbours"]
    for arguments in test.pytestmark[0].args[1]:
        test(*arguments)

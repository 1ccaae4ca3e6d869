"""What the laboratory's documents show: tables, links and commands are right, and the examples do what they say."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from pathlib import Path

import typer.main
from typer.core import TyperGroup

from bot.agents.external.child import end_programs
from bot.agents.family import families
from bot.cli.app import app
from tests.lab.sources import Write
from tests.lab.write_readme import LAB, README, rewritten
from tests.processes import bot_here
from tests.test_rooms import anchors

TEXT = README.read_text(encoding="utf-8")
ADDING = (LAB / "experiments" / "README.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    """Return the text of an example's file."""
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", TEXT + ADDING, re.DOTALL)
    assert found is not None, name
    return found[1]


def test_the_generated_tables_are_up_to_date_and_every_option_is_explained() -> None:
    assert rewritten(TEXT) == TEXT, "run python -m tests.lab.write_readme"
    assert all(option.about for family in families() for option in family.options.values())


def test_every_reading_note_is_cited_and_every_cited_note_exists() -> None:
    modules = [
        path.read_text(encoding="utf-8") for room in ("lab", "agents") for path in LAB.parent.glob(f"{room}/**/*.py")
    ]
    cited = {note for text in modules for note in re.findall(r"\bbot/lab/README\.md#([\w-]+)", text)}
    notes = anchors(README, "###")
    assert len(notes) >= 10 and notes <= cited <= anchors(README)


def test_every_command_is_accepted_by_the_command_line() -> None:
    lines = [line for sh in re.findall(r"```sh\n(.*?)```", TEXT + ADDING, re.DOTALL) for line in sh.splitlines()]
    for line in lines:
        program, *arguments = shlex.split(line, comments=True)
        if program != "export":
            command = typer.main.get_command(app)
            while isinstance(command, TyperGroup):
                command = command.commands[arguments.pop(0)]
            command.make_context(line, arguments)


def test_the_agent_of_the_readme_plays_from_outside_the_package_and_repeats_itself(tmp_path: Path) -> None:
    (tmp_path / "playouts.py").write_text(block("own agent"), encoding="utf-8")
    command = "match playouts.py:Playouts,games=5 random --games 4 --seed 1 --json"
    one, two = (json.loads(bot_here(*command.split(), cwd=tmp_path).stdout) for _ in range(2))
    end_programs()
    assert one["total"]["won"] >= 3 and one["each"] == two["each"]


def test_the_paper_of_the_readme_is_listed_plays_is_judged_and_leaves_no_trace(sources: Write, tmp_path: Path) -> None:
    def bot(command: str) -> str:
        done = bot_here(*command.split(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for name in ("doe.py", "doe.toml"):
        sources(name, block(name))
    assert "Doe 2026: pairs of neighbours" in bot("agents") and "doe: Doe 2026" in bot("experiment run")
    bot("experiment run doe --quick")
    results = tmp_path / "logs" / "experiments"
    shown = re.search(r"```\n(\| depth .*?)```", ADDING, re.DOTALL)
    assert shown is not None and shown[1] in (results / "doe.md").read_text(encoding="utf-8")
    ledger = json.loads((results / "ledger.json").read_text(encoding="utf-8"))
    assert [each["verdict"] for each in ledger if each["source"] == "Doe 2026"] == ["supported", "supported"]
    assert "doe-random: identical." in bot("experiment rerun doe-random")
    test = runpy.run_path(str(sources("test_doe", block("test_doe.py"))))["test_pairs_of_neighbours"]
    for arguments in test.pytestmark[0].args[1]:
        test(*arguments)

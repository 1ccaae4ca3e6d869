"""bot/lab/README.md: generated tables, commands, and the reading notes that the code cites.

And bot/lab/experiments/README.md: the paper that it shows works as it says.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup

from bot.agents.family import families
from bot.cli.app import app
from tests.lab.write_readme import BLOCKS, LAB, README, rewritten

TEXT = README.read_text(encoding="utf-8")
MODULES = sorted(path for room in (LAB, LAB.parent / "agents") for path in room.rglob("*.py"))
CITED = {
    (path.relative_to(LAB.parent).as_posix(), note)
    for path in MODULES
    for note in re.findall(r"\bbot/lab/README\.md#([\w-]+)", path.read_text(encoding="utf-8"))
}
ADDING = (LAB / "experiments" / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for text in (TEXT, ADDING)
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    for line in block.splitlines()
    if not line.startswith("export ")
]
FILES = {"doe.py": "papers", "doe.toml": "papers", "test_doe.py": "."}
"""The files of the example, and their folders."""
LONGEST = 150
"""Most lines of a small source."""


def anchors() -> set[str]:
    """Return the anchors of all headings, as Markdown viewers make them."""
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)}


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_the_generated_tables_are_up_to_date() -> None:
    assert rewritten(TEXT) == TEXT, "run python -m tests.lab.write_readme"
    assert all(TEXT.count(f"<!-- generated: {name} -->") == 1 for name in BLOCKS)


@pytest.mark.parametrize(("path", "note"), sorted(CITED))
def test_every_cited_note_exists(path: str, note: str) -> None:
    assert note in anchors(), f"{path} cites a note that the README does not have"


def test_every_reading_note_is_cited() -> None:
    notes = re.findall(r"^### (.*)$", TEXT, re.MULTILINE)
    assert len(notes) >= 10
    cited = {note for _, note in CITED}
    assert [heading for heading in notes if anchor(heading) not in cited] == []


def test_no_module_cites_notes_by_number() -> None:
    numbered = [path.name for path in MODULES if re.search(r"\bnotes? \d", path.read_text(encoding="utf-8"))]
    assert numbered == []


def test_every_link_stays_in_the_project() -> None:
    links = re.findall(r"\]\(([^)]*)\)", TEXT)
    assert links and "://" not in TEXT
    for link in links:
        file, _, heading = link.partition("#")
        assert (LAB / file).exists() if file else heading in anchors()


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_accepted_by_the_command_line(line: str) -> None:
    program, *arguments = shlex.split(line, comments=True)
    assert program == "bot"
    command = typer.main.get_command(app)
    while isinstance(command, TyperGroup):
        command = command.commands[arguments.pop(0)]
    command.make_context(line, arguments)


def test_every_option_of_an_agent_is_explained() -> None:
    assert [option for family in families() for option in family.options.values() if not option.about] == []


def block(name: str) -> str:
    """Return the text of an example's file."""
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", ADDING, re.DOTALL)
    assert found is not None, name
    return found[1]


def test_the_paper_that_the_readme_adds_does_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    for name, folder in FILES.items():
        (tmp_path / folder / name).write_text(block(name), encoding="utf-8")
    assert sum(block(name).count("\n") for name in FILES) <= LONGEST
    environment = {**os.environ, "BOT_PAPERS": str(tmp_path / "papers")}
    for arguments in (["bot", "experiment", "run", "doe", "--quick"], ["pytest", "-c", os.devnull, "test_doe.py"]):
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    results = tmp_path / "logs" / "experiments"
    shown = re.search(r"```\n(\| depth .*?)```", ADDING, re.DOTALL)
    assert shown is not None and shown[1] in (results / "doe.md").read_text(encoding="utf-8")
    ledger = json.loads((results / "ledger.json").read_text(encoding="utf-8"))
    verdicts = {entry["id"]: entry["verdict"] for entry in ledger if entry["source"] == "Doe 2026"}
    assert verdicts == {"doe-table": "supported", "doe-beats-random": "supported"}

"""Every command has help and examples, and agents complete in the shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from bot.agents.catalogue import families
from bot.cli.app import COMMANDS, app


def commands(group: Any, words: str = "bot") -> Iterator[tuple[str, Any]]:
    """Yield every command and group below ``group``, and itself, with the words that call it."""
    yield words, group
    for name in getattr(group, "commands", ()):
        yield from commands(group.get_command(None, name), f"{words} {name}")


TREE = dict(commands(typer.main.get_command(app)))
LEAVES = {words: command for words, command in TREE.items() if not hasattr(command, "commands")}


def words_of(text: str) -> str:
    """Return ``text`` without line breaks, also those after hyphens, and other layout."""
    return " ".join(text.replace("\b", " ").split()).replace("- ", "-")


@pytest.mark.parametrize("words", TREE)
def test_all_of_the_help_is_printed(words, cli):
    """Markup that swallows brackets, or a list of commands that cuts sentences off, would lose some of it."""
    done, command = cli(f"{words.removeprefix('bot')} --help"), TREE[words]
    shown = words_of(done.stdout)
    assert done.returncode == 0 and len(command.help.split()) >= 3 and words_of(command.help) in shown
    for parameter in command.params:
        assert parameter.help and words_of(parameter.help) in shown, parameter
        assert getattr(parameter, "is_flag", False) or parameter.metavar, f"{parameter} shows its Python type"
        assert "--json" not in parameter.opts or "1 to 7" in parameter.help, "how columns are numbered"
    for name in getattr(command, "commands", ()):
        assert words_of(TREE[f"{words} {name}"].get_short_help_str(500)).removesuffix(".") in shown


@pytest.mark.parametrize("words", LEAVES)
def test_every_command_has_examples_that_the_parser_accepts(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("positions.txt").touch()  # the parser opens it
    lines = re.findall(r"^ *(bot .*?)(?:  |$)", LEAVES[words].help, re.M)
    assert lines
    for line in lines:
        name = max((name for name in LEAVES if line.startswith(name)), key=len)
        LEAVES[name].make_context(name, shlex.split(line.removeprefix(name)))  # raises where a value is wrong


def test_commands_are_listed_under_headings_on_one_screen(cli):
    shown = cli("--help", COLUMNS="80").stdout
    assert len(shown.splitlines()) < 40 and max(map(len, shown.splitlines())) <= 80
    assert re.findall("^([A-Z][a-z, ]+):$", shown, re.M) == ["Options", *COMMANDS]
    for name in TREE["bot"].commands:
        assert len(re.findall(rf"^  {name} ", shown, re.M)) == 1, name


COMPLETED = {
    "bot str": "streak",
    "bot play --st": "--stil-id",
    "bot play --engine perf": "perfect",
    "bot match perfect tommy-ab": "tommy-ab",
}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_options_and_the_names_of_agents(shell, cli):
    for words, completed in COMPLETED.items():
        asked = {"_BOT_COMPLETE": f"complete_{shell}", "COMP_WORDS": words, "_TYPER_COMPLETE_ARGS": words}
        asked |= {"COMP_CWORD": str(words.count(" ")), "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        shown = cli("", **asked).stdout
        assert completed in shown and "doctor" not in shown and "mtdf" not in shown


def test_every_option_of_an_agents_name_is_explained(cli):
    for family in families():
        shown = words_of(cli(f"agents {family.name}").stdout)
        for name, option in family.options.items():
            assert option.about and f"{name}= {option.about}. {option.hint}" in shown
    assert cli("agents nobody").returncode == 2

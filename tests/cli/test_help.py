"""Every command, argument and option has help, and the README's table of commands lists exactly what there is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from bot.cli.app import app

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def commands(group: Any, path: tuple[str, ...] = ("bot",)) -> Iterator[tuple[str, Any]]:
    """Every command and group below ``group``, with itself, by the words that call it."""
    yield " ".join(path), group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


TREE = dict(commands(typer.main.get_command(app)))
LEAVES = {words: command for words, command in TREE.items() if not hasattr(command, "commands") or words == "bot"}


def parameters(command: Any) -> list[str]:
    """Options by their long names, arguments in capitals."""
    return [
        max(parameter.opts, key=len) if parameter.param_type_name == "option" else parameter.name.upper()
        for parameter in command.params
    ]


def row(words: str, command: Any) -> str:
    """The command's row in the README's table."""
    listed = ", ".join(f"`{name}`" for name in parameters(command)) or "none"
    return f"| `{words}` | {listed} |"


def test_there_are_commands_to_check() -> None:
    assert {"bot play", "bot serve", "bot doctor", "bot web", "bot book build"} <= set(LEAVES)


@pytest.mark.parametrize("words", TREE)
def test_the_command_and_all_its_parameters_have_help(words: str) -> None:
    command = TREE[words]
    assert command.help and len(command.help.split()) >= 3, f"{words} lacks help"
    bare = [name for name, entry in zip(parameters(command), command.params, strict=True) if not entry.help]
    assert not bare, f"{words} lacks help for {bare}"


def words_of(text: str) -> str:
    return " ".join(text.replace("\b", " ").split())


@pytest.mark.parametrize("words", TREE)
def test_what_is_printed_holds_all_of_the_help(words: str) -> None:
    """Markup that swallows brackets, or a list of commands that cuts sentences off, would lose some of it."""
    done = CliRunner().invoke(app, [*words.split()[1:], "--help"], prog_name="bot")
    assert done.exit_code == 0
    shown, command = words_of(done.output), TREE[words]
    assert words_of(command.help) in shown
    for parameter in command.params:
        assert words_of(parameter.help) in shown
    for below in getattr(command, "commands", {}).values():
        assert words_of(below.get_short_help_str(500)).removesuffix(".") in shown
        assert "..." not in below.get_short_help_str(500)


@pytest.mark.parametrize("words", LEAVES)
def test_the_readme_lists_the_command_with_all_its_parameters(words: str) -> None:
    expected = row(words, LEAVES[words])
    assert expected in README, f"README's table of commands lacks this row:\n{expected}"


def test_the_readme_lists_no_command_that_is_gone() -> None:
    listed = re.findall(r"^\| `(bot[a-z ]*)` \|", README, flags=re.MULTILINE)
    assert sorted(listed) == sorted(LEAVES)


def test_the_readme_says_no_option_that_is_gone() -> None:
    options = [parameter for command in TREE.values() for parameter in command.params]
    known = {name for parameter in options for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"--help", "--install-completion", "--show-completion"}
    known |= {"--api-key-file"}  # read in bot.__main__, before the parser
    said = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", README))
    assert said <= known, f"the README speaks of {said - known}"


def complete(words: str, shell: str) -> str:
    """What the shell is offered after ``words``."""
    done = subprocess.run(
        [sys.executable, "-m", "bot"],
        env={
            **os.environ,
            "_BOT_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
            "_TYPER_COMPLETE_ARGS": words,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_options(shell: str) -> None:
    assert "streak" in complete("bot str", shell)
    assert "play" not in complete("bot str", shell)
    assert "--stil-id" in complete("bot play --st", shell)
    assert "build" in complete("bot book b", shell)


def test_completion_is_shown_and_installed_for_the_users_shell(tmp_path: Path) -> None:
    env = {**os.environ, "HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}

    def run(option: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "bot", option, "bash"], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "complete -o default -F _bot_completion bot" in run("--show-completion")
    run("--install-completion")
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "_BOT_COMPLETE=complete_bash" in written
    assert ".bashrc" in {path.name for path in tmp_path.rglob("*")}


def test_the_readmes_links_and_pictures_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", README, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert any(target.startswith("#") for target in targets)
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif "://" not in target:
            assert (ROOT / target).exists(), target

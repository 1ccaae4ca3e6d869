"""Every command has help and examples, agents complete in the shell, and the documents list exactly what there is."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.app import COMMANDS, app
from tests.cli.commands import LEAVES, TREE, examples, parameters, words_of
from tests.processes import bot

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CLI_README = (ROOT / "bot" / "cli" / "README.md").read_text(encoding="utf-8")


def test_there_are_commands_to_check() -> None:
    assert {"bot play", "bot serve", "bot doctor", "bot web", "bot book build"} <= set(LEAVES)


@pytest.mark.parametrize("words", TREE)
def test_the_command_and_all_its_parameters_have_help(words: str) -> None:
    command = TREE[words]
    assert command.help and len(command.help.split()) >= 3, f"{words} lacks help"
    bare = [name for name, entry in zip(parameters(command), command.params, strict=True) if not entry.help]
    assert not bare, f"{words} lacks help for {bare}"


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
def test_every_command_has_examples_that_the_parser_accepts(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("positions.txt").touch()  # the parser opens it
    lines = examples(LEAVES[words])
    assert lines, f"{words} has no examples"
    for line in lines:
        arguments = shlex.split(re.split(r"\s{2,}", line)[0])[1:]
        group, command = "bot", TREE["bot"]
        while arguments and arguments[0] in getattr(command, "commands", {}):
            group, command = f"{group} {arguments[0]}", command.commands[arguments.pop(0)]
        command.make_context(group, arguments)  # raises where an option or a value is wrong


@pytest.mark.parametrize("words", LEAVES)
def test_values_are_named_in_the_users_words(words: str) -> None:
    for parameter in LEAVES[words].params:
        if not getattr(parameter, "is_flag", False) and parameter.name not in ("install_completion", "show_completion"):
            assert parameter.metavar, f"{words} {parameter.name} shows its Python type"


def test_commands_are_listed_under_headings() -> None:
    shown = CliRunner().invoke(app, ["--help"], prog_name="bot").output
    headings = [line.removesuffix(":") for line in shown.splitlines() if re.fullmatch("[A-Z][a-z ]+:", line)]
    assert headings == ["Options", *COMMANDS]
    for name in TREE["bot"].commands:
        assert len(re.findall(rf"^  {name} ", shown, flags=re.MULTILINE)) == 1, name


@pytest.mark.parametrize("text", [README, CLI_README], ids=["README.md", "bot/cli/README.md"])
def test_the_documents_say_no_option_that_is_gone(text: str) -> None:
    options = [parameter for command in TREE.values() for parameter in command.params]
    known = {name for parameter in options for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"--help", "--install-completion", "--show-completion"}
    said = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert said <= known, f"the document mentions {said - known}"


def test_the_rooms_readme_lists_every_command_with_its_sentence() -> None:
    listed = dict(re.findall(r"^\| `(bot [a-z ]+)` \| (.+) \|$", CLI_README, flags=re.MULTILINE))
    sentences = {
        words: words_of(command.help.partition("\n")[0]) for words, command in LEAVES.items() if words != "bot"
    }
    assert listed == sentences


@pytest.mark.parametrize("words", LEAVES)
def test_every_help_with_json_says_how_columns_are_numbered(words: str) -> None:
    for parameter in LEAVES[words].params:
        if "--json" in parameter.opts or parameter.name == "form":
            assert "1 to 7" in parameter.help


def completion(words: str, shell: str) -> dict[str, str]:
    """Return the variables by which a shell asks what may follow ``words``."""
    return {
        "_BOT_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
        "_TYPER_COMPLETE_ARGS": words,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }


def complete(words: str, shell: str) -> str:
    """Return what the shell offers after ``words``."""
    return CliRunner().invoke(app, [], prog_name="bot", env=completion(words, shell)).output


def test_the_command_itself_completes_for_a_shell(tmp_path: Path) -> None:
    assert "streak" in bot(cwd=tmp_path, **completion("bot str", "bash")).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_options(shell: str) -> None:
    assert "streak" in complete("bot str", shell)
    assert "play" not in complete("bot str", shell)
    assert "--stil-id" in complete("bot play --st", shell)
    assert "build" in complete("bot book b", shell)


@pytest.mark.parametrize("words", ["bot play --engine ", "bot serve --opponent ", "bot move ", "bot match perfect "])
def test_shells_complete_the_names_of_agents(words: str) -> None:
    assert {"perfect", "mtdf", "depth3"} <= set(complete(words, "bash").split())
    assert complete(f"{words}perf", "bash").split() == ["perfect"]
    assert "tommy" in complete(f"{words}tom", "zsh") and "perfect" not in complete(f"{words}tom", "zsh")


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
    assert targets
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif "://" not in target:
            assert (ROOT / target).exists(), target

"""Write `bot/cli/README.md` from the help texts: python -m tests.cli.write_readme.

`tests/cli/test_help.py` fails when the file differs from what this program writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.cli.help import GROUPS
from tests.cli.commands import LEAVES, TREE, parameter_name

ROOT = Path(__file__).parents[2]
README = ROOT / "bot" / "cli" / "README.md"

HEAD = """\
# The command line

One file per command: parsing, printing and exit codes. What a command does is in the other rooms. This file is written
by `python -m tests.cli.write_readme` from the help texts; `tests/cli/test_help.py` fails when it differs.

| file | what it holds |
|---|---|
{files}

## Rules

- Columns are numbered 1 to 7 from the left in everything that is printed. Input takes 1-7 and a-g.
- A score is for the side to move. Distances are counted in moves of the winner: "wins in 21 moves".
- Results go to standard output, progress, notes and errors to standard error. `--json` prints one object (or one per
  position, or a list where the help says so) on standard output. The account of a run that `play` gives is its result:
  without `--json` all of it, notes included, goes to standard output, with `--json` to standard error.
- An error is one line on standard error: what happened, and what to do next. `-v` anywhere shows the traceback before
  it; the exit code stays the same. The parser's own errors (an unknown option, a value that is no number) are typer's:
  the usage, a reference to `--help` and a line that begins with "Error:", with exit code 2.
- A wait of more than 2 s shows what is done and the elapsed time: a live line or bar on a terminal, elsewhere a line
  after 2, 4, 8, ... seconds. `bot bench` draws only between measurements, so that drawing disturbs none.
- Ctrl-C ends every command within 0.3 s with exit code 130, also while the engine is compiled or a position is solved.
  `analyse` first shows the bounds proven so far, `simulate` the games played so far; `play` keeps its game, and the
  same command resumes it. In a program that a shell started with `&`, Ctrl-C is ignored, as the shell asked.
  `interrupt.py` explains how.
- A closed pipe (`bot replay | head`) is no error: exit code 0; on a full disk a command ends with exit code 2. In both
  cases `play` plays all its games, says so at its end, and has the exit code of its result. A standard stream that the
  caller closed counts as the null device, and what cannot be written to standard error is left out.
- A character that a stream's encoding lacks ends no command. Nothing is drawn anew where the output
  is no terminal, or `TERM` is `dumb`; `FORCE_COLOR` does not change that.
- Settings come from options, then the environment (`BOT_SERVER`, `BOT_STIL_ID`, `BOT_API_KEY`), then `bot.toml`, which
  `bot init` writes. `--api-key-file FILE` works with every command and keeps the key
  out of the process list; `-` reads it from standard input.

## Ctrl-C, measured

Time from SIGINT to the end of the process, 4 s after its start, in seconds; `python -m tests.cli.measure_interrupts 4`
on two cores that were busy with other work (load average 8):

| command | seconds |
|---|---|
| `analyse 44 --no-book`, compiling | 0.04 |
| `play`, compiling | 0.08 |
| `match tommy-ab:4 perfect`, compiling | 0.12 |
| `analyse 44 --no-book`, with one and two threads | 0.03, 0.04 |
| `move tommy-ab:16 44` | 0.05 |
| `play --engine mtdf --think 4` | 0.08 |
| `match`, `tournament`, with two processes | 0.10, 0.06 |
| `experiment run all --workers 2` | 0.11 |
| `book build --workers 2`, `book check` | 0.23, 0.06 |
| `proof build` | 0.06 |
| `bench solver`, `bench engine` | 0.27, 0.11 |
| `doctor --compile` | 0.32 |
| `simulate`, `soak` | 0.17, 0.23 |
| `serve`, `web` | 0.18, 0.21 |

## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | a bug, or something checked is wrong (`book check`, `proof check`, `bench`) |
| 2 | usage: an option, a file, a position, a taken port or the settings |
| 3 | network: the server cannot be reached |
| 4 | protocol: the server answered outside the protocol; a journal has problems (`replay`) |
| 5 | the goal is missed (`streak`, `play`: see its help), or a test failed (`simulate`, `soak`) |
| 130 | ended by Ctrl-C |

## Completion

`bot --install-completion` installs completion for the current shell (bash, zsh, fish, PowerShell). It completes
commands, options, the names of agents wherever a command takes one, and the names of experiments.

## All commands and options

| command | arguments and options |
|---|---|
{rows}
"""


def readme() -> str:
    """Return the whole file."""
    text = HEAD.format(files=_files(), rows="\n".join(row(words, command) for words, command in LEAVES.items()))
    for group in GROUPS:
        text += f"\n## {group}\n"
        for words, command in LEAVES.items():
            if _group_of(words) == group:
                text += f"\n{section(words, command)}"
    return text


def _files() -> str:
    """Return the table of this room's files, from their docstrings."""
    rows = []
    for path in sorted((ROOT / "bot" / "cli").glob("*.py")):
        first = path.read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0].partition("\n")[0]
        if path.name != "__init__.py":
            rows.append(f"| `{path.name}` | {first.removesuffix('.')} |")
    return "\n".join(rows)


def _group_of(words: str) -> str | None:
    parts = words.split()
    return None if len(parts) < 2 else getattr(TREE[f"bot {parts[1]}"], "rich_help_panel", None)


def row(words: str, command: Any) -> str:
    """Return the command's row in the table of commands."""
    listed = ", ".join(f"`{parameter_name(parameter)}`" for parameter in command.params) or "none"
    return f"| `{words}` | {listed} |"


def section(words: str, command: Any) -> str:
    """Return the command's section: help, examples, arguments and options."""
    lines = [f"### {words}", ""]
    for paragraph in command.help.split("\n\n"):
        if paragraph.lstrip().startswith("\b"):
            verbatim = [line for line in paragraph.replace("\b", "").split("\n") if line.strip()]
            if verbatim[0].strip() == "Examples:":
                verbatim = [line.removeprefix("  ") for line in verbatim[1:]]
            lines += ["```", *verbatim, "```", ""]
        else:
            lines += [" ".join(_escaped(paragraph).split()), ""]
    if command.params:
        lines += ["| parameter | what it does | default |", "|---|---|---|"]
        lines += [_parameter(parameter) for parameter in command.params]
    return "\n".join(lines).rstrip() + "\n"


def _parameter(parameter: Any) -> str:
    name = parameter_name(parameter)
    is_flag = getattr(parameter, "is_flag", False)
    value = f" {parameter.metavar}" if parameter.param_type_name == "option" and not is_flag else ""
    default = parameter.default
    shown = "" if default is None or default is False or default == "" else f"`{default}`"
    return f"| `{name}{value}` | {_escaped(parameter.help)} | {shown} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
    print(f"wrote {README.relative_to(ROOT)}")

"""`bot doctor`: is everything in order on this machine?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from typer import Exit, colors, echo, style

from bot.cli.formatting import counted, print_json
from bot.cli.options import AsJson, KeyFile, Logs, Server, StilId

if TYPE_CHECKING:
    from bot.cli.checks import CheckResult


def doctor(
    server: Server = None,
    stil_id: StilId = None,
    key_file: KeyFile = None,
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
) -> None:
    """Check this machine: Python, packages, engine, speed, book, journals and server, each with a next step.

    Nothing is changed and no move is sent: a server is only asked for its statistics. --json prints a list of objects.

    Exit code 0: no errors; otherwise that of the first error.

    \b
    Examples:
      bot doctor                                   this machine
      bot doctor --stil-id ab1234cd-s              and the course's server
    """
    from bot.cli.checks import Level, examine
    from bot.cli.progress import progress
    from bot.config import read_key

    found: list[CheckResult] = []
    results = examine(server, stil_id or (), read_key(key_file), logs)
    with progress("Checking") as line:
        for result in results:
            found.append(result)
            line.advance()
            if not as_json:
                line.clear()
                _show(result)
    if as_json:
        print_json([result.as_json() for result in found])
    wrong = [result for result in found if result.level is Level.ERROR]
    if not as_json:
        warnings = sum(result.level is Level.WARNING for result in found)
        echo(f"{counted(len(wrong), 'error', 'no')}, {counted(warnings, 'warning', 'no')}.")
    if wrong:
        raise Exit(wrong[0].exit_code)


def _show(result: CheckResult) -> None:
    colour = {"ok": colors.GREEN, "warning": colors.YELLOW, "error": colors.RED}
    level = result.level.value
    echo(f"{style(f'{level:8}', fg=colour[level])} {result.name:11} {result.text}")
    if result.next_step:
        echo(f"{'':20} -> {result.next_step}")

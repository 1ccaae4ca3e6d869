"""What a check found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from bot.errors import BotError, ExitCode


class Level(str, Enum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    """It works, but not as well as it could."""
    ERROR = "error"
    """Something that the bot is for does not work."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the examination."""

    name: str
    level: Level
    text: str
    next_step: str = ""
    """What to do, in one sentence; empty where there is nothing to do."""
    exit_code: ExitCode = ExitCode.DONE
    """What the process says when this is the first error."""

    def as_json(self) -> dict[str, str]:
        """The object of --json."""
        return {"name": self.name, "state": self.level.value, "text": self.text, "next": self.next_step}


def ok(name: str, text: str) -> CheckResult:
    """All is well."""
    return CheckResult(name, Level.OK, text)


def warning(name: str, text: str, next_step: str) -> CheckResult:
    """It works, but."""
    return CheckResult(name, Level.WARNING, text, next_step)


def error(name: str, text: str, next_step: str, exit_code: ExitCode = ExitCode.USAGE) -> CheckResult:
    """It does not work."""
    return CheckResult(name, Level.ERROR, text, next_step, exit_code)


def guarded(name: str, check: Callable[[], Iterator[CheckResult]]) -> Iterator[CheckResult]:
    """The results of ``check``; where it fails itself, that is the result: one broken thing hides no other."""
    try:
        yield from check()
    except BotError as problem:
        yield error(name, problem.message, problem.hint or "Run the command that needs it with -v.", problem.exit_code)
    except Exception as problem:
        text = f"This check failed itself: {type(problem).__name__}: {problem}."
        yield error(name, text, "Install the package and what it needs again, or report this line.", ExitCode.BUG)

"""The result of a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from bot.cli.output import refused_by_system
from bot.errors import BotError, ExitCode


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the report."""

    name: str
    state: Literal["ok", "warning", "error"]
    """A warning: it works, with a drawback. An error: a function of the bot does not work."""
    text: str
    next_step: str = ""
    """What to do, in one sentence; empty if nothing needs to be done."""
    exit_code: ExitCode = ExitCode.DONE
    """Exit code of the process when this is the first error."""

    def as_json(self) -> dict[str, str]:
        """Return the object of --json."""
        return {"name": self.name, "state": self.state, "text": self.text, "next": self.next_step}


def ok(name: str, text: str) -> CheckResult:
    """Return a result without problems."""
    return CheckResult(name, "ok", text)


def warning(name: str, text: str, next_step: str) -> CheckResult:
    """Return a result with a drawback and what to do about it."""
    return CheckResult(name, "warning", text, next_step)


def error(name: str, text: str, next_step: str, exit_code: ExitCode = ExitCode.USAGE) -> CheckResult:
    """Return a result with an error and what to do about it."""
    return CheckResult(name, "error", text, next_step, exit_code)


def guarded(name: str, check: Callable[..., Iterator[CheckResult]], *given: Any) -> Iterator[CheckResult]:
    """Yield the results of a check of ``given``. If it raises, yield an error, so that the other checks still run."""
    try:
        yield from check(*given)
    except BotError as problem:
        yield error(name, problem.message, problem.hint or "Run the command that needs it with -v.", problem.exit_code)
    except Exception as problem:
        if text := refused_by_system(problem):
            yield error(name, text, "Mend that, and run the doctor again.")
            return
        text = f"The check itself failed: {type(problem).__name__}: {problem}."
        yield error(name, text, "Install the package and what it needs again, or report this line.", ExitCode.BUG)

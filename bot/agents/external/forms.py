"""The forms in which a foreign function is given the board, and the agent that asks such a function.

Courses pass a numpy array, a list of lists or an environment, Kaggle two objects. Which one a function takes is tried
out once.
"""

from __future__ import annotations

import inspect
import operator
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from bot.agents.external import protocol
from bot.agents.external.loading import FROM_OUTSIDE, line_of, stand_in, told
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import AgentError, UsageError
from bot.game import Board
from bot.game.board import COLUMNS, ROWS


@dataclass(frozen=True)
class Form:
    """A form of the board."""

    parameters: str
    code: str
    """Expression for the leftmost column with room."""
    passed: str
    """What a function is given, for a sentence."""


FORMS = {
    "array": Form("array", "(array[0] == 0).argmax()", "the course's board, a numpy array"),
    "grid": Form("grid", "grid[0].index(0)", "the board as a list of rows"),
    "board": Form("board", "board.legal_columns()[0]", "a bot.Board"),
    "env": Form("env", "min(env.available_moves())", "the course's environment"),
    "module": Form("", "min(env.available_moves())", "no argument, and its file's own environment is set"),
    "kaggle": Form("observation, configuration", "observation.board.index(0)", "Kaggle's observation"),
}
_TRIED = ("array", "grid", "board", "env")
"""Forms that are tried for any parameter, in this order."""
_ANNOTATED = {"env": "env", "array": "array", "list": "grid", "sequence": "grid", "board": "board"}
"""What a parameter's annotation says about its form; the first word that occurs counts."""
_NAMED = {"env": "env", "game": "env", "grid": "grid", "matrix": "grid", "list": "grid", "obs": "kaggle"}
_NAMED |= {"array": "array", "state": "array", "board": "array"}
"""What its name says."""
_LATER = _NAMED | {"limit": "limit"}
"""What a later parameter gets, by its name."""
_TRIALS = tuple(map(Board.from_moves, ("4453", "111111444444777777", "1714567651244732111222425445777535")))
"""Positions of the trial: an open one, one with full columns, and one with two columns left."""
_TRIAL_S = 1.0
"""Time after which a trial asks no more, seconds; in the first position there is no limit."""
KAGGLE_S = 2.0
"""Kaggle's time limit of a move, seconds."""


class FunctionAgent(Agent):
    """An agent that asks a function, which gets a new object of its form each time."""

    def __init__(self, function: Callable[..., object], name: str, module: str) -> None:
        """Find the form by a trial; raise UsageError if the function cannot be an agent."""
        self.name = name
        self._function = function
        self._module = module
        if inspect.iscoroutinefunction(function):
            raise UsageError(f"`{name}` is an async function, which returns no column when called.", "Write `def`.")
        try:
            parameters = [*inspect.signature(function).parameters.values()]
        except (TypeError, ValueError):
            message = f"`{name}` does not take the arguments that it is given, or is no function written in Python."
            raise UsageError(message, example(name)) from None
        loaded = stand_in()  # a trial loads what the function may have no use for
        self._environment = _environment_of(module)
        self._is_for_course = self._environment is not None
        later = parameters[1:]
        self._later = {each.name: _LATER[each.name] for each in later if each.name in _LATER}
        self._takes_configuration = bool(later) and later[0].name not in self._later
        missing = [each.name for each in later if _is_needed(each) and each.name not in self._later]
        candidates = self._candidates(parameters, missing)
        if missing and ("kaggle" not in candidates or missing[1:]):
            raise self._needs_more(missing)
        failure = self._find_form(candidates)
        if failure is not None and missing and _said(parameters[0]) != "kaggle":
            raise self._needs_more(missing)
        if failure is not None:
            is_other = isinstance(failure.__cause__, FROM_OUTSIDE)
            raise UsageError(failure.message, "" if is_other else example(name, candidates[0]))
        if "env" in (self._form, *self._later.values()):
            loaded = stand_in()
        self.note = f"`{name}` gets {FORMS[self._form].passed}. {loaded}".strip()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:  # noqa: ARG002
        """Return what the function chose; raise AgentError where it fails or returns no legal column."""
        arguments, named = self._given(board, limit)
        seen = (*arguments, self._environment)[0]
        before = _cells(seen)
        start = time.perf_counter()
        try:
            found = self._function(*arguments, **named)
        except (Exception, SystemExit) as error:  # foreign code may raise anything
            raise AgentError(f"`{self.name}` raised {told(error, self._module)}.") from error
        decision = decision_of(found, board, f"`{self.name}`", time.perf_counter() - start)
        return replace(decision, changed=_cells(seen) != before)

    def _given(self, board: Board, limit: Limit) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments for a position, in which the file's own environment is then, too."""
        if self._environment is None and "env" in (self._form, *self._later.values()):
            self._environment = _new_environment()
        if self._environment is not None:
            self._environment.reset(board=self._as("array", board, limit))
        if self._form == "module":
            arguments = []
        elif self._form == "kaggle":
            arguments = _of_kaggle(board, limit)[: 1 + self._takes_configuration]
        else:
            arguments = [self._as(self._form, board, limit)]
        return arguments, {name: self._as(form, board, limit) for name, form in self._later.items()}

    def _as(self, form: str, board: Board, limit: Limit) -> Any:
        """Return what one parameter gets."""
        if form == "array":
            import numpy as np

            return np.array(board.to_grid())
        return {"grid": board.to_grid(), "env": self._environment, "limit": limit}.get(form, board)

    def _candidates(self, parameters: list[inspect.Parameter], missing: list[str]) -> list[str]:
        """Return the forms to try, the one that the first parameter's annotation or name says before the others."""
        if not parameters:
            if self._environment is None:
                message = f"`{self.name}` takes no argument, and its file has no environment that it could look at."
                raise UsageError(message, example(self.name))
            return ["module"]
        if missing == [each.name for each in parameters[1:2]] != []:
            return ["kaggle"]
        said = _said(parameters[0])
        if not said and self._environment is not None and not _is_needed(parameters[0]):
            said = "module"
        return [*dict.fromkeys(filter(None, (said, *_TRIED)))]

    def _find_form(self, candidates: list[str]) -> AgentError | None:
        """Choose the first form with which the function keeps to the rules and leaves its argument as it is.

        Where there is none, it is the one with the most legal moves. The rows of an array are views: a function that
        copies them like those of a list changes the array, which is no reason against it in a file for the course.

        Where no form leads to a legal move, return how the function failed with the one in which it reached furthest.
        """
        best: tuple[float, float] = (0, -1)
        chosen, failure = "", None
        for form in candidates:
            self._form = form
            merit, failed = self._tried()
            if merit > best:
                best, chosen, failure = merit, form, failed
            if best == (len(_TRIALS), True):
                break
        self._form = chosen
        return failure

    def _tried(self) -> tuple[tuple[float, float], AgentError | None]:
        """Return in how many positions of the trial the form leads to a legal move, and whether none was changed.

        Without a legal move in the first one, it is 0, the line where the function failed, and how.
        """
        legal, is_clean = 0, True
        end = time.monotonic() + _TRIAL_S
        for board in _TRIALS:
            try:
                _set_alarm(_TRIAL_S * (legal > 0))
                decision = self.choose(board, Limit(hard_s=1.0, think_s=0.1))
            except AgentError as failure:
                if not legal:  # in a wrong form it fails early; a returned value is beyond any line
                    cause = failure.__cause__
                    return (0, inf if cause is None else line_of(cause, self._module)), failure
                continue
            except KeyboardInterrupt:
                end = 0.0
            else:
                legal += 1
                is_clean &= not decision.changed or self._is_for_course
            finally:
                _set_alarm(0)
            if time.monotonic() > end:
                return (len(_TRIALS), is_clean), None
        return (legal, is_clean), None

    def _needs_more(self, missing: list[str]) -> UsageError:
        needed = " and ".join(f"`{name}`" for name in missing)
        message = f"`{self.name}` needs {needed}; it is given the board and, if it asks for it, `limit`."
        given = "".join(f",{name}={4 if 'depth' in name else 1}" for name in missing)
        return UsageError(message, f"Give values after the name, for instance: {self.name}{given}.")


def example(name: str, form: str = "env") -> str:
    """Return the hint that shows a working function."""
    return f"Write, for instance: `def {name}({FORMS[form].parameters}): return {FORMS[form].code}`."


def decision_of(found: object, board: Board, what: str, seconds: float) -> Decision:
    """Return what an agent returned, a column or a decision, as a decision.

    Raises AgentError, which names the agent as ``what``, for anything but a legal column.
    """
    column: Any = found.column if isinstance(found, Decision) else found
    try:
        number = operator.index(column)
    except TypeError:
        number = -1
    if problem := protocol.problem_of(number, board, first=0):
        raise AgentError(f"{what} returned {protocol.quoted(column)}, which {problem}.")
    if isinstance(found, Decision):
        return replace(found, column=number)
    return Decision(number, seconds=seconds, source="external")


def _is_needed(parameter: inspect.Parameter) -> bool:
    is_open = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not is_open


def _said(parameter: inspect.Parameter) -> str:
    """Return the form that a parameter's annotation or name says; nothing if neither does."""
    for text, words in ((str(parameter.annotation), _ANNOTATED), (parameter.name, _NAMED)):
        for word, form in words.items():
            if word in text.lower():
                return form
    return ""


def _environment_of(module: str) -> Any:
    """Return the course's environment that a module has made, None if there is none."""
    for value in [*getattr(sys.modules.get(module), "__dict__", {}).values()]:
        if not isinstance(value, type) and hasattr(value, "available_moves") and hasattr(value, "change_player"):
            with suppress(Exception):  # it may be an environment of its author's
                return _begun(value)
    return None


def _begun(environment: Any) -> Any:
    """Return an environment in which a disc has been put: gym checks the first one, which takes its time."""
    environment.reset(board=None)
    environment.step(0)
    return environment


def _new_environment() -> Any:
    from bot.agents.external import course_env

    with suppress(ImportError):
        __import__("gym")  # which may be provided now
    return _begun(sys.modules.get("gym", course_env).make(course_env.NAME))


class Fields(dict[str, Any]):
    """A dictionary whose items are attributes, too, as Kaggle's objects."""

    def __init__(self, **items: Any) -> None:
        super().__init__(items)
        self.__dict__.update(items)


def _of_kaggle(board: Board, limit: Limit) -> list[Any]:
    """Return Kaggle's observation and configuration."""
    second = board.ply % 2
    cells = [cell % 3 for row in board.to_grid(1 - 2 * second) for cell in row]  # -1, the second player's, becomes 2
    limit_s = min(limit.hard_s, KAGGLE_S)
    return [
        Fields(board=cells, mark=1 + second, step=board.ply, remainingOverageTime=60),
        Fields(rows=ROWS, columns=COLUMNS, inarow=4, timeout=limit_s, actTimeout=limit_s),
    ]


def _cells(given: Any) -> str:
    """Return the board of an object of any form in words that can be compared."""
    return str(getattr(given, "board", given))


def _set_alarm(seconds: float) -> None:
    """Raise KeyboardInterrupt after that time where the system can; 0 takes it back."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, seconds)

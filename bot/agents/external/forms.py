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
from bot.agents.external.loading import line_of, told
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
_TRIALS = tuple(map(Board.from_moves, ("4453", "111111444444777777", "1714567651244732111222425445777535")))
"""Positions of the trial: an open one, one with full columns, and one with two columns left."""
_TRIAL_S = 1.0
"""Time after which a trial asks no more, seconds; in the first position there is no limit."""
KAGGLE_S = 2.0
"""Kaggle's time limit of a move, seconds."""


class FunctionAgent(Agent):
    """An agent that asks a function, which gets a new object of its form each time."""

    def __init__(self, function: Callable[..., object], name: str, module: str, form: str = "") -> None:
        """Find the form by a trial unless ``form`` says it; raise UsageError if the function cannot be an agent."""
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
        self._environment = _environment_of(module)
        self._is_for_course = self._environment is not None
        self._more = {each.name: _NAMED[each.name] for each in parameters[1:] if each.name in _NAMED}
        self._takes_limit = "limit" in [each.name for each in parameters[1:]]
        self._missing = [each.name for each in parameters[1:] if _is_needed(each) and each.name not in self._more]
        candidates = [form] if form else self._candidates(parameters)
        self._hint = example(name, candidates[0])
        self._is_kaggles = bool(parameters) and _said(parameters[0]) == "kaggle"
        if self._missing and ("kaggle" not in candidates or self._missing[1:]):
            raise self._needs_more()
        self._takes_configuration = len(parameters) > 1 and parameters[1].name not in self._more
        self._form = form or self._found_form(candidates)
        self.note = f"`{name}` gets {FORMS[self._form].passed}."
        self._given(self._form, _TRIALS[0], Limit())  # numpy may be loaded, which is seeded later

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:  # noqa: ARG002
        """Return what the function chose; raise AgentError where it fails or returns no legal column."""
        return self._asked(self._form, board, limit)

    def _asked(self, form: str, board: Board, limit: Limit) -> Decision:
        arguments, named = self._given(form, board, limit)
        seen = (*arguments, self._environment)[0]
        before = _cells(seen)
        start = time.perf_counter()
        try:
            found = self._function(*arguments, **named)
        except (Exception, SystemExit) as error:  # foreign code may raise anything
            raise AgentError(f"`{self.name}` raised {told(error, self._module)}.") from error
        decision = decision_of(found, board, f"`{self.name}`", time.perf_counter() - start)
        return replace(decision, changed=_cells(seen) != before)

    def _given(self, form: str, board: Board, limit: Limit) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments for a position, in which the file's own environment is then, too."""
        forms = {form, *self._more.values()}
        if self._environment is None and "env" in forms:
            self._environment = _new_environment()
        if self._environment is not None:
            self._environment.reset(board=_as("array", board))
        if form == "module":
            arguments = []
        elif form == "kaggle":
            arguments = _of_kaggle(board, limit)[: 1 + self._takes_configuration]
        else:
            arguments = [self._object(form, board)]
        named = {name: self._object(each, board) for name, each in self._more.items()}
        return arguments, named | {"limit": limit} if self._takes_limit else named

    def _object(self, form: str, board: Board) -> Any:
        return self._environment if form == "env" else _as(form, board)

    def _candidates(self, parameters: list[inspect.Parameter]) -> list[str]:
        """Return the forms to try, the one that the first parameter's annotation or name says before the others."""
        if not parameters:
            if self._environment is None:
                message = f"`{self.name}` takes no argument, and its file has no environment that it could look at."
                raise UsageError(message, example(self.name))
            return ["module"]
        if self._missing == [each.name for each in parameters[1:2]] != []:
            return ["kaggle"]
        said = _said(parameters[0])
        if not said and self._environment is not None and not _is_needed(parameters[0]):
            said = "module"
        return [*dict.fromkeys(filter(None, (said, *_TRIED)))]

    def _found_form(self, candidates: list[str]) -> str:
        """Return the first form with which the function keeps to the rules and leaves its argument as it is.

        Where there is none, it is the one with the most legal moves. The rows of an array are views: a function that
        copies them like those of a list changes the array, which is no reason against it in a file for the course.
        """
        failures: list[AgentError] = []
        best, most = "", (0, True)
        for form in candidates:
            found = self._tried(form, failures)
            if found > most:
                best, most = form, found
            if most == (len(_TRIALS), True):
                break
        if best:
            return best
        if self._missing and not self._is_kaggles:
            raise self._needs_more()
        raise UsageError(max(failures, key=self._reach).message, self._hint)

    def _tried(self, form: str, failures: list[AgentError]) -> tuple[int, bool]:
        """Return in how many positions of the trial a form leads to a legal move, and whether none was changed."""
        legal, is_clean = 0, True
        end = time.monotonic() + _TRIAL_S
        for board in _TRIALS:
            try:
                _set_alarm(_TRIAL_S * (legal > 0))
                decision = self._asked(form, board, Limit(hard_s=1.0, think_s=0.1))
            except AgentError as error:
                failures.append(error)
                if not legal:
                    break
                continue
            except KeyboardInterrupt:
                end = 0.0
            else:
                legal += 1
                is_clean &= not decision.changed or self._is_for_course
            finally:
                _set_alarm(0)
            if time.monotonic() > end:
                return len(_TRIALS), is_clean
        return legal, is_clean

    def _needs_more(self) -> UsageError:
        needed = " and ".join(f"`{name}`" for name in self._missing)
        message = f"`{self.name}` needs {needed}; it is given the board and, if it asks for it, `limit`."
        given = "".join(f",{name}=4" for name in self._missing)
        return UsageError(message, f"Give values after the name, for instance: {self.name}{given}.")

    def _reach(self, failure: AgentError) -> float:
        """Return the line where the function failed: in a wrong form it fails early. A returned value is beyond it."""
        return inf if failure.__cause__ is None else line_of(failure.__cause__, self._module)


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
        return found if type(column) is int else replace(found, column=number)
    return Decision(number, seconds=seconds, source="external")


def _is_needed(parameter: inspect.Parameter) -> bool:
    is_open = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not is_open and parameter.name != "limit"


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


def _as(form: str, board: Board) -> Any:
    """Return a new object of a form that needs no environment."""
    if form == "board":
        return board
    grid = board.to_grid()
    if form == "grid":
        return grid
    import numpy as np

    return np.array(grid)


class Fields(dict[str, Any]):
    """A dictionary whose items are attributes, too, as Kaggle's objects."""

    def __init__(self, **items: Any) -> None:
        super().__init__(items)
        self.__dict__.update(items)


def _of_kaggle(board: Board, limit: Limit) -> list[Any]:
    """Return Kaggle's observation and configuration."""
    mark = 1 + board.ply % 2
    codes = {0: 0, 1: mark, -1: 3 - mark}
    cells = [codes[cell] for row in board.to_grid() for cell in row]
    limit_s = min(limit.hard_s, KAGGLE_S)
    return [
        Fields(board=cells, mark=mark, step=board.ply, remainingOverageTime=60),
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

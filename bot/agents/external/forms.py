"""The forms in which a foreign function is given the board, and the agent that asks such a function.

Courses pass a list of lists, an array or an environment. Which one a function takes is tried out once.
"""

from __future__ import annotations

import inspect
import operator
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from bot.agents.external import protocol
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import AgentError, UsageError
from bot.game import Board
from bot.game.board import COLUMNS, STRIDE, has_four

FORMS = {
    "board": "board.legal_columns()[0]",
    "grid": "grid[0].index(0)",
    "array": "(array[0] == 0).argmax()",
    "env": "env.available_moves()[0]",
}
"""The forms of the board in the order of trial, each with an expression for the leftmost column with room.

They are a `bot.Board`, a list of rows, an array, and the course's environment.
"""
_WORDS = {
    "env": "env",
    "game": "env",
    "array": "array",
    "list": "grid",
    "sequence": "grid",
    "grid": "grid",
    "state": "grid",
    "matrix": "grid",
    "position": "grid",
    "board": "board",
}
"""What a parameter's annotation or name says about its form; the first word that occurs counts."""
_TRIAL = Board.from_moves("4453")
_TRIAL_LIMIT = Limit(hard_s=1.0, think_s=0.1)


class Environment:
    """The course's environment: ``board`` has the top row first, with 1 for own discs and -1 for the other side's.

    A move does not pass the turn, which `change_player` does.
    """

    def __init__(self, board: Any = None) -> None:
        self.reset(board)

    def reset(self, board: Any = None) -> Any:
        """Start from a position, by default the empty one, with player 1 to move; return a copy of the board."""
        import numpy as np

        self.board: Any = np.array(Board().to_grid() if board is None else board)
        self.player = 1
        return self.board.copy()

    def change_player(self) -> int:
        """Pass the turn to the other player and return that player, 1 or -1."""
        self.player = -self.player
        return self.player

    def is_valid_action(self, action: int) -> bool:
        """Return whether a column 0..6 has room."""
        return 0 <= action < COLUMNS and bool(self.board[0, action] == 0)

    def available_moves(self) -> list[int]:
        """Return the columns with room."""
        return [column for column in range(COLUMNS) if self.is_valid_action(column)]

    def is_win_state(self) -> bool:
        """Return whether either player has four in a row."""
        return has_four(self._discs(1)) or has_four(self._discs(-1))

    def step(self, action: int) -> tuple[Any, float, bool, dict[str, Any]]:
        """Drop a disc of the player to move; return a copy of the board, the reward, the end and no information.

        The reward is 1 for a win, 0.5 for a full board, else 0.
        """
        if not self.is_valid_action(action):
            raise ValueError(f"column {action} has no room")
        row = int((self.board[:, action] == 0).sum()) - 1
        self.board[row, action] = self.player
        has_won = self.is_win_state()
        is_full = not self.available_moves()
        return self.board.copy(), max(1.0 * has_won, 0.5 * is_full), has_won or is_full, {}

    def _discs(self, player: int) -> int:
        cells = (self.board == player).nonzero()
        return sum(1 << int(column * STRIDE + row) for row, column in zip(*cells, strict=True))


class FunctionAgent(Agent):
    """An agent that asks a function, which gets a new object of its form each time."""

    def __init__(self, function: Callable[..., object], name: str, module: str, form: str = "") -> None:
        """Find the form by a trial unless ``form`` says it; raise UsageError if the function cannot be an agent."""
        self.name = name
        self._function = function
        self._module = module
        try:
            parameters = [*inspect.signature(function).parameters.values()]
        except (TypeError, ValueError):
            message = f"`{name}` does not take the arguments that it is given, or is no function written in Python."
            raise UsageError(message, example(name)) from None
        first = _form_said_by(parameters[0]) if parameters else "env"
        self._hint = example(name, form or first)
        self._takes_limit = "limit" in [parameter.name for parameter in parameters[1:]]
        self._check(parameters)
        self._form = form or self._found_form([first, *FORMS])
        _as(self._form, _TRIAL)  # it may load numpy, and what is loaded can be seeded before a game

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:  # noqa: ARG002
        """Return what the function chose; raise AgentError where it fails or returns no legal column."""
        return self._asked(self._form, board, limit)

    def _asked(self, form: str, board: Board, limit: Limit) -> Decision:
        given = _as(form, board)
        more = {"limit": limit} if self._takes_limit else {}
        start = time.perf_counter()
        try:
            found = self._function(given, **more)
        except Exception as error:  # foreign code may raise anything
            raise AgentError(f"`{self.name}` raised {told(error, self._module)}.") from error
        decision = decision_of(found, board, f"`{self.name}`", time.perf_counter() - start)
        return replace(decision, changed=_cells(given) != _cells(_as(form, board)))

    def _check(self, parameters: list[inspect.Parameter]) -> None:
        if not parameters:
            raise UsageError(f"`{self.name}` takes no argument.", self._hint)
        for each in parameters[1:]:
            is_needed = each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
            if is_needed and each.name != "limit":
                message = f"`{self.name}` needs `{each.name}`; it is given the board and, if it asks for it, `limit`."
                raise UsageError(message, self._hint)

    def _found_form(self, candidates: list[str]) -> str:
        """Return the first form with which the function plays and leaves its argument as it is, else plays at all.

        The rows of an array are views: a function that copies them like those of a list changes the array.
        """
        playing: list[str] = []
        failures: list[AgentError] = []
        for form in dict.fromkeys(candidates):
            try:
                decision = self._asked(form, _TRIAL, _TRIAL_LIMIT)
            except AgentError as error:
                failures.append(error)
                continue
            playing.append(form)
            if not decision.changed:
                return form
        if not playing:
            raise UsageError(max(failures, key=self._reach).message, self._hint)
        return playing[0]

    def _reach(self, failure: AgentError) -> float:
        """Return the line where the function failed: in a wrong form it fails early. A returned value is beyond it."""
        if failure.__cause__ is None:
            return inf
        frame = _frame(failure.__cause__, self._module)
        return getattr(frame, "lineno", 0)


def example(name: str, form: str = "env") -> str:
    """Return the hint that shows a working function."""
    return f"Write, for instance: `def {name}({form}): return {FORMS[form]}`."


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


def told(error: BaseException, module: str) -> str:
    """Return "ValueError: no moves (mine.py, line 12)": the last line passed in the module's file, else in any."""
    frame = _frame(error, module)
    place = f" ({Path(frame.filename).name}, line {frame.lineno})" if frame else ""
    reason = "; an agent's standard input is empty, so leave out input()" if isinstance(error, EOFError) else ""
    return f"{type(error).__name__}: {error}".removesuffix(": ") + reason + place


def _frame(error: BaseException, module: str) -> traceback.FrameSummary | None:
    here = str(Path(__file__).parent)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if not each.filename.startswith((here, "<"))]
    file = getattr(sys.modules.get(module), "__file__", None)
    own = [frame for frame in frames if frame.filename == file] or frames
    return own[-1] if own else None


def _form_said_by(parameter: inspect.Parameter) -> str:
    for text in (str(parameter.annotation).lower(), parameter.name.lower()):
        for word, form in _WORDS.items():
            if word in text:
                return form
    return "board"


def _as(form: str, board: Board) -> Any:
    """Return a new object of a form."""
    if form == "board":
        return board
    grid = board.to_grid()
    if form == "grid":
        return grid
    environment = Environment(grid)
    return environment if form == "env" else environment.board


def _cells(given: Any) -> Any:
    """Return an object of any form as values that can be compared."""
    cells = getattr(given, "board", given)
    return cells.tolist() if hasattr(cells, "tolist") else cells

"""Planned lines: whole games against a known deterministic bot in which no single lost reply can cost the game.

After one lost reply the server holds one of two boards: the known one, or the one after our move and the bot's answer.
A line is safe if at every step one column loses on neither board: by the exact value, or, if that is a loss, by the
bot's known mistakes. It is found by depth-first search over our columns, the best outcomes first, and checked by
replaying every single lost reply of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.agent_types import Decision
from bot.game import CENTRE_FIRST, Board, format_moves
from bot.lab.arena.workers import run_tasks
from bot.play.prospects import DRAW
from bot.session.policy import Prospects
from bot.session.state import Session
from bot.simulation.campaign import answers_of
from bot.simulation.chooser import Policy, SimulationChooser, chooser_of
from bot.simulation.faults import FaultRates
from bot.simulation.known_bot import Game
from bot.simulation.opponents.roster import bot_called
from bot.simulation.series import Outcome, play_series
from bot.simulation.server import Answer

MOST_BOARDS = 20_000
"""Maximum number of boards that a search examines."""


@dataclass(frozen=True, slots=True)
class Step:
    """A planned move, and the column to send if its reply is lost."""

    column: int
    follow_up: int


class TooManyBoardsError(Exception):
    """The search has examined MOST_BOARDS boards."""


@dataclass(slots=True)
class Line:
    """A planned game."""

    steps: dict[Board, Step] = field(default_factory=dict)
    """Steps by the board with us to move."""
    rescue: dict[Board, int] = field(default_factory=dict)
    """Columns by the board after a lost reply, if only the bot's mistakes save the game."""


@dataclass(slots=True)
class LineSearch:
    """Searches for a safe line; boards without one are remembered."""

    game: Game
    prospects: Prospects
    line: Line = field(default_factory=Line)
    hopeless: set[Board] = field(default_factory=set)
    lost: set[Board] = field(default_factory=set)
    """Boards that are lost against this bot with every column."""
    boards: int = 0

    def is_safe(self, board: Board) -> bool:
        """Return whether a safe line begins on a board with us to move; `line` then holds it."""
        if board in self.line.steps:
            return True
        if board in self.hopeless:
            return False
        self._count()
        for column in self._ordered(board):
            following = self.game.after(board, column)
            follow_up = self._follow_up(board, column, following)
            if follow_up is not None and (not isinstance(following, Board) or self.is_safe(following)):
                self.line.steps[board] = Step(column, follow_up)
                return True
        self.hopeless.add(board)
        return False

    def _follow_up(self, board: Board, column: int, following: Board | float) -> int | None:
        """Return a column that does not lose whether or not ``column`` was processed; None if there is none."""
        if not isinstance(following, Board):
            return column if following > 0 else None  # sent again, it ends the game again
        for each in self._ordered(board):
            if self._is_saved(self.game.after(board, each)) and self._is_saved(self.game.after(following, each)):
                return each
        return None

    def _is_saved(self, board: Board | float) -> bool:
        """Return whether a game without further faults is not lost: by its value, or by the bot's mistakes."""
        if not isinstance(board, Board):
            return board > 0
        if board in self.line.rescue or max(self.prospects.prospects(board)) >= DRAW:
            return True
        if board in self.lost:
            return False
        self._count()
        for column in self._ordered(board):
            if self._is_saved(self.game.after(board, column)):
                self.line.rescue[board] = column
                return True
        self.lost.add(board)
        return False

    def _ordered(self, board: Board) -> list[int]:
        """Return our columns, the best outcomes first; lost ones only if all are lost."""
        row = self.prospects.prospects(board)
        legal = [column for column in CENTRE_FIRST if board.can_play(column)]
        legal.sort(key=lambda column: (not board.wins_with(column), -row[column]))
        return [column for column in legal if row[column] >= DRAW] or legal

    def _count(self) -> None:
        self.boards += 1
        if self.boards > MOST_BOARDS:
            raise TooManyBoardsError


@dataclass(slots=True)
class LineFollower(SimulationChooser):
    """Follows a line, also after a lost reply; decides like the policy where the line has no column."""

    line: Line = field(default_factory=Line)

    def __call__(self, session: Session, left_s: float) -> tuple[Decision, dict[str, Any]]:
        """See `bot.play.driver.Chooser`."""
        column = self._planned(session)
        if column is None:
            return SimulationChooser.__call__(self, session, left_s)
        return Decision(column, pv=(column,), source="plan"), {}

    def _planned(self, session: Session) -> int | None:
        if session.position is not None:
            board = session.position.board
            step = self.line.steps.get(board)
            return self.line.rescue.get(board) if step is None else step.column
        if session.lost_request is None:
            return None
        step = self.line.steps.get(session.lost_request.before.playing.board)
        return None if step is None else step.follow_up


@dataclass(frozen=True, slots=True)
class LineTask:
    """A whole game against a bot."""

    bot: str
    we_start: bool


@dataclass(frozen=True, slots=True)
class LineResult:
    """Whether a safe line exists, and the results of its replay."""

    task: LineTask
    boards: int
    """Number of boards that the search examined."""
    is_found: bool
    gave_up: bool
    moves: str = ""
    """The game without faults, columns 1-7."""
    replies: int = 0
    """Number of single lost replies that were replayed."""
    lost: tuple[str, ...] = ()
    """The single lost replies with which the game was lost nevertheless."""


def tasks_of(bots: Sequence[str]) -> list[LineTask]:
    """Return a game with each starter against each deterministic bot."""
    return [LineTask(bot, we_start) for bot in bots if bot_called(bot).is_deterministic for we_start in (True, False)]


def run_tasks_of(tasks: Sequence[LineTask], workers: int) -> Iterator[LineResult]:
    """Yield the results in the order of completion."""
    for _, result in run_tasks(find, tasks, workers=workers):
        yield result


def find(task: LineTask) -> LineResult:
    """Search for a safe line of a whole game, and replay every single lost reply of it."""
    answer = answers_of(task.bot)
    chooser = chooser_of(Policy())
    search = LineSearch(Game(answer, 0.0), chooser.prospects)
    board = Board() if task.we_start else Board().play(answer(Board(), -1, 0))
    try:
        is_found = search.is_safe(board)
    except TooManyBoardsError:
        return LineResult(task, search.boards, is_found=False, gave_up=True)
    if not is_found:
        return LineResult(task, search.boards, is_found=False, gave_up=False)
    follower = LineFollower(chooser.policy, chooser.engine, chooser.prospects, chooser.known, search.line)
    return replayed(task, answer, follower, search.boards)


def replayed(task: LineTask, answer: Answer, follower: LineFollower, boards: int) -> LineResult:
    """Return the result of replaying every single lost reply of the planned game."""

    def played(script: dict[int, str]) -> Outcome:
        return play_series(
            answer,
            1,
            rates=FaultRates(),
            seed=7,
            chooser=follower,
            starter="student" if task.we_start else "bot",
            script=script,
        )

    base = played({})
    cases = [(request, kind) for request in range(1, base.requests + 1) for kind in ("before", "after")]
    lost = [f"request {request} {kind}" for request, kind in cases if played({request: kind}).finished[0].result < 0]
    moves = format_moves(base.finished[0].moves)
    return LineResult(task, boards, is_found=True, gave_up=False, moves=moves, replies=len(cases), lost=tuple(lost))


def in_json(results: Iterable[LineResult]) -> dict[str, Any]:
    """Return the number of games with a safe line, and the games without one."""
    found = sorted(results, key=lambda each: (each.task.bot, not each.task.we_start))
    without = [each for each in found if not each.is_found]
    return {
        "games": len(found),
        "safe_lines": sum(each.is_found for each in found),
        "gave_up": sum(each.gave_up for each in found),
        "boards": sum(each.boards for each in found),
        "lost_replies_replayed": sum(each.replies for each in found),
        "lost_in_replay": [f"{each.task.bot}: {text}" for each in found for text in each.lost],
        "without_line": [f"{each.task.bot}, {'we start' if each.task.we_start else 'bot starts'}" for each in without],
        "lines": {f"{each.task.bot}, {'student' if each.task.we_start else 'bot'}": each.moves for each in found},
    }

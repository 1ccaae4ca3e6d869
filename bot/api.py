"""The public Python API: solve positions, review games, make agents and let them play.

Import it through the package: ``import bot; bot.solve("4453")``. Columns are 0..6 in Python and 1-7 in text.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import signature
from operator import index
from typing import TYPE_CHECKING, cast

from bot.agents.catalogue import ALL_NAMES
from bot.engine.agent import Agent, Chooser, Limit, Stop
from bot.errors import AgentError, BoardError, UsageError
from bot.game import Board, format_moves, parse_moves

if TYPE_CHECKING:
    from bot.engine.analysis import Analysis as PositionAnalysis
    from bot.engine.analysis import Analyst
    from bot.engine.batch import BatchSolver, Scored

Position = str | Board | Sequence[Sequence[int]]
"""A move string ("4453"), a board, or a 6 x 7 grid of 1, -1 and 0, top row first, 1 being the side to move."""

_REVIEW_S = 60.0
_BATCH = 64
"""Positions that a process of `solve_many`, or its compiled loop, takes at once."""
_NO_TEXT = "-?"
"""Stands in a batch of texts for a position that is none."""
_OUTCOMES = {1: "win", 0: "draw", -1: "loss"}
_one_at_a_time = threading.Lock()
"""Held while the shared solver works: threads of the caller may solve, one after another."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is proven of an unfinished position, for the side to move."""

    board: Board
    lower: int
    """The score is at least this."""
    upper: int
    """The score is at most this; equal to ``lower`` unless a time limit ended the search."""
    scores: tuple[int | None, ...]
    """The exact score of each of the seven columns; None where the column is full or its score is not proven."""
    best: tuple[int, ...]
    """The columns (0..6) that are proven best."""
    line: tuple[int, ...]
    """A best line of both sides, columns 0..6."""
    nodes: int
    """Positions visited; 0 where the opening book has the answer."""
    seconds: float
    """Elapsed time, the best line not counted."""

    @property
    def score(self) -> int | None:
        """The exact score: 0 a draw, +n a win with the n-th disc from the end, -n a loss; None if not proven."""
        return self.lower if self.lower == self.upper else None

    @property
    def outcome(self) -> str | None:
        """ "win", "draw" or "loss" for the side to move; None if not proven."""
        sure = {(bound > 0) - (bound < 0) for bound in (self.lower, self.upper)}
        return _OUTCOMES[sure.pop()] if len(sure) == 1 else None

    def __str__(self) -> str:
        """Return score, columns and best line as text."""
        from bot.engine.score import Bounds, number, sentence

        side = "X" if self.board.ply % 2 == 0 else "O"
        lines = [str(self.board), "", sentence(Bounds(self.lower, self.upper), self.board.ply, side)]
        if self.score is not None:
            lines.append(f"score   {number(self.score)}")
        if any(score is not None for score in self.scores):
            scores = "".join(f"{'' if score is None else number(score):>5}" for score in self.scores)
            lines += ["column " + "".join(f"{column:>5}" for column in range(1, 8)), "score  " + scores]
        if self.best:
            lines.append(f"best    {' '.join(str(column + 1) for column in self.best)}")
        if self.line:
            lines.append(f"line    {format_moves(self.line)}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a reviewed game."""

    column: int
    """0..6."""
    kind: str
    """"best", "slower" (a later win), "sooner" (a sooner loss) or "blunder" (the outcome changed)."""
    text: str
    """The same in words."""
    score: int
    """The score after the move, for the side that made it."""
    best: int
    """The score that the best move would have kept, for the same side."""

    @property
    def grave(self) -> bool:
        """Whether the move changed the outcome."""
        return self.kind == "blunder"


@dataclass(frozen=True, slots=True)
class Analysis:
    """A reviewed game. Iterating yields the moves; None stands for a move that was not settled in time."""

    columns: tuple[int, ...]
    """The game's moves, columns 0..6."""
    scores: tuple[int | None, ...]
    """The exact score of every position, from the empty board on, in the first player's view; None if not proven."""
    moves: tuple[Move | None, ...]

    def __iter__(self) -> Iterator[Move | None]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __str__(self) -> str:
        """Return one line per move: its number, its column, what kind of move it was, and the score after it."""
        from bot.engine.score import number

        lines = []
        for place, (column, move) in enumerate(zip(self.columns, self.moves, strict=True), start=1):
            said = "not settled in time" if move is None else f"{move.text} (score {number(move.score)})"
            lines.append(f"{place:>2}. {'XO'[(place - 1) % 2]} {column + 1}: {said}")
        return "\n".join(lines)

    @property
    def blunders(self) -> tuple[int, ...]:
        """The numbers of the moves, counted from 1, that changed the outcome."""
        return tuple(number for number, move in enumerate(self.moves, start=1) if move is not None and move.grave)


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game between two agents."""

    first: str
    second: str
    moves: tuple[int, ...]
    """Columns 0..6, the opening's included."""

    @property
    def board(self) -> Board:
        """The final position."""
        return Board.from_moves(self.moves)

    @property
    def winner(self) -> str | None:
        """The winner's name; None in a draw."""
        winner = self.board.winner
        return None if winner is None else (self.first, self.second)[winner - 1]

    def __str__(self) -> str:
        result = "a draw" if self.winner is None else f"{self.winner} wins"
        return f"{self.board}\n{self.first} (X) against {self.second} (O): {result} after {format_moves(self.moves)}"


def solve(position: Position, *, book: bool = True, threads: int = 1, time_limit_s: float | None = None) -> Solution:
    """Solve a position: its exact score, the score of every column, the best columns and a best line.

    Parameters
    ----------
    position : str, Board or 6 x 7 grid
        The position; see `Position`.
    book : bool
        Use the opening book, which answers the first 8 plies at once. Without it, the empty board takes a minute.
    threads : int
        Threads that search together.
    time_limit_s : float, optional
        Seconds after which the bounds proven so far are returned. None: no limit.

    Returns
    -------
    Solution
        Prints as score, columns and best line.

    Raises
    ------
    BotError
        The position cannot arise in a game, or the game is over.

    Examples
    --------
    >>> import bot
    >>> solution = bot.solve("4453")
    >>> solution.score, solution.outcome, solution.best
    (-2, 'loss', (2, 5, 6))
    """
    board = _unfinished(position)
    if threads < 1:
        raise UsageError(f"A search cannot use {threads} threads.", "Give threads=1 or more.")
    if threads > 1:
        return _solution(_new_analyst(book, threads).analyse(board, deadline_s=time_limit_s))
    with _one_at_a_time:
        return _solution(_analyst(book).analyse(board, deadline_s=time_limit_s))


def solve_many(
    positions: Iterable[Position], *, columns: bool = False, book: bool = True, processes: int | None = 1
) -> Iterator[Solution]:
    """Solve many positions; an iterator in their order, which reads ahead no more than the processes need.

    Moves in a list, or in another collection, are read and solved in one compiled loop, many times as fast as one call
    of `solve` for each. Ctrl-C ends it at once.

    Parameters
    ----------
    positions : iterable of positions
        See `Position`; may be endless.
    columns : bool
        Also find every column's score, the best columns and a best line.
    book : bool
        Use the opening book.
    processes : int or None
        Processes that share the work; None: one for each core.

    Yields
    ------
    Solution
        Without ``columns``, ``scores``, ``best`` and ``line`` are empty.

    Raises
    ------
    BotError
        A position cannot arise in a game, or its game is over; raised when its turn comes. At once: ``positions`` is
        text or no iterable, or there is no process.

    Examples
    --------
    >>> import bot
    >>> [solution.score for solution in bot.solve_many(["", "4", "44"])]
    [1, -1, 1]
    """
    if isinstance(positions, str) or not isinstance(positions, Iterable):
        hint = "Write bot.solve_many([...]), also for one position."
        raise UsageError(f"{positions!r:.60} is no collection of positions.", hint)
    if processes is not None and processes < 1:
        raise UsageError(f"Positions cannot be solved in {processes} processes.", "Give processes=1 or more, or None.")
    if processes == 1 and not columns and isinstance(positions, Collection):
        return _solve_in_batches(positions, book)
    boards = (_unfinished(position) for position in positions)
    count = os.cpu_count() or 1 if processes is None else processes
    if count <= 1:
        return (_solved(board, columns, book) for board in boards)
    return _solve_in_processes(boards, columns, book, count)


def review(moves: str | Iterable[int], *, time_limit_s: float = _REVIEW_S) -> Analysis:
    """Review a whole game: the exact score of every position and what kind of mistake each move was.

    Parameters
    ----------
    moves : str or iterable of int
        The game: text with columns 1-7 or a-g, or columns 0..6. It need not be finished.
    time_limit_s : float
        Seconds for the whole game; moves that are not settled by then are None.

    Raises
    ------
    BotError
        A move is not legal.

    Examples
    --------
    >>> import bot
    >>> analysis = bot.review("4435")
    >>> analysis.scores[0], analysis.blunders
    (1, (3,))
    """
    from bot.engine.review import review as review_game

    columns = _columns(moves)
    with _one_at_a_time:
        found = review_game(columns, _analyst(True), time_limit_s)
    after = [None if score is None else -score for score in found.positions[1:]]
    return Analysis(
        columns,
        found.scores,
        tuple(
            None
            if verdict is None or score is None or best is None
            else Move(column, verdict.kind, verdict.text, score, best)
            for column, verdict, score, best in zip(columns, found.moves, after, found.positions[:-1], strict=True)
        ),
    )


def agent(name: str, *, seed: int | None = None) -> Agent:
    """Return an agent by name, compiled and ready to move: ``agent.choose(board, bot.Limit())``.

    Parameters
    ----------
    name : str
        Any name that `bot agents` lists: "perfect", "depth3", "tommy-ab:4", ...
    seed : int, optional
        Makes the agent's random choices repeatable.

    Raises
    ------
    BotError
        There is no agent of that name.

    Examples
    --------
    >>> import bot
    >>> bot.agent("tommy-ab:4").choose(bot.Board(), bot.Limit()).column
    3
    """
    from bot.agents.games import ready_agent

    if not isinstance(name, str):
        raise UsageError(f"{name!r} is not the name of an agent.", ALL_NAMES)
    _check_seed(seed)
    return ready_agent(name, seed)


def play_game(
    one: str | Chooser,
    other: str | Chooser,
    *,
    opening: str | Iterable[int] = "",
    seed: int | None = None,
    limit: Limit | None = None,
) -> Game:
    """Play a game between two agents; ``one`` makes the first move.

    Parameters
    ----------
    one, other : str or Agent
        Names, agents that have been made already, or objects of your own with ``choose(board, limit)``, which returns
        a column 0..6 or a `Decision`.
    opening : str or iterable of int
        Moves that are played already.
    seed : int, optional
        Makes the game repeatable, for agents without a time limit.
    limit : Limit, optional
        Time and depth of a move; by default 5 s.

    Raises
    ------
    BotError
        There is no agent of a name, the opening is not legal or ends the game, the limit is not a `Limit`, or an agent
        from outside the package fails.

    Examples
    --------
    >>> import bot
    >>> bot.play_game("tommy-ab:4", "tommy-ab:2").winner
    'tommy-ab:4'
    """
    from bot.agents.games import close
    from bot.agents.games import play_game as play

    columns = _columns(opening)
    if Board.from_moves(columns).is_over:
        raise UsageError("The opening ends the game: there is nothing to play.", "Leave out its last move.")
    if not isinstance(limit, Limit | None):
        raise UsageError(f"{limit!r} is not a limit.", "Write limit=bot.Limit(hard_s=5.0), for instance.")
    _check_seed(seed)
    _check_agent(one)
    _check_agent(other)
    first = _made(one, seed)
    second = _made(other, None if seed is None else seed + 1)
    played = play(first, second, columns, limit or Limit())
    for made, given in ((first, one), (second, other)):
        if isinstance(given, str):
            close(made)
    if played.forfeit:
        raise AgentError(played.forfeit)
    return Game(first.name, second.name, played.moves)


def _check_agent(agent: object) -> None:
    """Raise UsageError unless ``agent`` is a name or can choose moves."""
    if not isinstance(agent, str) and not callable(getattr(agent, "choose", None)):
        raise UsageError(f"{agent!r} is not an agent.", f"Give a name or what bot.agent returns. {ALL_NAMES}")


def _made(given: str | Chooser, seed: int | None) -> Agent:
    """Return the agent of a name, or the one given; an object without the parameter ``stop`` is asked without it."""
    if isinstance(given, str):
        return agent(given, seed=seed)
    if len(signature(given.choose).parameters) > 2:
        return cast(Agent, given)
    from bot.agents.external.agent import OwnObject

    return OwnObject(given)


def _check_seed(seed: object) -> None:
    """Raise UsageError unless ``seed`` is an integer, of Python or of another library, or None."""
    try:
        if seed is not None:
            index(seed)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        raise UsageError(f"{seed!r} is not a seed.", "Give an integer, such as seed=1.") from None


def _columns(moves: str | Iterable[int]) -> tuple[int, ...]:
    """Return the columns 0..6 of a legal sequence of moves; raise BoardError if it is not legal."""
    if not isinstance(moves, Iterable):
        raise BoardError(f"{moves!r} is not a sequence of moves.", 'Write "4435" or [3, 3, 2, 4], for instance.')
    columns = parse_moves(moves) if isinstance(moves, str) else tuple(moves)
    Board.from_moves(columns)
    return tuple(map(int, columns))


def _unfinished(position: Position) -> Board:
    if isinstance(position, Board):
        board = position
        board.validate()
    elif isinstance(position, str):
        board = Board.from_moves(position)
    else:
        try:
            board = Board.from_grid([list(row) for row in position])
        except TypeError:
            raise BoardError(
                "A position is a move string, a board or a 6 x 7 grid.", 'Write bot.solve("4453"), for instance.'
            ) from None
    if board.is_over:
        raise UsageError("The game is over: there is nothing to solve.", "Take back the last move.")
    return board


@cache
def _analyst(book: bool) -> Analyst:
    return _new_analyst(book, 1)


def _new_analyst(book: bool, threads: int) -> Analyst:
    from bot.engine.analysis import Analyst
    from bot.engine.perfect import shipped_book

    return Analyst(shipped_book() if book else None, threads=threads)


def _solved(board: Board, columns: bool, book: bool) -> Solution:
    with _one_at_a_time:
        analyst = _analyst(book)
        return _solution(analyst.analyse(board) if columns else analyst.score(board))


def _solve_in_batches(positions: Collection[Position], book: bool) -> Iterator[Solution]:
    """Solve texts in the compiled loop, and all that it leaves out one by one."""
    from itertools import islice

    rest = iter(positions)
    while batch := list(islice(rest, _BATCH)):
        texts = [position if isinstance(position, str) else _NO_TEXT for position in batch]
        found = _batch_solver(book).solve(texts)
        place = 0
        while place < len(batch):
            with _one_at_a_time:
                results = next(found)
            for result in results:
                yield _scored(result) if result is not None else _solved_alone(batch[place], book)
                place += 1


def _scored(found: Scored) -> Solution:
    current, mask, score, nodes, seconds = found
    return Solution(Board(current, mask), score, score, (), (), (), nodes, seconds)


def _solved_alone(position: Position, book: bool) -> Solution:
    """Solve a position in another thread, so that this one takes an interrupt."""
    from concurrent.futures import ThreadPoolExecutor

    board, stop = _unfinished(position), Stop()
    with _one_at_a_time, ThreadPoolExecutor(1) as pool:
        try:
            return _solution(pool.submit(_analyst(book).score, board, stop=stop).result())
        finally:
            stop.set()


@cache
def _batch_solver(book: bool) -> BatchSolver:
    from bot.engine.batch import BatchSolver
    from bot.engine.perfect import shipped_book

    known = shipped_book() if book else None
    return BatchSolver(from_ply=0 if known is None else known.plies + 1)


def _solution(found: PositionAnalysis) -> Solution:
    return Solution(
        found.board,
        found.bounds.lower,
        found.bounds.upper,
        tuple(None if column is None else column.score for column in found.columns),
        found.best,
        found.line,
        found.nodes,
        found.seconds,
    )


def _solve_in_processes(boards: Iterator[Board], columns: bool, book: bool, processes: int) -> Iterator[Solution]:
    """Solve batches in processes, two for each of them on the way."""
    from collections import deque
    from concurrent.futures import Future, ProcessPoolExecutor
    from itertools import islice
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[list[Solution]]] = deque()
        while True:
            while len(waiting) < 2 * processes and (batch := list(islice(boards, _BATCH))):
                waiting.append(pool.submit(_solve_batch, batch, columns, book))
            if not waiting:
                return
            yield from waiting.popleft().result()


def _solve_batch(boards: list[Board], columns: bool, book: bool) -> list[Solution]:
    return [_solved(board, columns, book) for board in boards]

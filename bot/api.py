"""The public Python API: solve positions, review games, make agents and let them play.

Import it through the package: ``import bot; bot.solve("4453")``. Columns are 0..6 in Python and 1-7 in text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import signature
from itertools import islice, repeat
from numbers import Integral
from typing import TYPE_CHECKING, Any, cast

from bot.agents.catalogue import ALL_NAMES
from bot.engine import review as reviewing
from bot.engine.agent import Agent, Chooser, Limit, check_count, check_seconds
from bot.engine.analysis import PositionAnalysis
from bot.engine.score import OUTCOMES
from bot.engine.shared import interruptible, ready_analyst
from bot.errors import AgentError, BoardError, BotError, UsageError
from bot.game import Board, format_moves, parse_moves
from bot.game.notation import column_names
from bot.game.played import PlayedGame

if TYPE_CHECKING:
    from bot.engine.batch import Scored

Moves = str | Iterable[int]
"""A game so far: text with columns 1-7 or a-g ("4453"), or columns 0..6 ([3, 3, 4, 2])."""
AnyPosition = Moves | Board | Sequence[Sequence[int]]
"""Moves, a board, or a 6 x 7 grid of 1, -1 and 0, top row first, 1 being the side to move."""
_Batch = list[tuple[int, AnyPosition]]
"""Positions with their places in the caller's list."""

_BATCH = 64
"""Positions that the compiled loop of `solve_many` takes at once."""
_PIECE = 16
"""Positions that a process of `solve_many` takes at once."""
_MAX_PROCESSES = 1024


@dataclass(unsafe_hash=True, kw_only=True)
class Solution(PositionAnalysis):
    """What is proven of an unfinished position, for the side to move.

    ``score`` is 0 for a draw, +n for a win and -n for a loss, where n is 22 minus the discs of the winner; None where
    it is not proven. It is at least ``lower`` and at most ``upper``, which are equal unless a time limit ended the
    search.
    ``best`` are the columns (0..6) that are proven best, and ``best_by`` is "score"; after a time limit there may be
    others, and it may be "outcome": that alone is proven best. ``nodes`` are the positions visited, 0 where the opening
    book has the answer, and ``seconds`` the elapsed time, the best line not counted.
    """

    _options: tuple[bool, float | None] = field(repr=False, compare=False)
    """How it was solved: with the book or not, and the time limit in seconds."""

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The exact score of each of the seven columns; None where the column is full or its score is not proven."""
        return tuple(None if column is None else column.score for column in self.columns)

    @property
    def outcome(self) -> str | None:  # type: ignore[override]
        """ "win", "draw" or "loss" for the side to move; None if not proven."""
        return OUTCOMES[super().outcome]

    @cached_property
    def line(self) -> tuple[int, ...]:
        """A best line of both sides, columns 0..6, found when it is first read, within the time limit of `solve`.

        Empty where the score or the columns' scores are not known.
        """
        book, limit_s = self._options
        score = self.score
        if score is None or not self.columns:
            return ()
        analyst = ready_analyst(book)
        return interruptible(lambda stop: analyst.line(self.board, score, deadline_s=limit_s, stop=stop), self.board)

    def __str__(self) -> str:
        """Return what `bot analyse` prints: board, score, columns and best line."""
        known = super().__str__()
        return f"{known}\nline: {column_names(self.line)}" if self.line else known


Analysis = reviewing.Review
"""What `review` returns."""
Move = reviewing.Move
"""One move of it."""


class Game(PlayedGame):
    """A finished game between two agents.

    ``first`` and ``second`` are their names, ``moves`` the columns 0..6 in order of play, ``board`` the position at the
    end. ``result`` is 1 where the first player won, 0.5 in a draw, 0 where it lost.
    """

    @property
    def winner(self) -> str | None:
        """The winner's name; None in a draw."""
        winner = self.board.winner
        return None if winner is None else (self.first, self.second)[winner - 1]

    def __str__(self) -> str:
        result = "a draw" if self.winner is None else f"{self.winner} wins"
        return f"{self.board}\n{self.first} (X) against {self.second} (O): {result} after {format_moves(self.moves)}"


def solve(position: AnyPosition, *, book: bool = True, time_limit_s: float | None = None) -> Solution:
    """Solve a position: its exact score, the score of every column, the best columns and a best line.

    Parameters
    ----------
    position : str, iterable of int, Board or 6 x 7 grid
        Moves in order of play ("4453" or [3, 3, 4, 2]), a board, or rows of 1, -1 and 0 from the top, 1 being the side
        to move.
    book : bool
        Use the opening book, which answers the first 8 plies at once. Without it, the empty board takes a minute.
    time_limit_s : float, optional
        Seconds after which what is proven so far is returned: bounds, and perhaps only some of the best columns, or
        those of the best outcome (``best_by``). None: no limit.

    Returns
    -------
    Solution
        Prints as score, columns and best line, which is searched for when it is first read.

    Raises
    ------
    BotError
        The position cannot arise in a game, the game is over, or an option is invalid.

    Examples
    --------
    >>> import bot
    >>> solution = bot.solve("4453")
    >>> solution.score, solution.outcome, solution.best
    (-2, 'loss', (2, 5, 6))
    """
    board = _unfinished(position)
    if time_limit_s is not None:
        check_seconds("time_limit_s", time_limit_s)
    return _solved(board, (book, time_limit_s))


def solve_many(
    positions: Iterable[AnyPosition], *, columns: bool = False, book: bool = True, processes: int = 1
) -> Iterator[Solution]:
    """Solve many positions; an iterator in their order, which reads ahead no more than the processes need.

    Moves in a list, or in another collection, are read and solved in one compiled loop, many times as fast as one call
    of `solve` for each. Ctrl-C ends it at once.

    Parameters
    ----------
    positions : iterable of positions
        As for `solve`; may be endless.
    columns : bool
        Also find every column's score, the best columns and a best line.
    book : bool
        Use the opening book.
    processes : int
        Processes that share the work; each takes 1 to 2 s to load the engine.

    Yields
    ------
    Solution
        Without ``columns``, ``scores``, ``best`` and ``line`` are empty.

    Raises
    ------
    BotError
        A position cannot arise in a game, or its game is over; raised when its turn comes, and names its place. At
        once: ``positions`` is text or no iterable, or there is no process.

    Examples
    --------
    >>> import bot
    >>> [solution.score for solution in bot.solve_many(["", "4", "44"])]
    [1, -1, 1]
    """
    if isinstance(positions, str) or not isinstance(positions, Iterable):
        hint = "Write bot.solve_many([...]), also for one position."
        raise UsageError(f"{positions!r:.60} is no collection of positions.", hint)
    check_count("processes", processes, _MAX_PROCESSES)
    if processes == 1:
        return _solve_here(positions, columns, book)
    return _solve_elsewhere(enumerate(positions), columns, book, processes)


def review(moves: Moves, *, time_limit_s: float = 60.0) -> Analysis:
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
        A move is not legal, or the time limit is invalid.

    Examples
    --------
    >>> import bot
    >>> analysis = bot.review("4435")
    >>> analysis.scores[0], analysis.blunders
    (1, (3,))
    """
    columns = _columns(moves)
    check_seconds("time_limit_s", time_limit_s)
    analyst = ready_analyst()
    return interruptible(lambda stop: reviewing.review(columns, analyst, time_limit_s, stop), Board())


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
    opening: Moves = "",
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
    from bot.agents.games import play_game as play_agents

    columns = _columns(opening)
    if Board.from_moves(columns).is_over:
        raise UsageError("The opening ends the game: there is nothing to play.", "Leave out its last move.")
    if not isinstance(limit, Limit | None):
        raise UsageError(f"{limit!r} is not a limit.", "Write limit=bot.Limit(hard_s=5.0), for instance.")
    _check_seed(seed)
    for given in (one, other):
        if not isinstance(given, str) and not callable(getattr(given, "choose", None)):
            raise UsageError(f"{given!r} is not an agent.", f"Give a name or what bot.agent returns. {ALL_NAMES}")
    with ExitStack() as ends:
        first = _made(one, seed, ends)
        second = _made(other, None if seed is None else seed + 1, ends)
        played = play_agents(first, second, columns, limit or Limit())
    if played.ended:
        raise AgentError(played.ended)
    return cast(Game, Game.over(played.moves, first=first.name, second=second.name))


def _made(given: str | Chooser, seed: int | None, ends: ExitStack) -> Agent:
    """Return the agent of a name, closed with ``ends``, or the one given.

    An object without the parameter ``stop`` is asked without it.
    """
    if isinstance(given, str):
        made = agent(given, seed=seed)
        ends.callback(made.close)
        return made
    if len(signature(given.choose).parameters) > 2:
        return cast(Agent, given)
    from bot.agents.external.agent import OwnObject

    return OwnObject(given)


def _check_seed(seed: object) -> None:
    """Raise UsageError unless ``seed`` is an integer, of Python or of another library, or None."""
    if not isinstance(seed, Integral | None):
        raise UsageError(f"{seed!r} is not a seed.", "Give an integer, such as seed=1.")


def _columns(moves: Moves) -> tuple[int, ...]:
    """Return the columns 0..6 of a legal sequence of moves; raise BoardError if it is not legal."""
    if not isinstance(moves, Iterable):
        raise BoardError(f"{moves!r} is not a sequence of moves.", 'Write "4435" or [3, 3, 2, 4], for instance.')
    columns = parse_moves(moves) if isinstance(moves, str) else tuple(moves)
    Board.from_moves(columns)
    return tuple(map(int, columns))


def _unfinished(position: AnyPosition) -> Board:
    """Return an unfinished position; raise BotError if there is none."""
    if isinstance(position, Board):
        position.validate()
        board = position
    elif isinstance(position, Iterable):
        items: Any = position if isinstance(position, str) else list(position)
        is_grid = items is not position and any(isinstance(item, Iterable) for item in items)
        board = Board.from_grid(items) if is_grid else Board.from_moves(items)
    else:
        hint = 'Give moves ("4453" or [3, 3, 4, 2]), a board or a 6 x 7 grid.'
        raise BoardError(f"{position!r:.60} is not a position.", hint)
    if board.is_over:
        raise UsageError("The game is over: there is nothing to solve.", "Take back the last move.")
    return board


def _solve_here(positions: Iterable[AnyPosition], columns: bool, book: bool) -> Iterator[Solution]:
    """Solve in this process; an iterator is read no further than necessary."""
    rest = enumerate(positions)
    size = _BATCH if isinstance(positions, Collection) else 1
    while batch := list(islice(rest, size)):
        yield from _solve_batch(batch, columns, book)


def _solve_batch(batch: _Batch, columns: bool, book: bool) -> Iterator[Solution]:
    """Solve texts in the compiled loop, and all that it leaves out one by one."""
    texts = [position for _, position in batch]
    results: Iterator[Scored | None] = repeat(None)
    if not columns:
        from bot.engine.batch import batch_solver

        results = batch_solver(book).solve(texts)
    for (place, position), result in zip(batch, results, strict=False):
        if result is None:
            yield _solved_alone(place, position, columns, book)
        else:
            current, mask, score, nodes, seconds = result
            yield Solution(score, score, nodes, seconds, board=Board(current, mask), _options=(book, None))


def _solved_alone(place: int, position: AnyPosition, columns: bool, book: bool) -> Solution:
    """Solve one of many positions; an error names its place."""
    try:
        board = _unfinished(position)
    except BotError as error:
        message = f"positions[{place}] is {position!r:.60}: {error.message}"
        raise type(error)(message, error.hint) from None
    return _solved(board, (book, None), columns=columns)


def _solved(board: Board, options: tuple[bool, float | None], *, columns: bool = True) -> Solution:
    """Solve an unfinished position; ``options`` are the book and the time limit, seconds."""
    book, limit_s = options
    analyst = ready_analyst(book, board)
    ask = partial(analyst.analyse, board, columns=columns, deadline_s=limit_s)
    found = interruptible(lambda stop: ask(stop=stop), board)
    work = found.nodes, found.seconds
    return Solution(found.lower, found.upper, *work, board=board, columns=found.columns, _options=options)


def _solve_elsewhere(
    rest: Iterator[tuple[int, AnyPosition]], columns: bool, book: bool, processes: int
) -> Iterator[Solution]:
    """Solve batches in processes; leaving early ends these at once."""
    from bot.engine.processes import Pool

    batches = iter(lambda: [(place, _portable(position)) for place, position in islice(rest, _PIECE)], [])
    with Pool(processes) as pool:
        yield from pool.results(partial(_solve_with_lines, columns=columns, book=book), batches)


def _portable(position: Any) -> Any:
    """Return a position that another process can read without the classes of the caller's script."""
    return position if isinstance(position, str) or not isinstance(position, Iterable) else list(position)


def _solve_with_lines(batch: _Batch, *, columns: bool, book: bool) -> Iterator[Solution]:
    """Solve in another process, and find the lines there, where the solver still knows the positions."""
    for solution in _solve_batch(batch, columns, book):
        _ = solution.line
        yield solution

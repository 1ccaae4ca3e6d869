"""`bot analyse` and `bot move`: exact scores of positions by book and solver, and the move of any agent."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.agents import getting_ready
from bot.cli.formatting import duration, echo, print_json
from bot.cli.options import MOVES, AsJson, MovesArgument, OneAgent, Seed, flag, option, seconds
from bot.cli.progress import ProgressLine, loading_engine
from bot.engine.agent import NO_LIMIT_S, Limit, StopFlag
from bot.engine.interrupt import collecting, stoppable
from bot.engine.score import OUTCOMES, interval, plies_to_end
from bot.errors import BotError, ExitCode, UsageError
from bot.game import Board, format_moves, parse_moves
from bot.game.notation import column_names

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst, PositionAnalysis


def analyse(
    moves: Annotated[str | None, MOVES] = None,
    *,
    file: Annotated[
        typer.FileText | None,
        option(
            "FILE",
            "Read one position per line, its moves without blanks; - is standard input.",
            encoding="utf-8-sig",  # as text editors on Windows write it
            errors="replace",
        ),
    ] = None,
    score_only: Annotated[bool, flag("--score-only", "Leave out columns and best line.")] = False,
    no_book: Annotated[bool, flag("--no-book", "Do not use the opening book.")] = False,
    deadline: Annotated[
        float | None,
        seconds("Time limit per position; what is not proven by then is given as bounds.", min=0.0),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the exact score of a position and of every column.

    A best line follows. A score is for the side to move: +n is a win with its n-th disc from the end, -n a loss
    likewise, 0 a draw. Ctrl-C ends the search and shows the bounds proven so far.

    With --file one line is written for each position, as soon as it is known. Blank lines and those that begin with #
    are skipped, and so is what follows a blank in a line, such as a score. Bad lines are reported on stderr with their
    numbers.
    --json prints one object per position: exact says whether the score is proven; scores holds the proven scores of the
    columns, column_bounds the bounds of all; best_by says whether the best columns are proven by score or by outcome.

    Exit code 0: all is analysed; 2: a line was bad; 130: Ctrl-C.

    \b
    Examples:
      bot analyse 4453                             a position by its moves
      bot analyse "" --json                        the empty board, as JSON
      bot analyse 44 --no-book --deadline 5        bounds after 5 seconds of search
      bot analyse --file positions.txt             a score for every line of a file
    """
    if (moves is None) == (file is None):
        raise UsageError("Give either MOVES or --file.", 'The empty board is "".')
    from bot.engine.analysis import Analyst
    from bot.engine.perfect import shipped_book

    known = None if no_book else shipped_book()
    request = _Request(Analyst(known), score_only, deadline, as_json)
    bad = 0
    with collecting() as stop:
        if file is None:
            request.show(moves or "", stop)
        else:
            bad = _batch(request, file, stop)
    if stop.is_set:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if bad:
        raise typer.Exit(ExitCode.USAGE)


def unfinished(moves: str) -> Board:
    """Return the position after ``moves``. Raises UsageError where they make no unfinished position."""
    board = Board.from_moves(parse_moves(moves))
    if board.is_over:
        result = "it is a draw" if board.winner is None else f"{'XO'[board.winner - 1]} has won"
        raise UsageError(f"The game is over in this position: {result}.", "Leave out the last move.")
    return board


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked of every position. The solver is loaded when the first one needs it."""

    analyst: Analyst
    score_only: bool
    deadline_s: float | None
    as_json: bool

    def analysis(self, board: Board, stop: StopFlag) -> PositionAnalysis:
        """Return the analysis of an unfinished position."""
        if not self.analyst.is_ready(board, columns=not self.score_only):
            self._load_solver()
        with ProgressLine(lambda: f"Solving: score {interval(self.analyst.proven)} so far"):
            return self.analyst.analyse(board, columns=not self.score_only, deadline_s=self.deadline_s, stop=stop)

    def line(self, analysis: PositionAnalysis, stop: StopFlag) -> tuple[int, ...]:
        """Return a best line, found in the time that the analysis left; empty where it is not requested or possible."""
        score = analysis.score
        if score is None or self.score_only or stop.is_set:
            return ()
        self._load_solver()
        left_s = None if self.deadline_s is None else max(0.0, self.deadline_s - analysis.seconds)
        return self.analyst.line(analysis.board, score, deadline_s=left_s, stop=stop)

    def _load_solver(self) -> None:
        if not self.analyst.is_warm:
            with loading_engine():
                self.analyst.warm_up()

    def show(self, moves: str, stop: StopFlag, *, is_short: bool = False) -> None:
        """Print the answer for one position: the scores at once, the best line when it is found.

        With ``is_short`` it is one line. Raises UsageError for moves that make no unfinished position.
        """
        analysis = self.analysis(unfinished(moves), stop)
        if self.as_json:
            print_json(_as_json(analysis, self.line(analysis, stop), moves))
        elif is_short:
            echo(f"{format_moves(parse_moves(moves))} {interval(analysis)}")
        else:
            echo(analysis)
            sys.stdout.flush()
            line = self.line(analysis, stop)
            if line:
                echo("line: " + column_names(line))
            echo(f"\n{analysis.nodes:,} nodes, {duration(analysis.seconds)}")
            if stop.is_set:
                echo("Interrupted: not everything is proven.")
            elif self._is_cut_off(analysis, line):
                echo("The time limit ended the search: a longer --deadline proves more.")

    def _is_cut_off(self, analysis: PositionAnalysis, line: tuple[int, ...]) -> bool:
        """Return whether scores, or a part of the best line, are missing."""
        known = [each for each in (analysis, *analysis.columns) if each is not None]
        if not all(each.exact for each in known):
            return True
        return not self.score_only and len(line) < plies_to_end(analysis.lower, analysis.board.ply)


def _batch(request: _Request, file: typer.FileText, stop: StopFlag) -> int:
    """Analyse a file line by line; return the number of bad lines."""
    bad = 0
    for number, line in enumerate(file, start=1):
        moves, *_ = line.split(maxsplit=1) or [""]
        if not moves or moves.startswith("#"):
            continue
        try:
            request.show(moves, stop, is_short=True)
        except BotError as error:
            bad += 1
            # a line may hold anything, such as the codes that control a terminal
            echo(f"{file.name}:{number}: {ascii(moves)[1:-1]:.60}: {error}", err=True)
            if request.as_json:
                print_json({"moves": moves, "line": number, "error": str(error)})
        sys.stdout.flush()
        if stop.is_set:
            break
    return bad


def _as_json(analysis: PositionAnalysis, line: tuple[int, ...], moves: str) -> dict[str, Any]:
    columns = analysis.columns
    return {
        "moves": format_moves(parse_moves(moves)),
        "score": analysis.score,
        "scores": [None if known is None else known.score for known in columns] or None,
        "best": [column + 1 for column in analysis.best] if columns else None,
        "best_by": analysis.best_by,
        "outcome": OUTCOMES[analysis.outcome],
        "exact": analysis.exact,
        "bounds": [analysis.lower, analysis.upper],
        "column_bounds": [None if known is None else [known.lower, known.upper] for known in columns] or None,
        "outcomes": [None if known is None else OUTCOMES[known.outcome] for known in columns] or None,
        "pv": [column + 1 for column in line] if columns else None,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6),
    }


def move(
    name: OneAgent,
    moves: MovesArgument = "",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Ask one agent for its move in one position.

    Its table is empty. The value is in the agent's own units and, for tommy-mtdf, from the opponent's view, as its
    paper prints it. Where an agent deepens iteratively (vds), the counts are those of the last depth. --json prints
    column (1-7), value, leaves, nodes, passes, depth and seconds, null where the agent has no such number.

    \b
    Examples:
      bot move perfect 4453                        the bot's own move
      bot move tommy-ab:8 ""                       a publication's first move, 8 plies deep
    """
    from bot.agents.catalogue import make_agent
    from bot.engine.perfect import Perfect

    board = unfinished(moves)
    agent = make_agent(name, seed=seed)
    if not (isinstance(agent, Perfect) and agent.is_ready(board)):
        with getting_ready(name):
            agent.warm_up()
    with stoppable() as stop, ProgressLine(f"{name} is searching"):
        decision = agent.choose(board, Limit(hard_s=NO_LIMIT_S), stop)
    value = None if decision.score is None else _plain(decision.score * getattr(agent, "view", 1))
    counts = {name: getattr(decision, name) for name in ("leaves", "nodes", "passes", "depth")}
    answer = {"column": decision.column + 1, "value": value, **counts}
    if as_json:
        print_json({**answer, "seconds": decision.seconds})
        return
    for key, entry in answer.items():
        if entry is not None:
            echo(f"{key:8}{_shown(entry)}")
    echo(f"time    {duration(decision.seconds)}")


def _plain(value: float) -> int | float | str:
    """Return whole numbers as integers, and infinities, which JSON cannot hold, as "inf" and "-inf"."""
    if math.isinf(value):
        return str(value)
    return int(value) if value == int(value) else value


def _shown(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}"

"""What `play` shows: plain lines, and in a terminal a live board below them. The view is an observer of a run."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from bot.cli.formatting import duration, fitted
from bot.course.events import Chosen, GameEnded, Options
from bot.course.run.standings import RESULTS, Observer, Outage, RunStandings, Standings
from bot.engine.score import Bounds, explain
from bot.errors import printable
from bot.game import Board, format_moves
from bot.game.notation import column_name, with_count

_CELLS = {1: Text("O", "bold yellow"), -1: Text("X", "bold red"), 0: Text(".", "dim")}


class OutputConsole(Console):
    """A console that reports a closed pipe as BrokenPipeError; rich's own ends the process with exit code 1."""

    def say(self, text: str) -> None:
        """Print a line as it is: no markup, no colours for numbers. Only in a terminal it is broken, at blanks."""
        self.print(fitted(printable(text), self.file), highlight=False, markup=False, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """See `rich.console.Console`."""
        raise BrokenPipeError


def first_line(options: Options) -> str:
    """Return which server, which id, which engine and which time limit the run has."""
    where = f"the embedded course server at {options.url}" if options.server != options.url else options.url
    return (
        f"Playing {where} as {'+'.join(options.stil_ids)} with {options.engine}, "
        f"at most {options.limit_s:g} s per move."
    )


def known_of(chosen: Chosen, ply: int | None) -> list[str]:
    """Return what our engine knew of a move that it chose after ``ply`` discs: ["wins in 9 moves", "depth 12"].

    A proven score is given as its outcome and distance, an estimate as a number.
    """
    known, score = [], chosen.score
    if score is not None:
        said = f"{'proven score' if chosen.proven else 'estimate'} {score:+g}"
        if chosen.proven and ply is not None and score == int(score):
            said = explain(Bounds.of(int(score)), ply)
        known.append(said)
    if chosen.depth is not None:
        known.append(f"depth {chosen.depth}")
    return known


def streak_text(streak: int, goal: int) -> str:
    """Return "streak 12 of 20", or "streak 25, goal 20"."""
    return f"streak {streak} of {goal}" if streak <= goal else f"streak {streak}, goal {goal}"


def outcomes(standings: Standings) -> str:
    """Return "won 12, drawn 1, lost 0"."""
    return f"won {standings.won}, drawn {standings.drawn}, lost {standings.lost}"


def standings_line(standings: RunStandings) -> str:
    """Return games by outcome and the streak."""
    return f"{outcomes(standings)}; {streak_text(standings.current, standings.goal)}{standings.aside}"


def run_lines(standings: RunStandings, engine: str) -> list[str]:
    """Return what a run ends with: its games, whether the goal is met, and in how many moves ``engine`` failed."""
    verdict = standings.verdict
    lines = [
        f"{with_count(standings.played, 'game')}: {outcomes(standings)}; "
        f"streak {verdict.streak}{verdict.by}{standings.aside}; "
        f"slowest move {duration(standings.slowest_move_s)}. {verdict.sentence}"
    ]
    if standings.substituted_moves:
        lines.append(
            f"{engine} failed in {with_count(standings.substituted_moves, 'move')}, which perfect chose instead."
        )
    return lines


def outage_line(outage: Outage, seconds: float = 0.0) -> str:
    """Return an outage in one line, ``seconds`` after the failure that it tells of."""
    line = f"{outage.message} Trying again for {_whole(outage.left_s - seconds)}"
    if outage.move_left_s is None:
        return f"{line}."
    left_s = outage.move_left_s - seconds
    due = f"{_whole(left_s)} left for the move" if left_s > 0 else f"the move is {_whole(-left_s)} late"
    return f"{line}; {due}."


def _whole(seconds: float) -> str:
    return f"{max(0, math.ceil(seconds))} s"


class ConsoleView(Observer):
    """One line per game, and in a terminal a live board below them with our last move and the score."""

    def __init__(self, console: OutputConsole, games: int, *, is_live: bool = False) -> None:
        """Without ``is_live`` nothing moves: for pipes, logs and screen readers."""
        super().__init__()
        self._say = console.say
        self._games = games
        self._is_live = is_live
        self._number = 0
        """The number of the game in this run, from 1; 0 before the first."""
        self._board = Board()
        self._we_start = True
        self._ours = self._theirs = "-"
        self._substituted = 0
        """Moves of this game that perfect chose because our engine had failed."""
        self._outage: tuple[Outage, float] | None = None
        """The outage, and when it was reported."""
        self._is_late = False
        """Whether the end of the move's time was shown in this outage."""
        self._live = Live(get_renderable=self._picture, console=console, refresh_per_second=8, transient=True)

    def run_started(self, options: Options, journal: Path, standings: RunStandings) -> None:
        """Show who plays where, and within which limits; the run counts its games in ``standings``."""
        super().run_started(options, journal, standings)
        self._say(first_line(options))
        self._say(f"Journal: {journal}")
        if standings.current:
            self._say(f"Streak so far, from the journals: {with_count(standings.current, 'game')}.")
        if self._is_live:
            self._live.start()

    def game_started(self, board: Board) -> None:
        self._number = 1 + self.standings.played
        self._board = board
        self._we_start = board.ply % 2 == 0
        self._ours = self._theirs = "-"
        self._substituted = 0

    def decided(self, board: Board, chosen: Chosen) -> None:
        self._board = board
        known = column_name(chosen.move), *known_of(chosen, board.ply), duration(chosen.move_s)
        self._ours = ", ".join(known)
        self._substituted += bool(chosen.note)

    def replied(self, board: Board, column: int | None) -> None:
        self._board = board
        self._theirs = "-" if column is None else column_name(column)

    def notice(self, text: str) -> None:
        self._say(f"Note: {text}")

    def unreachable(self, outage: Outage) -> None:
        begins = self._outage is None
        self._outage = outage, time.monotonic()
        if self._is_live:  # the board's last line shows it, and counts down
            return
        if begins:
            self.notice(f"{outage.message} Trying again for at most {_whole(outage.left_s)}.")
        if not self._is_late and outage.move_left_s is not None and outage.move_left_s < 0:
            self._is_late = True
            self.notice(
                f"The {self.options.limit_s:g} s for the move are over: the server may count the game as lost. "
                "It goes on as soon as the server answers."
            )

    def reachable(self, seconds: float) -> None:
        self._outage = None
        self._is_late = False
        self.notice(f"The server is reachable again after {_whole(seconds)}.")

    def game_ended(self, end: GameEnded) -> None:
        standings = self.standings
        we_started = self._we_start if end.we_started is None else end.we_started
        place = f"{standings.played} of {self._games}"
        if not end.game == standings.played <= self._games:  # a resumed journal, or a game that ended unseen
            place = f"{end.game} of the journal, {place} asked for"
        starter = "we started" if we_started else "the server's bot started"
        moves = format_moves(end.moves)
        details = f", slowest move {duration(standings.game_move_s)}" if standings.game_move_s else ""
        if self._substituted:
            ours = (len(end.moves) + we_started) // 2
            of_ours = f" of {with_count(ours, 'move')}" if moves else ""
            details += f", {self._substituted}{of_ours} by perfect"
        self._say(
            f"Game {place}: {RESULTS[end.result]}, {starter}, moves {moves or 'unknown'}{details}; "
            f"{standings_line(standings)}"
        )

    def run_ended(self) -> None:
        self._live.stop()
        standings = self.standings
        if not standings.played:
            if not self.journal.exists():
                self._say("No game was asked for, so the journal is removed.")
            return
        for line in run_lines(standings, self.options.engine):
            self._say(line)

    def _picture(self) -> RenderableType:
        """Return what is shown now; it is drawn anew several times a second, so that an outage counts down."""
        lines: list[RenderableType] = []
        if self._number:
            board = disc_text(self._board.to_grid(to_move=1))
            score = standings_line(self.standings)
            lines.append(Panel(board, title=f"game {self._number}", expand=False, padding=(0, 2)))
            lines.append(Text(f"we played            {self._ours}\nserver's bot played  {self._theirs}\n{score}"))
        if self._outage is not None:
            outage, since_s = self._outage
            lines.append(Text(printable(outage_line(outage, time.monotonic() - since_s)), style="bold yellow"))
        return Group(*lines)


def disc_text(grid: Sequence[Sequence[int]]) -> Text:
    """Return a board in colour, our discs (1) yellow O, the bot's (-1) red X: colour is never the only difference."""
    lines = []
    for row in grid:
        lines.append(Text(" ").join([_CELLS[cell] for cell in row]))
    lines.append(Text("1 2 3 4 5 6 7", style="dim"))
    return Text("\n").join(lines)

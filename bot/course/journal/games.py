"""A recorded game as steps, each request of ours and what followed from it; and a second opinion on it.

`bot.course.journal.journal.Journal.take` lists what contradicts the records. That is the code that played the game. So
`game_problems` also replays the boards on plain grids, with the embedded server's rules, which share no code with the
session: an error in the bitboards would otherwise confirm itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from bot.course.events import Chosen, Failed, GameEnded, Replied
from bot.course.failures import Delivery
from bot.course.hypotheses import Position
from bot.course.protocol import DRAWN, ILLEGAL, NEW_GAME, WON
from bot.course.server import rules
from bot.game import Board


def outcome_of(result: float) -> str:
    """Return a result as a word: won, drawn, lost, illegal, or void (0: the server lost the game)."""
    return {WON: "won", DRAWN: "drawn", 0: "void", ILLEGAL: "illegal"}.get(result, "lost")


@dataclass(slots=True)
class Step:
    """One request of ours and its outcome."""

    chosen: Chosen
    before: Position | None = None
    """The position that the move was chosen for; None where several were possible, or no game was running."""
    outcome: Replied | Failed | None = None
    """None if the run was cut off before it was recorded."""
    after: Position | None = None
    """The position after the reply, also at the game's end; None where the reply leaves several possible."""
    notes: list[str] = field(default_factory=list)
    """What was unusual, in sentences, between this request and the next."""

    @property
    def move(self) -> int:
        """-1, or our column 0..6."""
        return self.chosen.move

    @property
    def may_be_sent(self) -> bool:
        """Whether the server may have received the request."""
        return not (isinstance(self.outcome, Failed) and self.outcome.delivery is not Delivery.UNKNOWN)

    @property
    def met(self) -> Board | None:
        """The board to which the server applied our move, if it did; None where that is not known."""
        if self.move == NEW_GAME or not self.may_be_sent:
            return None
        if self.after is None and self.before is not None and not isinstance(self.outcome, Replied):
            return self.before.board
        if self.after is None or not self.after.is_whole:
            return None
        moves = self.after.moves
        is_ours = (len(moves) % 2 == 1) == self.after.we_started
        return Board.from_moves(moves[:-1] if is_ours else moves[:-2])

    @property
    def number(self) -> int:
        """The number of our move in the game, from 1: that of our disc, so a move that is sent again keeps it."""
        met = self.met
        return (self.chosen.ply if met is None else met.ply) // 2 + 1


@dataclass(slots=True)
class RecordedGame:
    """One game of a run."""

    number: int
    steps: list[Step] = field(default_factory=list)
    ended: GameEnded | None = None
    """The game's end; None while it is unfinished."""
    notes: list[str] = field(default_factory=list)
    """What was unusual before the first request, in sentences."""
    problems: list[str] = field(default_factory=list)
    """Where its records contradict those before them, in sentences with the number of the line."""

    @property
    def result(self) -> float | None:
        """1, 0.5, -1 or -10; 0 if the server lost the game; None if the game is unfinished."""
        return None if self.ended is None else self.ended.result

    @property
    def is_counted(self) -> bool:
        """Whether the server has or had the game, so that the standings count it once it has ended.

        A request for a game that was not answered is no game.
        """
        if self.ended is not None:
            return True
        return any(isinstance(step.outcome, Replied) and step.outcome.reply.status for step in self.steps)

    @property
    def last_notes(self) -> list[str]:
        """The list of notes that the next one belongs to."""
        return self.steps[-1].notes if self.steps else self.notes

    @property
    def shown(self) -> list[Position]:
        """The positions that replies have shown, in order."""
        return [step.after for step in self.steps if step.after is not None]

    @property
    def we_started(self) -> bool | None:
        """Whether our disc was the first; None if it is unknown."""
        if self.shown:
            return self.shown[-1].we_started
        return None if self.ended is None else self.ended.we_started

    @property
    def moves(self) -> tuple[int, ...]:
        """Columns 0..6 in order of play, as far as they are known."""
        if self.ended is not None and self.ended.moves:
            return self.ended.moves
        known = [position.moves for position in self.shown if position.is_whole]
        return known[-1] if known else ()

    @property
    def our_moves(self) -> int:
        """Number of our discs on the last board that a reply has shown."""
        discs = len(self.moves)
        if self.shown:
            discs = max(discs, self.shown[-1].board.ply)
        return (discs + 1) // 2 if self.we_started else discs // 2


# The second opinion


def game_problems(game: RecordedGame) -> list[str]:
    """Return everything that is wrong with a recorded game, in sentences."""
    found = list(game.problems)
    grid: rules.MutableGrid | None = None
    for step in game.steps:
        if step.after is None or not isinstance(step.outcome, Replied):
            continue  # a reply that the session did not use is not checked
        known, state = step.after, step.outcome.reply.state
        shown = None if state is None else [list(row) for row in state]
        grid = shown
        if known.is_whole:
            grid = _played(known.moves, known.we_started)
        if grid is None or shown not in (None, grid):
            found.append(f"Move {step.number}: the moves do not lead to the board.")
    end = game.ended
    if end is None or not end.moves or grid is None:  # its end was not shown by a board
        return found
    if _played(end.moves, bool(end.we_started)) != grid:
        found.append("The moves at the game's end do not lead to the last board.")
    if end.result not in _results(grid, bool(game.we_started)):
        found.append(f"The result {end.result:g} does not follow from the last board.")
    return found


def _played(moves: Sequence[int], we_started: bool) -> rules.MutableGrid | None:
    """Return the board after ``moves`` 0..6; None if one is impossible or comes after the game's end."""
    try:
        return rules.grid_after(moves, student_first=we_started)
    except ValueError:
        return None


def _results(grid: rules.MutableGrid, we_started: bool) -> set[float | None]:
    """Return the results that a server may give for this board; None while the game is running.

    A four made by the 42nd disc is a draw for a server that looks for a full board first, and a win for others.
    """
    is_ours = (sum(map(bool, chain(*grid))) % 2 == 1) == we_started
    player = rules.STUDENT if is_ours else rules.BOT
    result = rules.result_after(grid, player)
    return {result, float(player)} if result == DRAWN and rules.has_four(grid, player) else {result}

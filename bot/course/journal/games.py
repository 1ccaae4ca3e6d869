"""A recorded game as steps: each request of ours, and what followed from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.course.events import Chosen, Failed, GameEnded, Replied
from bot.course.failures import Delivery
from bot.course.hypotheses import Position
from bot.course.protocol import DRAWN, ILLEGAL, NEW_GAME, WON
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
        if self.after is not None:
            return self._met_before(self.after)
        if self.before is None or isinstance(self.outcome, Replied):
            return None
        return self.before.board

    def _met_before(self, after: Position) -> Board | None:
        """Return the board of which our move led to the position ``after``."""
        moves = after.moves
        if len(moves) == after.board.ply:
            is_ours = (len(moves) % 2 == 1) == after.we_started
            before = moves[:-1] if is_ours else moves[:-2]
            return Board.from_moves(before)
        # After a resynchronisation, only the moves from there on are known.
        if self.before is None:
            return None
        expected = (*self.before.moves, self.move)
        return self.before.board if moves[: len(expected)] == expected else None

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
        known = [position.moves for position in self.shown if len(position.moves) == position.board.ply]
        return known[-1] if known else ()

    @property
    def our_moves(self) -> int:
        """Number of our discs on the last board that a reply has shown."""
        discs = len(self.moves)
        if self.shown:
            discs = max(discs, self.shown[-1].board.ply)
        return (discs + 1) // 2 if self.we_started else discs // 2

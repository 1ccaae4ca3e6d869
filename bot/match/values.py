"""Did we ever give a game-theoretic value away? Every move of ours against the exact scores."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.engine.perfect import shipped_book
from bot.engine.solver import Solver
from bot.errors import BoardError
from bot.game import Board
from bot.game.notation import column_letter
from bot.journal.verify import Replay, Step
from bot.match.prospects import EngineProspects

PATIENCE_S = 60.0
"""For one position that neither book nor memory knows; what it cannot settle is reported as unchecked."""
_OUTCOME = {1: "a win", 0: "a draw", -1: "a loss"}

Bounds = tuple[int, int]
"""What is proven of a score: at least, at most; equal where it is known."""


@dataclass(slots=True)
class Values:
    """What the exact scores say about our moves in one game."""

    checked: int = 0
    given_away: list[str] = field(default_factory=list)
    """Moves that turned a win into less or a draw into a loss, a sentence each."""
    excused: list[str] = field(default_factory=list)
    """The same, where the game was in doubt: no column was right in everything that could have happened, or the move
    was chosen for another game and opened this one."""
    slower: list[str] = field(default_factory=list)
    """Moves that kept the outcome but won later, or lost sooner, than they had to."""
    unchecked: list[str] = field(default_factory=list)


class Judge:
    """Checks games one after another; positions that come again are looked up.

    Boards are as the server told them, so the verdict does not rest on our own tracking.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._solver: Solver | None = None
        self._prospects = EngineProspects()
        self._remembered: dict[Board, list[Bounds | None]] = {}

    def judge(self, replay: Replay, outcomes_only: bool = False) -> Values:
        """Check every move of ours whose board is known; ``outcomes_only`` is faster and leaves ``slower`` empty."""
        values = Values()
        for number, step in enumerate(replay.steps):
            if step.move >= 0 and step.met is not None and not step.undone:
                (self._judge_outcome if outcomes_only else self._judge_move)(values, number, step)
        return values

    def _judge_outcome(self, values: Values, number: int, step: Step) -> None:
        """Whether another column had a better outcome; the others are looked at only if the move does not win."""
        name = f"Move {number} ({column_letter(step.move)})"
        board = _board_of(step)
        if board is None or board.is_over or not board.can_play(step.move):
            values.unchecked.append(f"{name}: the board allows no such move.")
            return
        self._prospects.within(self._patience_s)
        got = self._outcome(board, step.move)
        better = None
        if got is not None and got < 1:
            for column in board.legal_columns():
                other = self._outcome(board, column) if column != step.move else got
                if other is None:
                    got = None
                    break
                if other > got:
                    better = column
                    break
        if got is None:
            values.unchecked.append(f"{name}: not settled within {self._patience_s:g} s.")
            return
        values.checked += 1
        if better is not None:
            text = f"{name} gives value away: {column_letter(better)} is better than {_OUTCOME[got]}."
            (values.excused if _is_excused(step) else values.given_away).append(text)

    def _outcome(self, board: Board, column: int) -> int | None:
        """Return the outcome of a legal column for the side to move; None when time runs out."""
        outcome = self._prospects.outcome(board.play(column))
        return None if outcome is None else -outcome

    def columns(self, board: Board) -> list[Bounds | None]:
        """Bounds of the score of each column of an unfinished board; None where it is full."""
        mirrored = board.mirror()
        if (mirrored.mask, mirrored.current) < (board.mask, board.current):
            return self.columns(mirrored)[::-1]
        if board not in self._remembered:
            self._remembered[board] = self._solve(board)
        return self._remembered[board]

    def _solve(self, board: Board) -> list[Bounds | None]:
        book = shipped_book()
        scores = book.column_scores(board) if book is not None else None
        if scores is not None:
            return [None if score is None else (score, score) for score in scores]
        self._solver = self._solver or Solver(table_mb=32)
        solved = self._solver.solve_columns(board.current, board.mask, deadline_s=self._patience_s)
        return [None if told is None else (told.lower, told.upper) for told in solved]

    def _judge_move(self, values: Values, number: int, step: Step) -> None:
        name = f"Move {number} ({column_letter(step.move)})"
        board = _board_of(step)
        chosen = None if board is None or board.is_over else self.columns(board)[step.move]
        if board is None or chosen is None:
            values.unchecked.append(f"{name}: the board allows no such move.")
            return
        columns = self.columns(board)
        best, best_column = max((told[0], -column) for column, told in enumerate(columns) if told is not None)
        possible = max(told[1] for told in columns if told is not None)
        values.checked += 1
        if _sign(chosen[1]) < _sign(best):
            had, got = _OUTCOME[_sign(best)], _OUTCOME[_sign(chosen[1])]
            text = f"{name} gives value away: {column_letter(-best_column)} is {had}, this {got}."
            (values.excused if _is_excused(step) else values.given_away).append(text)
        elif _sign(chosen[0]) < _sign(possible):
            values.checked -= 1
            values.unchecked.append(f"{name}: not settled within {self._patience_s:g} s.")
        elif chosen[1] < best:
            values.slower.append(
                f"{name} scores {chosen[1]:+d}, {column_letter(-best_column)} would have scored {best:+d}."
            )


def _is_excused(step: Step) -> bool:
    """Whether the journal says that no column was right in everything that could have happened.

    A move that opened a game though its board was thought to be known was chosen for the game before.
    """
    safe = step.intent.get("safe")
    return not step.certain and (safe is False or (step.is_silent_start and safe is None))


def _board_of(step: Step) -> Board | None:
    """The board that our move met, us to move; None when it is none that can arise."""
    try:
        return None if step.met is None else Board.from_grid(step.met)
    except BoardError:
        return None


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)

"""The review of a recorded game: every move of ours against the exact scores."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from bot.course.journal.games import Game, Step
from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import judge_bounds
from bot.engine.score import Bounds, number, sign
from bot.game import Board
from bot.game.notation import column_name

PATIENCE_S = 60.0
"""Time limit for one position that the book does not hold, seconds; a move not settled by then counts as unchecked."""
_OUTCOME = {1: "a win", 0: "a draw", -1: "a loss"}


@dataclass(slots=True)
class MoveReview:
    """The verdicts on our moves in one game, by exact scores; the lists have a sentence for each move."""

    checked: int = 0
    """Moves whose outcome was compared with the best one."""
    given_away: list[str] = field(default_factory=list)
    """Moves that turned a win into a draw or a loss, or a draw into a loss."""
    excused: list[str] = field(default_factory=list)
    """The same under doubt: no column was right under every hypothesis about the board, or the move was chosen for
    another game and opened this one."""
    slower: list[str] = field(default_factory=list)
    """Moves that kept the outcome but won later, or lost sooner, than necessary."""
    unchecked: list[str] = field(default_factory=list)
    """Moves that could not be judged."""


class Reviewer:
    """Reviews games one after another and remembers the columns of their positions.

    It uses the boards that the server's replies show, so a verdict does not depend on what the client believed.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._analyst = Analyst(shipped_book())
        self._remembered: dict[Board, list[Bounds | None]] = {}

    def review(self, game: Game, outcomes_only: bool = False) -> MoveReview:
        """Check every move of ours whose board is known; ``outcomes_only`` is faster and leaves ``slower`` empty."""
        reviewed = MoveReview()
        check = self._check_outcome if outcomes_only else self._check_score
        for step in game.steps:
            if step.met is not None:
                check(reviewed, f"Move {step.number} (column {column_name(step.move)})", step.met, step)
        return reviewed

    def columns(self, board: Board) -> list[Bounds | None]:
        """Return the bounds of each column's score of an unfinished board; None for a full column."""
        mirrored = board.mirror()
        if (mirrored.mask, mirrored.current) < (board.mask, board.current):
            return self.columns(mirrored)[::-1]
        if board not in self._remembered:
            self._remembered[board] = list(self._analyst.columns(board, deadline_s=self._patience_s))
        return self._remembered[board]

    def _check_outcome(self, reviewed: MoveReview, name: str, board: Board, step: Step) -> None:
        """Check whether another column had a better outcome; no other is solved if the move wins."""
        end = time.monotonic() + self._patience_s
        got = self._outcome(board, step.move, end)
        better = None
        if got is not None and got < 1:
            for column in board.legal_columns():
                other = self._outcome(board, column, end) if column != step.move else got
                if other is None:
                    got = None
                    break
                if other > got:
                    better = column
                    break
        if got is None:
            reviewed.unchecked.append(f"{name}: not solved within {self._patience_s:g} s.")
            return
        reviewed.checked += 1
        if better is not None:
            text = f"{name} gives value away: column {column_name(better)} is better than {_OUTCOME[got]}."
            (reviewed.excused if _is_excused(step) else reviewed.given_away).append(text)

    def _outcome(self, board: Board, column: int, end: float) -> int | None:
        """Return the outcome of a legal column for the side to move; None when time runs out."""
        left_s = max(0.0, end - time.monotonic())
        return (-self._analyst.bounds(board.play(column), weak=True, deadline_s=left_s, keep=True)).outcome

    def _check_score(self, reviewed: MoveReview, name: str, board: Board, step: Step) -> None:
        """Compare the move's score with the best column's."""
        columns = self.columns(board)
        known = {column: bounds for column, bounds in enumerate(columns) if bounds is not None}
        played = known[step.move]
        best_column = max(known, key=lambda column: (known[column].lower, -column))
        best = Bounds(known[best_column].lower, max(bounds.upper for bounds in known.values()))
        verdict = judge_bounds(best, played)
        if verdict is None:
            reviewed.unchecked.append(f"{name}: not solved within {self._patience_s:g} s.")
            return
        reviewed.checked += 1
        other = f"column {column_name(best_column)}"
        if verdict.grave:
            had, got = _OUTCOME[sign(best.lower)], _OUTCOME[sign(played.upper)]
            text = f"{name} gives value away: {other} is {had}, this {got}."
            (reviewed.excused if _is_excused(step) else reviewed.given_away).append(text)
        elif played.upper < best.lower:
            reviewed.slower.append(f"{name} scores {number(played.upper)}; {other} scores {number(best.lower)}.")


def _is_excused(step: Step) -> bool:
    """Return whether no column was right under every hypothesis, or the move was chosen for another board.

    The latter is a move that found its game ended and opened the next one.
    """
    return not step.chosen.safe or (step.before is not None and step.before.board != step.met)

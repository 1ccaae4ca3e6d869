"""The review of a recorded game: every move of ours against the exact scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.course.journal.games import RecordedGame, Step
from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import judge_bounds
from bot.engine.score import Bounds
from bot.game.notation import column_name

PATIENCE_S = 60.0
"""Time limit for one position that the book does not hold, seconds; a move not settled by then counts as unchecked."""


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
    """Moves that kept the outcome but won later, or lost sooner, than necessary; not those that the plan chose, as
    safer if a reply is lost."""
    unchecked: list[str] = field(default_factory=list)
    """Moves that could not be judged."""


class Reviewer:
    """Reviews games one after another.

    It uses the boards that the server's replies show, so a verdict does not depend on what the client believed.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._analyst = Analyst(shipped_book())

    def review(self, game: RecordedGame) -> MoveReview:
        """Check every move of ours whose board is known."""
        reviewed = MoveReview()
        for step in game.steps:
            if step.met is not None:
                columns = self._analyst.columns(step.met, deadline_s=self._patience_s)
                self._check(reviewed, step, columns)
        return reviewed

    def _check(self, reviewed: MoveReview, step: Step, columns: Sequence[Bounds | None]) -> None:
        """Compare the move's score with the best column's."""
        name = f"Move {step.number} (column {column_name(step.move)})"
        known = {column: bounds for column, bounds in enumerate(columns) if bounds is not None}
        played = known[step.move]
        best_column = max(known, key=lambda column: (known[column].lower, -column))
        best = Bounds(known[best_column].lower, max(bounds.upper for bounds in known.values()))
        verdict = judge_bounds(best, played)
        if verdict is None:
            reviewed.unchecked.append(f"{name}: not solved within {self._patience_s:g} s.")
            return
        reviewed.checked += 1
        text = f"{name} {verdict.text}; column {column_name(best_column)} was better."
        if verdict.grave:
            (reviewed.excused if _is_excused(step) else reviewed.given_away).append(text)
        elif verdict.kind in ("slower", "sooner") and step.chosen.source != "plan":
            reviewed.slower.append(text)


def _is_excused(step: Step) -> bool:
    """Return whether no column was right under every hypothesis, or the move was chosen for another board.

    The latter is a move that found its game ended and opened the next one.
    """
    return not step.chosen.safe or (step.before is not None and step.before.board != step.met)

"""Did we ever give a game-theoretic value away? Every move of ours against the exact scores."""

from __future__ import annotations

from bot.engine.solver import Solver
from bot.game import Board
from bot.game.notation import column_letter
from bot.journal.verify import Replay

_OUTCOME = {1: "a win", 0: "a draw", -1: "a loss"}


def value_losses(replay: Replay) -> list[str]:
    """Our moves that turned a win into less or a draw into a loss, a sentence each.

    Left out are moves sent while it was unknown what the server held, where the journal proves that no column was
    right in every world. Boards are as the server told them, so the check does not rest on our own tracking.
    """
    solver = Solver()
    found = []
    for number, step in enumerate(replay.steps):
        if step.move < 0 or not step.certain:
            continue
        board = Board.from_grid(step.before)
        scores = solver.column_scores(board.current, board.mask)
        known = [score for score in scores if score is not None]
        chosen = scores[step.move]
        if chosen is not None and _sign(chosen) < _sign(max(known)):
            had, got = _OUTCOME[_sign(max(known))], _OUTCOME[_sign(chosen)]
            best = column_letter(scores.index(max(known)))
            found.append(f"Move {number} ({column_letter(step.move)}) gives value away: {best} is {had}, this {got}.")
    return found


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)

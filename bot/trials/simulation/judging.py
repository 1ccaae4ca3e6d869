"""Judge the moves of a series on the server's own board: illegal ones, and those that gave value away."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.course.session.events import Chosen, Event
from bot.course.session.hypotheses import Hypotheses
from bot.course.session.policy import MOST_BOARDS, Prospects
from bot.course.session.position import EMPTY
from bot.course.session.session import Session
from bot.game import CENTRE_FIRST, Board, format_moves
from bot.trials.simulation.world import VirtualWorld

EQUAL = 1e-9
"""Rounding error: probabilities that differ by less count as equal."""


def explained(moves: tuple[int, ...], column: int, hypotheses: Hypotheses, prospects: Prospects) -> dict[str, Any]:
    """Return why ``column`` was chosen under these ``hypotheses``, although it was full there; columns 1-7.

    ``moves`` are those of the game at the server. ``legal`` is the probability that the column is legal, ``saved`` that
    of not losing with it, ``safe_column`` the best column that is legal in all of the ``believed`` hypotheses.
    Probabilities are those of the policy (`bot.course.session.policy.choose`): beyond MOST_BOARDS only legality counts.
    """
    boards: dict[Board, float] = {}
    for hypothesis in hypotheses:
        board = hypothesis.playing.board
        boards[board] = boards.get(board, 0.0) + hypothesis.weight
    total = sum(boards.values())
    saved = [0.0] * 7
    for number, (board, weight) in enumerate(sorted(boards.items(), key=lambda item: -item[1])):
        for each in range(7):
            row = prospects.prospect(board, each) if number < MOST_BOARDS else float(board.can_play(each))
            saved[each] += weight * row / total
    legal_in_all = set.intersection(*(set(board.legal_columns()) for board in boards))
    safe = sorted(legal_in_all, key=CENTRE_FIRST.index)
    best = max(safe, key=lambda each: saved[each], default=None)
    legal = sum(weight for board, weight in boards.items() if board.can_play(column)) / total
    return {
        "moves": format_moves(moves),
        "column": column + 1,
        "legal": round(legal, 4),
        "saved": round(saved[column], 4),
        "safe_column": None if best is None else best + 1,
        "safe_saved": 0.0 if best is None else round(saved[best], 4),
        "avoidable": best is not None and saved[best] >= saved[column] - EQUAL,
        "believed": len(hypotheses),
    }


@dataclass(slots=True)
class Judge:
    """Watches the steps of a series, and counts."""

    prospects: Prospects
    checks_values: bool = False
    """Whether moves that give game-theoretic value away are counted."""
    illegal: list[dict[str, Any]] = field(default_factory=list)
    """Every illegal move; see `explained`."""
    given_away: int = 0
    """Moves that gave value away although some column was right in every hypothesis."""
    unavoidable: int = 0
    """Moves that gave value away where no column was right in every hypothesis."""
    ended: int = 0
    chosen: tuple[int, Hypotheses] | None = None
    """The last column, and the hypotheses under which it was chosen."""

    def __call__(self, world: VirtualWorld, session: Session, event: Event) -> None:
        """Look at the session after ``event``."""
        for game in world.finished[self.ended :]:
            if game.reason == "illegal" and self.chosen is not None:
                self.illegal.append(explained(game.moves, *self.chosen, self.prospects))
        self.ended = len(world.finished)
        if isinstance(event, Chosen) and event.move >= 0:
            hypotheses = session.belief.hypotheses
            self.chosen = (event.move, hypotheses)
            if self.checks_values:
                self._compare_values(world, hypotheses, event.move)

    def _compare_values(self, world: VirtualWorld, hypotheses: Hypotheses, column: int) -> None:
        game = world.server.state.game
        at_server = EMPTY.board if game is None else game.board
        if column in self._best_columns(at_server):
            return
        boards = {hypothesis.playing.board for hypothesis in hypotheses}
        if set.intersection(*map(self._best_columns, boards)):
            self.given_away += 1
        else:
            self.unavoidable += 1

    def _best_columns(self, board: Board) -> set[int]:
        """Return the columns of a position that keep its value."""
        row = self.prospects.prospects(board)
        return {column for column in range(7) if row[column] >= max(row)}


def in_words(move: dict[str, Any]) -> str:
    """Return an illegal move as a line."""
    other = (
        "no column was legal in all hypotheses"
        if move["safe_column"] is None
        else f"best column that was legal in all: {move['safe_column']}, {move['safe_saved']:.3f}"
    )
    return (
        f"Illegal move against {move['bot']} after {move['moves']}: column {move['column']}, legal with probability "
        f"{move['legal']:.3f} in {move['believed']} hypotheses, not losing {move['saved']:.3f}; {other}."
    )

"""Illegal moves of a series: the belief when the column was chosen, and whether a legal one was as good."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.course.session.belief import Belief
from bot.course.session.events import Chosen, Event
from bot.course.session.policy import MOST_BOARDS, Prospects
from bot.course.session.state import Session
from bot.game import CENTRE_FIRST, Board, format_moves
from bot.trials.simulation.series import OnStep
from bot.trials.simulation.world import VirtualWorld

EQUAL = 1e-9
"""Rounding error: probabilities that differ by less count as equal."""
KEPT_HYPOTHESES = 20
"""Maximum number of hypotheses in the report of an illegal move, the most likely first."""
SHOWN_HYPOTHESES = 4
"""Maximum number of them in a line of text."""


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """A column that was full at the server, and the hypotheses in which it was chosen."""

    moves: tuple[int, ...]
    """The moves of the server's game before it, columns 0..6."""
    column: int
    hypotheses: tuple[tuple[tuple[int, ...], float, bool], ...]
    """Moves, probability and whether the column is legal, the most likely first, at most KEPT_HYPOTHESES."""
    believed: int
    """Number of all hypotheses."""
    legal: float
    """Probability that the column is legal, by the weights of the hypotheses."""
    saved: float
    """Expected probability of not losing with the column."""
    safe_column: int | None
    """The best column that is legal in all hypotheses; None if there is none."""
    safe_saved: float
    """Expected probability of not losing with `safe_column`."""

    @property
    def is_avoidable(self) -> bool:
        """Whether a column that is legal in all hypotheses was at least as good."""
        return self.safe_column is not None and self.safe_saved >= self.saved - EQUAL

    def as_json(self, bot: str) -> dict[str, Any]:
        """Return the illegal move with columns 1-7."""
        return {
            "bot": bot,
            "moves": format_moves(self.moves),
            "column": self.column + 1,
            "legal": round(self.legal, 4),
            "saved": round(self.saved, 4),
            "safe_column": None if self.safe_column is None else self.safe_column + 1,
            "safe_saved": round(self.safe_saved, 4),
            "avoidable": self.is_avoidable,
            "believed": self.believed,
            "hypotheses": [
                {"moves": format_moves(moves), "weight": round(weight, 4), "legal": legal}
                for moves, weight, legal in self.hypotheses
            ],
        }


def judged(moves: tuple[int, ...], column: int, belief: Belief, prospects: Prospects) -> IllegalMove:
    """Return the report of ``column``, which was chosen in ``belief`` and was full at the server.

    Probabilities are those of the policy (`bot.course.session.policy.choose`): beyond MOST_BOARDS only legality counts.
    """
    boards: dict[Board, float] = {}
    for hypothesis in belief:
        board = hypothesis.playing.board
        boards[board] = boards.get(board, 0.0) + hypothesis.weight
    total = sum(boards.values())
    saved = [0.0] * 7
    for number, (board, weight) in enumerate(sorted(boards.items(), key=lambda item: -item[1])):
        for each in range(7):
            row = prospects.prospect(board, each) if number < MOST_BOARDS else float(board.can_play(each))
            saved[each] += weight * row / total
    safe = [each for each in CENTRE_FIRST if all(board.can_play(each) for board in boards)]
    best = max(safe, key=lambda each: saved[each], default=None)
    ranked = sorted(belief, key=lambda hypothesis: -hypothesis.weight)[:KEPT_HYPOTHESES]
    return IllegalMove(
        moves=moves,
        column=column,
        hypotheses=tuple((each.playing.moves, each.weight, each.playing.board.can_play(column)) for each in ranked),
        believed=len(belief),
        legal=sum(weight for board, weight in boards.items() if board.can_play(column)) / total,
        saved=saved[column],
        safe_column=best,
        safe_saved=0.0 if best is None else saved[best],
    )


@dataclass(slots=True)
class IllegalMoves:
    """Collects the illegal moves of a series."""

    prospects: Prospects
    found: list[IllegalMove] = field(default_factory=list)

    def watching(self, world: VirtualWorld) -> OnStep:
        """Return the watcher of a series' steps."""
        ended = len(world.finished)
        chosen: tuple[int, Belief] | None = None

        def on_step(session: Session, event: Event) -> None:
            nonlocal ended, chosen
            for game in world.finished[ended:]:
                if game.reason == "illegal" and chosen is not None:
                    self.found.append(judged(game.moves, *chosen, self.prospects))
            ended = len(world.finished)
            if isinstance(event, Chosen) and event.move >= 0:
                chosen = (event.move, session.belief)

        return on_step


def in_words(move: dict[str, Any]) -> str:
    """Return an illegal move as a line."""
    shown = [
        f"{each['moves'] or 'empty board'} {100 * each['weight']:.1f} %{'' if each['legal'] else ' (full)'}"
        for each in move["hypotheses"][:SHOWN_HYPOTHESES]
    ]
    more = move["believed"] - len(shown)
    other = (
        "no column was legal in all hypotheses"
        if move["safe_column"] is None
        else f"best column that was legal in all: {move['safe_column']}, {move['safe_saved']:.3f}"
    )
    return (
        f"Illegal move against {move['bot']} after {move['moves']}: column {move['column']}, legal with probability "
        f"{move['legal']:.3f}, not losing {move['saved']:.3f}; {other}. Hypotheses: {'; '.join(shown)}"
        f"{f'; {more} more' if more else ''}."
    )

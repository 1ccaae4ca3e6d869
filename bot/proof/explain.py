"""The proof's move in a position, explained: its reason, the diagram over the board, and what its cells mean.

`explain` answers for the player whose claim covers the position, `replies` for the position after that player's move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, completing_cells, playable_cells
from bot.game.notation import column_name
from bot.proof.diagram import REASONS, bit_of
from bot.proof.outlook import Outlook, outlook
from bot.proof.plan import Guide, Plan, shipped_guides

Cell = tuple[int, int]
"""Column 0 to 6 and row 0 to 5, from the bottom left."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The proof's move in a position and its meaning.

    The statements about ``follow`` and ``claim`` hold in every line that may follow while the proof's player keeps to
    the diagram, until that player can win with the next disc. All three fields of cells are empty where a branch gives
    the move.
    """

    column: int
    """The proof's move."""
    must_win: bool
    """Whether the proof promises a win; otherwise not to lose."""
    reason: str
    """Why this move, as the end of a sentence that begins with "because"."""
    entries: int
    """Entries of the proof that this position needs; 0 where a diagram was met before."""
    order: tuple[Cell, ...] = ()
    """The empty cells in the order of the diagram, most urgent first."""
    follow: tuple[Cell, ...] = ()
    """Cells that are played at once whenever the opponent plays directly below."""
    claim: tuple[Cell, ...] = ()
    """Cells that the opponent never gets."""

    @property
    def is_diagram(self) -> bool:
        """Whether a diagram decides every further move."""
        return bool(self.order)

    @property
    def wins_now(self) -> bool:
        """Whether the move makes four in a row."""
        return self.reason == REASONS[0]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The explanation in words."""
        promise = "wins" if self.must_win else "does not lose"
        now = f"Play column {column_name(self.column)} now, because {self.reason}."
        if not self.is_diagram:
            return (now,) if self.wins_now else (now, f"This {promise}: the proof has an answer to each reply.")
        if self.wins_now:
            return (now,)
        lines = [now, f"From here a fixed order of the cells {promise} without looking ahead."]
        if self.follow:
            lines.append(f"Follow up: when the opponent plays directly below, answer in {_names(self.follow)}.")
        others = [cell for cell in self.claim if cell not in self.follow]
        if others:
            lines.append(f"Claim: the opponent never gets {_names(others)}.")
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of the opponent to the proof's move, and the proof's answer."""

    column: int
    """The opponent's column."""
    answer: int | None
    """The proof's column; None where the reply ends the game or the proof does not cover it."""
    is_diagram: bool
    """Whether a diagram decides every further move."""
    entries: int
    """Entries of the proof that the position after the reply needs; 0 below a diagram that was met before."""


def explain(
    board: Board, moves: Sequence[int] | None = None, guides: tuple[Guide, ...] | None = None
) -> Explanation | None:
    """Return the explanation for the side to move, or None if no claim of the proof covers the position.

    Give ``moves``, the columns of the game so far, where they are known: the agent `proof` keeps to the diagram that
    its game has met, and the explanation then follows the same one.
    """
    for guide in shipped_guides() if guides is None else guides:
        plan = guide.plan(board, moves)
        if plan is not None:
            return _explanation(board, plan, guide.size(board))
    return None


def replies(
    board: Board, moves: Sequence[int] | None = None, guides: tuple[Guide, ...] | None = None
) -> tuple[Reply, ...]:
    """Return the legal replies in ``board``, a position after the proof's move, with what the proof holds for each.

    ``moves``: as for `explain`, the game that led to ``board``.
    """
    found = []
    for column in board.legal_columns():
        after = board.play(column)
        for guide in shipped_guides() if guides is None else guides:
            plan = guide.plan(after, None if moves is None else (*moves, column))
            if plan is not None:
                found.append(Reply(column, plan.column, plan.order is not None, guide.size(after)))
                break
        else:
            found.append(Reply(column, None, is_diagram=False, entries=0))
    return tuple(found)


def _explanation(board: Board, plan: Plan, entries: int) -> Explanation:
    if plan.order is None or plan.step is None:
        return Explanation(plan.column, plan.must_win, _branch_reason(board, plan.column), entries)
    meaning = Outlook(0, 0, 0) if plan.step.rule == 15 else outlook(board, plan.order)
    order = tuple(divmod(cell, ROWS) for cell in plan.order if not board.mask & bit_of(cell))
    return Explanation(
        plan.column,
        plan.must_win,
        plan.step.reason,
        entries,
        order=order,
        follow=_cells(meaning.followed),
        claim=_cells(meaning.claimed),
    )


def _branch_reason(board: Board, column: int) -> str:
    wins, blocks = (completing_cells(discs, board.mask) for discs in (board.current, board.opponent))
    cell = playable_cells(board.mask) & 0b111111 << column * STRIDE
    return REASONS[0] if cell & wins else REASONS[1] if cell & blocks else "the proof names this column here"


def _cells(bits: int) -> tuple[Cell, ...]:
    return tuple(
        (column, row) for column in range(COLUMNS) for row in range(ROWS) if bits >> (column * STRIDE + row) & 1
    )


def _names(cells: Iterable[Cell]) -> str:
    """Return names such as "column 2 row 4, column 5 rows 2 and 6"."""
    rows: dict[int, list[str]] = {}
    for column, row in cells:
        rows.setdefault(column, []).append(str(row + 1))
    return ", ".join(
        f"column {column_name(column)} row{'s' if len(found) > 1 else ''} {_listed(found)}"
        for column, found in rows.items()
    )


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

"""Tell a person why the proof plays its move, what a diagram means from there on, and what it answers to each reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, completing_cells, playable_cells
from bot.game.notation import column_name
from bot.proof.diagram import BITS, REASONS, ranks_of
from bot.proof.kernels.rules import chosen
from bot.proof.plan import plan_for

_FULL = sum(1 << bit for bit in BITS)
Coordinates = tuple[int, int]
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
    wins: bool
    """Whether the proof promises a win; otherwise not to lose."""
    sentences: tuple[str, ...]
    """The explanation in words."""
    entries: int
    """Entries of the proof that this position needs; 0 where a diagram was met before."""
    diagram: bool = False
    """Whether a diagram decides every further move."""
    order: tuple[Coordinates, ...] = ()
    """The empty cells in the order of the diagram, most urgent first."""
    follow: tuple[Coordinates, ...] = ()
    """Cells that are played at once whenever the opponent plays directly below."""
    claim: tuple[Coordinates, ...] = ()
    """Cells that the opponent never gets."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of the opponent to the proof's move, and the proof's answer."""

    column: int
    """The opponent's column."""
    answer: int | None
    """The proof's column; None where the reply ends the game or the proof does not cover it."""
    diagram: bool
    """Whether a diagram decides every further move."""
    entries: int
    """Entries of the proof that the position after the reply needs; 0 below a diagram that was met before."""
    ends: bool
    """Whether the reply ends the game."""


def explain(board: Board, moves: Sequence[int] | None = None) -> Explanation | None:
    """Return the explanation for the side to move, or None if no claim of the proof covers the position.

    Give ``moves``, the columns of the game so far, where they are known: the agent `proof` keeps to the diagram that
    its game has met, and the explanation then follows the same one.
    """
    found = plan_for(board, moves)
    if found is None:
        return None
    guide, plan = found
    order: tuple[Coordinates, ...] = ()
    follow: tuple[Coordinates, ...] = ()
    claim: tuple[Coordinates, ...] = ()
    if plan.order is None or plan.rule is None:
        reason = _branch_reason(board, plan.column)
    else:
        reason = REASONS[plan.rule]
        order = tuple(divmod(cell, ROWS) for cell in plan.order if not board.mask >> BITS[cell] & 1)
        if plan.rule > 15:
            follow, claim = map(_cells, outlook(board, plan.order))
    promise = "wins" if guide.must_win else "does not lose"
    lines = [f"Play column {column_name(plan.column)} now, because {reason}."]
    if order and not board.wins_with(plan.column):
        lines.append(f"From here a fixed order of the cells {promise} without looking ahead.")
    elif not board.wins_with(plan.column):
        lines.append(f"This {promise}: the proof has an answer to each reply.")
    if follow:
        lines.append(f"Follow up: when the opponent plays directly below, answer in {_names(follow)}.")
    if others := [cell for cell in claim if cell not in follow]:
        lines.append(f"Claim: the opponent never gets {_names(others)}.")
    entries = guide.size(board)
    return Explanation(plan.column, guide.must_win, tuple(lines), entries, bool(order), order, follow, claim)


def replies(board: Board, moves: Sequence[int] | None = None) -> tuple[Reply, ...]:
    """Return the legal replies in ``board``, a position after the proof's move, with what the proof holds for each.

    ``moves``: as for `explain`, the game that led to ``board``.
    """
    rows = []
    for column in board.legal_columns():
        after = board.play(column)
        found = plan_for(after, None if moves is None else (*moves, column))
        if found is None:
            rows.append(Reply(column, None, diagram=False, entries=0, ends=after.is_over))
        else:
            guide, plan = found
            rows.append(Reply(column, plan.column, plan.order is not None, guide.size(after), ends=False))
    return tuple(rows)


def proof_json(columns: Sequence[int]) -> dict[str, Any]:
    """Return what the proof says in the position after ``columns`` (0..6).

    ``turn``: "proof" if the proof's player is to move, "opponent" if the proof has moved, "outside" where no claim
    covers the position, "over" at its end. ``move``: the `Explanation` of the proof's move here or, on the opponent's
    turn, of the one that led here; None where there is none. ``replies``: each `Reply`, on the opponent's turn.
    """
    board = Board.from_moves(columns)
    own = explain(board, columns)
    if own is not None:
        return {"turn": "proof", "move": asdict(own), "replies": []}
    before = columns[:-1]
    led = explain(Board.from_moves(before), before) if columns else None
    last = asdict(led) if led is not None and led.column == columns[-1] else None
    if board.is_over:
        return {"turn": "over", "move": last, "replies": []}
    following = replies(board, columns)
    if all(reply.answer is None and not reply.ends for reply in following):
        return {"turn": "outside", "move": None, "replies": []}
    return {"turn": "opponent", "move": last, "replies": list(map(asdict, following))}


def outlook(board: Board, order: bytes) -> tuple[int, int]:
    """Return two sets of cells as bits, found by playing out every line in which the diagram ``order`` is followed.

    In the cells of the first set we answer at once whenever the opponent plays directly below; those of the second are
    empty, and the opponent never gets them. Both are true until one player wins or can win with the next disc.
    """
    ranks = ranks_of(order)
    start = (board.current, board.mask)
    cells = {start: chosen(*start, ranks)[0]}
    todo = [start]
    lost = below = unanswered = 0
    while todo:
        ours, mask = position = todo.pop()
        ours, mask = ours | cells[position], mask | cells[position]
        playable = playable_cells(mask)
        wins = completing_cells(ours, mask)
        while playable:
            reply = playable & -playable
            playable ^= reply
            if wins & playable_cells(mask | reply):
                continue  # our next disc wins
            lost |= reply
            if mask | reply == _FULL:
                continue
            after = (ours, mask | reply)
            if after not in cells:
                cells[after] = chosen(*after, ranks)[0]
                todo.append(after)
            if cells[after] == reply << 1:
                below |= reply
            else:
                unanswered |= reply
    return (below & ~unanswered) << 1, _FULL & ~board.mask & ~lost


def _branch_reason(board: Board, column: int) -> str:
    if board.wins_with(column):
        return REASONS[15]
    if Board(board.opponent, board.mask).wins_with(column):
        return REASONS[16]
    return "the proof names this column here"


def _cells(bits: int) -> tuple[Coordinates, ...]:
    return tuple(
        (column, row) for column in range(COLUMNS) for row in range(ROWS) if bits >> (column * STRIDE + row) & 1
    )


def _names(cells: Iterable[Coordinates]) -> str:
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

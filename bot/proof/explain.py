"""Tell a person what the proof's move does, and what it answers to each reply.

The sentences speak to the proof's opponent: this is who reads them on the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, completing_cells, playable_cells
from bot.game.notation import column_name
from bot.proof.player import Plan, plan_after


@dataclass(frozen=True, slots=True)
class Explanation:
    """The proof's move in a position, and what it does."""

    column: int
    wins: bool
    """Whether the proof promises a win; otherwise not to lose."""
    sentences: tuple[str, ...]
    """One or two, said to the opponent."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of the opponent to the proof's move, and the proof's answer."""

    column: int
    answer: int | None
    """The proof's column; None where the reply ends the game or the proof does not cover it."""
    ends: bool
    """Whether the reply ends the game."""


def explain(moves: Sequence[int]) -> Explanation | None:
    """Return the explanation for the side to move after ``moves``; None if no claim covers it, or the game is over.

    The agent `proof` keeps to the diagram that its game has met, and the explanation follows the same one.
    """
    board = Board.from_moves(moves)
    plan = None if board.is_over else plan_after(moves)
    return None if plan is None else Explanation(plan.column, plan.must_win, _sentences(board, plan))


def replies(moves: Sequence[int]) -> tuple[Reply, ...]:
    """Return the legal replies after ``moves``, the last of which is the proof's, with its answers."""
    board = Board.from_moves(moves)
    rows = []
    for column in board.legal_columns():
        answer = explain((*moves, column))
        rows.append(Reply(column, None if answer is None else answer.column, board.play(column).is_over))
    return tuple(rows)


def proof_json(columns: Sequence[int]) -> dict[str, Any]:
    """Return what the proof says in the position after ``columns`` (0..6).

    ``turn``: "proof" if the proof's player is to move, "opponent" if the proof has moved, "outside" where no claim
    covers the position, "over" at its end. ``move``: the `Explanation` of the proof's move here or, on the opponent's
    turn, of the one that led here; None where there is none. ``replies``: each `Reply`, on the opponent's turn.
    """
    own = explain(columns)
    if own is not None:
        return {"turn": "proof", "move": asdict(own), "replies": []}
    led = explain(columns[:-1]) if columns else None
    last = asdict(led) if led is not None and led.column == columns[-1] else None
    if Board.from_moves(columns).is_over:
        return {"turn": "over", "move": last, "replies": []}
    following = replies(columns)
    if all(reply.answer is None and not reply.ends for reply in following):
        return {"turn": "outside", "move": None, "replies": []}
    return {"turn": "opponent", "move": last, "replies": list(map(asdict, following))}


def _sentences(board: Board, plan: Plan) -> tuple[str, ...]:
    """Return what the proof's move does, and what it promises unless it makes four with this disc or the next one."""
    promise = "wins" if plan.must_win else "does not lose"
    reason, is_decided = _reason(board, plan)
    if is_decided:
        return (reason,)
    if plan.diagram is not None:
        return reason, f"From here a fixed order of the cells {promise} without looking ahead."
    if reason:
        return reason, f"This {promise}: the proof has an answer to each reply."
    return (f"Column {column_name(plan.column)} {promise}, whatever you play: the proof has an answer to each reply.",)


def _reason(board: Board, plan: Plan) -> tuple[str, bool]:
    """Return what the proof's move in ``board`` does, and whether it makes four with this disc or the next one.

    Each sentence is the condition of a rule of play by a diagram, and so a fact about the board; it holds for the moves
    of branches, too. It is empty where no rule says anything about a branch.
    """
    name = f"Column {column_name(plan.column)}"
    playable = playable_cells(board.mask)
    cell = playable & 0b111111 << plan.column * STRIDE
    others = playable ^ cell
    above = others << 1
    ours, theirs = completing_cells(board.current, board.mask), completing_cells(board.opponent, board.mask)
    threats = completing_cells(board.current | cell, board.mask | cell)
    now = threats & playable_cells(board.mask | cell)
    if cell & ours:
        return f"{name} makes four in a row.", True
    if cell & theirs:
        return f"{name} takes the cell in which you would make four: {_names(cell)}.", False
    if others and not above & ~theirs:
        return f"After any other column, you make four directly above: in {_names(above)}.", False
    if now & now - 1:
        return f"{name} threatens four in {_names(now)} at the same time: you can block only one.", True
    if now << 1 & threats:
        return f"{name} threatens four in {_names(now)}, and if you block there, directly above.", True
    if others and not above & ~(ours | theirs) and not cell << 1 & ours:
        block = [f"block the proof's four in {_names(fours)}"] if (fours := above & ours & ~theirs) else []
        make = [f"make four in {_names(dangers)}"] if (dangers := above & theirs) else []
        did = " or ".join(block + make)
        return f"After any other column, you could play directly above it, and {did}.", False
    if plan.diagram is not None:
        return _precedence(playable, cell, plan.diagram), False
    if now:
        return f"{name} threatens four in {_names(now)}, which you must block.", False
    if later := threats & ~ours:
        return f"{name} threatens four in {_names(later)}, once it can be played.", False
    return "", False


def _precedence(playable: int, cell: int, diagram: bytes) -> str:
    """Return that the move comes first in the diagram, and which cells before it are left out."""
    ranked = [bit for number in diagram if (bit := 1 << number // ROWS * STRIDE + number % ROWS) & playable]
    earlier = sum(ranked[: ranked.index(cell)])
    if not earlier:
        return f"Nobody can make four now; of the playable cells, {_names(cell)} comes first in the order."
    return (
        f"Nobody can make four now; {_names(earlier)} would open a four directly above, and of the other playable "
        f"cells, {_names(cell)} comes first in the order."
    )


def _names(cells: int) -> str:
    """Return names such as "column 2 row 4 and column 5 rows 2 and 6"."""
    named = []
    for column in range(COLUMNS):
        rows = [str(row + 1) for row in range(ROWS) if cells >> column * STRIDE + row & 1]
        if rows:
            named.append(f"column {column_name(column)} row{'s' if len(rows) > 1 else ''} {_listed(rows)}")
    return _listed(named)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

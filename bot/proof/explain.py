"""Tell a person why the proof plays its move, what a diagram means from there on, and what it answers to each reply.

The sentences speak to the proof's opponent: this is who reads them on the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, completing_cells, playable_cells
from bot.game.notation import column_name
from bot.proof.diagram import BITS, ranks_of
from bot.proof.kernels.rules import chosen
from bot.proof.plan import Plan, plan_for

_FULL = sum(1 << bit for bit in BITS)
Coordinates = tuple[int, int]
"""Column 0 to 6 and row 0 to 5, from the bottom left."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The proof's move in a position and its meaning.

    The statements about ``follow`` and ``claim`` hold in every line that may follow while the proof's player keeps to
    the diagram, until that player can win with the next disc. These fields and ``order`` are empty where a branch gives
    the move; ``follow`` and ``claim`` also where the player makes four with this disc or the next one.
    """

    column: int
    """The proof's move."""
    wins: bool
    """Whether the proof promises a win; otherwise not to lose."""
    sentences: tuple[str, ...]
    """The explanation in words, said to the opponent; the first one tells what the move does."""
    fours: tuple[Coordinates, ...]
    """Cells of the first sentence in which the proof's player makes four, or would make it."""
    dangers: tuple[Coordinates, ...]
    """Cells of the first sentence in which the opponent would make four."""
    entries: int
    """Entries of the proof that this position needs; 0 where a diagram was met before."""
    diagram: bool
    """Whether a diagram decides every further move."""
    order: tuple[Coordinates, ...]
    """The empty cells in the order of the diagram, most urgent first."""
    follow: tuple[Coordinates, ...]
    """Cells that are played at once whenever the opponent plays directly below."""
    claim: tuple[Coordinates, ...]
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
    reason = reason_for(board, plan.column, plan.order)
    follow = claim = 0
    if plan.order is not None and not (reason and reason.decides):
        follow, claim = outlook(board, plan.order)
    return Explanation(
        plan.column,
        guide.must_win,
        _sentences(guide.must_win, plan, reason, follow, claim & ~follow & ~board.play(plan.column).mask),
        _cells(reason.fours if reason else 0),
        _cells(reason.dangers if reason else 0),
        guide.size(board),
        plan.order is not None,
        tuple(divmod(cell, ROWS) for cell in plan.order or () if not board.mask >> BITS[cell] & 1),
        _cells(follow),
        _cells(claim),
    )


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


@dataclass(frozen=True, slots=True)
class MoveReason:
    """What a move does, in a sentence, and the cells that it names as bits: see `Explanation`."""

    text: str
    fours: int = 0
    dangers: int = 0
    decides: bool = False
    """Whether the proof's player makes four with this disc or the next one."""


def reason_for(board: Board, column: int, order: bytes | None) -> MoveReason | None:
    """Return what the proof's move in ``board`` does; None where no rule of play says anything about a branch.

    ``order`` is the diagram that the move follows, None for a branch. Each sentence is the condition of a rule of play
    by a diagram, and so a fact about the board; it holds for the moves of branches, too.
    """
    name = f"Column {column_name(column)}"
    playable = playable_cells(board.mask)
    cell = playable & 0b111111 << column * STRIDE
    others = playable ^ cell
    ours, theirs = completing_cells(board.current, board.mask), completing_cells(board.opponent, board.mask)
    if cell & ours:
        return MoveReason(f"{name} makes four in a row.", fours=cell, decides=True)
    if cell & theirs:
        text = f"{name} takes the cell in which you would make four: {_names(cell)}."
        return MoveReason(text, dangers=cell)
    if others and not others << 1 & ~theirs:
        text = f"After any other column, you make four directly above: in {_names(others << 1)}."
        return MoveReason(text, dangers=others << 1)
    threats = completing_cells(board.current | cell, board.mask | cell)
    now = threats & playable_cells(board.mask | cell)
    if now & now - 1:
        text = f"{name} threatens four in {_names(now)} at the same time: you can block only one."
        return MoveReason(text, fours=now, decides=True)
    if now << 1 & threats:
        text = f"{name} threatens four in {_names(now)}, and if you block there, directly above."
        return MoveReason(text, fours=now | now << 1, decides=True)
    if others and not others << 1 & ~(ours | theirs) and not cell << 1 & ours:
        return _patience(others << 1 & ours & ~theirs, others << 1 & theirs)
    if order is not None:
        return _precedence(board, column, order)
    if now:
        return MoveReason(f"{name} threatens four in {_names(now)}, which you must block.", fours=now)
    if later := threats & ~ours:
        return MoveReason(f"{name} threatens four in {_names(later)}, once it can be played.", fours=later)
    return None


def _patience(fours: int, dangers: int) -> MoveReason:
    """Return why no other column is played: directly above are cells of the proof's fours, or of the opponent's."""
    block = [f"block the proof's four in {_names(fours)}"] if fours else []
    make = [f"make four in {_names(dangers)}"] if dangers else []
    text = f"After any other column, you could play directly above it, and {' or '.join(block + make)}."
    return MoveReason(text, fours, dangers)


def _precedence(board: Board, column: int, order: bytes) -> MoveReason:
    """Return that the move comes first in the diagram, and which cells before it are left out."""
    playable = playable_cells(board.mask)
    ranked = [1 << BITS[cell] for cell in order if playable >> BITS[cell] & 1]
    cell = playable & 0b111111 << column * STRIDE
    earlier = sum(ranked[: ranked.index(cell)])
    if not earlier:
        return MoveReason(f"Nobody can make four now; of the playable cells, {_names(cell)} comes first in the order.")
    ours, theirs = completing_cells(board.current, board.mask), completing_cells(board.opponent, board.mask)
    text = (
        f"Nobody can make four now; {_names(earlier)} would open a four directly above, and of the other playable "
        f"cells, {_names(cell)} comes first in the order."
    )
    return MoveReason(text, earlier << 1 & ours, earlier << 1 & theirs)


def _sentences(must_win: bool, plan: Plan, reason: MoveReason | None, follow: int, claim: int) -> tuple[str, ...]:
    """Return the explanation in words; ``follow`` and ``claim`` are the sets of `outlook`."""
    promise = "wins" if must_win else "does not lose"
    if reason is None:
        move = f"Column {column_name(plan.column)} {promise}, whatever you play"
        return (f"{move}: the proof has an answer to each reply.",)
    if reason.decides:
        return (reason.text,)
    if plan.order is None:
        return (reason.text, f"This {promise}: the proof has an answer to each reply.")
    lines = [reason.text, f"From here a fixed order of the cells {promise} without looking ahead."]
    if follow:
        lines.append(f"If you play directly below {_names(follow)}, the proof answers there or makes four.")
    if claim:
        lines.append(f"You do not get {_names(claim)} before the proof can make four.")
    return tuple(lines)


def _cells(bits: int) -> tuple[Coordinates, ...]:
    return tuple(
        (column, row) for column in range(COLUMNS) for row in range(ROWS) if bits >> (column * STRIDE + row) & 1
    )


def _names(cells: int) -> str:
    """Return names such as "column 2 row 4 and column 5 rows 2 and 6"."""
    rows: dict[int, list[str]] = {}
    for column, row in _cells(cells):
        rows.setdefault(column, []).append(str(row + 1))
    named = (f"row{'s' if len(found) > 1 else ''} {_listed(found)}" for found in rows.values())
    return _listed([f"column {column_name(column)} {each}" for column, each in zip(rows, named, strict=True)])


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

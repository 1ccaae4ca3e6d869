"""Which entry of a proof covers a position: found from the position alone, without the order of its moves.

Below a leaf the tree names no positions. The search therefore plays the proof forward from its roots, with only those
moves whose discs stand on the board; any line that meets the position shows an entry that is proven there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.game import Board
from bot.proof.diagram import Step, mirror_order, step
from bot.proof.format import Proof
from bot.proof.positions import key_of, mirrored, plain_key
from bot.proof.reading import entries_of
from bot.proof.strategy import Branch, Entry, Leaf

SHIPPED = Path(__file__).parent / "data" / "proof.bin"
"""The proof that this package carries."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a proof says of a position in which the side it speaks for is to move."""

    column: int
    must_win: bool
    """Whether the proof promises a win from here; otherwise not to lose."""
    order: bytes | None = None
    """The diagram to follow to the end, as it lies on this board; None where a branch names the move."""
    step: Step | None = None
    """The diagram's move with its rule."""


class Guide:
    """The positions of one claim with their entries."""

    def __init__(
        self, entries: Mapping[int, Entry], diagrams: Sequence[bytes], openings: tuple[int, ...], *, must_win: bool
    ) -> None:
        self._entries, self._diagrams, self._openings = entries, diagrams, openings
        self.must_win = must_win

    @property
    def side(self) -> int:
        """0 where the claim speaks for the first player, 1 for the second."""
        return 1 if self._openings else 0

    def plan(self, board: Board) -> Plan | None:
        """Return what to play in ``board``, or None where the proof does not lead there."""
        if board.is_over or board.ply % 2 != self.side:
            return None
        key = plain_key(board)
        entry = self._entries.get(min(key, mirrored(key)))
        if entry is not None:
            return self._told(board, entry)
        order = self._order_met(board)
        return None if order is None else self._by_diagram(board, order)

    def _told(self, board: Board, entry: Entry) -> Plan:
        """Return the plan of an entry for ``board``, turned as the board lies."""
        flipped = key_of(board) != plain_key(board)
        if isinstance(entry, Branch):
            return Plan(6 - entry.column if flipped else entry.column, self.must_win)
        return self._by_diagram(board, self._turned(entry, flipped=flipped))

    def _by_diagram(self, board: Board, order: bytes) -> Plan:
        chosen = step(board, order)
        return Plan(chosen.column, self.must_win, order, chosen)

    def _turned(self, leaf: Leaf, *, flipped: bool) -> bytes:
        order = self._diagrams[leaf.diagram]
        return mirror_order(order) if leaf.mirrored != flipped else order

    def _order_met(self, target: Board) -> bytes | None:
        """Return the diagram of a leaf from which play by the proof can lead to ``target``."""
        ours, theirs = target.current, target.opponent
        roots = [Board().play(column) for column in self._openings] or [Board()]
        todo: list[tuple[Board, bytes | None]] = [(root, None) for root in roots if not root.mask & ~theirs]
        seen: set[tuple[Board, bytes | None]] = set()
        while todo:
            board, order = todo.pop()
            if board == target:
                return order
            if (board, order) in seen or board.ply >= target.ply:
                continue
            seen.add((board, order))
            if order is None:
                plan = self._told(board, self._entries[key_of(board)])
                column, order = plan.column, plan.order
            else:
                column = step(board, order).column
            after = board.play(column)
            if after.opponent & ~ours or after.has_winner:
                continue
            replies = (after.play(reply) for reply in after.legal_columns())
            todo.extend((reply, order) for reply in replies if not reply.opponent & ~theirs)
        return None


@cache
def shipped_guides() -> tuple[Guide, ...]:
    """Return the claims of the proof that this package carries; none where it carries no file."""
    return guides_of(Proof.load(SHIPPED)) if SHIPPED.exists() else ()


def guides_of(proof: Proof) -> tuple[Guide, ...]:
    """Return the claims of ``proof``, ready to be asked."""
    return tuple(
        Guide(entries_of(claim), proof.diagrams, claim.openings, must_win=claim.must_win) for claim in proof.claims
    )

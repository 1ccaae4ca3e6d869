"""Find the entry of a proof that covers a position, from the position alone.

A position below a leaf has no entry of its own. The proof is therefore played forward from its roots, using only moves
whose discs are on the board; a line that reaches the position gives an entry that is proven there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.game import Board
from bot.proof.diagram import mirror_order, step
from bot.proof.format import FIRST_LEAF, Claim, Proof
from bot.proof.positions import key_of, mirrored, plain_key
from bot.proof.walk import entries_of, walk

SHIPPED = Path(__file__).parent / "data" / "proof.bin"
"""The proof file of this package."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The move of a proof in a position in which the player of its claim is to move."""

    column: int
    order: bytes | None = None
    """The diagram to follow to the end of the game, oriented as this board; None where a branch gives the move."""


class Guide:
    """The positions of one claim with their entries."""

    def __init__(self, claim: Claim, diagrams: Sequence[bytes]) -> None:
        self.must_win = claim.must_win
        self._openings, self._diagrams = claim.openings, diagrams
        self._entries = entries_of(claim)
        self._sizes: dict[int, int] = {}

    @property
    def side(self) -> int:
        """0 if the claim is for the first player, 1 if for the second."""
        return 1 if self._openings else 0

    def plan(self, board: Board, moves: Sequence[int] | None = None) -> Plan | None:
        """Return the plan for ``board``, or None if the proof does not cover it.

        Several diagrams may lead to a position. If ``moves``, the game so far, is given, the diagram that it has
        followed is kept, even where the position has an entry of its own.
        """
        if board.is_over or board.ply % 2 != self.side:
            return None
        order = self._order_kept(moves or ())
        if order is None:
            plan = self._plan_met(board)
            if plan is not None:
                return plan
            order = self._order_met(board)
        return None if order is None else self.follow(board, order)

    def follow(self, board: Board, order: bytes) -> Plan:
        """Return the plan that follows a diagram, oriented as ``board``."""
        return Plan(step(board, order)[0], order)

    def _plan_met(self, board: Board) -> Plan | None:
        """Return the plan of the position's own entry, or None if it has none."""
        key = plain_key(board)
        entry = self._entries.get(min(key, mirrored(key)))
        return None if entry is None else self._plan_of_entry(board, entry)

    def _order_kept(self, moves: Sequence[int]) -> bytes | None:
        """Return the diagram that the game has followed since a leaf, or None."""
        board, order = Board(), None
        for column in moves:
            if board.ply % 2 == self.side:
                plan = self._plan_met(board) if order is None else self.follow(board, order)
                order = plan.order if plan is not None and plan.column == column else None
            board = board.play(column)
        return order

    def size(self, board: Board) -> int:
        """Return the number of entries that ``board`` needs, each counted once; 0 if it has no entry of its own."""
        root = key_of(board)
        if root not in self._sizes:
            needed = walk([root], self._entries.__getitem__, must_win=self.must_win) if root in self._entries else ()
            self._sizes[root] = sum(1 for _ in needed)
        return self._sizes[root]

    def _plan_of_entry(self, board: Board, entry: int) -> Plan:
        """Return the plan of an entry, reflected if ``board`` is the mirror image of the entry's standard form."""
        flipped = key_of(board) != plain_key(board)
        if entry < FIRST_LEAF:
            return Plan(6 - entry if flipped else entry)
        number, turned = divmod(entry - FIRST_LEAF, 2)
        order = self._diagrams[number]
        return self.follow(board, mirror_order(order) if turned != flipped else order)

    def _order_met(self, target: Board) -> bytes | None:
        """Return the diagram of a leaf from which play by the proof can reach ``target``, or None."""
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
                plan = self._plan_of_entry(board, self._entries[key_of(board)])
                column, order = plan.column, plan.order
            else:
                column, _ = step(board, order)
            after = board.play(column)
            if after.opponent & ~ours or after.has_winner:
                continue
            replies = (after.play(reply) for reply in after.legal_columns())
            todo.extend((reply, order) for reply in replies if not reply.opponent & ~theirs)
        return None


def plan_for(board: Board, moves: Sequence[int] | None = None) -> tuple[Guide, Plan] | None:
    """Return the plan of the shipped proof for ``board`` and the claim that has it, or None; see `Guide.plan`."""
    for guide in shipped_guides():
        plan = guide.plan(board, moves)
        if plan is not None:
            return guide, plan
    return None


@cache
def shipped_guides() -> tuple[Guide, ...]:
    """Return the claims of the proof in this package."""
    proof = Proof.load(SHIPPED)
    return tuple(Guide(claim, proof.diagrams) for claim in proof.claims)

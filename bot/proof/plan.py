"""Find the entry of a proof that covers a position, from the position alone.

A position below a leaf has no entry of its own. The proof is therefore played forward from its roots, using only moves
whose discs are on the board; a line that reaches the position gives an entry that is proven there.
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
"""The proof file of this package."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The move of a proof in a position in which the player of its claim is to move."""

    column: int
    must_win: bool
    """Whether the proof promises a win from here; otherwise not to lose."""
    order: bytes | None = None
    """The diagram to follow to the end of the game, oriented as this board; None where a branch gives the move."""
    step: Step | None = None
    """The diagram's move with the rule that decided it."""


class Guide:
    """The positions of one claim with their entries."""

    def __init__(
        self, entries: Mapping[int, Entry], diagrams: Sequence[bytes], openings: tuple[int, ...], *, must_win: bool
    ) -> None:
        self._entries, self._diagrams, self._openings = entries, diagrams, openings
        self.must_win = must_win

    @property
    def side(self) -> int:
        """0 if the claim is for the first player, 1 if for the second."""
        return 1 if self._openings else 0

    def plan(self, board: Board) -> Plan | None:
        """Return the plan for ``board``, or None if the proof does not cover it."""
        if board.is_over or board.ply % 2 != self.side:
            return None
        key = plain_key(board)
        entry = self._entries.get(min(key, mirrored(key)))
        if entry is not None:
            return self._plan_of_entry(board, entry)
        order = self._order_met(board)
        return None if order is None else self._by_diagram(board, order)

    def _plan_of_entry(self, board: Board, entry: Entry) -> Plan:
        """Return the plan of an entry, reflected if ``board`` is the mirror image of the entry's standard form."""
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
                column = step(board, order).column
            after = board.play(column)
            if after.opponent & ~ours or after.has_winner:
                continue
            replies = (after.play(reply) for reply in after.legal_columns())
            todo.extend((reply, order) for reply in replies if not reply.opponent & ~theirs)
        return None


@cache
def shipped_guides() -> tuple[Guide, ...]:
    """Return the claims of the proof in this package; empty if the package has no proof file."""
    return guides_of(Proof.load(SHIPPED)) if SHIPPED.exists() else ()


def guides_of(proof: Proof) -> tuple[Guide, ...]:
    """Return a guide for each claim of ``proof``."""
    return tuple(
        Guide(entries_of(claim), proof.diagrams, claim.openings, must_win=claim.must_win) for claim in proof.claims
    )

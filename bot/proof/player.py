"""The agent `proof`: plays by the proof file of this package, without any search.

Positions are pairs of sets of cells, as in `check.py`: our discs, and the opponent's. One below a leaf has no entry of
its own. The proof is then played forward from its roots, with only moves whose discs are on the board; a line that
reaches the position gives a diagram that is proven there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from pathlib import Path

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import GameOverError, UsageError
from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE
from bot.proof import check

SHIPPED = Path(__file__).parent / "data" / "proof.bin"
"""The proof file of this package."""

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """The move of a proof in a position in which the player of its claim is to move."""

    column: int
    must_win: bool
    """Whether the proof promises a win; otherwise not to lose."""
    diagram: bytes | None = None
    """The diagram to follow to the end of the game, oriented as the board; None where a branch gives the move."""


class Guide:
    """The positions of one claim with their entries."""

    def __init__(self, claim: check.Claim) -> None:
        _, self._must_win, self._roots, _, diagrams = claim
        self._entries: dict[Position, int | bytes] = {}
        """For each position that has an entry, and for its mirror image, the column or the diagram."""
        for form, image, entry in check.prove(claim, leaves=False):
            if entry < COLUMNS:
                self._entries[image], self._entries[form] = COLUMNS - 1 - entry, entry
            else:
                number, is_mirrored = divmod(entry - COLUMNS, 2)
                diagram = diagrams[number]
                both = mirrored(diagram), diagram
                self._entries[image], self._entries[form] = both[::-1] if is_mirrored else both

    def plan(self, position: Position) -> Plan | None:
        """Return the plan for a position in which we are to move, or None if the proof does not cover it."""
        if position in self._entries:
            return self.follow(position, self._entries[position])
        diagram = self._diagram_met(position)
        return None if diagram is None else self.follow(position, diagram)

    def follow(self, position: Position, entry: int | bytes) -> Plan:
        """Return the plan of a column or a diagram, both as the board is seen."""
        if isinstance(entry, int):
            return Plan(entry, self._must_win)
        cell = check.choice(*position, [check.CELLS[number] for number in entry])
        return Plan(cell.bit_length() // 8, self._must_win, entry)

    def _diagram_met(self, target: Position) -> bytes | None:
        """Return the diagram of a leaf from which play by the proof can reach ``target``, or None."""
        ours, theirs = target
        todo: list[tuple[Position, bytes | None]] = [(root, None) for root in self._roots if not root[1] & ~theirs]
        seen = set()
        while todo:
            position, diagram = here = todo.pop()
            if position == target:
                return diagram
            if here in seen:
                continue
            seen.add(here)
            plan = self.follow(position, self._entries[position] if diagram is None else diagram)
            cell = check.playable(sum(position)) & check.COLUMNS[plan.column]
            if cell & (~ours | check.completing(position[0])):
                continue
            own, other = position[0] | cell, position[1]
            replies = check.playable(own | other) & theirs
            todo.extend(((own, other | replies & each), plan.diagram) for each in check.COLUMNS if replies & each)
        return None


@cache
def shipped() -> dict[int, Guide]:
    """Return the claims of the proof in this package, that of the first player as 0, of the second as 1."""
    claims = check.claims_of(SHIPPED.read_bytes())
    return {int(claim[2] != [(0, 0)]): Guide(claim) for claim in claims}


def mirrored(diagram: bytes) -> bytes:
    """Return the diagram reflected left to right."""
    return bytes((COLUMNS - 1 - cell // ROWS) * ROWS + cell % ROWS for cell in diagram)


def position_of(board: Board) -> Position:
    """Return the discs of the side to move, and the opponent's."""
    return _in_bytes(board.current), _in_bytes(board.opponent)


def _in_bytes(cells: int) -> int:
    return sum((cells >> column * STRIDE & check.COLUMNS[0]) << 8 * column for column in range(COLUMNS))


class ProofPlayer(Agent):
    """Plays by the proof; in positions that it does not cover, by ``fallback`` if there is one."""

    def __init__(self, fallback: Agent | None = None, *, name: str = "proof") -> None:
        self.name = name
        self._fallback = fallback
        self._kept: dict[Board, bytes | None] = {}
        """The diagram that is followed, for each position that the next reply can lead to."""

    def warm_up(self) -> None:
        """Read the proof file, and warm up the fallback."""
        shipped()
        if self._fallback is not None:
            self._fallback.warm_up()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """Return the move of the proof or of the fallback; raise UsageError if neither has one."""
        start = time.perf_counter()
        if board.is_over:
            raise GameOverError
        plan = self.plan(board)
        if plan is not None:
            seconds = time.perf_counter() - start
            return Decision(plan.column, nodes=0, pv=(plan.column,), seconds=seconds, source="proof")
        if self._fallback is None:
            raise UsageError(
                "The proof does not cover this position: it covers games that it has played from the start, as first "
                "player or as second after any opening but the centre.",
                "Choose the agent proof+perfect, which plays as perfect in all other positions.",
            )
        decision = self._fallback.choose(board, limit, stop)
        return replace(decision, seconds=time.perf_counter() - start)

    def plan(self, board: Board) -> Plan | None:
        """Return the proof's plan for an unfinished board, or None if it does not cover it.

        Several diagrams may lead to a position. The one that was met is kept while the game goes on from the position
        after our move, even where the new position has an entry of its own.
        """
        guide, position = shipped()[board.ply % 2], position_of(board)
        diagram = self._kept.get(board)
        plan = guide.plan(position) if diagram is None else guide.follow(position, diagram)
        if plan is not None:
            after = board.play(plan.column)
            self._kept = dict.fromkeys(map(after.play, after.legal_columns()), plan.diagram)
        return plan


def plan_after(moves: Sequence[int]) -> Plan | None:
    """Return the plan after the moves of an unfinished game, of a player who has met all of its positions."""
    player, boards = ProofPlayer(), list(accumulate(moves, Board.play, initial=Board()))
    return [player.plan(board) for board in boards[len(moves) % 2 :: 2]][-1]

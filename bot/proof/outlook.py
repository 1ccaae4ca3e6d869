"""What a diagram means in a position: the cells that it answers, claims and plays, in every line that may follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.game import Board
from bot.game.board import completing_cells, playable_cells
from bot.proof.diagram import bit_of, chosen

_FULL = sum(map(bit_of, range(42)))


@dataclass(frozen=True, slots=True)
class Outlook:
    """Sets of cells as bits, true of every line that may follow until one player wins or can win with the next disc."""

    followed: int
    """Cells in which we answer at once whenever the opponent plays directly below."""
    claimed: int
    """Empty cells that the opponent never gets."""
    positions: int
    """Number of positions looked at."""


def outlook(board: Board, order: Sequence[int]) -> Outlook:
    """Return what the diagram ``order`` means for the side to move of ``board``, by playing out every line."""
    bits = [bit_of(cell) for cell in order]
    start = (board.current, board.opponent)
    moves: dict[tuple[int, int], tuple[int, int]] = {start: chosen(*start, bits)}
    todo = [start] if moves[start][1] > 15 else []
    lost = below = unanswered = 0
    while todo:
        ours, theirs = node = todo.pop()
        bit = moves[node][0]
        ours |= bit
        mask = ours | theirs
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
            after = (ours, theirs | reply)
            if after not in moves:
                moves[after] = chosen(*after, bits)
                todo.append(after)
            if moves[after][0] == reply << 1:
                below |= reply
            else:
                unanswered |= reply
    empty = _FULL & ~board.mask
    return Outlook((below & ~unanswered) << 1, empty & ~lost, len(moves))

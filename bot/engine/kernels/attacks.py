"""Attacks with one or two discs left, decided without a node of the search: is every four stopped in time?"""

from __future__ import annotations

from bot.engine.jit.bits import FULL, playable_cells, popcount, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import lines_of_two


@kernel(inline=True)
def stops_every_four(discs: int, mask: int) -> bool:
    """Return whether the side to move has a move after which the other side, with ``discs``, cannot win at once.

    There is none where two threats are playable, or one with another above it, or where every playable cell lies below
    a threat.
    """
    threats = winning_cells(discs, mask)
    playable = playable_cells(mask)
    now = threats & playable
    if now:
        return (now & (now - 1)) | (now & (threats >> 1)) == 0
    return playable & ~(threats >> 1) != 0


@kernel(inline=True)
def wins_by_two_threats(discs: int, mask: int, moves: int) -> bool:
    """Return whether after one of ``moves`` every reply allows a win.

    The other side cannot win at once after any of ``moves``.
    """
    while moves:
        cell = moves & -moves
        moves ^= cell
        if not stops_every_four(discs | cell, mask | cell):
            return True
    return False


@kernel("b1(i8,i8,i8)")
def holds_against_two_discs(current: int, mask: int, safe: int) -> bool:
    """Return whether the side to move has a move after which the other side's next two discs make no four.

    ``safe`` are at least two moves after which the other side cannot win at once.
    """
    attacker = current ^ mask
    builders = FULL
    if popcount(safe) > 2:
        lines = lines_of_two((attacker, attacker | (FULL ^ mask)))
        builders = lines | winning_cells(attacker, mask) >> 1
    rest = safe
    while rest:
        first = rest & builders
        if first == 0:
            first = rest
        cell = first & -first
        rest ^= cell
        own, filled = current | cell, mask | cell
        threats = winning_cells(own, filled)
        playable = playable_cells(filled)
        forced = playable & threats
        if forced:
            if (forced & (forced - 1)) | (forced & (threats >> 1)):
                return True
            if stops_every_four(attacker | forced, filled | forced):
                return True
        elif not wins_by_two_threats(attacker, filled, playable & builders & ~(threats >> 1)):
            return True
    return False

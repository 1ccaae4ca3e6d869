"""Quiet positions: what is left of a position once all forced replies are played.

In a quiet position the side to move cannot win at once, has no threat to block, and has at least two moves that do not
lose at once. Only such positions are searched and stored.

Some are decided without a node of the search: where the side to move has to make four with its next two discs. It does
if the first of them leaves the other side without an answer.
"""

from __future__ import annotations

from bot.engine.jit.bits import playable_cells, win_at, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.bounds import static_bound

SETTLED = -1
"""What `play_out` returns as the ply of a position whose value it found."""
LAST_TWO_CELLS = 40
"""Ply from which at most two cells are left, so that no choice decides the game any more."""
Quiet = tuple[int, int, int, int, int]


@kernel("UniTuple(i8,2)(i8,i8,i8)", inline=True)
def turned(sign: int, lower: int, upper: int) -> tuple[int, int]:
    """Return bounds in the other side's view where ``sign`` is -1."""
    if sign > 0:
        return lower, upper
    return -upper, -lower


@kernel("b1(i8,i8)", inline=True)
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


@kernel("b1(i8,i8,i8)", inline=True)
def attack_succeeds(attacker: int, mask: int, moves: int) -> bool:
    """Return whether the attacker, to move, has one of ``moves`` after which every reply allows a win.

    The defender cannot win at once after any of ``moves``.
    """
    while moves:
        cell = moves & -moves
        moves ^= cell
        if not stops_every_four(attacker | cell, mask | cell):
            return True
    return False


@kernel("UniTuple(i8,5)(i8,i8,i8,i8,i8,i8,b1)", inline=True)
def play_out(discs: int, mask: int, threats: int, ply: int, sign: int, beta: int, is_bounded: bool) -> Quiet:
    """Play the forced replies after a move; return the quiet position that follows, or its value.

    ``discs`` belong to the side that has just moved, ``threats`` are its winning cells, and the other side cannot win
    at once. ``sign`` is 1 where that other side is the one whose value is asked and compared with ``beta``, else -1. A
    reply is forced where it blocks a four, or where every other one lets the opponent win. Where ``is_bounded``, the
    last two discs of an attack and a static bound may settle the quiet position, too. (Asking the bound after every
    forced reply takes 6 % more time; commit ddd42c33.)

    Returns (discs of the side that moved last, all discs, its winning cells, ply, sign) for a quiet position and
    (value, 0, 0, SETTLED, 0) for a settled one. A settled value below ``beta`` is a bound from above, another one a
    bound from below.
    """
    while ply < LAST_TWO_CELLS:
        playable = playable_cells(mask)
        forced = playable & threats
        if forced:
            if (forced & (forced - 1)) | (forced & (threats >> 1)):  # two threats, beside or above each other
                return -sign * win_at(ply + 1), 0, 0, SETTLED, 0
        else:
            forced = playable & ~(threats >> 1)  # never below a cell where the other side wins
            if forced == 0:
                return -sign * win_at(ply + 1), 0, 0, SETTLED, 0
            if forced & (forced - 1):
                break
        discs ^= mask
        discs |= forced
        mask |= forced
        ply += 1
        sign = -sign
        threats = winning_cells(discs, mask)
    if ply >= LAST_TWO_CELLS:
        if stops_every_four(discs, mask):
            return 0, 0, 0, SETTLED, 0
        return -sign * win_at(ply + 1), 0, 0, SETTLED, 0
    if is_bounded:
        limit = beta if sign > 0 else 1 - beta
        if win_at(ply + 4) < limit:  # the side to move attacks, and its third disc from here comes too late
            if attack_succeeds(discs ^ mask, mask, forced):
                return sign * win_at(ply + 2), 0, 0, SETTLED, 0
            return sign * win_at(ply + 4), 0, 0, SETTLED, 0
        bound = static_bound(discs, mask, ply, playable, threats, limit)
        if bound < limit:
            return sign * bound, 0, 0, SETTLED, 0
    return discs, mask, threats, ply, sign

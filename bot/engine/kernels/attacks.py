"""The last two discs of an attack, decided without a node of the search.

The *attacker* wants to make four within its next discs, the *defender* wants to prevent that; what happens afterwards
does not matter. Where no disc can make four at once, the attacker succeeds with two discs only if the first of them
leaves the defender without an answer: two winning cells that can be filled, one directly above another, or every
playable cell below a winning cell (zugzwang). ``stops_every_four`` sees all three.
"""

from __future__ import annotations

from bot.engine.jit.bits import FULL, first_cell, playable_cells, popcount, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import lines_of_two


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


@kernel("b1(i8,i8,i8)")
def defence_holds(defender: int, mask: int, safe: int) -> bool:
    """Return whether the defender, to move, has a move after which the attacker's next two discs make no four.

    ``safe`` are the moves after which the attacker cannot win at once; there are two or more, and nobody can win at
    once now. Each of them is tried:

    - It threatens four in two ways: the attacker comes too late.
    - It threatens four in one way: the attacker must block there. The defence holds if that block leaves an answer.
      It may leave none although it threatens nothing, by zugzwang, so it is tested like any other attack.
    - It threatens nothing: the attacker may play wherever that does not let the defender win at once.

    With three or more safe moves, most attacking moves need no test. Such a move changes the attacker's winning cells
    only if it stands in a four that holds two of its discs and none of the defender's, and makes one playable only if
    it lies directly below it. Any other leaves all winning cells as they are, none of them playable. Of the three
    safe moves, the defender has played one and the attacker at most one, so one is left and still safe: an answer.
    """
    attacker = defender ^ mask
    useful = FULL
    if popcount(safe) > 2:
        useful = lines_of_two((attacker, attacker | (FULL ^ mask))) | winning_cells(attacker, mask) >> 1
    rest = safe
    while rest:
        cell = first_cell(rest, useful)
        rest ^= cell
        filled = mask | cell
        threats = winning_cells(defender | cell, filled)
        playable = playable_cells(filled)
        block = playable & threats
        if block:
            if (block & (block - 1)) | (block & (threats >> 1)):  # two threats, beside or above each other
                return True
            if stops_every_four(attacker | block, filled | block):
                return True
        elif not attack_succeeds(attacker, filled, playable & useful & ~(threats >> 1)):
            return True
    return False

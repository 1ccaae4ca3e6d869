"""Bounds proven without search: what following up, answering in the same column, secures for either side.

Rows are counted from 1 here, as players count them. A side that answers every disc in the same column gets the second
cell of each pair. The second player pairs rows 1-2, 3-4, 5-6 and gets the even rows: "claimeven" (Allis, "A
Knowledge-based Approach of Connect-Four", 1988). The first player can follow up after getting an odd threat: neither
side wants to fill the cell below it, so all other cells pair off, and the first player gets the threat in the end.

``first`` and ``second`` are the discs of the two players; `static_bound` alone speaks of the side to move. ``playable``
are the cells that can be filled now. Each bound gives a side all cells that it could possibly get and looks for a four
among them, so every bound is sound, but it may say nothing where a search would.
"""

from __future__ import annotations

from bot.engine.jit.bits import BOTTOM, EVEN_ROWS, FULL, ODD_ROWS, four
from bot.engine.jit.compiling import kernel

NONE = 30
"""No bound: a number beyond every score."""
ROWS_1_2 = BOTTOM * 0b000011
ROWS_1_4 = BOTTOM * 0b001111
ROW_3 = BOTTOM << 2


@kernel("i8(i8)", inline=True)
def above(cells: int) -> int:
    """Return all cells above ``cells`` (of rows 2 and up) in their columns."""
    higher = (cells << 1) & FULL
    higher |= (higher << 1) & FULL
    return higher | (higher << 2) & (FULL & ~ROWS_1_2)


@kernel("i8(i8,i8,i8,i8,i8)", inline=True)
def second_follows_up(first: int, second: int, mask: int, playable: int, threats: int) -> int:
    """Return an upper bound of the first player's score with the first player to move, or NONE.

    Following up gives the second player every empty even cell that is not playable now. The columns of odd height,
    whose lowest empty cell is in an even row, are even in number (the first player is to move); their lowest empty
    cells are paired with each other. The first player gets at most the odd cells and
    what is playable now; of the odd cells none above an even one of ``threats``, the second player's winning cells,
    which end the game before. If no four fits there, the first player cannot win.

    Where the second player's own cells make a four, the second player wins, at the latest when all cells are full
    except those above it: the top rows of the four's columns stay empty.
    """
    empty = FULL ^ mask
    even = empty & EVEN_ROWS & ~playable
    if four(first | (empty & ODD_ROWS & ~above(threats & even)) | playable):
        return NONE
    if not four(second | even):
        return 0
    if not four(second | (even & ROWS_1_4)):
        return -1
    return -3 if four(second | (even & ROWS_1_2)) else -2


@kernel("i8(i8,i8,i8,i8)", inline=True)
def first_has_odd_threat(second: int, mask: int, playable: int, threats: int) -> int:
    """Return a lower bound of the first player's score with the second player to move, or -NONE.

    ``threats`` are the first player's winning cells. Take one in an odd row that is not playable. In its column, the
    cells up to it pair off as (2, 3), (4, 5): whenever the second fills the lower one, the first fills the upper. In
    other columns the pairs are (1, 2), (3, 4), (5, 6), and no disc lies above an even threat of the first player, which
    ends the game. Cells left over at the start (a column of odd height elsewhere, of even height here) are playable now
    and an even number, paired among each other. So the second gets at most what is playable, even cells below the
    threat and odd cells elsewhere. If no four fits there, the second must in the end play below the threat. The cells
    above it stay empty: a threat in row 3 wins at ply 38 or before, in row 5 at ply 40.
    """
    best = -NONE
    empty = FULL ^ mask
    rest = threats & ODD_ROWS & ~playable
    if rest:
        odd = empty & ODD_ROWS & ~above(threats & EVEN_ROWS & ~playable)
        while rest:
            threat = rest & -rest
            rest ^= threat
            in_row_3 = threat & ROW_3
            below = threat >> 1 | threat >> 2  # filled cells among them do not matter
            if not in_row_3:
                below |= threat >> 3 | threat >> 4
            elsewhere = odd & ~(below | threat | above(threat))
            if not four(second | playable | elsewhere | (empty & EVEN_ROWS & below)):
                if in_row_3:
                    return 2
                best = 1
    return best


@kernel("i8(i8,i8,i8,i8,i8,i8)", inline=True)
def static_bound(discs: int, mask: int, ply: int, playable: int, threats: int, beta: int) -> int:
    """Return an upper bound of the side to move's score if the result is below ``beta``; another says nothing.

    ``discs`` and ``threats`` are the other side's discs and winning cells. The side to move cannot win at once.
    """
    bound = beta
    if ply & 1 == 0:
        if beta >= -2:  # the lowest bound is -3: below that it cannot cut off
            bound = second_follows_up(discs ^ mask, discs, mask, playable, threats)
    elif beta >= -1:  # here it is -2
        bound = -first_has_odd_threat(discs ^ mask, mask, playable, threats)
    return bound

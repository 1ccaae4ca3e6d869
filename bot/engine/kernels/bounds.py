"""Proven bounds without search: what following up in the same column secures for either side.

Rows are counted from 1 here, as players count them. Whoever answers every disc in the column where it was played takes
the second cell of each pair. The second player pairs rows 1-2, 3-4, 5-6 and gets the even rows: "claimeven" (Allis,
"A Knowledge-based Approach of Connect-Four", 1988). The first player has that freedom once he owns an odd threat: the
cell below it is the one that nobody wants to fill, so all other cells pair off, and he gets the threat in the end.

All functions take the position as the discs of the first and of the second player; ``playable`` are the cells that can
be filled now. A four by what one side could get at the very most is looked for, so every bound is sound; none is sharp.
"""

from __future__ import annotations

from bot.kernels.bits import BOTTOM, EVEN_ROWS, FULL, ODD_ROWS, four
from bot.kernels.jit import kernel

NONE = 30
"""Beyond every score: no bound."""
ROWS_1_2 = BOTTOM * 0b000011
ROWS_1_4 = BOTTOM * 0b001111
ROW_3 = BOTTOM << 2


@kernel(inline=True)
def above(cells: int) -> int:
    """All cells above ``cells`` (of rows 2 and up) in their columns."""
    higher = (cells << 1) & FULL
    higher |= (higher << 1) & FULL
    return higher | (higher << 2) & (FULL & ~ROWS_1_2)


@kernel(inline=True)
def second_follows_up(first: int, second: int, mask: int, playable: int, threats: int) -> int:
    """An upper bound of the first player's score when he is to move, or NONE.

    Following up gives the second player every empty even cell that is not playable now; columns of odd height, whose
    first cell is even, are an even number and paired among each other. The first player gets at most the odd cells and
    what is playable now, and of the odd cells none above an even one of ``threats``, the second's winning cells, which
    ends the game before. If no four fits there, he cannot win.

    Where the second's own cells make a four, he wins, and no later than when all cells are full but those above it: the
    top rows of the four's columns stay empty.
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


@kernel(inline=True)
def first_has_odd_threat(second: int, mask: int, playable: int, threats: int) -> int:
    """A lower bound of the first player's score when the second is to move, or -NONE.

    ``threats`` are the first player's winning cells. Take one in an odd row that is not playable. In its column, the
    cells up to it pair off as (2, 3), (4, 5): whenever the second fills the lower one, the first fills the upper. In
    other columns the pairs are (1, 2), (3, 4), (5, 6), and nobody gets above an even threat of the first's, which ends
    the game. Cells left over at the start (a column of odd height elsewhere, of even height here) are playable now and
    an even number, paired among each other. So the second gets at most what is playable, even cells below the threat
    and odd cells elsewhere. If no four fits there, he must in the end play below the threat. What is above it stays
    empty: a threat in row 3 wins at ply 38 or before, in row 5 at ply 40.
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
            below = threat >> 1 | threat >> 2
            if not in_row_3:
                below |= threat >> 3 | threat >> 4
            elsewhere = odd & ~(below | threat | above(threat))
            if not four(second | playable | elsewhere | (empty & EVEN_ROWS & below)):
                if in_row_3:
                    return 2
                best = 1
    return best

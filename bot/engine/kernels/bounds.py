"""Bounds proven without search: what following up, answering in the same column, secures for either side.

Rows are counted from 1 here, as players count them. A side that answers every disc in the same column gets the second
cell of each pair. The second player pairs rows 1-2, 3-4, 5-6 and gets the even rows: "claimeven" (Allis, "A
Knowledge-based Approach of Connect-Four", 1988). The first player can follow up after getting an odd threat: neither
side wants to fill the cell below it, so all other cells pair off, and the first player gets the threat in the end.

A second player who wants to win *in time* is met by the same means: the first player follows up, which fixes how many
discs each cell costs (``second_is_too_slow``, a tenth of the nodes; it holds for a third of random positions; commit
bbc7976).

All functions take the position as the discs of the first and of the second player; ``playable`` are the cells that can
be filled now. Each bound gives a side all cells that it could possibly get and looks for a four among them, so every
bound is sound, and none is sharp.
"""

from __future__ import annotations

from bot.engine.jit.bits import BOTTOM, EVEN_ROWS, FULL, ODD_ROWS, four, popcount, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import affordable_3, affordable_4

NONE = 30
"""No bound: a number beyond every score."""
ROWS_1_2 = BOTTOM * 0b000011
ROWS_1_4 = BOTTOM * 0b001111
ROW_2 = BOTTOM << 1
ROW_3 = BOTTOM << 2


@kernel(inline=True)
def above(cells: int) -> int:
    """Return all cells above ``cells`` (of rows 2 and up) in their columns."""
    higher = (cells << 1) & FULL
    higher |= (higher << 1) & FULL
    return higher | (higher << 2) & (FULL & ~ROWS_1_2)


@kernel(inline=True)
def second_follows_up(first: int, second: int, mask: int, playable: int, threats: int) -> int:
    """Return an upper bound of the first player's score with the first player to move, or NONE.

    Following up gives the second player every empty even cell that is not playable now; columns of odd height, whose
    first cell is even, are an even number and paired among each other. The first player gets at most the odd cells and
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


@kernel(inline=True)
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
            below = threat >> 1 | threat >> 2
            if not in_row_3:
                below |= threat >> 3 | threat >> 4
            elsewhere = odd & ~(below | threat | above(threat))
            if not four(second | playable | elsewhere | (empty & EVEN_ROWS & below)):
                if in_row_3:
                    return 2
                best = 1
    return best


@kernel(inline=True)
def stops_every_four(first: int, second: int, playable: int) -> bool:
    """Return whether the first player, to move, has a move after which the second cannot win at once."""
    wins = winning_cells(second, first | second)
    now = wins & playable
    if now:
        return (now & (now - 1)) | (now & (wins >> 1)) == 0
    return playable & ~(wins >> 1) != 0


@kernel("b1(i8,i8,i8,i8,i8)")
def second_is_too_slow(first: int, second: int, playable: int, threats: int, moves: int) -> bool:
    """Return whether the second player, to move, cannot win with ``moves`` more discs, 3 or 4; False says nothing.

    ``threats`` are the first player's winning cells. Proof: an odd number of columns have an odd number of empty cells.
    Set one of them apart, X. The first player pairs the empty cells: in X and in each column with an even number,
    neighbours from the playable cell p upward, (p, p + 1), (p + 2, p + 3); the playable cells of the other odd columns
    among each other, and above them (p + 1, p + 2), (p + 3, p + 4). Only the top cell of X stays alone. To each disc
    the first player answers in the other cell of its pair, which is playable: it lies above the disc, or is the lowest
    of a column that nobody has begun. A four on the way only ends the game in the first player's favour.

    So an own disc on a cell *costs* the second player this many own discs in its column, itself included:

    ======================  =  =====  =====  =====  =====
    cell                    p  p + 1  p + 2  p + 3  p + 4
    even column, and X      1    -      2      -      3
    other odd column        1    1      -      2      -
    ======================  =  =====  =====  =====  =====

    Discs in different columns add up, and so do the two neighbours of an odd column, the only ones that a vertical four
    can use. Above an even-row cell of ``threats`` outside X that is not playable the second player gets nothing: the
    first player's answer there wins. If no four costs ``moves`` or less, the second player is too slow.

    A disc on the top of X has no answer. It takes 3 discs in X where X holds one disc by now, 2 where it holds three.
    If that is ``moves``, it was the last disc that counts. If it is one less, all the discs are in X, the first player
    has one free move, and only the last disc counts: ``stops_every_four`` decides.
    """
    room = ~above(threats & EVEN_ROWS & ~playable)
    odd, even = playable & ODD_ROWS, playable & EVEN_ROWS
    rest = even & (ROW_2 if moves == 4 else ROWS_1_4)
    while rest:
        lowest = rest & -rest
        rest ^= lowest
        own = (lowest | lowest << 2 | lowest << 4) & EVEN_ROWS  # in X; a shift beyond the top ends in an odd row
        if popcount(own) < moves and not stops_every_four(first | (own ^ lowest) >> 1, second | own, playable ^ lowest):
            continue
        second_lowest = (even ^ lowest) << 1 & FULL  # in the other odd columns
        ones = second | ((playable | second_lowest) & room)
        twos = ones | ((odd | lowest | second_lowest) << 2 & FULL & (room | own))
        threes = twos | ((odd & BOTTOM) << 4 & room) | own
        costs = second, ones, twos, threes
        if (affordable_3(costs) if moves == 3 else affordable_4(costs)) == 0:
            return True
    return False


@kernel("i8(i8,i8,i8,i8,i8,i8)", inline=True)
def static_bound(discs: int, mask: int, ply: int, playable: int, threats: int, beta: int) -> int:
    """Return an upper bound of the side to move's score, at least ``beta`` where none below it is known.

    ``discs`` and ``threats`` are the other side's discs and winning cells. The side to move cannot win at once.
    """
    bound = beta
    if ply & 1 == 0:
        if beta >= -2:
            bound = second_follows_up(discs ^ mask, discs, mask, playable, threats)
    elif beta >= -1:
        bound = -first_has_odd_threat(discs ^ mask, mask, playable, threats)
        moves = 22 - (ply >> 1) - beta  # the last of them wins by ``beta``
        is_timed = beta >= 1 and 3 <= moves <= 4 and bound >= beta
        if is_timed and second_is_too_slow(discs, discs ^ mask, playable, threats, moves):
            bound = beta - 1
    return bound

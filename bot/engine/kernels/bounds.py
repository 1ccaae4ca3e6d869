"""Bounds proven without search: what following up, answering in the same column, secures for either side.

Rows are counted from 1 here, as players count them. A side that answers every disc in the same column gets the second
cell of each pair. The second player pairs rows 1-2, 3-4, 5-6 and gets the even rows: "claimeven" (Allis, "A
Knowledge-based Approach of Connect-Four", 1988). The first player can follow up after getting an odd threat: neither
side wants to fill the cell below it, so all other cells pair off, and the first player gets the threat in the end.

A second player who wants to win *in time* is met by the same means: the first player follows up, which fixes how many
discs each cell costs (``second_is_too_slow`` saves a tenth of the nodes; commit bbc7976).

``first`` and ``second`` are the discs of the two players; `static_bound` alone speaks of the side to move. ``playable``
are the cells that can be filled now. Each bound gives a side all cells that it could possibly get and looks for a four
among them, so every bound is sound, but it may say nothing where a search would.
"""

from __future__ import annotations

from bot.engine.jit.bits import BOTTOM, EVEN_ROWS, FULL, ODD_ROWS, four, popcount
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import affordable_3, affordable_4
from bot.engine.kernels.attacks import stops_every_four

NONE = 30
"""No bound: a number beyond every score."""
ROWS_1_2 = BOTTOM * 0b000011
ROWS_1_4 = BOTTOM * 0b001111
ROW_2 = BOTTOM << 1
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


@kernel("b1(i8,i8,i8,i8,i8)")
def second_is_too_slow(first: int, second: int, playable: int, threats: int, discs_left: int) -> bool:
    """Return whether the second player, to move, cannot win with ``discs_left`` more discs, 3 or 4; False says nothing.

    ``threats`` are the first player's winning cells. Proof: let p be the lowest empty cell of a column. Call a column
    odd or even by its number of *empty* cells: in an odd one, p lies in an even row. The second player is to move, so
    the number of odd columns is odd. Set one of them apart, X. The first player pairs the empty cells: in X and in each
    even column, neighbours from p upward, (p, p + 1), (p + 2, p + 3); the cells p of the other odd columns among each
    other, and above them (p + 1, p + 2), (p + 3, p + 4). Only the top cell of X stays alone. To each disc the first
    player answers in the other cell of its pair, which is playable: it lies above the disc, or is the p of a column
    that nobody has touched since. A four on the way only ends the game in the first player's favour.

    The first player only ever answers, so this is the least number of own discs that the second player needs in a
    column to get a cell, that disc included; "-" is the first player's:

    ======================  =  =====  =====  =====  =====
    cell                    p  p + 1  p + 2  p + 3  p + 4
    even column, and X      1    -      2      -      3
    other odd column        1    1      -      2      -
    ======================  =  =====  =====  =====  =====

    Discs in different columns add up, and so do p and p + 1 of an odd column, the only two cells of one column that a
    four can need (no others beside each other go to the second player). Where the pairing forbids a combination, the
    sum is too low, which is the safe side. Above an even-row cell of ``threats`` outside X that is not playable the
    second player gets nothing: the first player's answer there wins. If no four costs ``discs_left`` or less, the
    second player is too slow.

    A disc on the top of X has no answer. It is the third own disc in X where p is in row 2, the second where p is in
    row 4 (in row 6 the first: such an X is not tried, nor row 4 for 4 discs). If it is the last of the ``discs_left``
    discs, nothing is left to answer. Otherwise ``discs_left`` - 1 discs went there, all in X; the first player has a
    free move, and the second one more disc: ``stops_every_four`` decides.
    """
    room = ~above(threats & EVEN_ROWS & ~playable)
    in_odd_row, in_even_row = playable & ODD_ROWS, playable & EVEN_ROWS  # p of the even and of the odd columns
    rows_of_x = ROW_2 if discs_left == 4 else ROWS_1_4  # the top of X takes discs_left - 1 own discs or more
    candidates = in_even_row & rows_of_x  # p of X
    while candidates:
        lowest = candidates & -candidates
        candidates ^= lowest
        own_in_x = (lowest | lowest << 2 | lowest << 4) & EVEN_ROWS  # a shift beyond the top ends in an odd row
        if popcount(own_in_x) < discs_left:
            answers = (own_in_x ^ lowest) >> 1  # the first player's in X
            after = second | own_in_x
            if not stops_every_four(after, first | answers | after):
                continue
        second_lowest = (in_even_row ^ lowest) << 1 & FULL  # in the other odd columns
        ones = second | ((playable | second_lowest) & room)
        twos = ones | ((in_odd_row | lowest | second_lowest) << 2 & FULL & (room | own_in_x))
        threes = twos | ((in_odd_row & BOTTOM) << 4 & room) | own_in_x
        costs = second, ones, twos, threes
        fours = affordable_3(costs) if discs_left == 3 else affordable_4(costs)
        if fours == 0:
            return True
    return False


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
        discs_left = 22 - (ply >> 1) - beta  # a win with the last of these discs scores beta
        is_timed = beta >= 1 and 3 <= discs_left <= 4 and bound >= beta
        if is_timed and second_is_too_slow(discs, discs ^ mask, playable, threats, discs_left):
            bound = beta - 1
    return bound

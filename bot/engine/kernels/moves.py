"""The moves of one node of the exact search: listed with the quiet positions that follow, looked up, rated, picked.

They are rated by threats, then history, which starts from the centre outward, then by what a side's role asks for. The
role is told by ``beta``: who asks whether a win comes in time attacks, the other side defends. On 300 random positions
of plies 17 to 26 it takes 9 % of the nodes and 6 % of the time off, on 60 of plies 11 to 15 17 % and 14 % (commit
bbc7976).

``table`` and ``workspace`` are laid out as `bot.engine.kernels.table` and `bot.engine.kernels.workspace` describe;
``index_mask`` is the used length of the table less one.
"""

from __future__ import annotations

from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import BITS, EVEN_ROWS, FULL, bit_number, first_cell, playable_cells, popcount, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import lines_of
from bot.engine.kernels.quiet import SETTLED, play_out, turned
from bot.engine.kernels.table import (
    MIRROR_PLIES,
    bucket_of,
    lower_of,
    mirror_key,
    position_key,
    prefetch,
    probe,
    upper_of,
)
from bot.engine.kernels.workspace import (
    CELL,
    CURRENT,
    HISTORY,
    KEY,
    LIST_WORDS,
    MASK,
    MOVE_WORDS,
    MOVES,
    PLY,
    RATING,
    SETTLING,
    SIGN,
    THREATS,
)

CENTRE = 256
THREAT = 1024
NEXT_THREAT = 512
"""Move ordering in units of one history count: ``CENTRE`` for each step towards the centre, ``THREAT`` for each winning
cell, ``NEXT_THREAT`` in addition where the cell below it is playable, so that the opponent must keep out of that
column. Centre and threats lead; history decides among equals until its counts are large."""
LINE = 440
"""For the attacker: added for each direction in which the cell lies on a line of its own that can still become four."""
REPLY = 384
"""For the attacker: taken off for each safe move in the quiet position that follows."""
TEMPO, DEFENDERS_TEMPO = 192, 384
"""For attacker and defender: added where forced replies give the move back."""
EVEN_ROW, DEFENDERS_EVEN_ROW = 384, 256
"""For attacker and defender: added to a cell of an even row where the second player is to move. These weights were set
on 260 positions (`Test_L2_R2` 1-200, `Test_L1_R2` 301-360)."""
LAST_PLY_OF_LINES = 26
"""Last ply at which an attacker is rated as one. After it both sides have the defender's weights, because later trees
are too small to repay the time that lines and replies take. On random positions of plies 11 to 26, 20 takes up to 3 %
more nodes and 42 up to 2 % fewer, and neither less time (commit de137cc)."""
SEARCHED = -(1 << 40)
"""Rating of a move that has been searched, below every other."""
BEYOND = 100
"""Beyond every score."""


@kernel("void(CPointer(i8),i8,i8)", inline=True)
def share_keys_of_images(workspace: Words, start: int, end: int) -> None:
    """Give each listed move the key that its position shares with its mirror image, where it is early enough."""
    for place in range(start, end, MOVE_WORDS):
        if workspace[place + PLY] < MIRROR_PLIES:
            image = mirror_key(workspace[place + CURRENT], workspace[place + MASK])
            workspace[place + KEY] = min(workspace[place + KEY], image)


@kernel("UniTuple(i8,2)(i8,i8,i8,i8,i8,CPointer(i8),i8,CPointer(i8))", inline=True)
def list_moves(
    current: int, mask: int, ply: int, beta: int, threats: int, table: Words, index_mask: int, workspace: Words
) -> tuple[int, int]:
    """Play every move and its forced replies, and list those that lead to quiet positions, not yet rated.

    In place of its rating, each holds its side's useful winning cells after it. Returns the end of the list and the
    best value of the others; the first one of at least ``beta`` ends the work. Nearly half of all nodes end so; cells
    that lately ended a node of this ply are tried first (3 % to 11 % of the time; commit ddd42c33).
    """
    end = MOVES + ply * LIST_WORDS
    best = -BEYOND
    safe = playable_cells(mask) & ~(threats >> 1)
    rest = safe
    likely = workspace[SETTLING + ply]
    while rest:
        cell = first_cell(rest, likely)
        rest ^= cell
        threats_after = winning_cells(current | cell, mask | cell)
        discs, all_discs, threats_there, child_ply, sign = play_out(
            current | cell, mask | cell, threats_after, ply + 1, -1, beta, True
        )
        if child_ply == SETTLED:
            best = max(best, discs)  # which holds the value
            if best >= beta:
                workspace[SETTLING + ply] = likely & ~(safe ^ rest) | cell  # those tried in vain leave
                break
            continue
        key = position_key(discs ^ all_discs, all_discs)
        prefetch(table, bucket_of(key, index_mask))  # in vain where the mirror image's key is the shared one
        workspace[end + RATING] = threats_after & ~(threats << 1)  # above a winning cell of the other side: useless
        workspace[end + CELL] = cell
        workspace[end + CURRENT] = discs ^ all_discs
        workspace[end + MASK] = all_discs
        workspace[end + THREATS] = threats_there
        workspace[end + KEY] = key
        workspace[end + PLY] = child_ply
        workspace[end + SIGN] = sign
        end += MOVE_WORDS
    if ply < MIRROR_PLIES - 1:  # in a loop of its own, where it does not slow down late plies
        share_keys_of_images(workspace, MOVES + ply * LIST_WORDS, end)
    return end, best


@kernel("i8(i8)", inline=True)
def first_count(ply: int) -> int:
    """Return the first word of the counters of ``ply``."""
    return HISTORY + ((ply >> 2) * 2 + (ply & 1)) * BITS


@kernel("UniTuple(i8,3)(i8,i8)", inline=True)
def counted_lines(discs: int, mask: int) -> tuple[int, int, int]:
    """Count, for every cell, the directions in which it lies on a line of ``discs`` that can still become a four.

    Returns the cells where the binary digits of the count, ones, twos and fours, are set. A line is four cells without
    a disc of the other side and with at least one of ``discs``.
    """
    upward, across, down, up = lines_of((discs, discs | (FULL ^ mask)))
    odd_first, odd_second = upward ^ across, down ^ up
    both_first, both_second = upward & across, down & up
    carried = odd_first & odd_second
    return odd_first ^ odd_second, both_first ^ both_second ^ carried, both_first & both_second


@kernel("void(CPointer(i8),i8,i8,i8,i8,i8,i8)", inline=True)
def rate_moves(workspace: Words, start: int, end: int, current: int, mask: int, ply: int, beta: int) -> None:
    """Turn the useful winning cells of each unsearched move into its rating: how early it should be searched.

    Threats, distance from the centre and history count for both sides. The side to move attacks where ``beta`` asks
    whether it wins; else it defends. An attacker needs moves that build on its lines, and after which few moves
    are safe. The even rows belong to the second player, attacker or not.
    """
    counts = first_count(ply)
    even_rows = EVEN_ROWS if ply & 1 else 0
    rates_as_attacker = beta >= 1 and ply <= LAST_PLY_OF_LINES
    tempo, even_row = DEFENDERS_TEMPO, DEFENDERS_EVEN_ROW
    ones, twos, fours = 0, 0, 0
    if rates_as_attacker:
        tempo, even_row = TEMPO, EVEN_ROW
        ones, twos, fours = counted_lines(current, mask)
    for place in range(start, end, MOVE_WORDS):
        useful = workspace[place + RATING]
        cell = workspace[place + CELL]
        rating = workspace[counts + bit_number(cell)]
        rating += THREAT * popcount(useful) + NEXT_THREAT * popcount(useful & playable_cells(mask | cell) << 1)
        if workspace[place + SIGN] > 0:
            rating += tempo
        if cell & even_rows:
            rating += even_row
        if rates_as_attacker:
            safe = playable_cells(workspace[place + MASK]) & ~(workspace[place + THREATS] >> 1)
            rating -= REPLY * popcount(safe)
            if cell & ones:
                rating += LINE
            if cell & twos:
                rating += 2 * LINE
            if cell & fours:
                rating += 4 * LINE
        workspace[place + RATING] = (rating << 6) - bit_number(cell)


@kernel("UniTuple(i8,3)(CPointer(i8),i8,CPointer(i8),i8,i8,i8,i8)", inline=True)
def look_up_moves(
    table: Words, index_mask: int, workspace: Words, start: int, end: int, beta: int, best: int
) -> tuple[int, int, int]:
    """Let the table settle or refute listed moves (enhanced transposition cutoff).

    Returns the number of moves that are left to search, the place of the one with the highest rating, and the best
    value known; one of at least ``beta`` ends the work.
    """
    left = (end - start) // MOVE_WORDS
    chosen, highest = start, SEARCHED
    for place in range(start, end, MOVE_WORDS):
        key = workspace[place + KEY]
        entry = probe(table, bucket_of(key, index_mask), key)
        rating = workspace[place + RATING]
        if entry:
            least, most = turned(workspace[place + SIGN], lower_of(entry), upper_of(entry))
            if least >= beta:
                return left, place, least
            if most < beta:
                best = max(best, most)
                rating = workspace[place + RATING] = SEARCHED
                left -= 1
        if rating > highest:
            chosen, highest = place, rating
    return left, chosen, best


@kernel("i8(CPointer(i8),i8,i8)", inline=True)
def next_move(workspace: Words, start: int, end: int) -> int:
    """Return the place of the unsearched move with the highest rating."""
    best, highest = start, workspace[start + RATING]
    for place in range(start + MOVE_WORDS, end, MOVE_WORDS):
        rating = workspace[place + RATING]
        if rating > highest:
            best, highest = place, rating
    return best


@kernel("void(CPointer(i8),i8,i8,i8,i8,i8)", inline=True)
def learn(workspace: Words, ply: int, start: int, end: int, chosen: int, number: int) -> None:
    """Update the history after a cutoff by the move at ``chosen``, the ``number``-th (from 0) that was searched.

    The other searched moves lose, and those that the table refuted too, also where the first searched move cuts off.
    Rewarding cutoffs by the first move too would only confirm the order (2.5 times the nodes in early positions,
    commit 19f33c1).
    """
    counts = first_count(ply)
    if number:
        workspace[counts + bit_number(workspace[chosen + CELL])] += 1
    for place in range(start, end, MOVE_WORDS):
        if workspace[place + RATING] == SEARCHED and place != chosen:
            workspace[counts + bit_number(workspace[place + CELL])] -= 1


@kernel("void(CPointer(i8),i8)", inline=True)
def reset_history(workspace: Words, from_ply: int) -> None:
    """Forget the cells that settled nodes, and reset all counters to the preference for the centre.

    Keeping them from root to root costs 10 % to 19 % (commit 45d3900).
    """
    for ply in range(from_ply, 42):
        workspace[SETTLING + ply] = 0
    for group in range(first_count(from_ply & ~3), SETTLING, BITS):
        for column in range(7):
            for word in range(group + column * 7, group + column * 7 + 7):
                workspace[word] = -CENTRE * abs(3 - column)

"""Check a Connect Four proof, whose format and rules README.md defines, by following it: python check.py FILE"""

import struct
import sys
import time
import zlib
from pathlib import Path

BOTTOM = sum(1 << 7 * column for column in range(7))  # boards are integers: bit column * 7 + row, row 0 lowest
BOARD = BOTTOM * 0b111111
CELLS = [1 << 7 * column + row for column in range(7) for row in range(6)]


def completing(discs: int) -> int:
    """Return the cells, empty or not, that make four in a row together with three of ``discs``."""
    cells = discs << 1 & discs << 2 & discs << 3
    for step in (6, 7, 8):
        above, below = discs << step & discs << 2 * step, discs >> step & discs >> 2 * step
        cells |= above & (discs << 3 * step | discs >> step) | below & (discs >> 3 * step | discs << step)
    return cells & BOARD


def mirror(discs: int) -> int:
    return sum((discs >> 7 * column & 127) << 7 * (6 - column) for column in range(7))


def cell_of(ours: int, theirs: int, diagram: list[int]) -> int:
    """Return the cell that a diagram plays, by rules 1 to 6."""
    taken = ours | theirs
    cells, wins, threats = taken + BOTTOM & BOARD, completing(ours) & ~taken, completing(theirs) & ~taken
    if cells & (wins | threats):
        cells &= wins if cells & wins else threats  # rules 1 and 2
    else:
        cells, double = cells & ~(threats >> 1) or cells, 0  # rule 3
        for cell in (cell for cell in CELLS if cell & cells):
            later = completing(ours | cell) & ~(taken | cell)
            now = later & (taken | cell) + BOTTOM
            double |= cell if now & now - 1 or now & later >> 1 else 0
        cells = double or cells & ~(wins >> 1) or cells  # rules 4 and 5
    return next(cell for cell in diagram if cell & cells)  # rule 6


def replies(ours: int, theirs: int, cell: int, must_win: int) -> list[int]:
    """Return the opponent's discs after our ``cell`` and each reply; raise ValueError where the promise is broken."""
    playable = (taken := ours | theirs | cell) + BOTTOM & BOARD
    if cell & completing(ours):
        return []  # we win
    drawn = taken | playable == BOARD and playable & playable - 1 == 0  # at most one cell is empty
    if cell == 0 or playable & completing(theirs) or (must_win and drawn):
        raise ValueError("a column is full, the opponent wins, or the game is drawn")
    return [] if drawn else [theirs | reply for reply in CELLS if reply & playable]


def prove(roots: list[tuple[int, int]], entries: list[int], diagrams: list[list[int]], must_win: int) -> int:
    """Follow the file from ``roots``, positions in which we are to move; return how many positions were visited."""
    todo, tree, below, count = [(*root, 0) for root in reversed(roots)], set[int](), set[int](), 0
    while todo:
        ours, theirs, leaf = todo.pop()
        if leaf == 0:
            ours, theirs = min((ours, theirs), (mirror(ours), mirror(theirs)), key=lambda pair: 2 * pair[0] + pair[1])
        if 2 * ours + theirs in (seen := below if leaf else tree):
            continue
        seen.add(2 * ours + theirs)
        count += 1
        if leaf == 0 and (entry := entries.pop(0)) > 6:
            leaf, below = entry, set()
        cell = cell_of(ours, theirs, diagrams[leaf - 7]) if leaf else ours + theirs + BOTTOM & BOARD & 127 << 7 * entry
        wins = completing(ours | cell) if leaf else 0  # where rule 1 wins with the next disc, nothing is left to show
        after = [(ours | cell, discs, leaf) for discs in reversed(replies(ours, theirs, cell, must_win))]
        todo += [node for node in after if not wins & (node[0] | node[1]) + BOTTOM]
    if entries:
        raise ValueError("entries are left over")
    return count


def check(content: bytes) -> None:
    """Print what the file proves, a line for each claim; raise an error where it does not."""
    body = (stream := zlib.decompressobj()).decompress(content[8:])
    place = 2 + 42 * struct.unpack_from("<H", body)[0]
    orders = [body[at : at + 42] for at in range(2, place, 42)]
    diagrams = [[turn(CELLS[cell]) for cell in order] for order in orders for turn in (int, mirror)]
    is_whole = content[:8] == b"C4PROOF1" and stream.eof and not stream.unused_data and place < len(body)
    if not is_whole or any(len(set(order)) < 42 for order in orders):
        raise ValueError("the file does not follow the format")
    while place < len(body):
        must_win, openings, count = struct.unpack_from("<BBI", body, place)
        promise, columns = ("never loses", "always wins")[must_win], [c for c in range(8) if openings >> c & 1]
        roots, entries = [(0, CELLS[6 * c]) for c in columns], list(struct.unpack_from(f"<{count}H", body, place + 6))
        player = "second player, after " + " ".join(str(c + 1) for c in columns) if columns else "first player"
        positions = prove(roots or [(0, 0)], entries, diagrams, must_win)
        print(f"The {player}: {promise}. {count} entries, {positions} positions.")
        place += 6 + 2 * count


if __name__ == "__main__":
    try:
        check(Path(sys.argv[1]).read_bytes())
    except (ValueError, IndexError, StopIteration, struct.error, zlib.error) as error:
        sys.exit(f"Rejected: {error!r}")
    print(f"Proven in {time.process_time():.1f} s.")

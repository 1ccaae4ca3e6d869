"""Check a Connect Four proof, whose format and rules README.md defines, by following it: python check.py FILE"""

import struct
import sys
import time
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

BOTTOM = sum(1 << 7 * column for column in range(7))  # boards are integers: bit column * 7 + row, row 0 lowest
BOARD = BOTTOM * 0b111111
CELLS = [1 << 7 * column + row for column in range(7) for row in range(6)]
Position = tuple[int, int]  # our discs and the opponent's; we are to move


@cache
def completing(discs: int) -> int:
    """Return the cells, empty or not, that make four in a row together with three of ``discs``."""
    cells = discs << 1 & discs << 2 & discs << 3
    for one, two, three in (6, 12, 18), (7, 14, 21), (8, 16, 24):
        up, down = discs << one, discs >> one
        cells |= up & discs << two & (discs << three | down) | down & discs >> two & (discs >> three | up)
    return cells & BOARD


def cell_of(ours: int, theirs: int, ordered: Callable[[int], list[int]]) -> int:
    """Return the cell that a diagram plays, by rules 1 to 6; ``ordered`` lists given cells in the diagram's order."""
    playable, wins, threats = (ours | theirs) + BOTTOM & BOARD, completing(ours), completing(theirs)
    if cells := playable & wins or playable & threats:
        return ordered(cells)[0]  # rules 1 and 2
    for cell in ordered(cells := playable & ~(threats >> 1) or playable):  # rule 3
        now = (later := completing(ours | cell)) & playable + cell  # the sum moves this column's playable cell up
        if now & now - 1 or now & later >> 1:
            return cell  # rule 4
    return ordered(cells & ~(wins >> 1) or cells)[0]  # rules 5 and 6


def open_cells(ours: int, theirs: int, cell: int, must_win: int) -> int:
    """Return where the opponent can reply to our ``cell``, one of ``ours``, or 0 if it ended the game."""
    cells, won = (ours | theirs) + BOTTOM & BOARD, cell & completing(ours)
    drawn = cells & cells - 1 == 0 and ours | theirs | cells == BOARD  # at most one cell is empty
    if cell == 0 or (not won and (cells & completing(theirs) or (must_win and drawn))):
        raise ValueError("a column is full, the opponent wins, or the game is drawn")
    return 0 if won or drawn else cells


def follow(starts: list[Position], diagram: list[int], must_win: int) -> int:
    """Play by a diagram from all ``starts`` against every reply; return how many positions were visited."""
    ordered, seen = cache(lambda cells: [cell for cell in diagram if cell & cells]), set[Position]()
    while starts:
        if (position := starts.pop()) not in seen:
            seen.add(position)
            cell = cell_of(*position, ordered)
            ours, theirs = position[0] | cell, position[1]
            cells, wins = open_cells(ours, theirs, cell, must_win), completing(ours)
            cells = 0 if (now := cells & wins) & now - 1 else (now or cells) & ~(wins >> 1)  # else rule 1 wins next
            starts += [(ours, theirs | reply) for reply in ordered(cells)]
    completing.cache_clear()
    return len(seen)


def prove(roots: list[Position], entries: tuple[int, ...], diagrams: list[list[int]], must_win: int) -> int:
    """Follow the file from ``roots``; return how many positions were visited."""
    todo, seen, leaves, unread = roots[::-1], set[Position](), dict[int, list[Position]](), iter(entries)
    while todo:
        position = todo.pop()
        ours, theirs = (sum((discs >> 7 * c & 127) << 42 - 7 * c for c in range(7)) for discs in position)  # mirrored
        form, image = sorted([position, (ours, theirs)], key=lambda pair: 2 * pair[0] + pair[1])
        if form not in seen:
            seen.add(form)
            if (entry := next(unread)) > 6:  # a mirrored diagram plays here as the diagram does in the mirror image
                leaves.setdefault((entry - 7) // 2, []).append(form if entry % 2 else image)
                continue
            cell = sum(form) + BOTTOM & BOARD & 127 << 7 * entry
            cells = open_cells(form[0] | cell, form[1], cell, must_win)
            todo += [(form[0] | cell, form[1] | reply) for reply in reversed(CELLS) if reply & cells]
    if next(unread, None) is not None:
        raise ValueError("entries are left over")
    return sum(entry < 7 for entry in entries) + sum(follow(leaves[n], diagrams[n], must_win) for n in leaves)


if __name__ == "__main__":
    try:
        file = Path(sys.argv[1]).read_bytes() if sys.argv[1:] else sys.exit("Usage: python check.py FILE")
        body = (stream := zlib.decompressobj()).decompress(file[8:] if file[:8] == b"C4PROOF1" else b"")
        place = 2 + 42 * int.from_bytes(body[:2], "little")
        diagrams = [[CELLS[cell] for cell in body[at : at + 42]] for at in range(2, place, 42)]
        if not stream.eof or stream.unused_data or any(len(set(d)) < 42 for d in diagrams):
            raise ValueError("the file does not follow the format")
        while place:
            must_win, openings, count = struct.unpack_from("<BBI", body, place)
            columns, promise = [c for c in range(8) if openings >> c & 1], ("never loses", "always wins")[must_win]
            entries = struct.unpack_from(f"<{count}H", body, place + 6)
            player = "second player, after " + " ".join(str(c + 1) for c in columns) if columns else "first player"
            visited = prove([(0, CELLS[6 * c]) for c in columns] or [(0, 0)], entries, diagrams, must_win)
            print(f"The {player}: {promise}. {count} entries, {visited} positions, {time.process_time():.1f} s.")
            place = (place + 6 + 2 * count) % len(body)  # 0 after the last claim
    except (OSError, ValueError, IndexError, StopIteration, struct.error, zlib.error) as error:
        sys.exit(f"Rejected: {str(error) or 'the file lacks entries'}.")

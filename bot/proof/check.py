"""Check a Connect Four proof, by the rules of README.md, whose numbers are used here: python check.py FILE

A set of cells is an integer; the cell in ``column`` and ``row``, both from 0, is its bit column * 7 + row. Row 6 lies
above the board. No disc is ever there, so it keeps each column apart from the next.
"""

import struct
import sys
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

BOTTOM = sum(1 << 7 * column for column in range(7))
BOARD = sum(BOTTOM << row for row in range(6))
COLUMNS = [0b1111111 << 7 * column for column in range(7)]
CELLS = [1 << 7 * column + row for column in range(7) for row in range(6)]  # by the numbers of rule 2
Position = tuple[int, int]  # our discs and the opponent's; we are to move


def playable(discs: int) -> int:
    """Return the lowest empty cell of each column that has one."""
    return discs + BOTTOM & BOARD  # in a column, 1 added to the bits 0 to n - 1 is bit n (off the board if n is 6)


@cache
def completing(discs: int) -> int:
    """Return the cells, empty or not, that make four in a row together with three of ``discs``.

    The next cell is 1 bit away upwards, 7 to the right and 8 or 6 along a diagonal. A step that leaves the board leads
    to row 6 or beyond column 6, where no disc is; so what is found in bits is a line on the board.
    """
    cells = discs << 1 & discs << 2 & discs << 3  # upwards, only the highest of the four can be the last one
    for one, two, three in (6, 12, 18), (7, 14, 21), (8, 16, 24):
        before, after = discs << one, discs >> one  # the cells that have a disc just before them, and just after them
        cells |= before & discs << two & (discs << three | after) | after & discs >> two & (discs >> three | before)
    return cells & BOARD


def mirror(cells: int) -> int:
    """Return the mirror image of a set of cells."""
    return sum((cells >> 7 * column & 127) << 7 * (6 - column) for column in range(7))


def after_replies(position: Position, cell: int, must_win: bool) -> list[Position]:
    """Play ``cell``; return the positions after the opponent's replies, columns ascending, by rules 11 and 13."""
    ours, theirs = position[0] | cell, position[1]
    discs, replies = ours | theirs, playable(ours | theirs)
    if cell & completing(ours):
        return []
    if replies & completing(theirs):
        raise ValueError("rule 13: the opponent can win")
    drawn = discs.bit_count() > 40  # the board is full, or will be with the only reply
    if drawn and must_win:
        raise ValueError("rule 13: a game that is to be won is drawn")
    return [] if drawn else [(ours, theirs | replies & column) for column in COLUMNS if replies & column]


def choice(position: Position, in_order: Callable[[int], list[int]]) -> int:
    """Return the cell that a diagram plays, by rules 15 to 20; ``in_order`` lists a set of cells in its order."""
    ours, theirs = position
    candidates, wins, threats = playable(ours | theirs), completing(ours), completing(theirs)
    if decisive := candidates & wins or candidates & threats:
        return in_order(decisive)[0]  # rules 15 and 16
    candidates = candidates & ~(threats >> 1) or candidates  # rule 17; the shift leads to the cells below
    for cell in in_order(candidates):
        later = completing(ours | cell)
        now = later & playable(ours | theirs | cell)
        if now & now - 1 or now & later >> 1:
            return cell  # rule 18: two winning cells are playable, or one that has another above it
    return in_order(candidates & ~(wins >> 1) or candidates)[0]  # rules 19 and 20


def follow(start: Position, diagram: Sequence[int], mirrored: int, must_win: bool) -> None:
    """Play by a diagram from ``start`` against every reply, by rule 12."""
    order = [mirror(CELLS[number]) if mirrored else CELLS[number] for number in diagram]
    in_order = cache(lambda cells: [cell for cell in order if cell & cells])
    visited, todo = set[Position](), [start]
    while todo:
        position = todo.pop()
        if position in visited or completing(position[0]) & playable(position[0] | position[1]):
            continue  # it comes again (rule 12), or our next disc wins (rule 15)
        visited.add(position)
        todo += after_replies(position, choice(position, in_order), must_win)
    completing.cache_clear()  # only to save memory


def prove(roots: list[Position], entries: Sequence[int], diagrams: Sequence[Sequence[int]], must_win: bool) -> None:
    """Walk through a claim, by rules 10 to 14."""
    forms, unread, todo = set[Position](), iter(entries), roots[::-1]
    while todo:
        position = todo.pop()  # the last one, with all that follows from it, comes before the others
        image = mirror(position[0]), mirror(position[1])
        form = min(position, image, key=lambda discs: 2 * discs[0] + discs[1])
        if form in forms:
            continue
        forms.add(form)
        if (entry := next(unread, None)) is None:
            raise ValueError("rule 14: entries are missing")
        if entry < 7:
            if not (cell := playable(form[0] | form[1]) & COLUMNS[entry]):
                raise ValueError("rule 11: a column is full")
            todo += after_replies(form, cell, must_win)[::-1]
        else:
            number, mirrored = divmod(entry - 7, 2)
            if number >= len(diagrams):
                raise ValueError(f"rule 14: there is no diagram {number}")
            follow(form, diagrams[number], mirrored, must_win)
    if next(unread, None) is not None:
        raise ValueError("rule 14: entries are left over")


def check(content: bytes) -> None:
    """Read a file, by rules 5 to 8, and prove its claims."""
    body = (stream := zlib.decompressobj()).decompress(content[8:] if content.startswith(b"C4PROOF1") else b"")
    if not stream.eof or stream.unused_data:
        raise ValueError("rule 5: the file is not C4PROOF1 and one whole zlib stream")
    place = 2 + 42 * int.from_bytes(body[:2], "little")
    diagrams = [body[at : at + 42] for at in range(2, place, 42)]
    if place >= len(body) or any(sorted(diagram) != list(range(42)) for diagram in diagrams):
        raise ValueError("rules 6 and 7: a diagram is no order of all cells, or no claim follows")
    while place < len(body):
        must_win, openings, count = struct.unpack_from("<BBI", body, place)
        if must_win > 1 or openings > 127:
            raise ValueError("rule 14: a claim has an unknown promise or opening")
        entries = struct.unpack_from(f"<{count}H", body, place + 6)
        columns = [column for column in range(7) if openings >> column & 1]
        prove([(0, CELLS[6 * c]) for c in columns] or [(0, 0)], entries, diagrams, must_win)
        player = f"second player, after {' '.join(str(c + 1) for c in columns)}," if columns else "first player"
        print(f"The {player} {'always wins' if must_win else 'never loses'}: proven, {count} entries.", flush=True)
        place += 6 + 2 * count


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python check.py FILE")
    try:
        check(Path(sys.argv[1]).read_bytes())
    except (OSError, ValueError, struct.error, zlib.error) as error:
        sys.exit(f"Rejected: {error}.")

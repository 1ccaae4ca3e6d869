"""Check a Connect Four proof, by the rules of README.md, whose numbers are used here: python check.py FILE

A set of cells is an integer; the cell in ``column`` and ``row``, both from 0, is its bit column * 7 + row. Row 6 lies
above the board. No disc is ever there, so it keeps each column apart from the next.
"""

import sys
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

BOTTOM = sum(1 << 7 * column for column in range(7))
BOARD = sum(BOTTOM << row for row in range(6))
COLUMNS = [0b1111111 << 7 * column for column in range(7)]
CELLS = [1 << 7 * column + row for column in range(7) for row in range(6)]  # by the numbers of rule 2
Bitboards = tuple[int, int]  # our discs and the opponent's; we are to move


def demand(holds: object, text: str) -> None:
    """Reject the proof with this text unless something ``holds``."""
    if not holds:
        raise ValueError(text)


def playable(discs: int) -> int:
    """Return the lowest empty cell of each column that has one."""
    return (discs + BOTTOM) & BOARD  # in a column, 1 added to the bits 0 to n - 1 is bit n (off the board if n is 6)


@cache
def completing(discs: int) -> int:
    """Return the cells, empty or not, that make four in a row together with three of ``discs``.

    The next cell is 1 bit away upwards, 7 to the right and 8 or 6 along a diagonal. The four cells are one such step
    apart; if they left the board, one of them would be in row 6 or outside the columns, where no disc is and no result.
    """
    cells = (discs << 1) & (discs << 2) & (discs << 3)  # upwards, only the highest of the four can be the last one
    for one, two, three in (6, 12, 18), (7, 14, 21), (8, 16, 24):
        before, after = discs << one, discs >> one  # the cells that have a disc just before them, and just after them
        cells |= before & (discs << two) & ((discs << three) | after)  # three before it, or two and one after it
        cells |= after & (discs >> two) & ((discs >> three) | before)  # three after it, or two and one before it
    return cells & BOARD


def mirror(cells: int) -> int:
    """Return the mirror image of a set of cells."""
    return sum((cells >> 7 * column & 127) << 7 * (6 - column) for column in range(7))


def after_replies(position: Bitboards, cell: int, must_win: bool) -> list[Bitboards]:
    """Play ``cell``; return the positions after the opponent's replies, columns ascending, by rules 11 and 13."""
    ours, theirs = position[0] | cell, position[1]
    discs, replies = ours | theirs, playable(ours | theirs)
    if cell & completing(ours):
        return []
    demand(not replies & completing(theirs), "rule 13: the opponent can win")
    drawn = discs.bit_count() > 40  # the board is full, or will be with the only reply, which does not win
    demand(not (drawn and must_win), "rule 13: a game that is to be won is drawn")
    return [] if drawn else [(ours, theirs | (replies & column)) for column in COLUMNS if replies & column]


def choice(position: Bitboards, in_order: Callable[[int], list[int]]) -> int:
    """Return the cell that a diagram plays, by rules 15 to 20; ``in_order`` lists a set of cells in its order."""
    ours, theirs = position
    candidates, wins, threats = playable(ours | theirs), completing(ours), completing(theirs)
    if decisive := (candidates & wins) or (candidates & threats):
        return in_order(decisive)[0]  # rules 15 and 16
    candidates = (candidates & ~(threats >> 1)) or candidates  # rule 17; the shift leads to the cells below
    for cell in in_order(candidates):
        later = completing(ours | cell)
        now = later & playable(ours | theirs | cell)
        if now & (now - 1) or now & (later >> 1):
            return cell  # rule 18, and the first of its kind by rule 20: two are playable, or one with another above
    return in_order((candidates & ~(wins >> 1)) or candidates)[0]  # rules 19 and 20


def follow(start: Bitboards, diagram: Sequence[int], mirrored: int, must_win: bool) -> None:
    """Play by a diagram from ``start`` against every reply, by rule 12."""
    order = [mirror(CELLS[number]) if mirrored else CELLS[number] for number in diagram]
    in_order = cache(lambda cells: [cell for cell in order if cell & cells])
    visited, todo = set[Bitboards](), [start]
    while todo:
        position = todo.pop()
        if position in visited or completing(position[0]) & playable(position[0] | position[1]):
            continue  # it comes again (rule 12), or our next disc wins (rule 15)
        visited.add(position)
        todo += after_replies(position, choice(position, in_order), must_win)
    completing.cache_clear()  # only to save memory


def prove(roots: list[Bitboards], entries: Sequence[int], diagrams: Sequence[Sequence[int]], must_win: bool) -> None:
    """Walk through a claim, by rules 10 to 14."""
    forms, unread, todo = set[Bitboards](), iter(entries), roots[::-1]
    while todo:
        position = todo.pop()  # the last one, with all that follows from it, comes before the others
        form = min(position, (mirror(position[0]), mirror(position[1])), key=lambda discs: 2 * discs[0] + discs[1])
        if form in forms:
            continue
        forms.add(form)
        demand((entry := next(unread, -1)) >= 0, "rule 14: entries are missing")
        if entry < 7:
            cell = playable(form[0] | form[1]) & COLUMNS[entry]
            demand(cell, "rule 11: a column is full")
            todo += after_replies(form, cell, must_win)[::-1]
        else:
            number, mirrored = divmod(entry - 7, 2)
            demand(number < len(diagrams), f"rule 14: there is no diagram {number}")
            follow(form, diagrams[number], mirrored, must_win)
    demand(next(unread, None) is None, "rule 14: entries are left over")


def check(content: bytes) -> None:
    """Read a file, by rules 5 to 8, and prove its claims."""
    body = (stream := zlib.decompressobj()).decompress(content[8:] if content.startswith(b"C4PROOF1") else b"")
    demand(stream.eof and not stream.unused_data, "rule 5: the file is not C4PROOF1 and one whole zlib stream")
    place = 2 + 42 * int.from_bytes(body[:2], "little")
    diagrams = [body[at : at + 42] for at in range(2, place, 42)]
    demand(all(sorted(cells) == list(range(42)) for cells in diagrams), "rule 14: a diagram is no order of all cells")
    demand(place < len(body), "rule 14: no claim follows")
    while place < len(body):
        first, count = place + 6, int.from_bytes(body[place + 2 : place + 6], "little")
        demand(first + 2 * count <= len(body), "rule 14: bytes are missing")
        must_win, openings, place = body[place], body[place + 1], first + 2 * count
        demand(must_win < 2 and openings < 128, "rule 14: a claim has an unknown promise or opening")
        entries = [int.from_bytes(body[at : at + 2], "little") for at in range(first, place, 2)]
        columns = [column for column in range(7) if openings >> column & 1]
        prove([(0, CELLS[6 * c]) for c in columns] or [(0, 0)], entries, diagrams, bool(must_win))
        player = f"second player, after {' '.join(str(c + 1) for c in columns)}," if columns else "first player"
        print(f"The {player} {'always wins' if must_win else 'never loses'}: proven, {count} entries.", flush=True)
    print("Accepted.")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python check.py FILE")
    try:
        check(Path(sys.argv[1]).read_bytes())
    except (OSError, ValueError, zlib.error) as error:
        sys.exit(f"Not accepted: {error}.")

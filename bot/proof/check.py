"""Check a Connect Four proof, by the rules of README.md, whose numbers are used here: python check.py FILE

A set of cells is an integer; the cell in ``column`` and ``row``, both from 0, is its bit column * 8 + row. A diagram is
played on many boards at once: they stand side by side in one integer, 64 bits each, and ``each`` has bit 0 of them all.
"""

import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

BOTTOM = sum(1 << 8 * column for column in range(7))
BOARD = sum(BOTTOM << row for row in range(6))  # rows 6 and 7 and column 7 are empty: no step leads to a false cell
COLUMNS = [0b111111 << 8 * column for column in range(7)]
CELLS = [1 << 8 * column + row for column in range(7) for row in range(6)]  # by the numbers of rule 2

Claim = tuple[str, bool, list[tuple[int, int]], tuple[int, ...], list[bytes]]  # text, promise, roots, entries, diagrams


def demand(holds: object, text: str) -> None:
    """Reject the proof with this text unless something ``holds``."""
    if not holds:
        raise ValueError(text)


def playable(discs: int, each: int = 1) -> int:
    """Return the lowest empty cell of each column that has one."""
    return (discs + BOTTOM * each) & (BOARD * each)  # in a column, 1 added to the bits 0 to n - 1 is bit n


def completing(discs: int, each: int = 1) -> int:
    """Return the cells, empty or not, that make four in a row together with three of ``discs``."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)  # upwards, only the highest of the four can be the last one
    for one, two, three in (8, 16, 24), (7, 14, 21), (9, 18, 27):  # one to three steps to the right, or diagonally
        before, after = discs << one, discs >> one  # the cells that have a disc just before them, and just after them
        cells |= before & (discs << two) & ((discs << three) | after)  # three before it, or two and one after it
        cells |= after & (discs >> two) & ((discs >> three) | before)  # three after it, or two and one before it
    return cells & (BOARD * each)


def having(cells: int, each: int) -> int:
    """Return all cells of the boards that have any of ``cells``."""
    return BOARD * ((cells + (each << 63) - each) >> 63 & each)  # the sum of a board reaches bit 63 unless it has none


def first_of(each: int, cells: int, *others: int) -> int:
    """Return, for each board, the first of these sets of cells that is not empty there."""
    return cells | (first_of(each, *others) & ~having(cells, each)) if others else cells


def choice(ours: int, theirs: int, order: list[int], each: int = 1) -> int:
    """Return the cell that a diagram, an ``order`` of the cells, plays by rules 15 to 20."""
    cells, wins, threats, double = playable(ours | theirs, each), completing(ours, each), completing(theirs, each), 0
    safe = first_of(each, cells & ~(threats >> 1), cells)  # rule 17; the shift leads to the cells below
    for cell in (safe & (column * each) for column in COLUMNS):
        later = completing(ours | cell, each)
        now = later & playable(ours | theirs | cell, each)
        second = now & (now - (having(now, each) & each))  # all but the lowest of each board
        double |= cell & having(second | (now & (later >> 1)), each)  # rule 18: two, or one with another above
    left = first_of(each, cells & wins, cells & threats, double, safe & ~(wins >> 1), safe)  # rules 15 to 19
    return first_of(each, *filter(None, (left & (cell * each) for cell in order)))  # rule 20


def replies_to(ours: int, theirs: int, won: int, must_win: bool, each: int = 1) -> int:
    """Return the replies to our last disc, by rules 11 and 13; ``won`` is this disc where it makes four in a row."""
    unfinished = (BOARD * each) & ~having(won, each)
    discs, replies = ours | theirs, playable(ours | theirs, each) & unfinished
    demand(not replies & completing(theirs, each), "rule 13: the opponent can win")
    drawn = discs.bit_count() > 40 * each.bit_count()  # the boards are full, or will be with the only reply
    demand(not (drawn and must_win and unfinished), "rule 13: a game that is to be won is drawn")
    return 0 if drawn else replies


def follow(start: tuple[int, int], diagram: bytes, must_win: bool) -> None:
    """Play by a diagram from ``start``, our discs and the opponent's, against every reply, by rule 12."""
    order, positions = [CELLS[number] for number in diagram], {(1, *start)}
    while positions:  # all of them have the same number of discs
        boards = struct.Struct(f"<{len(positions)}Q")
        each, ours, theirs = (int.from_bytes(boards.pack(*row), "little") for row in zip(*positions, strict=True))
        cell = choice(ours, theirs, order, each)
        ours, wins, positions = ours | cell, completing(ours | cell, each), set()
        replies = replies_to(ours, theirs, cell & wins, must_win, each)
        for reply in (replies & (column * each) for column in COLUMNS):
            left = having(reply, each) & ~having(wins & playable(ours | theirs | reply, each), each)  # rule 15
            rows = ((row & left).to_bytes(boards.size, "little") for row in (each, ours, theirs | reply))
            positions.update(zip(*map(boards.unpack, rows), strict=True))
        positions.discard((0, 0, 0))  # the boards that are not left


def prove(claim: Claim, *, leaves: bool = True) -> Iterator[tuple[tuple[int, int], tuple[int, int], int]]:
    """Walk, by rules 10 to 14, with or without its ``leaves``; yield each standard form, its image and its entry."""
    _, must_win, roots, entries, diagrams = claim
    forms, unread, todo = set[tuple[int, int]](), iter(entries), roots[::-1]
    while todo:
        position = todo.pop()  # the last one, with all that follows from it, comes before the others
        image = [int.from_bytes(discs.to_bytes(7, "little"), "big") for discs in position]  # columns in reverse order
        (ours, theirs), other = sorted([position, (image[0], image[1])], key=lambda discs: 2 * discs[0] + discs[1])
        if (ours, theirs) not in forms:
            forms.add((ours, theirs))
            demand((entry := next(unread, -1)) >= 0, "rule 14: entries are missing")
            if entry < 7:
                demand(cell := playable(ours | theirs) & COLUMNS[entry], "rule 11: a column is full")
                replies = replies_to(ours | cell, theirs, cell & completing(ours), must_win)
                todo += [(ours | cell, theirs | replies & column) for column in COLUMNS[::-1] if replies & column]
            elif leaves:
                number, mirrored = divmod(entry - 7, 2)
                demand(number < len(diagrams), f"rule 14: there is no diagram {number}")
                follow(other if mirrored else (ours, theirs), diagrams[number], must_win)
            yield (ours, theirs), other, entry
    demand(next(unread, None) is None, "rule 14: entries are left over")


def claims_of(content: bytes) -> Iterator[Claim]:
    """Yield the claims of a file, by rules 5 to 8."""
    body = (stream := zlib.decompressobj()).decompress(content[8:] if content.startswith(b"C4PROOF1") else b"")
    demand(stream.eof and not stream.unused_data, "rule 5: the file is not C4PROOF1 and one whole zlib stream")
    place = 2 + 42 * int.from_bytes(body[:2], "little")
    diagrams = [body[at : at + 42] for at in range(2, place, 42)]
    demand(all(sorted(cells) == list(range(42)) for cells in diagrams), "rule 14: a diagram is no order of all cells")
    demand(place < len(body), "rule 14: no claim follows")
    while place < len(body):
        at, count = place + 6, int.from_bytes(body[place + 2 : place + 6], "little")
        demand(at + 2 * count <= len(body), "rule 14: bytes are missing")
        must_win, openings, place = body[place], body[place + 1], at + 2 * count
        demand(must_win < 2 and openings < 128, "rule 14: a claim has an unknown promise or opening")
        columns = [column for column in range(7) if openings >> column & 1]
        player = f"second player, after {' '.join(str(c + 1) for c in columns)}," if columns else "first player"
        entries, roots = struct.unpack(f"<{count}H", body[at:place]), [(0, CELLS[6 * c]) for c in columns] or [(0, 0)]
        yield f"The {player} {'always wins' if must_win else 'never loses'}", bool(must_win), roots, entries, diagrams


if __name__ == "__main__":
    try:
        demand(len(sys.argv) == 2, "the command is python check.py FILE")
        for claim in claims_of(Path(sys.argv[1]).read_bytes()):
            print(f"{claim[0]}: proven, {sum(1 for _ in prove(claim))} entries.", flush=True)
        print("Accepted.")
    except (OSError, ValueError, zlib.error) as error:
        sys.exit(f"Not accepted: {error}.")

"""The last two discs of an attack: the kernel's answer equals that of a full search which knows no shortcut.

Run as `python -m tests.engine.test_attacks [POSITIONS]` to check as many (100,000 if none are given) and to print how
many of each kind there were.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

from bot.engine.jit.bits import playable_cells, winning_cells
from bot.engine.kernels.attacks import defence_holds
from bot.game import Board

COLUMN = 0b111111
STEPS = (1, 6, 7, 8)


def makes_four(discs: int) -> bool:
    return any(discs & discs >> step & discs >> 2 * step & discs >> 3 * step for step in STEPS)


def cells(mask: int) -> Iterator[int]:
    """Yield the lowest empty cell of every column with room."""
    for shift in range(0, 49, 7):
        column = mask >> shift & COLUMN
        if column != COLUMN:
            yield column + 1 << shift


def wins(own: int, other: int, discs: int) -> bool:
    """Return whether the side to move can make four with ``discs`` discs, whatever the other side does."""
    for cell in cells(own | other):
        if makes_four(own | cell):
            return True
    return discs > 1 and any(leaves_no_defence(own | cell, other, discs - 1) for cell in cells(own | other))


def leaves_no_defence(attacker: int, defender: int, discs: int) -> bool:
    """Return whether the attacker, not to move, makes four with ``discs`` discs, whatever the defender does."""
    replies = list(cells(attacker | defender))
    for reply in replies:
        if makes_four(defender | reply) or not wins(attacker, defender | reply, discs):
            return False
    return bool(replies)


def safe_moves(board: Board) -> int:
    """Return the moves after which the other side cannot win at once; 0 where somebody can win at once now."""
    playable, other = playable_cells(board.mask), board.current ^ board.mask
    threats = winning_cells(other, board.mask)
    if playable & (threats | winning_cells(board.current, board.mask)):
        return 0
    return playable & ~(threats >> 1)


def tense_positions(games: int, seed: int) -> Iterator[Board]:
    """Yield the positions of games in which both sides make threats and neither allows a four that it can prevent."""
    chance = random.Random(seed)
    for _ in range(games):
        board = Board()
        while not board.is_over:
            yield board
            playable, other = playable_cells(board.mask), board.current ^ board.mask
            wins_there, threats = winning_cells(board.current, board.mask), winning_cells(other, board.mask)
            moves = playable & wins_there or playable & threats or playable & ~(threats >> 1) or playable
            choices = [cell for cell in cells(board.mask) if cell & moves]
            tried = chance.sample(choices, min(2, len(choices)))
            cell = max(tried, key=lambda cell: winning_cells(board.current | cell, board.mask | cell).bit_count())
            board = Board(other, board.mask | cell)


def check(board: Board, found: Counter[str]) -> None:
    """Compare kernel and full search where the kernel may be asked; count what the position shows."""
    safe = safe_moves(board)
    choices = safe.bit_count()
    if choices < 2 or board.ply > 38:  # after ply 38 the attacker has no two discs left
        return
    attacker = board.current ^ board.mask
    holds = not leaves_no_defence(attacker, board.current, 2)
    assert bool(defence_holds(board.current, board.mask, safe)) == holds, board
    found["checked"] += 1
    found[f"{'2' if choices == 2 else '3 or more'} safe moves, {'holds' if holds else 'fails'}"] += 1
    forcing = [cell for cell in cells(board.mask) if cell & safe and threatens(board.current | cell, board.mask | cell)]
    found["a safe move threatens four, holds"] += bool(forcing) and holds
    found["a safe move threatens four, fails"] += bool(forcing) and not holds


def threatens(discs: int, mask: int) -> bool:
    return bool(winning_cells(discs, mask) & playable_cells(mask))


def test_the_last_two_discs_of_an_attack_are_decided_as_by_full_search() -> None:
    found = Counter[str]()
    for board in tense_positions(250, seed=7):
        if board.ply >= 14:
            check(board, found)
    assert found["checked"] > 2000
    for kind in ("2 safe moves", "3 or more safe moves"):
        assert found[f"{kind}, holds"] > 50
        assert found[f"{kind}, fails"] > 10
    assert found["a safe move threatens four, fails"] > 5


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    found, seed = Counter[str](), 0
    while found["checked"] < wanted:
        seed += 1
        for board in tense_positions(200, seed):
            check(board, found)
        print(f"{found['checked']} checked, none wrong", flush=True)
    for kind, count in sorted(found.items()):
        print(f"{count:8} {kind}")


if __name__ == "__main__":
    main()

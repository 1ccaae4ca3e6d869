"""Sets and files of positions; the sets are pinned, because committed results stand on them."""

from __future__ import annotations

import hashlib
import json

from bot.game import Board
from bot.gauntlet.exact import exact_scores, solved_scores
from bot.gauntlet.positions import PUBLIC, all_openings, mirror_key, opening_set, read_positions
from bot.gauntlet.sight import winning_columns
from tests.gauntlet.public_set import SEED, draw_positions


def pin(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:20]


def test_the_generators_give_the_positions_of_the_committed_results():
    """An opening set repeats only when there are no more, and has no win at once."""
    assert pin(all_openings(4)) == "d9b2c38fda5d16e89a0a"
    sets = [opening_set(*arguments) for arguments in ((4, 100, "a/1"), (8, 200, 0), (42, 2, 1))]
    assert [*map(pin, sets)] == ["b3cef7e34e0c8480b973", "38616677489b4a01c42a", "7cfdecdc2576c808afdd"]
    boards = [*map(Board.from_moves, sets[1])]
    assert len({*map(mirror_key, boards)}) == 200 and not any(map(winning_columns, boards))
    assert opening_set(8, 9, 0) == sets[1][:9] and len({*opening_set(1, 9, 1)}) == 4
    assert opening_set(0, 3, 1) == [(), (), ()]
    assert pin(PUBLIC.read_text()) == "fb98252d5a56b340a42c"
    assert draw_positions(40, SEED) == [position.columns for position in read_positions()[:40]]


def test_exact_scores_are_those_of_the_set_of_the_book_and_of_the_solver():
    for columns in (*[read_positions()[number].columns for number in (0, 35)], (3, 3)):
        assert exact_scores(columns) == solved_scores(columns)

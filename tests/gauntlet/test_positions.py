"""Sets and files of positions; the sets are pinned, because committed results stand on them."""

from __future__ import annotations

import hashlib
import json

from bot.game import Board
from bot.gauntlet.exact import exact_scores, solved_scores
from bot.gauntlet.positions import PUBLIC, all_openings, mirror_key, opening_set, read_positions
from tests.gauntlet.public_set import SEED, draw_positions


def pin(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:20]


def test_the_generators_give_the_positions_of_the_committed_results():
    assert pin(all_openings(4)) == "d9b2c38fda5d16e89a0a"
    sets = [pin(opening_set(*arguments)) for arguments in ((4, 100, "a/1"), (8, 200, 0), (42, 2, 1))]
    assert sets == ["b3cef7e34e0c8480b973", "38616677489b4a01c42a", "7cfdecdc2576c808afdd"]
    assert pin(PUBLIC.read_text()) == "fb98252d5a56b340a42c"
    assert draw_positions(40, SEED) == [position.columns for position in read_positions()[:40]]


def test_an_opening_set_repeats_only_when_there_are_no_more_and_has_no_win_at_once():
    boards = [Board.from_moves(opening) for opening in opening_set(7, 300, seed=5)]
    assert len(set(map(mirror_key, boards))) == 300 and not any(map(any, [map(b.wins_with, range(7)) for b in boards]))
    assert opening_set(7, 9, seed=5) == opening_set(7, 300, seed=5)[:9] != opening_set(7, 9, seed=6)
    assert len(set(opening_set(1, 9, seed=1))) == 4 and opening_set(0, 3, seed=1) == [(), (), ()]


def test_exact_scores_are_those_of_the_set_of_the_book_and_of_the_solver():
    for columns in (*[read_positions()[number].columns for number in (0, 35)], (3, 3)):
        assert exact_scores(columns) == solved_scores(columns)

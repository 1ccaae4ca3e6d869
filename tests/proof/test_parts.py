"""Building in parts: each part is proven on its own, and so is the strategy that takes the parts over."""

from __future__ import annotations

import pytest

from bot.game import Board, parse_moves
from bot.proof.fast_check import verify_claim
from bot.proof.positions import board_of, key_of
from bot.prover.best_first import BestFirst
from bot.prover.builder import SEARCH_FROM, Builder
from bot.prover.finder import Finder
from bot.prover.parts import Part, build_parts, open_positions, solve_part, take_over
from bot.prover.workshop import Workshop
from tests.proof.parts import WON, fast_verdict, part_of

ROOTS = [key_of(Board.from_moves(parse_moves(moves))) for moves in WON]


def new_builder() -> Builder:
    return Builder(Finder(draw_fails=True), quick=200, thorough=200)


def test_a_part_is_a_proven_claim_and_can_be_taken_over():
    lines: list[str] = []
    builder = new_builder()
    builder.log = lines.append
    solved = solve_part(Part(ROOTS[0], True, (bytes(range(42)),), 1))
    assert verify_claim(solved.claim, solved.diagrams, [ROOTS[0]])
    for _ in range(2):  # a second time changes nothing
        take_over(builder, ROOTS[0], solved)
        assert builder.orders == list(dict.fromkeys(solved.diagrams))
    assert fast_verdict(part_of(builder, ROOTS[0]))
    assert sum(line.startswith("D") for line in lines) == len(builder.orders)


@pytest.mark.parametrize("workers", [1, 2])
def test_parts_complete_a_strategy(workers):
    best_first = BestFirst(new_builder())
    build_parts(best_first, ROOTS, workers=workers, scheduler=None, seed=1)
    best_first.adopt()
    assert set(ROOTS) <= best_first.complete
    for root in ROOTS:
        assert fast_verdict(part_of(best_first.builder, root))


def test_parts_begin_where_searches_begin_and_not_in_what_is_complete():
    best_first = BestFirst(new_builder())
    root = key_of(Board.from_moves([3, 3, 3, 3]))
    found = open_positions(best_first, [root])
    assert found
    assert {board_of(key).ply for key in found} == {SEARCH_FROM + 1}
    best_first.complete.add(found[0])
    assert set(open_positions(best_first, [root])) == set(found[1:])


def test_a_build_can_start_anew_and_keeps_the_old_record(tmp_path):
    record = tmp_path / "build.record"
    record.write_text(f"B {ROOTS[0]} 3\n")
    workshop = Workshop.open(record, side="first", openings="", seed=1, report=lambda _line: None, resume=False)
    assert workshop.builder.strategy.entries == {}
    assert not record.exists()
    assert (tmp_path / "build.record.old").exists()

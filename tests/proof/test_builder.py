"""Building a strategy: the search for diagrams, completion, the written file, and builds that are interrupted."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.game import Board
from bot.proof import check
from bot.proof.builder.best_first import BestFirst
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.builder.sharing import share_diagrams
from bot.proof.builder.workshop import complete, openings_of, recording, write
from bot.proof.diagram import BITS
from bot.proof.format import FIRST_LEAF, Claim, Proof, RejectedError
from bot.proof.positions import key_of
from bot.proof.walk import entries_of, roots_of, walk
from tests.positions import sample
from tests.proof.parts import PROOF, Part, is_accepted

WON = "44435622113322"
"""A position that the first player, who is to move, wins."""
HELD = "14141164442"
"""A position that the second player, who is to move, does not lose."""


def is_kept(board: Board, order: bytes, must_win: bool) -> bool:
    """Return whether check.py accepts the diagram ``order`` from ``board``."""
    try:
        check.follow((board.current, board.opponent), order, 0, must_win)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("must_win", [True, False])
def test_a_diagram_is_found_exactly_where_trying_every_order_finds_one(must_win: bool) -> None:
    finder, verdicts = Finder(draw_fails=must_win), set()
    for board in sample(40, 36, 37, seed=9):
        order, impossible, _ = finder.search(board, budget=1_000_000)
        filled = [cell for cell in range(42) if board.mask >> BITS[cell] & 1]
        empty = [cell for cell in range(42) if cell not in filled]
        possible = any(is_kept(board, bytes([*first, *filled]), must_win) for first in permutations(empty))
        assert impossible == (order is None) == (not possible)
        assert order is None or is_kept(board, order, must_win)
        verdicts.add(impossible)
    assert verdicts == {True, False}


def test_a_search_ends_at_its_budget_and_is_repeated_only_with_a_larger_one() -> None:
    order, impossible, spent = Finder(draw_fails=True).search(Board(), budget=3_000)
    assert (order, impossible) == (None, False) and 3_000 <= spent < 20_000
    builder, key = Builder(Finder(draw_fails=True)), key_of(Board.from_moves(WON))
    assert not builder.leaf(key, 2_000) and builder.tried[key] >= 2_000
    before = dict(builder.tried)
    assert not builder.leaf(key, 2_000) and builder.tried == before
    assert builder.leaf(key, 1_000_000) and len(builder.orders) == 1


def part_of(builder: Builder, root: int) -> Part:
    """Return the part that ``builder`` has built for the position ``root``."""
    entries = tuple(entry for _, entry in walk([root], builder.entries.__getitem__))
    return Part(root, Claim(builder.finder.draw_fails, (), entries), tuple(builder.orders))


def used(part: Part) -> set[int]:
    """Return the diagrams that a part needs."""
    return {(entry - FIRST_LEAF) // 2 for entry in part.claim.entries if entry >= FIRST_LEAF}


@pytest.mark.parametrize(("moves", "must_win"), [(WON, True), (HELD, False)])
def test_a_strategy_is_completed_proven_and_its_diagrams_are_shared(moves: str, must_win: bool) -> None:
    builder, root = Builder(Finder(draw_fails=must_win), quick=200, thorough=200), key_of(Board.from_moves(moves))
    best_first = BestFirst(builder)
    best_first.solve(root)
    part = part_of(builder, root)
    assert is_accepted(part)
    assert must_win or not is_accepted(replace(part, claim=replace(part.claim, must_win=True))), "a draw is no win"
    assert best_first.costs[root] >= len(part.claim.entries) > 1
    before = dict(builder.entries)
    best_first.solve(root)
    assert builder.entries == before, "what was found for one root serves the next"
    common = min(used(part))
    copy = builder.add_diagram(builder.orders[common])
    for key in [key for key, entry in before.items() if entry == FIRST_LEAF + 2 * common][::2]:
        builder.entries[key] = FIRST_LEAF + copy
    unshared = used(part_of(builder, root))
    share_diagrams(builder, [root])
    shared = part_of(builder, root)
    assert used(shared) < unshared and is_accepted(shared)


def test_a_lost_position_is_rejected() -> None:
    with pytest.raises(UsageError, match="cannot be kept"):
        BestFirst(Builder(Finder(draw_fails=False))).solve(key_of(Board.from_moves("1423523432224")))


def first_strategy() -> Builder:
    """Return a builder with the first player's shipped strategy, and an unused diagram before its own."""
    builder = Builder(Finder(draw_fails=True))
    for order in (bytes(range(42)), *PROOF.diagrams):
        builder.add_diagram(order)
    entries = entries_of(PROOF.claims[0]).items()
    builder.entries.update({key: entry + 2 * (entry >= FIRST_LEAF) for key, entry in entries})
    return builder


def test_the_command_writes_what_is_proven_and_keeps_the_other_players_claim(tmp_path, monkeypatch, capsys) -> None:
    """The strategy is the shipped one, since a build takes minutes."""

    def known(builder: Builder, roots: list[int]) -> None:
        assert roots == roots_of(()) and builder.finder.draw_fails
        builder.entries, builder.orders = first_strategy().entries, first_strategy().orders

    monkeypatch.setattr("bot.proof.builder.workshop.complete", known)
    out = tmp_path / "proof.bin"
    out.write_bytes(PROOF.to_bytes())
    assert run(["proof", "build", "--out", str(out)]) == ExitCode.DONE
    said = capsys.readouterr().out
    assert said.startswith("The first player always wins: 403 branches") and f"{out.stat().st_size:,} bytes" in said
    written = Proof.load(out)
    assert [claim.openings for claim in written.claims] == [claim.openings for claim in PROOF.claims]
    assert sorted(written.diagrams) == sorted(PROOF.diagrams), "the unused one is left out"


def test_a_file_that_is_not_proven_is_not_written(tmp_path: Path) -> None:
    out, first = tmp_path / "proof.bin", first_strategy()
    wrong = next(key for key, entry in first.entries.items() if entry >= FIRST_LEAF)
    first.entries[wrong] = FIRST_LEAF
    with pytest.raises(RejectedError):
        write(first, (), out)
    assert not out.exists()


def test_an_interrupted_build_goes_on_with_its_searches(tmp_path: Path) -> None:
    path, root = tmp_path / "proof.bin.first", key_of(Board.from_moves("44444432"))
    builder = Builder(Finder(draw_fails=True), quick=2_000, thorough=2_000)
    with pytest.raises(KeyboardInterrupt), recording(builder, path):
        write_line, left = builder.log, iter(range(10))

        def log(line: str) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            write_line(line)

        builder.log = log
        complete(builder, [root])
    heading, *lines = path.read_text().splitlines()
    assert heading == "searches for diagrams that win" and len(lines) == 10
    with path.open("a") as file:
        file.write("found 12")  # the last line was torn
    again, searched = Builder(Finder(draw_fails=True), quick=2_000, thorough=2_000), list[str]()
    with recording(again, path):
        assert len(again.orders) + len(again.tried) == 10
        again.log = searched.append
        complete(again, [root])
    found = {line.split()[1] for line in lines if line.startswith("found")}
    assert found.isdisjoint(line.split()[1] for line in searched) and searched
    assert is_accepted(part_of(again, root))
    assert not path.exists(), "a finished build leaves nothing to go on with"


@pytest.mark.parametrize("line", ["X 1", "found 5", "none 5 x", "found 5 zz", "found 7 ff"])
def test_a_file_of_searches_that_is_damaged_or_of_another_claim_is_rejected(tmp_path: Path, line: str) -> None:
    path = tmp_path / "proof.bin.first"
    path.write_text(f"searches for diagrams that win\nfound 5 {bytes(range(42)).hex()}\n{line}\n")
    for must_win, said in ((True, "Line 3"), (False, "written by another command")):
        with pytest.raises(UsageError, match=said), recording(Builder(Finder(draw_fails=must_win)), path):
            pass


def test_openings_stand_for_their_mirror_images_and_unknown_ones_are_rejected() -> None:
    assert openings_of("31") == (0, 2, 4, 6)
    assert roots_of(openings_of("123")) == roots_of((0, 1, 2))
    for wrong in ("", "14", "a"):
        with pytest.raises(UsageError, match="Unknown openings") as rejected:
            openings_of(wrong)
        assert rejected.value.hint.startswith("Choose from 1, 2 and 3")

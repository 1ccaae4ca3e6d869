"""Shrinking: smaller strategies that stay complete and proven; it stops in time, and resumes from its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from bot.game import Board, parse_moves
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.builder.passes import Pass, Passes
from bot.proof.builder.record import Record
from bot.proof.builder.sharing import leaves_of, share_diagrams
from bot.proof.builder.shrink import Shrinker
from bot.proof.positions import board_of, key_of
from tests.proof.parts import HELD, WON, built, fast_verdict, part_of, reachable


class KilledError(Exception):
    """The build was killed."""


def ticking() -> Callable[[], float]:
    """Return a clock that shows one more second each time it is read."""
    return count().__next__


@pytest.mark.parametrize("moves", WON)
def test_passes_make_a_strategy_smaller_and_keep_it_proven_and_counted(moves):
    builder, root = built(moves)
    passes = Passes(Shrinker(builder), clock=ticking())
    sizes = [builder.strategy.size]
    for end_s in (20, 60, 200):
        passes.run(end_s)
        sizes.append(builder.strategy.size)
        assert set(builder.strategy.references) == reachable(builder.strategy, root)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]
    assert fast_verdict(part_of(builder, root))


def test_passes_stop_in_the_middle_and_go_on_there():
    """The clock is read once before a slice of a pass and once after each of its steps."""
    seen: list[int] = []

    def steps(_ply: int, _number: int) -> Iterator[None]:
        for step in range(20):
            seen.append(step)
            yield

    passes = Passes(Shrinker(built(WON[0])[0]), clock=ticking())
    passes.passes = [Pass("leaves", steps, 20)]
    assert passes.run(8)
    stopped = len(seen)
    assert 0 < stopped <= 8
    assert passes.run(16)
    assert seen == list(range(len(seen)))
    assert stopped < len(seen) <= 16


def nothing(_ply: int, _number: int) -> Iterator[None]:
    """Do the round of a pass that has no steps."""
    yield from ()


def test_the_pass_that_saves_most_for_its_time_is_taken_and_each_in_its_turn():
    good, bad, new = (Pass("leaves", nothing, ply) for ply in (20, 18, 16))
    good.saved, good.spent_s, bad.spent_s = 100, 2.0, 2.0
    assert good.rate > new.rate > bad.rate > 0
    good.is_idle = True
    for _ in range(20):
        good.next_round()
    assert 0 < good.rate < bad.rate
    assert good.round == 0  # rounds without steps do not raise its budget


def test_passes_end_when_nothing_is_left_to_try():
    builder, root = built(WON[0])
    assert builder.leaf(root, 1_000_000) or builder.strategy.size > 1
    assert not Passes(Shrinker(builder), clock=ticking()).run(1e9)
    assert builder.strategy.size == 1


@pytest.mark.parametrize("last", [1, 2, 5, 20])
def test_a_killed_pass_resumes_from_its_record(tmp_path, last):
    """The record ends after any line, also within a trial of another move."""
    path = tmp_path / "build.record"
    lines: list[str] = []
    builder = Builder(Finder(draw_fails=True), log=lines.append, quick=200, thorough=200)
    root = key_of(Board.from_moves(parse_moves(WON[1])))
    builder.grow([root])
    size, whole = builder.strategy.size, len(lines) + last

    def log(line: str) -> None:
        lines.append(line)
        if len(lines) == whole:
            raise KilledError

    builder.log = log
    with pytest.raises(KilledError):
        Passes(Shrinker(builder), clock=ticking()).run(1_000)
    path.write_text("\n".join(lines) + "\n")
    again = Builder(Finder(draw_fails=True), quick=0, thorough=0)
    assert Record(path).replay(again) == whole
    entries = dict(again.strategy.entries)
    again.grow([root])
    assert again.strategy.entries == entries  # nothing was missing
    assert again.strategy.size <= size
    assert fast_verdict(part_of(again, root))


def test_a_known_diagram_is_tried_once_on_a_branch():
    builder, root = built(WON[1])
    shrinker = Shrinker(builder)
    assert shrinker.is_branch(root)
    assert shrinker.try_known(root) is False
    assert shrinker.try_known(root) is None
    order, _, _ = builder.finder.search([board_of(root)], budget=1_000_000)
    assert order is not None
    builder.new_diagram(order)
    assert shrinker.try_known(root) is True
    assert builder.strategy.size == 1
    assert fast_verdict(part_of(builder, root))


def test_the_effort_of_searches_is_in_the_record(tmp_path):
    path = tmp_path / "build.record"
    lines: list[str] = []
    builder = Builder(Finder(draw_fails=True), log=lines.append)
    keys = [key_of(Board.from_moves(parse_moves(moves))) for moves in WON]
    assert [builder.leaf(key, 2_000) for key in keys] == [False, False]
    path.write_text("\n".join(lines) + "\n")
    again = Builder(Finder(draw_fails=True))
    Record(path).replay(again)
    assert again.tried == builder.tried != {}
    assert builder.effort == sum(tried.effort for tried in builder.tried.values()) > 0


def test_a_trial_without_effort_changes_nothing_in_use():
    builder, root = built(WON[1])
    shrinker, strategy = Shrinker(builder), builder.strategy
    before = {key: (count, strategy.entries[key]) for key, count in strategy.references.items()}
    trials = 0
    for key in [key for key in strategy.references if shrinker.is_branch(key)]:
        for column in shrinker.other_columns(key):
            if not all(child in strategy.entries for child in strategy.replies(key, column)):
                assert shrinker.try_column(key, column, effort=-1) == 0
                trials += 1
    assert trials > 10
    assert {key: (count, strategy.entries[key]) for key, count in strategy.references.items()} == before
    assert strategy.references.keys() == reachable(strategy, root)


def test_another_move_is_played_where_it_saves_positions():
    """The passes that search for diagrams are left out, so that only other moves can save positions."""
    builder, root = built(WON[1])
    size = builder.strategy.size
    passes = Passes(Shrinker(builder), clock=ticking())
    passes.passes = [one for one in passes.passes if one.name == "moves"]
    passes.run(300)
    assert builder.strategy.size < size
    assert builder.strategy.references.keys() == reachable(builder.strategy, root)
    assert fast_verdict(part_of(builder, root))


@pytest.mark.parametrize(("moves", "must_win"), [(WON[1], True), (HELD, False)])
def test_shared_diagrams_keep_the_proof(moves, must_win):
    builder, root = built(moves, must_win=must_win)
    before = leaves_of(builder)
    replaced = sum(share_diagrams(builder))
    after = leaves_of(builder)
    assert len(after) == len(before) - replaced < len(before)
    assert after.keys() < before.keys()
    assert fast_verdict(part_of(builder, root))
    assert sum(share_diagrams(builder)) == 0

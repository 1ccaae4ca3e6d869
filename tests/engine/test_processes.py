"""Processes that share work: the order of their results."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.engine.processes import Pool


def answered(task: tuple[Path, int]) -> Iterator[int]:
    """Yield a task's number, that of task 0 only when the file exists, or after 20 s."""
    taken, number = task
    for _ in range(200):
        if number or taken.exists():
            break
        time.sleep(0.1)
    yield number


@pytest.mark.parametrize("in_order", [True, False])
def test_results_come_in_the_order_of_their_tasks_or_as_soon_as_they_are_ready(in_order, tmp_path):
    taken, found = tmp_path / "taken", list[int]()
    if in_order:
        taken.touch()
    with Pool(2) as pool:
        for number in pool.results(answered, iter([(taken, 0), (taken, 1)]), in_order=in_order):
            found.append(number)
            taken.touch()
        left = pool.results(answered, iter([(taken, 2), (taken, 3)]))
        assert next(left) == 2
        left.close()
        assert [*pool.results(answered, iter([(taken, 4)]))] == [4], "by new processes"
    assert found == ([0, 1] if in_order else [1, 0])

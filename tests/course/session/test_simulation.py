"""Series in virtual time: what makes their figures comparable."""

from __future__ import annotations

from tests.simulation.__main__ import simulate
from tests.simulation.faults import parsed
from tests.simulation.series import Task, play_task


def test_equal_seeds_print_equal_tables_in_any_number_of_processes(capsys):
    tables = []
    for workers in (1, 2):
        simulate(games=3, faults="reset=0.2,kill=0.02", workers=workers)
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1] and "random" in tables[0]


def test_a_new_game_that_the_network_asked_for_twice_is_not_forfeited_by_the_client():
    counts = play_task(Task("random", 6, 4, parsed("duplicate=0.5")))
    assert counts["asked twice"] > 0 and not counts["forfeit"]

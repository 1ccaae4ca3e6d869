"""What a run learns from the journals in its folder, and what is known of a server in the user's state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.course.events import Counted
from bot.course.hypotheses import EMPTY
from bot.course.journal.journal import parse_journal
from bot.course.protocol import Identity, Stats
from bot.course.run.run import History, read_history
from bot.course.run.standings import (
    RunStandings,
    Standings,
    disagreements,
    judged,
    standings_of,
)
from tests.course.journal.build import IDS, SERVER, player_file, recorded, write_run
from tests.course.run.course import LEFTMOST, Course, journal_standings, journals, level, opened

OTHER = "http://127.0.0.1:2"
LOST, DRAWN, WON, UNFINISHED = -1.0, 0.5, 1.0, None
UNREAD = Counted(0.0, None, message="Why.")


def read(logs: Path) -> History:
    return read_history(logs, Identity.of(SERVER, IDS))


def learnt(logs: Path) -> tuple[float, ...]:
    """Return how often each answer to column 4 was learnt."""
    return tuple(read(logs).answers.known[EMPTY.play(3).board])


RUNS: dict[str, tuple[list[list[Any]], int, int, int]] = {
    "nothing": ([], 0, 0, 0),
    "a draw keeps it": ([[WON, DRAWN], [WON]], 3, 3, 3),
    "a loss ends it": ([[WON, WON], [WON, LOST, WON]], 1, 3, 5),
    "so does an illegal move": ([[WON], [-10.0], [WON]], 1, 1, 3),
    "a game without a result does not count, and parts it": ([[WON], [WON, 0.0], [WON]], 3, 2, 3),
    "an unfinished older game was given up": ([[WON], [WON, UNFINISHED], [WON]], 1, 2, 4),
    "that of the newest journal is resumed": ([[WON], [WON, UNFINISHED]], 2, 2, 2),
}
"""Results of runs, and the streak, the longest one and the number of games that follow from them."""


@pytest.mark.parametrize("name", RUNS)
def test_the_streak_is_games_in_a_row_without_a_loss(tmp_path, name):
    runs, streak, longest, played = RUNS[name]
    newest = None
    for results in runs:
        newest = write_run(tmp_path, results)
        write_run(tmp_path, [LOST], ids=("another",))
        write_run(tmp_path, [LOST], server=OTHER)
    history = read(tmp_path)
    assert (history.standings.current, history.last and history.last.path) == (streak, newest)
    found = journal_standings(tmp_path, SERVER, IDS)
    assert (found.current, found.longest, found.played) == (streak, longest, played)
    assert found.running == (runs[-1:] == [[WON, UNFINISHED]])


def test_a_game_that_ended_unseen_is_no_loss_while_its_result_is_looked_for():
    """A crash in that moment leaves such a journal; the next run finds the result."""
    journal = parse_journal(
        recorded("counted 2 2 0; new: .; play dadada; d: lost reset; settled 2 2 0; c: cd", games=9)
    )
    assert (journal.session.unseen, journal.unfinished, standings_of([journal]).lost) == (1, 2, 0)


def test_the_newest_games_of_all_players_at_this_server_teach_the_answers(tmp_path, monkeypatch):
    monkeypatch.setattr("bot.course.run.run.GAMES", 20)
    for answer, games in enumerate((5, 15, 10)):
        write_run(tmp_path, [LOST] * games, answer=answer, ids=("another",) if answer == 1 else IDS)
        write_run(tmp_path, [WON], answer=5, server=OTHER)
    assert learnt(tmp_path) == (0, 10, 10, 0, 0, 0, 0)


def test_answers_of_a_resumed_run_count_once(tmp_path):
    write_run(tmp_path, [WON])
    write_run(tmp_path, [UNFINISHED])
    with opened(tmp_path, server=SERVER, stil_ids=IDS) as run:
        answers = run._session.answers
    assert answers.known[EMPTY.play(3).board][2] == 2


def test_a_run_passes_if_the_streak_reached_the_goal_at_some_moment():
    standings = RunStandings.after(Standings(current=2, certain=2), 3)
    assert not standings.verdict.is_met
    for result in (DRAWN, LOST, WON):
        standings.add(result)
    assert standings == RunStandings(played=3, won=1, drawn=1, lost=1, current=1, certain=1, longest=3, goal=3)
    assert standings.verdict.is_met


def test_a_streak_past_a_game_without_a_result_is_no_pass_unless_the_server_counts_it(tmp_path):
    ours = Standings()
    for result in (*[WON] * 12, 0.0, *[WON] * 8):
        ours.add(result)
    assert (ours.current, ours.aside, ours.certain, ours.longest) == (20, ", 1 game without a result", 8, 12)
    assert judged(20, ours, Counted(0.0, Stats(20, 20, 0, 20))).is_met
    alone = judged(20, ours, UNREAD)
    assert not alone.is_met and "the longest streak is 12 of 20, and 12 more games" in alone.sentence
    ours.add(LOST)
    assert ours.aside == ""
    write_run(tmp_path, [WON, WON, 0.0, WON])
    with opened(tmp_path, server=SERVER, stil_ids=IDS) as run:
        known = run.standings
        assert (known.current, known.without_result, known.certain, known.longest) == (3, 1, 1, 2)


COUNTED = [
    (Standings(current=20, longest=20), Stats(20, 20, 0, 20, 20), True, ""),
    (Standings(current=3, certain=3, longest=5), Stats(9, 8, 1, 3, 5), False, ""),
    (Standings(current=21, longest=21), Stats(42, 21, 21, 1), False, "a streak of 21, the longest 21"),
    (Standings(current=5, longest=5), Stats(60, 55, 5, 40, 40), True, "a streak of 5, the longest 5"),
    (Standings(current=5, longest=25), Stats(9, 8, 1, 5, 5), False, "a streak of 5, the longest 25"),
    (Standings(current=5, longest=5), Stats(9, 8, 1, 3, 5), False, "a streak of 5, the longest 5"),
    (Standings(current=2, longest=30), None, True, "count is not known (why)"),
    (Standings(), None, False, "count is not known (why)"),
    (Standings(), Stats(20, 20, 0, 20, 20), True, ""),  # of a client without journals
]
"""What the journals and the server count, whether the goal is met, and what raises a doubt."""


@pytest.mark.parametrize(("ours", "server", "is_met", "doubt"), COUNTED)
def test_the_servers_count_decides_and_whose_count_it_is_stands_in_the_same_sentence(ours, server, is_met, doubt):
    verdict = judged(20, ours, UNREAD if server is None else Counted(0.0, server))
    assert (verdict.is_met, verdict.witness) == (is_met, "journals" if server is None else "server")
    assert bool(verdict.by) == bool(doubt) and verdict.by in verdict.sentence and doubt in verdict.sentence


def test_where_journals_and_server_disagree_is_named():
    ours = Standings(played=3, won=3, current=3, longest=3)
    assert disagreements(ours, Stats(3, 3, 0, 3)) == disagreements(Standings(), Stats(3, 3, 0, 3)) == []
    for server, said in {
        Stats(4, 3, 0, 0, 4): "more games than",
        Stats(0, 0, 0, 0, 0): "fewer games than",
        Stats(3, 3, 0, 2, 2): "other results",
    }.items():
        (found,) = disagreements(ours, server)
        assert said in found


# What the next run knows


def test_what_a_run_has_learnt_of_its_server_stands_in_its_journal_and_damage_of_the_state_costs_one_question(
    tmp_path, monkeypatch
):
    level(monkeypatch)
    course = Course(LEFTMOST, is_january=True)
    course.play(tmp_path)
    for damage in (b"", b"[]", b'{"game": "7"}'):
        player_file().write_bytes(damage)
        course.play(tmp_path)
    assert (course.counted.played, course.counted.lost) == (4, 0)
    assert [journal.header.learnt.column_opens for journal in journals(tmp_path)] == [False, True, True, True]


def test_a_player_whose_games_are_in_another_folder_is_known_here(tmp_path, monkeypatch):
    level(monkeypatch)
    Course(LEFTMOST).play(tmp_path / "one")
    with opened(tmp_path / "two") as run:
        assert not run.is_new_here

"""Runs as they are read back: games and their steps, unfinished and abandoned games, and runs of other players."""

from __future__ import annotations

import pytest

from bot.course.events import Abandoned, GameEnded, Open
from bot.course.journal.journal import parse_journal
from tests.course.journal.build import recorded
from tests.course.session.build import Walk


@pytest.mark.parametrize(
    ("third", "met"),
    [
        ("d: lost reset; settled 0 0 0; d: dadada", [None, 0, 2, 4, 6]),
        ("d: lost reset; settled 0 0 0; d: dada; d: +a", [None, 0, 2, 2, 4, 6]),
        ("d: not sent; d: +a; d: +a", [None, 0, None, 2, 4, 6]),
    ],
    ids=["processed", "not processed", "not sent"],
)
def test_after_a_lost_reply_the_next_board_shows_where_a_move_was_made(third, met):
    (game,) = parse_journal(recorded(f"counted 0 0 0; new: .; d: +a; {third}; d: +; counted 1 1 0")).games
    assert [None if step.met is None else step.met.ply for step in game.steps] == met
    lost, following = game.steps[2:4]
    assert lost.may_be_sent == (following.before is None) == ("lost" in third), "several boards were possible"
    assert lost.notes[0].startswith("It failed.")
    assert (lost.after, game.steps[-1].number, game.our_moves) == (None, 4, 4)


@pytest.mark.parametrize(
    ("script", "is_answered", "we_started", "moves", "result"),
    [("new: .; d: +a; d: chosen", True, True, (3, 0), -1.0), ("new: chosen", False, None, (), 0.0)],
)
def test_a_running_game_shows_its_moves_and_is_lost_when_it_is_given_up_if_the_server_has_it(
    script, is_answered, we_started, moves, result
):
    journal = parse_journal(recorded(f"counted 0 0 0; {script}"))
    (game,) = journal.games
    assert (game.result, game.we_started, game.moves, game.our_moves) == (None, we_started, moves, len(moves) // 2)
    assert (journal.unfinished, journal.unfinished_was_answered, journal.run_end) == (1, is_answered, None)
    assert game.is_counted == is_answered, "a request for a game that was not answered is no game"
    assert game.steps[-1].outcome is None and game.steps[-1].may_be_sent
    journal.take(Abandoned(500.0, 1))
    assert journal.ends == [GameEnded(1, result, "abandoned")]
    assert (journal.unfinished, journal.problems, game.problems) == (None, [], [])
    assert Walk(journal.session)("run; unread http 404").command == Open()

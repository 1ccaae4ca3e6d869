"""Runs as they are read back: games and their steps, crashes, resumed runs, and what the next run must resume."""

from __future__ import annotations

import pytest

from bot.course.address import Identity
from bot.course.journal.reader import journals, parse_journal
from bot.course.journal.writer import JournalWriter
from bot.course.session.events import Abandoned
from tests.course.journal.build import (
    SERVER,
    MemorySink,
    Recorder,
    Server,
    died_after,
    not_sent,
    recorded,
    started,
    unheard,
    unprocessed,
    write_run,
)

WIN = (3, 3, 3, 3)
"""Our columns; the bot answers with 0 each time."""


# Requests without a reply.


@pytest.mark.parametrize(
    ("fault", "met"),
    [(unheard, [None, 0, 2, 4, 6]), (unprocessed, [None, 0, 2, 2, 4, 6]), (not_sent, [None, 0, None, 2, 4, 6])],
    ids=["processed", "not processed", "not sent"],
)
def test_after_a_lost_reply_the_next_board_shows_where_a_move_was_made(fault, met):
    (game,) = parse_journal(recorded(WIN + WIN, {3: fault})).games
    assert [None if step.met is None else step.met.ply for step in game.steps] == met
    lost, following = game.steps[2:4]
    assert lost.may_be_sent == (following.before is None) == (fault is not not_sent), "several boards were possible"
    assert lost.notes[0].startswith("The connection broke." if lost.may_be_sent else "The server cannot be reached.")
    assert (lost.after, game.steps[-1].number, game.our_moves) == (None, 4, 4)


# What the next run must resume.


def test_a_running_game_shows_the_moves_so_far():
    journal = parse_journal(recorded((3, 3), {3: died_after}))
    (game,) = journal.games
    assert (game.result, game.we_started, game.moves, game.our_moves) == (None, True, (3, 0), 1)
    assert game.is_counted
    assert (journal.unfinished, journal.unfinished_was_answered, journal.run_end) == (1, True, None)
    assert game.steps[-1].outcome is None and game.steps[-1].may_be_sent
    journal.take(Abandoned(200.0, 1))
    assert (journal.unfinished, game.result, game.problems) == (None, -1.0, []), "the user has given it up"


def test_a_request_for_a_game_that_was_not_answered_is_no_game_until_the_user_gives_it_up():
    journal = parse_journal(recorded(faults={1: died_after}))
    (game,) = journal.games
    assert (journal.unfinished, journal.unfinished_was_answered, game.is_counted) == (1, False, False)
    assert game.we_started is None
    journal.take(Abandoned(200.0, 1))
    assert (journal.unfinished, game.result) == (None, 0.0), "the server may never have had it"


def test_a_journal_cut_off_anywhere_can_be_resumed_and_never_forfeits_a_game():
    lines = recorded((*WIN, *WIN), games=2).splitlines(keepends=True)
    for end in range(2, len(lines)):
        sink, server = MemorySink(b"".join(lines[:end])), Server()
        journal, writer = parse_journal(sink.content), JournalWriter(sink)
        moves = [step.move for game in journal.games for step in game.steps]
        for move in moves[: sink.content.count(b'"type":"sent"')]:
            server.move(move)
        recorder = Recorder(writer, journal)
        recorder.take(started(game=journal.session.ledger.game), journal.session.ledger.game)
        recorder.play(server, WIN)
        after = parse_journal(sink.content)
        assert server.results == [game.result for game in after.games if game.is_counted]
        assert {*server.results} == {1.0} and after.unfinished is None and after.problems == []


# Folders.


def test_runs_are_filtered_by_server_and_player_and_an_outline_has_the_results(tmp_path):
    results = [1.0, 0.5, -1.0, -10.0, 0.0, 1.0]
    mine, other = write_run(tmp_path, results), write_run(tmp_path, [1.0], ids=("c",))
    (journal,) = journals(tmp_path, Identity.of("http://LOCALHOST:8000/move", ["b", "a"]))
    assert journal.path == mine
    assert [game.result for game in journal.games] == results
    assert not any(game.steps for game in journal.games)
    assert [each.path for each in journals(tmp_path, Identity.of(SERVER, ["c"]))] == [other]

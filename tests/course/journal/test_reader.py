"""Runs as they are read back: games and their steps, crashes, resumed runs, and what the next run must resume."""

from __future__ import annotations

import pytest

from bot.course.address import Identity
from bot.course.journal.games import outcome_of
from bot.course.journal.reader import journal_files, journals, parse_journal, read_journal
from bot.course.journal.writer import JournalWriter
from bot.course.session.events import Failed, GameEnded, RunEnded
from bot.errors import JournalError
from bot.game import Board
from tests.course.journal.build import (
    NOT_SENT,
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


def resumed(content: bytes, server: Server, columns: tuple[int, ...] = ()) -> bytes:
    """Return the journal after another process has resumed it and played to the end."""
    journal = parse_journal(content)
    sink = MemorySink(content)
    writer = JournalWriter(sink)
    for item in journal.unrecorded:
        writer.write(item)
    recorder = Recorder(writer, journal.session)
    recorder.take(started(game=journal.session.number))
    recorder.play(server, columns)
    return sink.content


def test_every_record_is_kept_with_its_line_and_a_live_reader_takes_one_after_another():
    whole = parse_journal(recorded(WIN))
    assert [line for line, _ in whole.records] == list(range(1, recorded(WIN).count(b"\n") + 1))
    assert whole.end is not None and whole.end.reason == "finished"
    live = type(whole)(whole.path)
    for line, record in whole.records:
        live.take(record, line)
        assert (live.header, live.end is None) == (whole.header, not isinstance(record, RunEnded))
    assert live.games == whole.games


def test_the_bot_may_start():
    (game,) = parse_journal(recorded(WIN, server=Server([0, 1, 0, 1], student_first=False))).games
    assert (game.we_started, game.our_moves, game.result, game.problems) == (False, 4, 1.0, [])
    assert game.moves == (0, 3, 1, 3, 0, 3, 1, 3)
    assert [step.met and step.met.ply for step in game.steps] == [None, 1, 3, 5, 7]


@pytest.mark.parametrize("result", [1.0, 0.5, -1.0, -10.0, 0.0])
def test_results_have_words(result, tmp_path):
    journal = read_journal(write_run(tmp_path, [result, 1.0]))
    assert [game.result for game in journal.games][:1] == [result]
    assert outcome_of(result) == {1.0: "won", 0.5: "drawn", -1.0: "lost", -10.0: "illegal", 0.0: "void"}[result]
    assert all(game.problems == [] for game in journal.games)


# Requests without a reply.


@pytest.mark.parametrize(
    ("fault", "met"),
    [
        (unheard, [None, 0, 2, 4, 6]),
        (unprocessed, [None, 0, 2, 2, 4, 6]),
        (not_sent, [None, 0, None, 2, 4, 6]),
    ],
    ids=["processed", "not processed", "not sent"],
)
def test_after_a_lost_reply_the_next_board_shows_where_a_move_was_made(fault, met):
    (game,) = parse_journal(recorded(WIN + WIN, {3: fault})).games
    assert [None if step.met is None else step.met.ply for step in game.steps] == met
    lost, following = game.steps[2:4]
    assert isinstance(lost.outcome, Failed) and lost.after is None
    assert lost.is_sent == (following.before is None) == (fault is not not_sent), "several boards were possible"
    assert lost.notes[0].startswith("The connection broke." if lost.is_sent else NOT_SENT.message)
    assert (game.steps[-1].number, game.our_moves) == (4, 4)


def test_a_move_that_opened_the_next_game_is_a_step_of_that_game():
    first, second = parse_journal(recorded((*WIN, 4), {5: unheard})).games
    assert (first.result, first.ended is not None and first.ended.known_by) == (1.0, "inferred")
    assert [step.move for step in first.steps] == [-1, *WIN]
    opening = second.steps[0]
    assert (opening.move, opening.met, opening.before, opening.number) == (4, Board(), None, 1)
    assert second.moves[:1] == (4,) and second.we_started is True
    assert first.problems == second.problems == []


# What the next run must resume.


def test_a_running_game_shows_the_moves_so_far():
    journal = parse_journal(recorded((3, 3), {3: died_after}))
    (game,) = journal.games
    assert (game.result, game.moves, game.our_moves, game.is_counted) == (None, (3, 0), 1, True)
    assert (journal.unfinished, journal.unfinished_was_answered, journal.end) == (1, True, None)
    assert game.steps[-1].outcome is None and game.steps[-1].is_sent
    journal.take(GameEnded(1, -1.0, "abandoned"))
    assert (journal.unfinished, game.result, game.problems) == (None, -1.0, []), "the user has given it up"


def test_a_request_for_a_game_that_was_not_answered_is_no_game_and_must_be_resumed():
    server = Server()
    content = recorded(faults={1: died_after}, server=server)
    journal = parse_journal(content)
    assert (journal.unfinished, journal.unfinished_was_answered) == (1, False)
    assert [(game.is_counted, game.result) for game in journal.games] == [(False, None)]
    (game,) = parse_journal(resumed(content, server, WIN)).games
    assert (game.number, game.result, game.is_counted, server.results) == (1, 1.0, True, [1.0])
    assert [step.move for step in game.steps] == [-1, *WIN], "-1 was not sent again"
    assert game.steps[0].notes[0] == "Resumed with mtdf."


def test_a_request_that_was_certainly_not_sent_leaves_nothing_to_resume():
    lines = recorded(WIN, {1: not_sent}).splitlines(keepends=True)
    until = next(index for index, line in enumerate(lines) if b'"failed"' in line)
    assert parse_journal(b"".join(lines[:until])).unfinished == 1
    journal = parse_journal(b"".join(lines[: until + 1]))
    assert (journal.unfinished, [game.is_counted for game in journal.games]) == (None, [False])


def test_a_journal_cut_off_anywhere_can_be_resumed_and_never_forfeits_a_game():
    lines = recorded((*WIN, *WIN), games=2).splitlines(keepends=True)
    for end in range(2, len(lines)):
        content = b"".join(lines[:end])
        journal, server = parse_journal(content), Server()
        moves = [step.move for game in journal.games for step in game.steps]
        for move in moves[: content.count(b'"type":"sent"')]:
            server.move(move)
        after = parse_journal(resumed(content, server))
        assert server.results.count(-1.0) == sum(game.result == -1.0 for game in after.games)
        assert [game.result for game in after.games if game.is_counted] == server.results
        assert (after.unfinished, after.problems, [game.problems for game in after.games if game.problems]) == (
            None,
            [],
            [],
        )


# Folders.


def test_runs_are_filtered_by_server_and_player(tmp_path):
    mine = write_run(tmp_path, [1.0])
    other = write_run(tmp_path, [1.0], ids=("c",))
    third = write_run(tmp_path, [1.0], server="https://elsewhere")
    assert journal_files(tmp_path) == [journal.path for journal in journals(tmp_path)] == [mine, other, third]
    me = Identity.of("http://LOCALHOST:8000/move", ["b", "a"])
    assert [journal.path for journal in journals(tmp_path, me)] == [mine]
    (outline,) = journals(tmp_path, me, outlines=True)
    assert [(game.number, game.result, game.steps) for game in outline.games] == [(1, 1.0, [])]


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"", "is empty"), (b"# notes\n", "is not a journal"), (b'{"type":"run","schema":2}\n', "has schema 2")],
)
def test_a_file_that_is_no_journal_of_this_edition_is_named(content, problem, tmp_path):
    path = tmp_path / "000001-x.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=problem):
        read_journal(path)
    notes: list[str] = []
    assert (list(journals(tmp_path, notify=notes.append)), len(notes)) == ([], bool(content))

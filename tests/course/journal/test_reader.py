"""Runs as they are read back: games and their steps, crashes, resumed runs, and what the next run must resume."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.course.address import Identity
from bot.course.journal.games import outcome_of
from bot.course.journal.reader import journal_files, journals, parse_journal, parse_records, read_journal
from bot.course.journal.writer import JournalWriter
from bot.course.session.events import Chosen, Failed, GameEnded, Replied, RunEnded, Sent
from bot.errors import JournalError
from bot.game import Board
from tests.course.journal.build import (
    NOT_SENT,
    Fault,
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
from tests.course.journal.memory import MemorySink

WIN = (3, 3, 3, 3)
"""Our columns; the bot answers with 0 each time."""


def resumed(content: bytes, server: Server, columns: tuple[int, ...] = (), games: int = 1) -> bytes:
    """Return the journal after another process has resumed it and played to the end."""
    journal = parse_journal(content)
    sink = MemorySink(content)
    writer = JournalWriter(sink)
    for item in journal.unrecorded:
        writer.write(item)
    recorder = Recorder(writer, journal.session)
    recorder.take(started(games=games, game=journal.session.number))
    recorder.play(server, columns)
    return sink.content


def test_a_game_is_read_as_it_was_played() -> None:
    journal = parse_journal(recorded(WIN))
    (game,) = journal.games
    assert (journal.header.server, journal.header.stil_ids, journal.torn, journal.damaged) == (
        "http://127.0.0.1:8000",
        ("a", "b"),
        False,
        [],
    )
    assert journal.player == Identity("http://localhost:8000", ("a", "b"))
    assert journal.end == RunEnded("finished", time="2026-01-02T03:04:05.000+00:00")
    assert (game.number, game.result, game.we_started, game.our_moves, game.is_counted) == (1, 1.0, True, 4, True)
    assert game.moves == (3, 0, 3, 0, 3, 0, 3)
    assert game.ended is not None and game.ended.known_by == "reply"
    assert [step.move for step in game.steps] == [-1, 3, 3, 3, 3]
    assert [step.number for step in game.steps] == [1, 1, 2, 3, 4]
    assert [None if step.met is None else step.met.ply for step in game.steps] == [None, 0, 2, 4, 6]
    assert [step.before and step.before.board for step in game.steps] == [step.met for step in game.steps]
    assert [step.after and step.after.board.ply for step in game.steps] == [0, 2, 4, 6, 7]
    assert all(isinstance(step.outcome, Replied) and step.is_sent and not step.notes for step in game.steps)
    assert (journal.problems, game.problems, game.notes) == ([], [], [])
    assert (journal.unfinished, journal.unrecorded) == (None, [])


def test_every_record_is_kept_once_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(recorded(WIN))
    journal = read_journal(path)
    assert [line for line, _ in journal.records] == list(range(1, path.read_bytes().count(b"\n") + 1))
    assert [record for _, record in journal.records] == [line.record for line in parse_records(path.read_bytes())]
    chosen = [record for _, record in journal.records if isinstance(record, Chosen)]
    assert all(step.chosen is record for step, record in zip(journal.games[0].steps, chosen, strict=True))


def test_the_bot_may_start_and_the_january_2021_dialect_has_no_boards() -> None:
    journal = parse_journal(recorded((3, 3, 3, 3), server=Server([0, 1, 0, 1], student_first=False)))
    (game,) = journal.games
    assert (game.we_started, game.our_moves, game.result) == (False, 4, 1.0)
    assert game.moves == (0, 3, 1, 3, 0, 3, 1, 3)
    assert [step.number for step in game.steps] == [1, 1, 2, 3, 4]
    assert [step.met and step.met.ply for step in game.steps] == [None, 1, 3, 5, 7]
    bare = b"\n".join(
        line[: line.index(b'"state"')] + b'"state":null' + line[line.index(b"]]") + 2 :]
        if b'"state":[[' in line
        else line
        for line in recorded(WIN).split(b"\n")
    )
    (game,) = parse_journal(bare).games
    assert (game.result, game.our_moves, game.problems) == (1.0, 4, [])


def test_a_live_reader_takes_one_record_after_another() -> None:
    whole = parse_journal(recorded(WIN))
    journal = type(whole)(whole.path)
    for line, record in whole.records:
        journal.take(record, line)
        assert journal.header == whole.header
        assert (journal.end is None) == (not isinstance(record, RunEnded))
    assert journal.games == whole.games


@pytest.mark.parametrize(
    ("result", "word"), [(1.0, "won"), (0.5, "drawn"), (-1.0, "lost"), (-10.0, "illegal"), (0.0, "void")]
)
def test_results_have_words(result: float, word: str, tmp_path: Path) -> None:
    journal = read_journal(write_run(tmp_path, [result, 1.0]))
    assert [game.result for game in journal.games][:1] == [result]
    assert outcome_of(result) == word
    assert all(game.problems == [] for game in journal.games)


# Requests without a reply.


@pytest.mark.parametrize(
    ("fault", "lost_step", "met"),
    [
        (unheard, 2, [None, 0, 2, 4, 6]),
        (unprocessed, 2, [None, 0, 2, 2, 4, 6]),
        (not_sent, 2, [None, 0, None, 2, 4, 6]),
    ],
    ids=["processed", "not processed", "not sent"],
)
def test_after_a_lost_reply_the_next_board_shows_where_a_move_was_made(
    fault: Fault, lost_step: int, met: list[int | None]
) -> None:
    (game,) = parse_journal(recorded(WIN + WIN, {lost_step + 1: fault})).games
    assert [None if step.met is None else step.met.ply for step in game.steps] == met
    lost, following = game.steps[lost_step : lost_step + 2]
    assert isinstance(lost.outcome, Failed) and lost.after is None
    assert lost.is_sent == (fault is not not_sent)
    assert lost.notes[0].startswith(NOT_SENT.message if fault is not_sent else "The connection broke.")
    assert (following.before is None) == lost.is_sent, "several boards were possible"
    assert game.steps[-1].number == 4 and game.our_moves == 4


def test_a_move_that_opened_the_next_game_is_a_step_of_that_game() -> None:
    journal = parse_journal(recorded((*WIN, 4), {5: unheard}))
    first, second = journal.games
    assert (first.result, first.ended is not None and first.ended.known_by) == (1.0, "inferred")
    assert [step.move for step in first.steps] == [-1, 3, 3, 3, 3]
    opening = second.steps[0]
    assert (opening.move, opening.met, opening.before, opening.number) == (4, Board(), None, 1)
    assert second.moves[:1] == (4,) and second.we_started is True
    assert first.problems == second.problems == []


def test_a_running_game_shows_the_moves_so_far() -> None:
    journal = parse_journal(recorded((3, 3), {3: died_after}))
    (game,) = journal.games
    assert (game.result, game.moves, game.our_moves, game.is_counted) == (None, (3, 0), 1, True)
    assert (journal.unfinished, journal.unfinished_was_answered, journal.end) == (1, True, None)
    assert game.steps[-1].outcome is None and game.steps[-1].is_sent


# What the next run must resume.


def test_a_request_for_a_game_that_was_not_answered_is_no_game_and_must_be_resumed() -> None:
    server = Server()
    content = recorded(faults={1: died_after}, server=server)
    journal = parse_journal(content)
    assert (journal.unfinished, journal.unfinished_was_answered) == (1, False)
    assert [(game.is_counted, game.result) for game in journal.games] == [(False, None)]
    after = parse_journal(resumed(content, server, WIN))
    assert server.results == [1.0], "the next run has sent a column, never -1"
    assert [(game.number, game.result, game.is_counted) for game in after.games] == [(1, 1.0, True)]
    assert [step.move for step in after.games[0].steps] == [-1, 3, 3, 3, 3]
    assert after.games[0].steps[0].notes[0] == "Resumed with mtdf."


def test_a_request_that_was_certainly_not_sent_leaves_nothing_to_resume() -> None:
    content = recorded(WIN, {1: not_sent})
    lines = content.splitlines(keepends=True)
    until = next(index for index, line in enumerate(lines) if b'"failed"' in line)
    assert parse_journal(b"".join(lines[:until])).unfinished == 1
    journal = parse_journal(b"".join(lines[: until + 1]))
    assert (journal.unfinished, [game.is_counted for game in journal.games]) == (None, [False])


def test_the_end_of_a_game_that_a_crash_kept_from_being_recorded_is_known_and_recorded_by_the_next_run() -> None:
    server = Server()
    whole = recorded(WIN, server=server)
    content = whole[: whole.index(b"\n", whole.index(b'"result":1.0')) + 1]
    journal = parse_journal(content)
    assert [game.result for game in journal.games] == [1.0]
    assert [item.type for item in journal.unrecorded] == ["game_end"]
    assert journal.unfinished == 1
    after = parse_journal(resumed(content, server, WIN))
    assert [game.result for game in after.games] == [1.0, 1.0]
    assert (after.problems, [game.problems for game in after.games]) == ([], [[], []])


def test_a_game_that_the_user_gave_up_is_not_unfinished() -> None:
    content = recorded((3, 3), {3: died_after})
    sink = MemorySink(content)
    JournalWriter(sink).write(GameEnded(1, -1.0, "abandoned"))
    journal = parse_journal(sink.content)
    assert (journal.unfinished, journal.games[0].result, journal.games[0].problems) == (None, -1.0, [])


def test_a_journal_cut_off_anywhere_can_be_resumed_and_never_forfeits_a_game() -> None:
    whole = recorded((*WIN, *WIN), games=2)
    ends = [index + 1 for index, byte in enumerate(whole) if byte == ord("\n")]
    for end in ends[1:-1]:
        journal = parse_journal(whole[:end])
        server = Server()
        for _, record in journal.records:
            if isinstance(record, Sent):
                requests = [record.move for _, record in journal.records if isinstance(record, Chosen)]
        sent = sum(isinstance(record, Sent) for _, record in journal.records)
        for move in requests[:sent] if sent else []:
            server.move(move)
        finished = len(server.results)
        after = parse_journal(resumed(whole[:end], server, games=1))
        assert all(result > 0 for result in server.results[:finished])
        assert after.unfinished is None
        assert [game.result for game in after.games if game.is_counted] == server.results
        assert all(game.problems == [] for game in after.games)


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_torn_last_line_is_skipped(cut: int) -> None:
    whole = recorded(WIN)
    journal = parse_journal(whole[:-cut])
    assert (journal.torn, journal.damaged, journal.end) == (True, [], None)
    assert journal.games[0].result == 1.0


def test_a_thousand_games_are_read() -> None:
    journal = parse_journal(recorded(WIN * 1000, games=1000))
    assert [game.number for game in journal.games] == list(range(1, 1001))
    assert all(game.result == 1.0 and len(game.steps) == 5 and game.problems == [] for game in journal.games)


# Folders.


def test_runs_are_filtered_by_server_and_player(tmp_path: Path) -> None:
    mine = write_run(tmp_path, [1.0])
    other = write_run(tmp_path, [1.0], ids=("c",))
    third = write_run(tmp_path, [1.0], server="https://elsewhere")
    assert journal_files(tmp_path) == [mine, other, third]

    assert [journal.path for journal in journals(tmp_path)] == [mine, other, third]
    for server in ("http://localhost:8000", "http://LOCALHOST:8000/move"):
        assert [journal.path for journal in journals(tmp_path, Identity.of(server, ["b", "a"]))] == [mine]


def test_an_empty_file_is_passed_over_in_a_folder_and_named_alone(tmp_path: Path) -> None:
    path = tmp_path / "000001-x.jsonl"
    path.touch()
    notes: list[str] = []
    assert (list(journals(tmp_path, notify=notes.append)), notes) == ([], [])
    with pytest.raises(JournalError, match="empty"):
        read_journal(path)


@pytest.mark.parametrize("schema", [1, 2, 99])
def test_a_journal_of_another_schema_is_refused_and_ignored_in_a_folder(tmp_path: Path, schema: int) -> None:
    path = write_run(tmp_path, [1.0])
    path.write_bytes(path.read_bytes().replace(b'"schema":3', b'"schema":%d' % schema))
    with pytest.raises(JournalError, match=f"has schema {schema}, and this version reads only schema 3"):
        read_journal(path)
    notes: list[str] = []
    assert list(journals(tmp_path, notify=notes.append)) == []
    assert len(notes) == 1 and notes[0].endswith("The file is ignored.")

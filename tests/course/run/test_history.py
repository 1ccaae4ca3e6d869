"""What a run learns from the journals in its folder: answers, the streak, the newest journal; each file read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.course.address import Identity
from bot.course.journal.writer import JournalWriter
from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.run import history
from bot.course.run.history import read_history
from bot.course.session.answers import CENTRE
from bot.course.session.events import Chosen, GameEnded, Record, Replied, RunEnded, Sent, Started
from bot.course.session.position import EMPTY, Position
from tests.course.run.course import Course, opened, play

SERVER = "http://127.0.0.1:1"
ME = ("me",)
PLAYER = Identity.of(SERVER, ME)
LOST, DRAWN, WON, UNFINISHED, UNANSWERED = -1.0, 0.5, 1.0, None, "unanswered"


def moved(number: int, move: int, known: Position, botmove: int) -> list[Record]:
    """Return the records of a move and its reply."""
    reply = MoveReply(True, botmove=botmove, result=0.0, state=known.grid)
    return [Chosen(0.0, move, number), Sent(0.0, number), Replied(0.0, reply, number)]


def write(
    logs: Path, results: Sequence[float | str | None], *, answer: int = 2, server: str = SERVER, who: Sequence[str] = ME
) -> Path:
    """Write the journal of a run with these results; in each game, the bot answered column 4 with ``answer`` (0..6)."""
    writer = JournalWriter.create(logs, "run")
    writer.write(Started(0.0, server=server, stil_ids=tuple(who)))
    for number, result in enumerate(results, start=1):
        if result == UNANSWERED:
            writer.write(Chosen(0.0, NEW_GAME, number))
            continue
        after = EMPTY.play(3).play(answer)
        for record in [*moved(number, NEW_GAME, EMPTY, -1), *moved(number, 3, after, answer)]:
            writer.write(record)
        if isinstance(result, float):
            writer.write(GameEnded(number, result, "abandoned"))
    writer.close()
    return writer.path


def learnt(logs: Path) -> Counter[int]:
    """Return how often each answer to column 4 was learnt."""
    counts = read_history(logs, PLAYER).answers.known[EMPTY.play(3).board]
    return Counter({column: count for column, count in enumerate(counts) if count})


@pytest.mark.parametrize(
    ("runs", "streak"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param([[WON, DRAWN], [WON]], 3, id="a draw keeps it"),
        pytest.param([[WON, WON], [WON, LOST, WON]], 1, id="a loss ends it"),
        pytest.param([[WON], [-10.0], [WON]], 1, id="so does an illegal move"),
        pytest.param([[WON], [WON, 0.0], [WON]], 3, id="a game that the server lost does not count"),
        pytest.param([[WON], [WON, UNFINISHED], [WON]], 1, id="an unfinished older game was given up"),
        pytest.param([[WON], [WON, UNFINISHED]], 2, id="that of the newest journal is resumed"),
        pytest.param([[WON], [UNANSWERED], [WON]], 2, id="a request that was not answered is no game"),
    ],
)
def test_the_streak_is_counted_backwards(tmp_path: Path, runs: list[list[Any]], streak: int) -> None:
    for results in runs:
        write(tmp_path, results)
        write(tmp_path, [LOST], who=("another",))
        write(tmp_path, [LOST], server="http://127.0.0.1:2")
    assert read_history(tmp_path, PLAYER).streak == streak


def test_answers_of_every_player_at_this_server_are_learnt(tmp_path: Path) -> None:
    write(tmp_path, [WON, WON], answer=2)
    write(tmp_path, [LOST], answer=2, who=("another",))
    write(tmp_path, [WON], answer=5, server="http://127.0.0.1:2")
    assert learnt(tmp_path) == {2: 3}


def test_only_the_newest_games_teach_the_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "GAMES", 20)
    write(tmp_path, [WON] * 5, answer=1)
    write(tmp_path, [WON] * 15, answer=2)
    write(tmp_path, [WON] * 10, answer=3)
    assert learnt(tmp_path) == {2: 15, 3: 10}


def test_answers_of_a_resumed_run_count_once(tmp_path: Path) -> None:
    write(tmp_path, [WON])
    write(tmp_path, [UNFINISHED])
    with opened(tmp_path, server=SERVER, who=ME) as run:
        session = run._session
    assert run._resuming.startswith("Resuming game 1,")
    assert session.position == EMPTY.play(3).play(2)
    answers = session.answers
    assert answers.known[EMPTY.play(3).board] == (0, 0, 2, 0, 0, 0, 0)
    assert (answers.repeats, answers.repeated) == (1, 1)
    assert answers.preference == (*CENTRE[:2], CENTRE[2] + 2, *CENTRE[3:])


def test_files_that_are_no_journals_of_this_edition_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, [WON])
    torn = write(tmp_path, [WON])
    torn.write_bytes(torn.read_bytes() + b'{"type":"intent","ga')
    headless = write(tmp_path, [LOST])
    headless.write_bytes(b"\xff\xfe\n" + headless.read_bytes().partition(b"\n")[2])
    foreign = {
        "000090-noise.jsonl": bytes(range(256)) * 10,
        "000091-other.jsonl": b'{"level":"info"}\n[1]\nnull\n',
        "000092-empty.jsonl": b"",
        "000000-old.jsonl": b'{"type":"run","schema":2,"server":"%s","stil_ids":["me"]}\n' % SERVER.encode(),
    }
    for name, content in foreign.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "000094-folder.jsonl").mkdir()
    assert read_history(tmp_path, PLAYER).streak == 2
    assert learnt(tmp_path) == {2: 2}


def test_a_damaged_line_costs_only_what_it_held(tmp_path: Path) -> None:
    path = write(tmp_path, [WON, WON, WON])
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = next(index for index, line in enumerate(lines) if b'"botmove":2' in line)
    lines[damaged] = lines[damaged][:40] + b"\n"
    path.write_bytes(b"".join(lines))
    assert learnt(tmp_path) == {2: 2}
    assert read_history(tmp_path, PLAYER).streak == 3


def test_every_file_is_read_once_and_none_beyond_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start of a run that resumes a game: those before the 200th newest game and the last loss are not read."""
    unneeded = [write(tmp_path, [WON] * 20) for _ in range(3)]
    needed = [write(tmp_path, [LOST, *[WON] * 199]), write(tmp_path, [WON]), write(tmp_path, [UNFINISHED])]
    read: Counter[Path] = Counter()
    read_bytes = Path.read_bytes

    def counting(self: Path) -> bytes:
        read[self.absolute()] += self.suffix == ".jsonl"
        return read_bytes(self)

    monkeypatch.setattr(Path, "read_bytes", counting)
    with opened(tmp_path, server=SERVER, who=ME) as run:
        assert run._resuming.startswith("Resuming game 1,")
        assert run.standings.current == 200
    assert +read == dict.fromkeys(needed, 1)
    assert not read.keys() & set(unneeded)


def test_a_game_that_is_given_up_ends_the_streak(tmp_path: Path) -> None:
    write(tmp_path, [WON, UNFINISHED])
    with opened(tmp_path, server=SERVER, who=ME, fresh=True) as run:
        assert (run._resuming, run.standings.current) == ("", 0)


def test_a_run_goes_on_where_real_journals_end(tmp_path: Path) -> None:
    """Journals that real runs have written, with their ends: what is written here by hand is like them."""
    course = Course(bot="scripted:1111111")
    assert [play(course, tmp_path, games=2).current for _ in range(3)] == [2, 4, 6]
    found = read_history(tmp_path, Identity.of("s", ["a"]))
    assert found.streak == 6
    assert found.last is not None and isinstance(found.last.end, RunEnded)
    assert found.answers.repeats > 0
    assert len(list(tmp_path.iterdir())) == 3

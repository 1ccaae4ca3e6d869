"""`bot play --careful`: every exchange is shown and kept, deviations are named, the bundle has no ids and no key."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.course.client.http import CourseClient, TracedExchange
from bot.course.journal.reader import journals
from bot.course.run.careful import CarefulLog, surprises
from bot.course.server.embedded import embedded_server
from tests.course.run.course import PATIENT, Course, Killed, Silent, opened, play

ID, KEY = "ab1234cd-s", "secret-key-9"
REPLY = {"status": True, "msg": None, "botmove": 3, "result": 0.0, "state": [[0] * 7] * 6}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[CarefulLog, list[str], Path]:
    """One careful game: its log, what was shown, and the bundle."""
    logs = tmp_path_factory.mktemp("logs")
    shown: list[str] = []
    log = CarefulLog(shown.append)
    with embedded_server(make_agent("random", seed=1), api_key=KEY) as url:
        client = CourseClient(url, [ID], SecretStr(KEY), timeouts=PATIENT, trace=log)
        with opened(logs, server=url, url=url, who=(ID,), limit_s=60.0, careful=True) as run:
            run.play(client, Silent())
    return log, shown, log.write(logs, run.journal.path, [ID])


def test_every_exchange_of_a_game_is_shown_and_nothing_surprises(played: tuple[CarefulLog, list[str], Path]) -> None:
    log, [*shown, last], bundle = played
    assert last == f"Bundle for a maintainer, without ids and key: {bundle}."
    assert len(shown) == len(log.exchanges) > 5
    assert all(text.startswith(f"Exchange {number}: POST /") for number, text in enumerate(shown, start=1))
    assert log.unknown == []


def test_the_bundle_holds_exchanges_journal_and_versions_without_ids_and_key(
    played: tuple[CarefulLog, list[str], Path],
) -> None:
    log, _, bundle = played
    with zipfile.ZipFile(bundle) as archive:
        contents = {name: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(contents) == ["about.json", "exchanges.jsonl", "journal.jsonl"]
    assert len(contents["exchanges.jsonl"].splitlines()) == len(log.exchanges)
    assert json.loads(contents["about.json"])["unknown"] == []
    assert '"type":"game_end"' in contents["journal.jsonl"]
    for text in contents.values():
        assert ID not in text
        assert KEY not in text


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"body": json.dumps({**REPLY, "game_id": 7})}, "The field 'game_id'."),
        ({"body": json.dumps({name: value for name, value in REPLY.items() if name != "msg"})}, "'msg' is missing"),
        ({"body": json.dumps({**REPLY, "status": False, "msg": "The moon is full."})}, "The moon is full."),
        ({"status": 502, "body": "<html>"}, "HTTP status 502."),
        ({"body": "[1]"}, "not a JSON object"),
        ({"body": "[]"}, "not a JSON object"),
        ({"body": '[["status", true]]'}, "not a JSON object"),
        ({"body": "<html>"}, "not a JSON object"),
        ({"error": "The server's reply makes no sense."}, "makes no sense"),
    ],
)
def test_what_the_protocol_does_not_know_is_named(
    played: tuple[CarefulLog, list[str], Path], changes: dict[str, object], named: str
) -> None:
    move = next(one for one in played[0].exchanges if one.path.endswith("/move"))
    known: TracedExchange = replace(move, body=json.dumps(REPLY))
    assert surprises(known) == []
    (found,) = surprises(replace(known, **changes))  # type: ignore[arg-type]
    assert named in found


def test_a_game_that_lies_in_another_folder_keeps_its_bundle_and_every_bundle_stays(tmp_path: Path) -> None:
    """A killed run in one --logs folder, resumed with another: the journal stays where it is, the bundle goes there."""
    first, second = tmp_path / "first", tmp_path / "second"
    course = Course()

    def die() -> None:
        if course.moves == 3:
            raise Killed

    course.after = die
    with pytest.raises(Killed):
        play(course, first, careful=True)
    course.after = lambda: None
    with opened(second, careful=True) as run:
        run.play(course, Silent())  # type: ignore[arg-type]
    assert run.journal.path.parent == first
    (journal,) = journals(first)
    assert [game.result is not None for game in journal.games] == [True]
    bundles = []
    for text in ("first", "second", "third"):
        log = CarefulLog(lambda _text: None)
        log.unknown.append(text)
        bundles.append(log.write(second, run.journal.path, ["a"]))
    assert [bundle.relative_to(second).name for bundle in bundles] == [
        "careful-000001.zip",
        "careful-000001-2.zip",
        "careful-000001-3.zip",
    ]
    for bundle, text in zip(bundles, ("first", "second", "third"), strict=True):
        with zipfile.ZipFile(bundle) as archive:
            assert json.loads(archive.read("about.json"))["unknown"] == [text]

"""`bot play --careful`: every exchange is shown and kept, deviations are named, the bundle has no ids and no key."""

from __future__ import annotations

import json
import stat
import zipfile
from dataclasses import replace

import pytest
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.course.client.http import CourseClient, Timeouts
from bot.course.client.trace import CarefulLog, TracedExchange, surprises
from bot.course.server.embedded import embedded_server
from bot.errors import NetworkError
from tests.course.run.course import PATIENT, play
from tests.servers import HOST, reserved_port

ID, KEY = "ab1234cd-s", "secret-key-9"


def test_every_exchange_of_a_game_is_shown_and_the_bundle_has_no_ids_and_no_key(tmp_path):
    shown: list[str] = []
    log = CarefulLog(shown.append)
    with embedded_server(make_agent("random", seed=1), api_key=KEY) as url:
        client = CourseClient(url, [ID], SecretStr(KEY), timeouts=PATIENT, trace=log)
        play(client, tmp_path, server=url, url=url, stil_ids=(ID,), limit_s=60.0, careful=True)
    assert len(shown) == len(log.exchanges) > 5 and log.unknown == []
    log(replace(log.exchanges[-1], status=502))
    (journal,) = tmp_path.glob("*.jsonl")
    first, second = (log.write(tmp_path, journal, [ID]) for _ in range(2))
    assert {first, second} == set(tmp_path.glob("careful-000001-*.zip")) and first != second, "every bundle stays"
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert str(second) in shown[-1] and shown[-1].endswith("Deviations from the protocol in it: 1.")
    with zipfile.ZipFile(first) as archive:
        contents = {name: archive.read(name).decode() for name in archive.namelist()}
    lines = [contents[name].count("\n") for name in ("exchanges.jsonl", "journal.jsonl")]
    assert lines == [len(log.exchanges), journal.read_text().count("\n")]
    assert contents["deviations.txt"] == f"Exchange {len(log.exchanges)}: HTTP status 502."
    assert not any(secret in text for text in (*shown, *contents.values()) for secret in (ID, KEY))


@pytest.mark.parametrize("careful", [False, True])
def test_only_a_careful_run_keeps_a_journal_without_a_game(careful, tmp_path):
    with reserved_port() as port, pytest.raises(NetworkError):
        hurried = Timeouts(statistics_s=0.1)
        client = CourseClient(f"http://{HOST}:{port}", [ID], SecretStr(KEY), timeouts=hurried)
        play(client, tmp_path, patience_s=0.0, careful=careful)
    assert len(list(tmp_path.glob("*.jsonl"))) == careful


REPLY = {"status": True, "msg": None, "botmove": 3, "result": 0.0, "state": [[0] * 7] * 6}
KNOWN = TracedExchange("/move", (), 0.1, 0.1, 200, (), json.dumps(REPLY), "")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({}, []),
        ({"status": None}, []),
        ({"body": json.dumps({**REPLY, "game_id": 7})}, ["The field 'game_id'."]),
        ({"body": '{"msg": null, "botmove": -1, "result": 0, "status": true}'}, ["The field 'state' is missing."]),
        ({"body": json.dumps({**REPLY, "status": False, "msg": "No."})}, ["A refusal: 'No.'."]),
        ({"status": 502}, ["HTTP status 502."]),
        ({"body": '[["status", true]]'}, ["The body is not a JSON object."]),
        ({"failure": "It makes no sense."}, ["It makes no sense."]),
    ],
)
def test_what_the_protocol_does_not_know_is_named(changes, named):
    assert surprises(replace(KNOWN, **changes)) == named

"""Recorded games replayed by a mocked server, through client, session, journal and run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import requests
import responses
from pydantic import SecretStr

from bot.course.client.http import CourseClient, Timeouts
from bot.course.journal.reader import journals
from bot.course.journal.verify import game_problems
from bot.course.run.standings import RunStandings
from bot.engine.agent import Decision, Limit, Stop
from bot.errors import BotError, ExitCode
from bot.game import Board
from tests.course.run.course import play

DATA = Path(__file__).parent / "data"
BASE = "http://course.test"
KEY = "never-written-anywhere"


class Recorded:
    """Our side of a recording: its columns in order."""

    name = "recorded"

    def __init__(self, columns: list[int]) -> None:
        self._columns = iter(columns)

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        return Decision(next(self._columns), source="test")


def replay(name: str, logs: Path, games: int = 1) -> RunStandings:
    """Play the recording; every request must be the recorded one, field by field and in order."""
    exchanges = json.loads((DATA / f"{name}.json").read_text())
    waiting = list(exchanges)
    statistics: dict[str, Any] = {}

    def answer(request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        nonlocal statistics
        if str(request.url).endswith("/stats") and waiting[0]["endpoint"] != "stats":
            exchange = statistics  # asked once more after the first -1: did it end an unknown game?
        else:
            exchange = waiting.pop(0)
        if exchange["endpoint"] == "stats":
            statistics = exchange
        form = parse_qs(str(request.body), strict_parsing=True)
        assert request.url == f"{BASE}/{exchange['endpoint']}"
        assert form.pop("api_key") == [KEY]
        assert form.pop("stil_id") == ["aa", "bb"]
        assert form == {name: [str(value)] for name, value in exchange["form"].items() if name != "stil_id"}
        return exchange["status"], {"Content-Type": exchange["content_type"]}, exchange["body"]

    responses.add_callback(responses.POST, f"{BASE}/stats", answer, content_type=None)
    responses.add_callback(responses.POST, f"{BASE}/move", answer, content_type=None)
    columns = [exchange["form"]["move"] for exchange in exchanges if exchange["form"].get("move", -1) >= 0]
    client = CourseClient(BASE, ("aa", "bb"), SecretStr(KEY), timeouts=Timeouts(statistics_s=0.2))
    try:
        return play(
            client,
            logs,
            games=games,
            agent=Recorded(columns),
            server=BASE,
            url=BASE,
            who=("aa", "bb"),
            patience_s=1.0,
        )
    finally:
        assert not any(KEY in path.read_text() for path in logs.glob("*.jsonl"))


@pytest.mark.parametrize(
    ("name", "result", "we_started"),
    [
        ("we_win_first", 1.0, True),
        ("we_win_second", 1.0, False),
        ("we_lose", -1.0, True),
        ("draw_first", 0.5, True),
        ("draw_second", 0.5, False),
        ("january_2021", 1.0, True),
    ],
)
@responses.activate
def test_a_recorded_game_is_played_journaled_and_verified(
    name: str, result: float, we_started: bool, tmp_path: Path
) -> None:
    standings = replay(name, tmp_path)
    (journal,) = journals(tmp_path)
    assert (standings.played, standings.won, standings.drawn, standings.lost) == (
        1, result == 1, result == 0.5, result == -1,
    )  # fmt: skip
    game = journal.games[0]
    assert game.ended is not None
    assert (game.result, game.we_started, game.ended.known_by) == (result, we_started, "reply")
    assert game_problems(game) == journal.problems == []
    assert journal.end is not None and journal.end.reason == "finished"


@responses.activate
def test_an_illegal_move_is_a_loss_of_minus_ten(tmp_path: Path) -> None:
    standings = replay("illegal_move", tmp_path)
    (journal,) = journals(tmp_path)
    assert (standings.lost, standings.current, journal.games[0].result) == (1, 0, -10)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("wrong_key", ExitCode.PROTOCOL, "key"),
        ("rejected_form", ExitCode.PROTOCOL, "422"),
        ("html_page", ExitCode.PROTOCOL, "HTML page"),
    ],
)
@responses.activate
def test_a_recorded_refusal_ends_the_run_in_one_sentence(name: str, code: ExitCode, words: str, tmp_path: Path) -> None:
    with pytest.raises(BotError) as raised:
        replay(name, tmp_path)
    assert raised.value.exit_code == code
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)
    assert list(tmp_path.glob("*.jsonl")) == [], "no game was opened, so no journal stays"

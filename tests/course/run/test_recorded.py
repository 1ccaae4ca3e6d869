"""Recorded games replayed by a mocked server, through client, session, journal and run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import requests
import responses
from bot.course.run.observer import Silent
from pydantic import SecretStr

from bot.course.client.http import CourseClient, Timeouts
from bot.course.journal.reader import Journal, read_journal
from bot.course.journal.verify import replay_game
from bot.course.run.run import Plan, Run
from bot.course.run.standings import RunStandings
from bot.engine.agent import Decision, Limit, Stop
from bot.errors import BotError, ExitCode
from bot.game import Board

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


def replay(name: str, logs: Path, games: int = 1) -> tuple[RunStandings, Journal]:
    """Play the recording; every request must be the recorded one, field by field and in order."""
    exchanges = json.loads((DATA / f"{name}.json").read_text())
    waiting = list(exchanges)
    statistics: dict[str, Any] = {}

    def answer(request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        nonlocal statistics
        if name == "html_page":
            exchange = _of_endpoint(exchanges, str(request.url))
        elif str(request.url).endswith("/stats") and waiting[0]["endpoint"] != "stats":
            exchange = statistics  # asked once more after the first -1: did it end an unknown game?
        else:
            exchange = waiting.pop(0)
        if exchange["endpoint"] == "stats":
            statistics = exchange
        form = parse_qs(str(request.body), strict_parsing=True)
        assert request.url == f"{BASE}/{exchange['endpoint']}"
        assert form.pop("api_key") == [KEY]
        assert form.pop("stil_id") == ["aa", "bb"]
        assert name == "html_page" or form == {
            name: [str(value)] for name, value in exchange["form"].items() if name != "stil_id"
        }
        return exchange["status"], {"Content-Type": exchange["content_type"]}, exchange["body"]

    responses.add_callback(responses.POST, f"{BASE}/stats", answer, content_type=None)
    responses.add_callback(responses.POST, f"{BASE}/move", answer, content_type=None)
    columns = [exchange["form"]["move"] for exchange in exchanges if exchange["form"].get("move", -1) >= 0]
    plan = Plan(BASE, BASE, ("aa", "bb"), games, 20, 5.0, 0.05, 1.0, logs)
    run = Run(plan, Recorded(columns))
    quick = Timeouts(patience_s=0.2, first_contact_s=0.2, statistics_s=0.2)
    try:
        standings = run.play(CourseClient(BASE, ("aa", "bb"), SecretStr(KEY), quick), Silent())
    finally:
        run.journal.close()
        assert KEY not in run.journal.path.read_text()
    return standings, read_journal(run.journal.path)


def _of_endpoint(exchanges: list[dict[str, Any]], url: str) -> dict[str, Any]:
    """A page that gives the same answer to every request."""
    exchange = next(exchange for exchange in exchanges if url.endswith(exchange["endpoint"]))
    return {**exchange, "form": {**exchange["form"], **({"move": -1} if url.endswith("move") else {})}}


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
    standings, journal = replay(name, tmp_path)
    assert (standings.played, standings.won, standings.drawn, standings.lost) == (
        1, result == 1, result == 0.5, result == -1,
    )  # fmt: skip
    game = journal.games[0]
    assert game.ended is not None
    assert (game.result, game.ended["we_started"], game.ended["known_by"]) == (result, we_started, "reply")
    report = replay_game(game)
    assert report.problems == []
    assert report.we_started == we_started
    assert journal.end is not None and journal.end["reason"] == "finished"


@responses.activate
def test_an_illegal_move_is_a_loss_of_minus_ten(tmp_path: Path) -> None:
    standings, journal = replay("illegal_move", tmp_path)
    assert (standings.lost, standings.current, journal.games[0].result) == (1, 0, -10)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("wrong_key", ExitCode.PROTOCOL, "key"),
        ("rejected_form", ExitCode.PROTOCOL, "422"),
        ("html_page", ExitCode.NETWORK, "HTML page"),
    ],
)
@responses.activate
def test_a_recorded_refusal_ends_the_run_in_one_sentence(name: str, code: ExitCode, words: str, tmp_path: Path) -> None:
    with pytest.raises(BotError) as raised:
        replay(name, tmp_path)
    assert raised.value.exit_code == code
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)
    journal = read_journal(next(tmp_path.glob("*.jsonl")))
    assert journal.end is not None
    assert (journal.end["reason"], journal.end["error"]) == ("error", raised.value.message)

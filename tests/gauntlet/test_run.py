"""A whole gauntlet whose answers and games are made up: what is asked and played, what is kept, and when it ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from bot.game import PlayedGame
from bot.gauntlet import losses
from bot.gauntlet import run as gauntlet
from bot.gauntlet.arena.games import Pairing
from bot.gauntlet.passing import OPEN, YES, course_bot
from bot.gauntlet.report import lines_of
from bot.gauntlet.sight import SightQuestion
from bot.gauntlet.store import RecordStore

Report = dict[str, Any]


class Fake:
    """Makes up answers and games, and counts what is asked and played."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.asked = self.played = 0
        self.has_chance, self.ends_after, self.loses = False, inf, False
        self.plan = gauntlet.QUICK
        self._folder = folder
        monkeypatch.setattr(gauntlet, "may_randomise", lambda _name: False)
        monkeypatch.setattr(gauntlet, "answer", self.answer)
        monkeypatch.setattr(gauntlet, "played_json", self.play)
        monkeypatch.setattr(losses, "explain", lambda _game: {})

    def answer(self, question: SightQuestion) -> Report:
        """Answer the leftmost right column; with chance, another one at the second time."""
        self.asked += 1
        columns, right = question.position.columns, question.position.right
        column = right[(question.number - 1) % len(right) * self.has_chance]
        return {"column": column, "seconds": 0.1, "error": "", "changed": len(columns) == 2}

    def play(self, pairing: Pairing) -> Report:
        """Draw or lose, and press Ctrl-C after some games."""
        self.played += 1
        if self.played > self.ends_after:
            raise KeyboardInterrupt
        seconds = {"seconds": (0.1, 0.1)}
        result = float(pairing.first != "random") if self.loses else 0.5
        return PlayedGame((3, 3), pairing.first, pairing.second, result, of_moves=seconds).as_json()

    def run(self, *bots: str) -> Report:
        """Return the report of a run against these bots, or one without chance."""
        self.asked = self.played = 0
        with RecordStore(*gauntlet.place(self._folder, "random")) as store:
            against = [course_bot(name) for name in bots or ("depth1",)]
            return gauntlet.Gauntlet("random", store, self.plan, 1, lambda _part, _missing: None).run(against)


@pytest.fixture
def fake(monkeypatch, tmp_path):
    return Fake(monkeypatch, tmp_path)


@pytest.mark.parametrize(("has_chance", "games"), [(False, 2), (True, 104)])
def test_two_games_settle_it_only_where_neither_player_has_chance(fake, has_chance, games):
    fake.has_chance = has_chance
    (found,) = fake.run()["passes"]
    assert (found["is_certain"], found["games"], found["verdict"]) == (not has_chance, games, YES)
    assert ("two games say all" in found["text"]) != has_chance


def test_an_agent_that_was_asked_nothing_twice_may_have_chance(fake):
    fake.plan = replace(gauntlet.QUICK, sight_s=-1.0)
    report = fake.run()
    assert (fake.asked, report["rules"]["has_chance"], report["passes"][0]["is_certain"]) == (0, None, False)


def test_what_is_kept_is_not_done_again_but_for_games_against_a_bot_that_has_changed(fake, monkeypatch):
    first = fake.run()
    assert fake.asked > 100 and fake.played == 2
    later = Mock(now=lambda: datetime(2050, 1, 1))
    monkeypatch.setattr(gauntlet, "datetime", Mock(datetime=later))
    assert (fake.run(), fake.asked, fake.played) == (first, 0, 0)
    monkeypatch.setattr(gauntlet, "sources_of", lambda name: f"another {name}")
    assert (fake.run(), fake.asked, fake.played) == (first, 0, 2)


def test_ctrl_c_ends_the_work_and_the_report_says_what_is_known_from_whole_pairs(fake):
    fake.has_chance, fake.ends_after = True, 3
    report = fake.run()
    (found,) = report["passes"]
    assert (report["is_stopped"], found["games"], found["verdict"]) == (True, 2, OPEN)
    assert report["rules"]["changed"], "one of all answers is enough"
    said = "\n".join(lines_of(report))
    assert "Ctrl-C ended it early" in said and "It changed the board" in said and "not known yet" in said
    assert "; " not in said.splitlines()[0], "it is given nothing but the board"
    assert "The same command goes on; `bot gauntlet random` plays until the answer is known" in said
    assert "win at once 24 of 24" in said, "all are asked twice"
    found["minutes"] = 0.0
    assert "The same command goes on;" not in "\n".join(lines_of(report)), "so many games are enough"
    fake.ends_after = inf
    assert (fake.run()["is_stopped"], fake.played) == (False, 101)
    fake.ends_after = 3
    assert (fake.run("depth3", "random")["is_stopped"], fake.played) == (True, 4), "no other part is begun"


def test_lost_games_are_counted_once_if_they_are_equal_and_why_they_were_lost_is_always_said(fake, monkeypatch):
    """Both games, one for each side, are lost by the first move."""
    mistake = {"ply": 0, "column": 0, "right": [3], "name": "allowed forced sequence", "plies": 6}
    monkeypatch.setattr(losses, "explain", lambda _game: mistake)
    fake.has_chance = fake.loses = True
    report = fake.run()
    said = "\n".join(lines_of(report))
    games = report["counts"]["games"]
    assert games > 2 and f"It lost {games} of {games} games: 2 different ones (equal moves count once). Why:" in said
    assert "  2 of 2: allowed forced sequence." in said and 'what is right: bot analyse ""' in said
    (case, *_), first = report["findings"][0]["positions"], report["findings"][0]
    for others, more in (
        ([], ""),
        (["4"], "1 position like it (4);"),
        (["1", "2", "3", "5"], "4 positions like it (1, 2, 3);"),
    ):
        first["positions"] = [case, *(case | {"moves": moves} for moves in others)]
        like_it = [line for line in lines_of(report) if " like it (" in line]
        assert len(like_it) == bool(more) and all(line.startswith(f"  {more}") for line in like_it)


def test_nothing_is_begun_when_the_time_is_up():
    assert (gauntlet.perform(str, 0.0, 1), gauntlet.perform(str, inf, 1)) == (None, "1")

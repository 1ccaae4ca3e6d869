"""`bot serve --limit`: a late move loses its game and nothing else, in both dialects and for `bot play`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.course.journal.games import game_problems
from bot.course.protocol import Dialect, Stats
from bot.course.server.referee import LATE, QUEUE_S, OverloadedError, Referee
from bot.engine.agent import Agent, Decision
from bot.engine.simple import Scripted
from tests.course.run.course import Course, Watcher, finished, journals

LIMIT_S = 5.0
LONG_S = 60.0


class Limited(Course, Agent):
    """A server with a time limit, in virtual time; its bot takes a minute for every move."""

    name = "slow"

    def __init__(self, dialect: Dialect = "current") -> None:
        super().__init__(dialect=dialect)
        self._bot = self
        self._rules |= {"limit_s": LIMIT_S, "clock": self.now}
        self.forget()

    def choose(self, *arguments: Any) -> Decision:
        """See `Agent.choose`."""
        self.sleep(LONG_S)
        return Scripted("2222").choose(*arguments)


@pytest.mark.parametrize(("dialect", "said"), [("current", LATE), ("jan21", None)])
def test_a_late_move_is_answered_with_a_loss_and_opens_no_game(dialect: Dialect, said: str | None) -> None:
    course, replies = Limited(dialect), []
    for after_s in (LONG_S, LIMIT_S, LIMIT_S, LIMIT_S + 0.01, LONG_S):
        course.sleep(after_s)
        replies.append(course.process(6))
    assert [reply["result"] for reply in replies] == [0, 0, 0, -1, 0], (
        "pauses between games and the bot's time are free"
    )
    assert replies[3] == {"msg": said, "status": True, "result": -1.0, "botmove": -1, "state": replies[2]["state"]}
    assert replies[4] == replies[0], "the next column opens the next game"
    assert [(game.reason, game.moves) for game in finished(course.store)] == [("late", "727272")]
    assert course.stats == Stats(1, 0, 1, 0, 0, -1.0)


def test_a_first_move_can_be_late_a_new_game_cannot_and_a_queue_or_a_restart_is_not_the_players_time() -> None:
    course = Limited()
    for move in (-1, 0, -1, -1):
        assert course.process(move)["result"] == (-1.0 if move == 0 else 0.0)
        course.sleep(LONG_S)
    assert course.reasons == ["late", "forfeit"]
    course.process(-1)
    course.sleep(LIMIT_S + 1)
    assert course.referee.move("a", 0, waited_s=2).result == 0.0, "it waited for other moves"
    course.sleep(LONG_S)
    assert Referee(course.store, course, limit_s=LIMIT_S, clock=course.now).move("a", 0).result == 0.0


def test_a_refusal_of_a_busy_server_gives_the_player_the_whole_time_again_but_no_late_move_back() -> None:
    course, results = Limited(), []
    course.process(-1)
    for after_s in (LIMIT_S, LIMIT_S + 1):
        course.sleep(after_s + QUEUE_S)
        with pytest.raises(OverloadedError):
            course.referee.move("a", 0, waited_s=QUEUE_S)
        course.sleep(LIMIT_S)
        results.append(course.process(0)["result"])
    assert results == [0.0, -1.0]


@pytest.mark.parametrize("dialect", ["current", "jan21"])
def test_bot_play_counts_the_game_as_lost_and_goes_on_with_the_next(dialect: Dialect, tmp_path: Path) -> None:
    course = Limited(dialect)
    course.at[4] = lambda: course.sleep(LONG_S)  # before the second request to /move
    watcher = Watcher()
    standings = course.play(tmp_path, games=3, observer=watcher)
    said = {"current": ["The server says: The game has ended. The move came too late."], "jan21": []}
    assert [text for text in watcher.notices if "server says: " in text] == said[dialect]
    assert (standings.won, standings.lost, standings.current) == (2, 1, 2)
    assert course.reasons == ["late", "played", "played"]
    assert [game_problems(game) for journal in journals(tmp_path) for game in journal.games] == [[]] * 3

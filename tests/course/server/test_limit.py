"""`bot serve --limit`: a late move loses its game and nothing else, in both dialects."""

from __future__ import annotations

from typing import Any

import pytest

from bot.course.protocol import Dialect
from bot.course.server.referee import LATE, QUEUE_S, OverloadedError, Referee, SentReply
from bot.course.server.store import Store
from bot.engine.agent import Agent, Decision
from bot.engine.simple import Scripted
from tests.course.run.course import WHO, finished

LIMIT_S = 5.0
LONG_S = 60.0


class Limited(Agent):
    """A server with a time limit, in virtual time, and its bot, which takes a minute for every move."""

    name = "slow"

    def __init__(self, dialect: Dialect = "current") -> None:
        self.time_s, self.store = 0.0, Store()
        self.referee = self.started(dialect)

    def started(self, dialect: Dialect = "current") -> Referee:
        """Return the server, started anew."""
        return Referee(self.store, self, dialect=dialect, starter="student", limit_s=LIMIT_S, clock=lambda: self.time_s)

    def choose(self, *arguments: Any) -> Decision:
        """See `Agent.choose`."""
        self.time_s += LONG_S
        return Scripted("2222").choose(*arguments)

    def move(self, after_s: float, column: int) -> SentReply:
        """Return the reply to a move after a pause."""
        self.time_s += after_s
        return self.referee.move(*WHO, column)


@pytest.mark.parametrize(("dialect", "said"), [("current", LATE), ("jan21", None)])
def test_a_late_move_is_answered_with_a_loss_and_opens_no_game(dialect: Dialect, said: str | None) -> None:
    server = Limited(dialect)
    replies = [server.move(after_s, 6) for after_s in (LONG_S, LIMIT_S, LIMIT_S, LIMIT_S + 0.01, LONG_S)]
    assert [reply.result for reply in replies] == [0, 0, 0, -1, 0], "pauses between games and the bot's time are free"
    assert replies[3] == SentReply(said, True, -1.0, -1, replies[2].state)
    assert replies[4] == replies[0], "the next column opens the next game"
    assert [(game.reason, game.moves, game.limit_s) for game in finished(server.store)] == [("late", "727272", LIMIT_S)]


def test_a_first_move_can_be_late_a_new_game_cannot_and_a_queue_or_a_restart_is_not_the_players_time() -> None:
    server = Limited()
    assert [server.move(LONG_S, move).result for move in (-1, 0, -1, -1)] == [0.0, -1.0, 0.0, 0.0]
    server.time_s += LIMIT_S + 1
    assert server.referee.move(*WHO, 0, waited_s=2).result == 0.0, "it waited for other moves"
    server.time_s += LONG_S
    assert server.started().move(*WHO, 0).result == 0.0


def test_a_refusal_of_a_busy_server_gives_the_player_the_whole_time_again_but_no_late_move_back() -> None:
    server, results = Limited(), []
    server.move(0, -1)
    for after_s in (LIMIT_S, LIMIT_S + 1):
        server.time_s += after_s + QUEUE_S
        with pytest.raises(OverloadedError):
            server.referee.move(*WHO, 0, waited_s=QUEUE_S)
        results.append(server.move(LIMIT_S, 0).result)
    assert results == [0.0, -1.0]

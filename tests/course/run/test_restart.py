"""A server that dies in the middle of a game and comes back, over real sockets: with its database, and without."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.course.client.http import CourseClient
from bot.course.journal.reader import journals
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.embedded import embedded_server
from bot.engine.agent import Decision, Limit, Stop
from bot.game import Board
from tests.course.run.course import PATIENT, WHO, play
from tests.servers import reserved_port

KEY = "sekrit"


class Server:
    """The embedded server on one port, which can be ended and begun anew with any database."""

    def __init__(self) -> None:
        self._running, self._whole = ExitStack(), ExitStack()
        self._port = self._whole.enter_context(reserved_port())

    def start(self, db: Path) -> str:
        server = embedded_server(
            make_agent("random", seed=2), api_key=KEY, db=db, starter="student", seed=2, port=self._port
        )
        return self._running.enter_context(server)

    def stop(self) -> None:
        self._running.close()

    def close(self) -> None:
        self.stop()
        self._whole.close()


class Interrupting:
    """Plays, and lets the server die and come back before its n-th move."""

    name = "interrupting"

    def __init__(self, number: int, server: Server, db: Path) -> None:
        self._left = number
        self._server = server
        self._db = db
        self._agent = make_agent("depth2", seed=1)

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        self._left -= 1
        if self._left == 0:
            self._server.stop()
            self._server.start(self._db)
        return self._agent.choose(board, limit, stop)


@pytest.mark.parametrize("keeps", [True, False], ids=["with its database", "with an empty one"])
def test_a_server_comes_back(keeps: bool, tmp_path: Path) -> None:
    server = Server()
    url = server.start(tmp_path / "one.sqlite3")
    try:
        agent = Interrupting(3, server, tmp_path / ("one.sqlite3" if keeps else "two.sqlite3"))
        client = CourseClient(url, WHO, SecretStr(KEY), timeouts=PATIENT)
        standings = play(
            client, tmp_path / "logs", games=2, agent=agent, url=url, limit_s=60.0, think_s=0.01, patience_s=60.0
        )
        statistics = client.read_statistics()
    finally:
        server.close()
    assert (standings.played, statistics.lost if statistics else None) == (2, standings.lost)
    assert statistics is not None
    assert disagreements(journal_standings(tmp_path / "logs", "s", WHO), statistics) == []
    results = [game.result for journal in journals(tmp_path / "logs") for game in journal.games]
    assert results.count(0) == (0 if keeps else 1), "only the game that the server has forgotten has no result"

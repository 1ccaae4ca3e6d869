"""The record of a match or tournament: every finished game on a line of a file, so that an interrupted run resumes."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot import __version__
from bot.agents.games import Played
from bot.errors import UsageError
from bot.files import LineFile
from bot.lab.arena.games import Pairing

_LISTS = ("seconds", "nodes", "leaves", "passes", "values")


class GameRecord:
    """A JSON Lines file: the run's plan, then each finished game with its number. Use it in a with statement.

    Without a path nothing is kept. Raises UsageError where the file belongs to another run or cannot be written.
    """

    def __init__(self, path: Path | None, plan: dict[str, Any]) -> None:
        """``plan`` is everything that determines the games; a file with another plan is refused."""
        self._path = path
        self._plan = {"bot": __version__, **json.loads(json.dumps(plan))}
        self._file = LineFile(None)
        self.known: dict[int, Played] = {}
        """Games that an earlier run finished, by number."""

    def __enter__(self) -> GameRecord:
        if self._path is None:
            return self
        try:
            content = self._path.read_bytes() if self._path.exists() else b""
            first, *lines = content.split(b"\n")
            if content and _parsed(first) != self._plan:
                raise UsageError(
                    f"{self._path} is no record of this match with these options.",
                    "Give the options that it was started with, or another file.",
                )
            games = {line: game for line in lines[:-1] if (game := _game(line)) is not None}
            self.known = dict(games.values())
            self._file = LineFile(self._path, [json.dumps(self._plan), *(line.decode() for line in games)])
            self._file.__enter__()
        except OSError as error:
            raise UsageError(f"{self._path} cannot be used: {error.strerror}.", "Choose another file.") from None
        return self

    def __exit__(self, *error: object) -> None:
        self._file.__exit__(*error)

    def add(self, number: int, pairing: Pairing, played: Played) -> None:
        """Write a finished game; the operating system has it when this returns."""
        self.known[number] = played
        line = {
            "game": number,
            "first": pairing.first,
            "second": pairing.second,
            "moves": "".join(str(column + 1) for column in played.moves),
            "given_plies": played.opening,
            "result": played.result,
            "forfeit": played.forfeit,
            **{name: list(getattr(played, name)) for name in _LISTS},
        }
        self._file.append(json.dumps(line))


def _parsed(line: bytes) -> Any:
    with suppress(ValueError):
        return json.loads(line)
    return None


def _game(line: bytes) -> tuple[int, Played] | None:
    """Return a game's number and the game; None for a line that is damaged."""
    with suppress(ValueError, KeyError, TypeError):
        fields = json.loads(line)
        moves = tuple(int(column) - 1 for column in fields["moves"])
        lists = {name: tuple(fields[name]) for name in _LISTS}
        played = Played(moves, fields["given_plies"], fields["result"], forfeit=fields["forfeit"], **lists)
        return int(fields["game"]), played
    return None

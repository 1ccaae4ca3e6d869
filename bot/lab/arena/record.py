"""The record of a match or tournament: every finished game on a line of a file, so that an interrupted run resumes."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from bot import __version__
from bot.errors import UsageError
from bot.lab.arena.games import Pairing, Played

_LISTS = ("seconds", "nodes", "leaves", "passes", "values")


class GameRecord:
    """A JSON Lines file: the run's plan, then each finished game with its number. Use it in a with statement.

    Without a path nothing is kept. Raises UsageError where the file belongs to another run or cannot be written.
    """

    def __init__(self, path: Path | None, plan: dict[str, Any]) -> None:
        """``plan`` is everything that determines the games; a file with another plan is refused."""
        self._path = path
        self._plan = {"bot": __version__, **json.loads(json.dumps(plan))}
        self._file: TextIO | None = None
        self.known: dict[int, Played] = {}
        """Games that an earlier run finished, by number."""

    def __enter__(self) -> GameRecord:
        if self._path is None:
            return self
        try:
            lines = self._path.read_bytes().splitlines(keepends=True) if self._path.exists() else []
            if lines and _parsed(lines[0]) != self._plan:
                raise UsageError(
                    f"{self._path} is no record of this match with these options.",
                    "Give the options that it was started with, or another file.",
                )
            whole = [line for line in lines[1:] if _game(line) is not None and line.endswith(b"\n")]
            self.known = dict(game for game in map(_game, whole) if game is not None)
            fresh = self._path.with_name(self._path.name + ".part")  # without a line that a crash has torn
            fresh.write_bytes(json.dumps(self._plan).encode() + b"\n" + b"".join(whole))
            fresh.replace(self._path)
            self._file = self._path.open("a", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{self._path} cannot be used: {error.strerror}.", "Choose another file.") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, number: int, pairing: Pairing, played: Played) -> None:
        """Write a finished game; the operating system has it when this returns."""
        self.known[number] = played
        if self._file is None:
            return
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
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


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

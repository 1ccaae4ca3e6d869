"""Per-user state, kept apart from the journals: which run is playing now, which journal has an unfinished game.

The state folder is $BOT_STATE_DIR, or the user's state directory. It holds three small files for each player at each
server, named by a hash of the normalised server and the sorted ids, so neither the ``--logs`` folder nor the spelling
of the address matters:

``.lock-<hash>``             locked by the run that is playing. A second run on this machine is refused.
``unfinished-<hash>.json``   a pointer to the journal and number of the game that was opened last, written before its
                             first request and removed when its end is recorded. With it, a run with another ``--logs``
                             folder finds the game, instead of forfeiting it by opening a new one.
``last-<hash>.json``         the folder of the journal that was written last: `bot streak` names it.

For each server there is one file, by a hash of the normalised server: ``server-<hash>.json`` holds its dialect once
that is known, and whether a column has opened a game there.

The journal, not the pointer, decides whether a game is unfinished. If the state folder cannot be written, the lock is
kept in the ``--logs`` folder, and the run says so.

The embedded server keeps its database beside the journals, so its lock lies there too and it needs no pointer: runs
with different ``--logs`` folders are different servers and do not disturb each other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args

from bot.course.address import EMBEDDED, Identity, key_of
from bot.course.journal import lock
from bot.course.journal.journal import Journal
from bot.course.journal.lock import PREFIX, LockedError, locked
from bot.course.journal.reader import Notify, read_journal
from bot.course.protocol import Dialect
from bot.errors import JournalError, UsageError, clause
from bot.files import replace_file

FOLDER_VARIABLE = "BOT_STATE_DIR"
GIVE_UP = "add --fresh to give the game up: the server counts a loss if it has the game."


def state_folder() -> Path:
    """Return the folder of the per-user state; it need not exist."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen).absolute()
    import platformdirs

    return Path(platformdirs.user_state_dir("bot-connect-four", appauthor=False)).absolute()


def _homes(identity: Identity, logs: Path) -> list[Path]:
    """Return the folders that may hold the lock, the preferred one first."""
    return [logs] if identity.server == EMBEDDED else [state_folder(), logs]


def playing(identity: Identity, logs: Path) -> str | None:
    """Return the run that is playing as ``identity`` on this machine now, a phrase without it; None if none is."""
    holders_now = (lock.holder_of(home / f"{PREFIX}{identity.key}") for home in _homes(identity, logs))
    return next((_unnamed(holder, identity) for holder in holders_now if holder is not None), None)


def _unnamed(holder: str, identity: Identity) -> str:
    """Return the phrase about a lock's holder without the identity, for sentences that name it already."""
    return holder.replace(f", as {identity}", "")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference to the journal record of the game that was opened last."""

    journal: Path
    game: int


@dataclass(frozen=True, slots=True)
class KnownServer:
    """What runs have found out about a server."""

    dialect: Dialect | None = None
    column_opens: bool = False
    """Whether a column has opened a game there."""
    keeps_statistics: bool = False
    """Whether it has shown its statistics."""


@dataclass(slots=True)
class Place:
    """The stored state of one identity, while its lock is held."""

    identity: Identity
    folder: Path
    """The state folder."""
    notify: Notify
    _stored: Pointer | None = None
    """What `point_to` was last given, so that it may be called again at every step of a game."""
    _known: KnownServer = KnownServer()
    """What is stored of the server, as far as it was read."""
    _folder: Path | None = None
    """What `writes_in` was last given."""
    _has_failed: bool = False

    @property
    def pointer_file(self) -> Path:
        """The file that holds the pointer."""
        return self.folder / f"unfinished-{self.identity.key}.json"

    @property
    def unfinished(self) -> Pointer | None:
        """The pointer to the game that was opened last; None if there is no readable one."""
        if self.identity.server == EMBEDDED:
            return None
        try:
            stored = json.loads(self.pointer_file.read_bytes())
            return Pointer(Path(str(stored["journal"])), int(stored["game"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is damaged"
            self.notify(f"The pointer to an unfinished game, {self.pointer_file}, cannot be read: {reason}.")
            return None

    def read_server(self) -> KnownServer:
        """Return what earlier runs have found out about the server."""
        content = _stored_object(self._server_file)
        dialect = next((name for name in get_args(Dialect) if name == content.get("dialect")), None)
        self._known = KnownServer(
            dialect,
            column_opens=content.get("column_opens") is True,
            keeps_statistics=content.get("keeps_statistics") is True,
        )
        return self._known

    def remember(self, known: KnownServer) -> None:
        """Store what is known of the server for all later runs; it may be called at every step."""
        if known != self._known:
            self._known = known
            self._store(self._server_file, asdict(known))

    def writes_in(self, folder: Path) -> None:
        """Store that the newest games are in ``folder``; it may be called at every step."""
        if folder != self._folder:
            self._folder = folder
            self._store(_last_file(self.identity), {"folder": str(folder.absolute())})

    def point_to(self, journal: Path, game: int) -> None:
        """Store, before the first request of a game, that ``journal`` records it; on the disk when this returns.

        A failure does not stop the run: without the pointer, only a run with the same --logs folder finds the game.
        """
        pointer = Pointer(journal.absolute(), game)
        if pointer != self._stored:
            self._stored = pointer
            self._store(self.pointer_file, {"journal": str(pointer.journal), "game": game})

    @property
    def _server_file(self) -> Path:
        return self.folder / f"server-{key_of(self.identity.server)}.json"

    def _store(self, path: Path, content: dict[str, object]) -> None:
        """Replace a file of the state; the first failure is reported. The embedded server needs no state."""
        if self.identity.server == EMBEDDED:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(path, json.dumps(content).encode() + b"\n", mode=0o600)
        except OSError as error:
            text = f"{self.folder} cannot be written: {error.strerror}. Keep the same --logs folder to resume."
            if not self._has_failed:
                self.notify(text)
            self._has_failed = True

    def clear(self) -> None:
        """Remove the pointer once the game's end is recorded. A pointer that cannot be removed is harmless."""
        self._stored = None
        if self.identity.server != EMBEDDED:
            with suppress(OSError):
                self.pointer_file.unlink()


def last_folder(identity: Identity) -> Path | None:
    """Return the folder of the journal that was written last for ``identity``; None if that is not known."""
    folder = _stored_object(_last_file(identity)).get("folder")
    return Path(folder) if isinstance(folder, str) else None


def _last_file(identity: Identity) -> Path:
    return state_folder() / f"last-{identity.key}.json"


def _stored_object(path: Path) -> dict[str, object]:
    """Return the object in a file of the state; an empty one if there is none that can be read."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


@contextmanager
def hold(identity: Identity, logs: Path, notify: Notify = lambda _text: None) -> Iterator[Place]:
    """Hold the identity's lock while the context lasts, and give access to its state.

    ``notify`` gets a sentence if the state folder cannot be used. Raises UsageError if another run is playing as this
    identity, JournalError if neither the state folder nor ``logs`` can hold the lock.
    """
    with ExitStack() as stack:
        for home in _homes(identity, logs):
            try:
                stack.enter_context(locked(home / f"{PREFIX}{identity.key}", f"as {identity}"))
                break
            except LockedError as error:
                raise UsageError(
                    f"Another run is playing as {identity} ({_unnamed(error.holder, identity)}).",
                    "Wait for it or end it; an unfinished game is resumed by the same command.",
                ) from None
            except OSError as error:
                if home == logs:
                    message = f"{home} cannot be used for journals: {error.strerror}."
                    raise JournalError(message, "Choose another --logs folder.") from None
                notify(
                    f"{home} cannot be used: {error.strerror}. The lock is kept in {logs}: "
                    f"start no second run as {identity} with another --logs folder. Set {FOLDER_VARIABLE} to move it."
                )
        yield Place(identity, state_folder(), notify)


def unfinished_game(place: Place, logs: Path, last: Journal | None) -> Journal | None:
    """Return the journal whose game the next run must resume: the pointer's, or ``last``, the newest one in ``logs``.

    Raises JournalError if the pointer's journal cannot be read.
    """
    pointer = place.unfinished
    pointed = None if pointer is None else _pointed_at(place.identity, pointer, logs, last)
    for journal in (pointed, last):
        if journal is not None and journal.unfinished is not None:
            return journal
    place.clear()
    return None


def _pointed_at(identity: Identity, pointer: Pointer, logs: Path, last: Journal | None) -> Journal:
    """Return the pointer's journal, also if it was moved to ``logs``. Raises JournalError."""
    moved = logs.absolute() / pointer.journal.name
    path = pointer.journal if os.path.lexists(pointer.journal) or not moved.is_file() else moved
    if last is not None and last.path.absolute() == path:
        return last
    try:
        journal = read_journal(path)
        if journal.player == identity:
            return journal
        problem = f"its journal {path} now holds the games of another player or server."
    except JournalError as error:
        problem = f"{clause(error.message)}."
    hint = f"Put the file {path} back to resume the game, or {GIVE_UP}"
    raise JournalError(f"Game {pointer.game} of {identity} may be unfinished, but {problem}", hint)

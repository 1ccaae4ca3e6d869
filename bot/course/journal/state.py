"""Per-user state, kept apart from the journals: which run is playing now, which journal has an unfinished game.

The state folder is $BOT_STATE_DIR, or the user's state directory. It holds two files for each player at each server,
named by a hash of the normalised server and the sorted ids, so neither the ``--logs`` folder nor the spelling of the
address matters:

``.lock-<hash>``       locked by the run that is playing: a second run on this machine is refused. The lock is the
                       operating system's and ends with its process, so it is never stale.
``.lock-<hash>.json``  a `PlayerState`: who has the lock, or had it last; the journal of the game that was opened last,
                       and its number until its end is recorded. It is written before the game's first request. With
                       it, a run with another ``--logs`` folder finds the game, instead of forfeiting it by opening a
                       new one.

The journal, not the pointer, decides whether a game is unfinished.

The embedded server keeps its database beside the journals, so its lock lies there too and it needs no pointer: runs
with different ``--logs`` folders are different servers and do not disturb each other.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.course.protocol import EMBEDDED, Identity
from bot.errors import JournalError, UsageError, clause
from bot.files import replace_file

if TYPE_CHECKING:
    from bot.course.journal.journal import Journal, Notify

FOLDER_VARIABLE = "BOT_STATE_DIR"
_TEST_S = 0.05
"""How long a taken lock is tried, seconds: `playing` takes a free lock for a moment."""


# Locks


class LockedError(Exception):
    """Another process holds the lock: its text describes the holder."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` while the context lasts; `write_note` says who holds it.

    The file stays behind; only the lock on it counts. Raises LockedError if another process holds the lock, OSError if
    the folder cannot be written.
    """
    from filelock import FileLock, Timeout  # it takes longer to import than the rest of this module

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        held = FileLock(path, timeout=_TEST_S, mode=0o600).acquire()
    except Timeout:
        raise LockedError(_read(_note_of(path)).holder or "an unknown process") from None
    with held:
        yield


def holder(*about: str) -> str:
    """Return a description of this process as the holder of a lock."""
    since = datetime.now(timezone.utc).strftime("since %Y-%m-%d %H:%M:%S UTC")
    return ", ".join([f"process {os.getpid()} on {socket.gethostname()}", *about, since])


def write_note(lock: Path, state: PlayerState) -> None:
    """Replace the note beside a lock file that this process holds. Raises OSError."""
    replace_file(_note_of(lock), json.dumps(asdict(state)).encode() + b"\n", mode=0o600)


def _note_of(lock: Path) -> Path:
    return lock.with_name(f"{lock.name}.json")


@dataclass(frozen=True, slots=True)
class PlayerState:
    """What is stored of a player at a server; of an embedded server, only the holder of its lock."""

    holder: str = ""
    """Which process has the lock, or had it last."""
    journal: str = ""
    """The path of the journal of the game that was opened last."""
    game: int = 0
    """The number of that game there; 0 once its end is recorded."""


def _read(*paths: Path, notify: Notify = lambda _text: None) -> PlayerState:
    """Return what is stored in files, the later ones last written; what cannot be read is left out."""
    stored: dict[str, Any] = {}
    for path in paths:
        try:
            stored = {**stored, **json.loads(path.read_bytes())}
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is damaged"
            notify(f"{path}, which may point to an unfinished game, cannot be read: {reason}.")
    names = [field.name for field in fields(PlayerState) if isinstance(stored.get(field.name), type(field.default))]
    return PlayerState(**{name: stored[name] for name in names})


# The state of a player


def state_folder() -> Path:
    """Return the folder of the per-user state; it need not exist."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen).absolute()
    import platformdirs

    return Path(platformdirs.user_state_dir("bot-connect-four", appauthor=False)).absolute()


def _home(identity: Identity, logs: Path) -> Path:
    """Return the folder that holds the lock."""
    return logs if identity.server == EMBEDDED else state_folder()


def playing(identity: Identity, logs: Path) -> str | None:
    """Return the process of the run that is playing as ``identity`` on this machine now, a phrase; None if none is.

    The lock is taken briefly to test it.
    """
    lock = _lock_of(identity, _home(identity, logs))
    with suppress(OSError):  # a folder that cannot be written
        try:
            if lock.exists():
                with locked(lock):
                    pass
        except LockedError as error:
            return str(error)
    return None


def _lock_of(identity: Identity, home: Path) -> Path:
    return home / f".lock-{identity.key}"


def state_of(identity: Identity, home: Path, notify: Notify = lambda _text: None) -> PlayerState:
    """Return what is stored of a player, also by the fourth edition, which kept the pointer in another file."""
    return _read(home / f"unfinished-{identity.key}.json", _note_of(_lock_of(identity, home)), notify=notify)


def last_folder(identity: Identity) -> Path | None:
    """Return the folder of the journal that was written last for ``identity``; None if that is not known."""
    journal = state_of(identity, state_folder()).journal
    return Path(journal).parent if journal else None


@dataclass(slots=True)
class Place:
    """The stored state of one identity, while its lock is held."""

    identity: Identity
    home: Path
    """The folder of the state."""
    notify: Notify
    state: PlayerState
    _has_failed: bool = False

    def store(self, **changes: Any) -> None:
        """Store changes of the state; what has not changed costs nothing. On the disk when this returns.

        A failure does not stop the run: without the pointer, only a run with the same --logs folder finds the game. The
        first one is reported. The embedded server needs no state.
        """
        state = replace(self.state, **changes)
        if state == self.state or self.identity.server == EMBEDDED:
            return
        self.state = state
        try:
            write_note(_lock_of(self.identity, self.home), state)
        except OSError as error:
            if not self._has_failed:
                self.notify(f"{self.home} cannot be written: {error.strerror}. Keep the same --logs folder to resume.")
            self._has_failed = True


@contextmanager
def hold(identity: Identity, logs: Path, notify: Notify = lambda _text: None) -> Iterator[Place]:
    """Hold the identity's lock while the context lasts, and give access to its state.

    ``notify`` gets a sentence if the state cannot be read or written. Raises UsageError if another run is playing as
    this identity, JournalError if the folder cannot hold the lock.
    """
    home = _home(identity, logs)
    lock = _lock_of(identity, home)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(lock))
            state = replace(state_of(identity, home, notify), holder=holder())
            write_note(lock, state)
        except LockedError as error:
            raise UsageError(
                f"Another run is playing as {identity} ({error}).",
                "Wait for it or end it; an unfinished game is resumed by the same command.",
            ) from None
        except OSError as error:
            remedy = "Choose another --logs folder."
            if home != logs:
                remedy = f"Let {FOLDER_VARIABLE} name a folder for the lock and for the note of an unfinished game."
            raise JournalError(f"{home} cannot be used: {error.strerror}.", remedy) from None
        yield Place(identity, home, notify, state)


def unfinished_game(place: Place, logs: Path, last: Journal | None) -> Journal | None:
    """Return the journal whose game the next run must resume: the pointer's, or ``last``, the newest one in ``logs``.

    Raises JournalError if the pointer's journal cannot be read.
    """
    pointed = _pointed_at(place, logs, last) if place.state.game else None
    for journal in (pointed, last):
        if journal is not None and journal.unfinished is not None:
            return journal
    place.store(game=0)
    return None


def _pointed_at(place: Place, logs: Path, last: Journal | None) -> Journal:
    """Return the journal that has the unfinished game, also if it was moved to ``logs``. Raises JournalError."""
    # The embedded server, which has a lock too, reads no journal.
    from bot.course.journal.journal import NO_HEADER, read_journal

    path = Path(place.state.journal)
    moved = logs.absolute() / path.name
    if moved.is_file() and not os.path.lexists(path):
        path = moved
    if last is not None and last.path.absolute() == path:
        return last
    try:
        journal = read_journal(path)
        if journal.header is NO_HEADER or journal.player == place.identity:
            return journal
        problem = f"its journal {path} now holds the games of another player or server."
    except JournalError as error:
        problem = f"{clause(error.message)}."
    give_up = "add --fresh to give the game up: the server counts a loss if it has the game."
    hint = f"Put the file {path} back to resume the game, or {give_up}"
    raise JournalError(f"Game {place.state.game} of {place.identity} may be unfinished, but {problem}", hint)

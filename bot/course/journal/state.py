"""Per-user state, kept apart from the journals: which run is playing now, and which journal has an unfinished game.

The state folder is $BOT_STATE_DIR, or the user's state directory. It holds two small files for each player at each
server, named by a hash of the normalised server and the sorted ids, so neither the ``--logs`` folder nor the spelling
of the address matters:

``.lock-<hash>``             locked by the run that is playing. A second run on this machine is refused.
``unfinished-<hash>.json``   a pointer to the journal and number of the game that was opened last, written before its
                             first request and removed when its end is recorded. With it, a run with another ``--logs``
                             folder finds the game, instead of forfeiting it by opening a new one.

The journal, not the pointer, decides whether a game is unfinished. If the state folder cannot be written, the lock is
kept in the ``--logs`` folder, and the run says so.

The embedded server keeps its database beside the journals, so its lock lies there too and it needs no pointer: runs
with different ``--logs`` folders are different servers and do not disturb each other.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from bot.course.address import EMBEDDED, normalised_server
from bot.course.journal import lock
from bot.course.journal.lock import PREFIX, LockedError, locked
from bot.course.journal.reader import Game, Journal, journals, read_journal
from bot.course.journal.sink import is_other_than_folder
from bot.errors import JournalError, UsageError
from bot.files import replace_file

FOLDER_VARIABLE = "BOT_STATE_DIR"
Notify = Callable[[str], None]


class MissingJournalError(JournalError):
    """The journal of an unfinished game is missing or unreadable, so the game cannot be resumed."""


def state_folder() -> Path:
    """Return the folder of the per-user state; it need not exist."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen).absolute()
    import platformdirs

    return Path(platformdirs.user_state_dir("bot-connect-four", appauthor=False)).absolute()


def holders(logs: Path) -> list[str]:
    """Return the runs of this user that are playing on this machine now, a phrase each.

    ``logs`` is the folder in which runs against the embedded server keep their lock.
    """
    return lock.holders(state_folder(), logs)


@dataclass(frozen=True, slots=True)
class Identity:
    """A player at a server: only one run at a time may play as it."""

    server: str
    """The normalised address, or EMBEDDED."""
    stil_ids: tuple[str, ...]
    """Sorted."""

    @classmethod
    def of(cls, server: str, stil_ids: Sequence[str]) -> Identity:
        """Return the identity of ``stil_ids`` at ``server``, however they are spelt and ordered."""
        return cls(normalised_server(server), tuple(sorted(stil_ids)))

    @property
    def is_embedded(self) -> bool:
        """Whether the server is the embedded one, which belongs to its --logs folder."""
        return self.server == EMBEDDED

    @property
    def key(self) -> str:
        """Sixteen hex digits that stand for this identity in file names."""
        return hashlib.sha256("\n".join([self.server, *self.stil_ids]).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return f"{'+'.join(self.stil_ids)} at {self.server}"


def playing(identity: Identity, logs: Path) -> str | None:
    """Return the run that is playing as ``identity`` on this machine now, a phrase without it; None if none is."""
    homes = [logs] if identity.is_embedded else [state_folder(), logs]
    holders_now = (lock.holder_of(home / f"{PREFIX}{identity.key}") for home in homes)
    return next((_unnamed(holder, identity) for holder in holders_now if holder is not None), None)


def _unnamed(holder: str, identity: Identity) -> str:
    """Return the phrase about a lock's holder without the identity, for sentences that name it already."""
    return holder.replace(f", as {identity}", "")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference to the journal record of the game that was opened last."""

    journal: Path
    game: int
    host: str = ""
    """Name of the machine that played it: a state folder may be shared."""


@dataclass(slots=True)
class Place:
    """The stored state of one identity, while its lock is held."""

    identity: Identity
    folder: Path
    """The state folder."""
    notify: Notify
    _has_failed: bool = False

    @property
    def pointer_file(self) -> Path:
        """The file that holds the pointer."""
        return self.folder / f"unfinished-{self.identity.key}.json"

    @property
    def unfinished(self) -> Pointer | None:
        """The pointer to the game that was opened last; None if there is no readable one."""
        if self.identity.is_embedded:
            return None
        try:
            stored = json.loads(self.pointer_file.read_bytes())
            return Pointer(Path(str(stored["journal"])), int(stored["game"]), str(stored.get("host", "")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is damaged"
            self.notify(f"The pointer to an unfinished game, {self.pointer_file}, cannot be read: {reason}.")
            return None

    def point_to(self, journal: Path, game: int) -> None:
        """Store, before the first request of a game, that ``journal`` records it; on the disk when this returns.

        A failure does not stop the run: without the pointer, only a run with the same --logs folder finds the game.
        """
        if self.identity.is_embedded:
            return
        stored = {
            "journal": str(journal.absolute()),
            "game": game,
            "server": self.identity.server,
            "stil_ids": self.identity.stil_ids,
            "host": platform.node(),
            "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        }
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self.pointer_file, json.dumps(stored).encode() + b"\n", mode=0o600)
        except OSError as error:
            self._say_once(f"{self.folder} cannot be written: {error.strerror}. Keep the same --logs folder to resume.")

    def clear(self) -> None:
        """Remove the pointer once the game's end is recorded. A pointer that cannot be removed is harmless."""
        if not self.identity.is_embedded:
            with suppress(OSError):
                self.pointer_file.unlink()

    def _say_once(self, text: str) -> None:
        if not self._has_failed:
            self._has_failed = True
            self.notify(text)


@contextmanager
def hold(identity: Identity, logs: Path, notify: Notify = lambda _text: None) -> Iterator[Place]:
    """Hold the identity's lock while the context lasts, and give access to its state.

    ``notify`` gets a sentence if the state folder cannot be used. Raises UsageError if another run is playing as this
    identity, JournalError if neither the state folder nor ``logs`` can hold the lock.
    """
    folder = state_folder()
    with ExitStack() as stack:
        homes = [logs] if identity.is_embedded else [folder, logs]
        for home in homes:
            try:
                stack.enter_context(locked(home / f"{PREFIX}{identity.key}", f"as {identity}"))
                break
            except LockedError as error:
                raise UsageError(
                    f"Another run is playing as {identity} ({_unnamed(error.holder, identity)}).",
                    "Wait for it or end it; an unfinished game is resumed by the same command.",
                ) from None
            except OSError as error:
                if home == homes[-1]:
                    reason = f"cannot be used for journals: {error.strerror}"
                    reason = "is not a folder" if is_other_than_folder(home) else reason
                    raise JournalError(f"{home} {reason}.", "Choose another --logs folder.") from None
                notify(
                    f"{home} cannot be used: {error.strerror}. The lock is kept in {logs}: "
                    f"start no second run as {identity} with another --logs folder. Set {FOLDER_VARIABLE} to move it."
                )
        yield Place(identity, folder, notify)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that can be resumed, and the journal that records it."""

    journal: Journal
    game: Game


def unfinished_game(place: Place, logs: Path, *, give_up_missing: bool = False) -> Unfinished | None:
    """Return the game that the next run must resume: that of the pointer, else the last one in ``logs``; or None.

    Raises MissingJournalError if the pointer's journal cannot be read; with ``give_up_missing`` (--fresh), the pointer
    is removed instead.
    """
    pointer = place.unfinished
    if pointer is not None:
        try:
            journal = _pointed_at(place.identity, pointer, logs)
        except MissingJournalError:
            if not give_up_missing:
                raise
        else:
            last = _last_opened(place, journal.path.parent)  # a later run may have been unable to write the pointer
            if last is not None and last.unfinished is not None:
                return Unfinished(last, last.unfinished)
        place.clear()
    last = _last_opened(place, logs)
    return None if last is None or last.unfinished is None else Unfinished(last, last.unfinished)


def _pointed_at(identity: Identity, pointer: Pointer, logs: Path) -> Journal:
    """Return the pointer's journal, also if it was moved to ``logs``. Raises MissingJournalError."""
    moved = logs / pointer.journal.name
    path = moved if not _exists(pointer.journal) and _exists(moved) else pointer.journal
    game = f"Game {pointer.game} of {identity} is unfinished, but its journal {path}"
    hint = "Put the file back to resume the game, or add --fresh to give the game up: the server counts a loss."
    if pointer.host not in ("", platform.node()):
        hint += f" It was played on {pointer.host}."
    if not _exists(path):
        raise MissingJournalError(f"{game} is missing.", hint)
    try:
        journal = read_journal(path)
    except JournalError as error:
        raise MissingJournalError(f"{game} cannot be read. {error.message}", hint) from None
    if Identity.of(journal.server, journal.stil_ids) != identity:
        raise MissingJournalError(f"{game} now holds the games of another player or server.", hint)
    return journal


def _exists(path: Path) -> bool:
    """Return whether the file exists, readable or not."""
    try:
        return path.exists()
    except OSError:  # a folder of the path cannot be searched
        return True


def _last_opened(place: Place, folder: Path) -> Journal | None:
    """Return the identity's last run in ``folder`` that may have opened a game."""
    found = None
    for journal in journals(folder, place.identity.server, place.identity.stil_ids):
        if any(game.is_counted for game in journal.games):
            found = journal
    return found

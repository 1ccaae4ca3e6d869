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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.course.address import EMBEDDED, normalised_server
from bot.course.journal import lock
from bot.course.journal.lock import PREFIX, LockedError, locked
from bot.course.journal.reader import Journal, is_old, journal_files, old_unfinished, raw_header, read_journal
from bot.errors import JournalError, UsageError
from bot.files import is_other_than_folder, replace_file

FOLDER_VARIABLE = "BOT_STATE_DIR"
Notify = Callable[[str], None]
_GIVE_UP = "add --fresh to give the game up: the server counts a loss."


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

    def homes(self, logs: Path) -> list[Path]:
        """Return the folders that may hold the lock, the preferred one first."""
        return [logs] if self.is_embedded else [state_folder(), logs]

    def __str__(self) -> str:
        return f"{'+'.join(self.stil_ids)} at {self.server}"


def playing(identity: Identity, logs: Path) -> str | None:
    """Return the run that is playing as ``identity`` on this machine now, a phrase without it; None if none is."""
    holders_now = (lock.holder_of(home / f"{PREFIX}{identity.key}") for home in identity.homes(logs))
    return next((_unnamed(holder, identity) for holder in holders_now if holder is not None), None)


def _unnamed(holder: str, identity: Identity) -> str:
    """Return the phrase about a lock's holder without the identity, for sentences that name it already."""
    return holder.replace(f", as {identity}", "")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference to the journal record of the game that was opened last."""

    journal: Path
    game: int
    host: str = field(default_factory=platform.node)
    """Name of the machine that played it: a state folder may be shared."""


@dataclass(slots=True)
class Place:
    """The stored state of one identity, while its lock is held."""

    identity: Identity
    folder: Path
    """The state folder."""
    notify: Notify
    _stored: Pointer | None = None
    """What `point_to` was last given, so that it may be called again at every step of a game."""
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
            return Pointer(Path(str(stored["journal"])), int(stored["game"]), str(stored["host"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is damaged"
            self.notify(f"The pointer to an unfinished game, {self.pointer_file}, cannot be read: {reason}.")
            return None

    def point_to(self, journal: Path, game: int) -> None:
        """Store, before the first request of a game, that ``journal`` records it; on the disk when this returns.

        A failure does not stop the run: without the pointer, only a run with the same --logs folder finds the game.
        """
        pointer = Pointer(journal.absolute(), game)
        if self.identity.is_embedded or pointer == self._stored:
            return
        self._stored = pointer
        content = json.dumps({"journal": str(pointer.journal), "game": game, "host": pointer.host})
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self.pointer_file, content.encode() + b"\n", mode=0o600)
        except OSError as error:
            text = f"{self.folder} cannot be written: {error.strerror}. Keep the same --logs folder to resume."
            if not self._has_failed:
                self.notify(text)
            self._has_failed = True

    def clear(self) -> None:
        """Remove the pointer once the game's end is recorded. A pointer that cannot be removed is harmless."""
        self._stored = None
        if not self.identity.is_embedded:
            with suppress(OSError):
                self.pointer_file.unlink()


@contextmanager
def hold(identity: Identity, logs: Path, notify: Notify = lambda _text: None) -> Iterator[Place]:
    """Hold the identity's lock while the context lasts, and give access to its state.

    ``notify`` gets a sentence if the state folder cannot be used. Raises UsageError if another run is playing as this
    identity, JournalError if neither the state folder nor ``logs`` can hold the lock.
    """
    with ExitStack() as stack:
        for home in identity.homes(logs):
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
                    reason = f"cannot be used for journals: {error.strerror}"
                    reason = "is not a folder" if is_other_than_folder(home) else reason
                    raise JournalError(f"{home} {reason}.", "Choose another --logs folder.") from None
                notify(
                    f"{home} cannot be used: {error.strerror}. The lock is kept in {logs}: "
                    f"start no second run as {identity} with another --logs folder. Set {FOLDER_VARIABLE} to move it."
                )
        yield Place(identity, state_folder(), notify)


def unfinished_game(
    place: Place, logs: Path, last: Journal | None = None, *, give_up_missing: bool = False
) -> Journal | None:
    """Return the journal whose game the next run must resume: that of the pointer, else the last one in ``logs``.

    ``last`` is a journal that has been read already. Files are read newest first, only as far as needed, and none
    twice. Raises MissingJournalError if the pointer's journal cannot be read, and UsageError if a journal of an earlier
    edition has the game; with ``give_up_missing`` (--fresh), None is returned instead.
    """
    read = {} if last is None else {last.path.absolute(): last}
    folders = [logs]
    pointer = place.unfinished
    if pointer is not None:
        try:
            path = _pointed_at(place.identity, pointer, logs, read)
            folders = [path.parent, logs]  # a later run there may have been unable to write the pointer
        except MissingJournalError:
            if not give_up_missing:
                raise
    for folder in folders:
        journal = _last_opened(place.identity, folder, read, give_up_missing)
        if journal is not None and journal.unfinished is not None:
            return journal
    if pointer is not None:
        place.clear()
    return None


def _pointed_at(identity: Identity, pointer: Pointer, logs: Path, read: dict[Path, Journal]) -> Path:
    """Return the path of the pointer's journal, also if it was moved to ``logs``. Raises MissingJournalError."""
    moved = logs.absolute() / pointer.journal.name
    path = pointer.journal if os.path.lexists(pointer.journal) or not moved.is_file() else moved
    problem = ""
    try:
        if not is_old(raw_header(path)):
            read[path] = read.get(path) or read_journal(path)
        if _player_in(raw_header(path)) != identity:
            problem = f"its journal {path} now holds the games of another player or server."
    except JournalError as error:
        problem = f"{error.message[0].lower()}{error.message[1:]}"
    if problem:
        hint = f"Put the file {path} back to resume the game, or {_GIVE_UP}"
        hint += f" It was played on {pointer.host}." if pointer.host not in ("", platform.node()) else ""
        raise MissingJournalError(f"Game {pointer.game} of {identity} is unfinished, but {problem}", hint)
    return path


def _last_opened(identity: Identity, folder: Path, read: dict[Path, Journal], give_up_missing: bool) -> Journal | None:
    """Return the identity's last run in ``folder`` that may have opened a game; ``read`` holds the journals read."""
    for path in map(Path.absolute, reversed(journal_files(folder))):
        header = raw_header(path)
        if _player_in(header) != identity:
            continue
        if is_old(header):
            number = None if give_up_missing else old_unfinished(path)
            if number is None:
                return None
            raise UsageError(
                f"Game {number} of {identity} is unfinished; its journal {path} is from an earlier edition of this "
                "program, and this one cannot resume it.",
                f"Finish it with that edition, or {_GIVE_UP}",
            )
        with suppress(JournalError):
            journal = read[path] = read.get(path) or read_journal(path)
            if journal.unfinished is not None or any(game.is_counted for game in journal.games):
                return journal
    return None


def _player_in(header: Mapping[str, Any]) -> Identity | None:
    ids = header.get("stil_ids")
    return Identity.of(str(header.get("server")), [str(stil_id) for stil_id in ids]) if isinstance(ids, list) else None

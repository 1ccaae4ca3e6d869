"""Read journals from files: whole, or in outline for lists and counts of many runs."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from bot.course.address import Identity
from bot.course.events import OLDEST_SCHEMA, SCHEMA, Started
from bot.course.journal.games import RecordedGame
from bot.course.journal.journal import NO_HEADER, Journal, Line
from bot.course.journal.records import RunEnded, parse_line
from bot.errors import JournalError

Notify = Callable[[str], None]
"""Takes a sentence for the user."""
_SCHEMA = re.compile(rb'\{[^\n]*"schema":\s*(\d{1,9})')
_BEGINNING = 1 << 14
"""Bytes at the beginning of a file in which a header is looked for; it has some hundred."""


def parse_records(content: bytes, first: int = 1) -> Iterator[Line]:
    """Yield every line of a journal, in order, from line number ``first`` on.

    Damaged lines are yielded too; an unfinished last line is torn.
    """
    *lines, rest = content.split(b"\n")
    for number, line in enumerate(lines, start=first):
        try:
            yield Line(number, parse_line(line))
        except ValueError as error:
            yield Line(number, problem=str(error))
    if rest:
        yield Line(first + len(lines), is_torn=True)


def read_journal(path: Path) -> Journal:
    """Return the run in ``path``; see `parse_journal`. Raises JournalError also if the file cannot be read."""
    return parse_journal(_content(path), path)


def header_of(path: Path) -> Started | None:
    """Return the header of the journal in ``path``, its first record; None if there is none that can be read."""
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING).removeprefix(codecs.BOM_UTF8)
    except OSError:
        return None
    first = next((line.record for line in parse_records(beginning) if line.record is not None), None)
    return first if isinstance(first, Started) else None


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read: {error.strerror}.") from None


def parse_journal(content: bytes, path: Path = Path("journal.jsonl")) -> Journal:
    """Return the run in a journal's bytes; its records are passed through a session.

    Damaged lines are skipped and listed in ``damaged``. A journal without its header belongs to no player. Raises
    JournalError for another schema, and for bytes without any record.
    """
    content = content.removeprefix(codecs.BOM_UTF8)
    _check_schema(content, path)
    journal = Journal(path)
    for line in parse_records(content):
        journal.torn = line.is_torn
        if line.problem:
            journal.damaged.append(line)
        if line.record is not None:
            journal.take(line.record, line.number)
    if not journal.records:
        reason = "is not a journal: it holds no record of a game" if content else "is empty: its run never began"
        raise JournalError(f"The file {path} {reason}.")
    if journal.header is NO_HEADER and not journal.damaged:
        journal.damaged.append(Line(1, problem="the run's header is missing"))
    return journal


def _check_schema(content: bytes, path: Path) -> None:
    """Raise JournalError for a journal of an edition that is not read."""
    header = _SCHEMA.match(content)
    schema = SCHEMA if header is None else int(header[1])
    if not OLDEST_SCHEMA <= schema <= SCHEMA:
        raise JournalError(
            f"The journal {path} has schema {schema}, and this version reads schemas {OLDEST_SCHEMA} to {SCHEMA}.",
            "Read it with the edition of the program that wrote it.",
        )


def read_outline(path: Path) -> Journal:
    """Return the run in ``path`` with the ends of its games only, for lists and counts of many runs.

    The end of a finished run tells the ends of all its games; only other runs are passed through the session. Raises
    JournalError.
    """
    return parse_outline(_content(path), path)


def parse_outline(content: bytes, path: Path) -> Journal:
    """Return the outline of a journal's bytes; see `read_outline`."""
    outline = _finished(content, path)
    if outline is not None:
        return outline
    journal = parse_journal(content, path)
    games = [replace(game, steps=[]) if game.ended is not None else game for game in journal.games]
    return replace(journal, games=games, records=[])


def _finished(content: bytes, path: Path) -> Journal | None:
    """Return the outline of a run by its first and its last line; None if it has not finished."""
    last = content[content.rfind(b"\n", 0, -1) + 1 :]
    if b'"finished"' not in last:
        return None
    try:
        header = parse_line(content.removeprefix(codecs.BOM_UTF8).partition(b"\n")[0])
        end = parse_line(last)
        if not isinstance(header, Started) or not isinstance(end, RunEnded) or end.reason != "finished":
            return None
        ends = list(end.games)
    except ValueError:
        return None
    numbers = [item.game for item in ends]
    is_gapless = numbers == list(range(1, len(ends) + 1))
    has_moves = b'"type":"chosen"' in content
    if not is_gapless or bool(ends) is not has_moves:
        return None  # something is missing
    games = [RecordedGame(item.game, ended=item) for item in ends]
    return Journal(path, header, games, end, substituted_moves=end.substituted_moves)


def journal_files(folder: Path) -> list[Path]:
    """Return the ``*.jsonl`` files in ``folder``, oldest first."""
    try:
        with os.scandir(folder) as entries:
            files = [entry for entry in entries if entry.name.endswith(".jsonl") and entry.is_file()]
            names = sorted(entry.name for entry in files)
    except OSError:
        return []
    return [folder / name for name in names]


def journals(folder: Path, player: Identity, notify: Notify = lambda _text: None) -> Iterator[Journal]:
    """Yield the outlines of this player's runs in ``folder``, oldest first.

    Damage does not raise: ``notify`` gets a sentence for each file that is ignored because it is not a journal, and for
    each journal with skipped lines that mattered. An empty file is a run that ended before its first record.
    """
    for path in journal_files(folder):
        try:
            content = _content(path)
            if not content:
                continue
            journal = parse_outline(content, path)
        except JournalError as error:
            notify(f"{error.message} The file is ignored.")
            continue
        if journal.header is NO_HEADER:
            notify(f"The journal {path} is ignored: its header is damaged, so it belongs to no player.")
        if journal.player != player:
            continue
        if journal.damaged:
            lines = "1 line is" if len(journal.damaged) == 1 else f"{len(journal.damaged)} lines are"
            notify(f"In the journal {path}, {lines} damaged and skipped (the first: line {journal.damaged[0].number}).")
        yield journal

"""What the earlier journals in a folder teach a run: its player's newest one, the bot's answers, and the streak.

Files are read newest first, and only as many as needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.course.address import Identity
from bot.course.journal.reader import Journal, journal_files, parse_journal, parse_records
from bot.course.session.answers import AnswerBook, answer_shown
from bot.course.session.events import GameEnded, Record, Replied, Started, parse_line
from bot.errors import BoardError, JournalError
from bot.game import Board

GAMES = 200
"""Number of games at the same server, the newest ones, whose answers a run learns."""


@dataclass(frozen=True, slots=True)
class History:
    """What earlier runs show."""

    last: Journal | None = None
    """The newest journal of this player at this server."""
    answers: AnswerBook = AnswerBook()  # noqa: RUF009  # a frozen value
    """The server's bot's answers in the newest games, those of an unfinished journal left out: resuming adds them."""
    streak: int = 0
    """Games in a row without a loss, up to the last one."""


def read_history(logs: Path, player: Identity) -> History:
    """Return what the journals in ``logs`` show of games at the server, and of this ``player``'s there."""
    last: Journal | None = None
    observations: list[list[tuple[Board, int]]] = []
    streak, learnt, is_streak_known = 0, 0, False
    for path in reversed(journal_files(logs)):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        who = _player(content)
        if who is None or who.server != player.server:
            continue
        is_newest = who == player and last is None
        if is_newest:
            try:
                journal = parse_journal(content, path)
            except JournalError:
                continue
            last = journal if journal.games else None
        records = [line.record for line in parse_records(content) if line.record is not None]
        if learnt < GAMES and not (is_newest and last is not None and last.unfinished):
            observations.append(list(_answers(records)))
            learnt += sum(isinstance(record, GameEnded) for record in records)
        if who == player and not is_streak_known:
            more, is_streak_known = _streak(records, is_newest)
            streak += more
        if learnt >= GAMES and is_streak_known:
            break
    answers = AnswerBook.of(answer for file in reversed(observations) for answer in file)
    return History(last, answers, streak)


def _player(content: bytes) -> Identity | None:
    """Return who played in a journal, by its first line alone; None for other files and for earlier schemas."""
    try:
        header = parse_line(content.partition(b"\n")[0])
    except ValueError:
        return None
    return Identity.of(header.server, header.stil_ids) if isinstance(header, Started) else None


def _answers(records: Iterable[Record]) -> Iterator[tuple[Board, int]]:
    """Yield the boards with the bot to move and its answers, as the replies in a journal show them."""
    for record in records:
        reply = record.reply if isinstance(record, Replied) else None
        if reply is None or reply.state is None or reply.botmove is None or reply.botmove < 0:
            continue
        try:
            before = answer_shown(Board.from_grid(reply.state, to_move=1), reply.botmove)
        except BoardError:
            continue
        if before is not None:
            yield before, reply.botmove


def _streak(records: Sequence[Record], is_newest: bool) -> tuple[int, bool]:
    """Return the games without a loss at the end of a journal, and whether a loss came before them.

    An unfinished game of an older journal was given up by opening another, which the server counts as a loss.
    """
    count, may_be_open = 0, not is_newest
    for record in reversed(records):
        if isinstance(record, GameEnded):
            if record.result < 0:
                return count, True
            count += record.result > 0
            may_be_open = False
        elif may_be_open and isinstance(record, Replied) and record.reply.status:
            return 0, True
    return count, False

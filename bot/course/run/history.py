"""What the earlier journals in a folder teach a run: its player's newest one, the bot's answers, and the streak.

Files are read newest first, and only as many as needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.course.address import Identity
from bot.course.journal.reader import Journal, journal_files, parse_journal, parse_records
from bot.course.journal.state import GIVE_UP
from bot.course.session.answers import AnswerBook, Deliveries, answer_shown
from bot.course.session.events import SCHEMA, GameEnded, Record, Replied
from bot.errors import BoardError, JournalError, UsageError
from bot.game import Board

_OLD_KINDS = re.compile(rb'"type": ?"(intent|game_end)"')
"""The records of an earlier edition that say whether a game is unfinished: its last move, or its end."""
GAMES = 200
"""Number of games at the same server, the newest ones, whose answers a run learns."""


@dataclass(frozen=True, slots=True)
class History:
    """What earlier runs show."""

    last: Journal | None = None
    """The newest journal of this player at this server."""
    answers: AnswerBook = AnswerBook()  # noqa: RUF009  # a frozen value
    """The server's bot's answers in the newest games, those of an unfinished journal left out: resuming adds them."""
    deliveries: Deliveries = Deliveries()  # noqa: RUF009  # a frozen value
    """What this player's newest journal has learnt of lost replies, from the runs before it too."""
    streak: int = 0
    """Games in a row without a loss, up to the last one."""


def read_history(logs: Path, player: Identity, *, fresh: bool = False) -> History:
    """Return what the journals in ``logs`` show of games at the server, and of this ``player``'s there.

    Raises UsageError if the newest is an earlier edition's with an unfinished game, unless ``fresh`` gives it up.
    """
    last: Journal | None = None
    observations: list[list[tuple[Board, int]]] = []
    deliveries = Deliveries()
    streak, learnt, is_streak_known = 0, 0, False
    for path in reversed(journal_files(logs)):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        who, is_old = _player(content)
        if who is None or who.server != player.server or (is_old and who != player):
            continue
        if is_old:
            if last is None and not fresh and _OLD_KINDS.findall(content)[-1:] == [b"intent"]:
                raise UsageError(
                    f"A game of {player} is unfinished; its journal {path} is from an earlier edition of this program, "
                    "and this one cannot resume it.",
                    f"Finish it with that edition, or {GIVE_UP}",
                )
            break  # so are those before it
        is_newest = who == player and last is None
        if is_newest:
            try:
                journal = parse_journal(content, path)
            except JournalError:
                continue
            last = journal if journal.games else None
            deliveries = journal.session.deliveries
        if learnt >= GAMES and who != player:
            continue
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
    return History(last, answers, deliveries, streak)


def _player(content: bytes) -> tuple[Identity | None, bool]:
    """Return who played in a journal, by its first line alone, and whether an earlier edition wrote it."""
    try:
        header = json.loads(content.partition(b"\n")[0])
        return Identity.of(header["server"], header["stil_ids"]), header["schema"] < SCHEMA
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None, False  # another file


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

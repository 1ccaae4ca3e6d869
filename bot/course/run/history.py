"""What the earlier journals in a folder teach a run: its player's newest one, the bot's answers, and the streak.

Files are read newest first, and only as many as needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.course.address import Identity
from bot.course.journal.games import RecordedGame
from bot.course.journal.journal import Journal, header_of, journal_files, parse_journal, parse_outline, parse_records
from bot.course.journal.state import GIVE_UP
from bot.course.run.standings import Standings, standings_of
from bot.course.session.answers import AnswerBook, answer_shown
from bot.course.session.deliveries import Deliveries
from bot.course.session.events import SCHEMA, Replied
from bot.errors import BoardError, JournalError, UsageError
from bot.game import Board

GAMES = 200
"""Number of games at the same server, the newest ones, whose answers a run learns."""


@dataclass(frozen=True, slots=True)
class History:
    """What earlier runs show."""

    last: Journal | None = None
    """The newest journal of this player at this server that holds a game."""
    answers: AnswerBook = AnswerBook()  # noqa: RUF009  # a frozen value
    """The server's bot's answers in the newest games."""
    deliveries: Deliveries = Deliveries()  # noqa: RUF009  # a frozen value
    """What this player's newest journal has learnt of lost replies, from the runs before it too."""
    standings: Standings = field(default_factory=Standings)
    """The streak up to the last game; older games are not counted."""


class _Past:
    """What the journals read so far show, from the newest one back."""

    def __init__(self, player: Identity) -> None:
        self.player = player
        self.last: Journal | None = None
        self.runs: list[Journal] = []
        """The player's runs that belong to the streak, the newest first."""
        self.is_streak_known = False
        """Whether the oldest of them says what the streak was before it, or has ended it by a loss."""
        self.answers: list[list[tuple[Board, int]]] = []
        self.games = 0
        """Number of games whose answers are known."""

    def _wants(self, who: Identity) -> bool:
        """Return whether a journal of this player may show more."""
        if who.server != self.player.server:
            return False
        return self.games < GAMES or (who == self.player and not self.is_streak_known)

    def read(self, path: Path, who: Identity) -> None:
        """Take a journal, if it may show more; one that cannot be read shows nothing."""
        if not self._wants(who):
            return
        is_ours = who == self.player
        is_newest = is_ours and self.last is None
        try:
            content = path.read_bytes()
            journal = parse_journal(content, path) if is_newest else parse_outline(content, path)
        except (OSError, JournalError):
            return
        if self.games < GAMES:
            self.answers.append(list(_answers(content)))
            self.games += len(journal.ends)
        if is_ours and not self.is_streak_known:
            self.runs.append(journal)
            has_loss = _has_loss(journal.games, is_newest=is_newest)
            self.is_streak_known = has_loss or journal.header.streak is not None
        if is_newest and journal.games:
            self.last = journal

    @property
    def standings(self) -> Standings:
        """The streak up to the last game; older games are not counted."""
        before = self.runs[-1].header.streak if self.runs else None
        return standings_of(reversed(self.runs), streak=before or 0)


def read_history(logs: Path, player: Identity, *, fresh: bool = False) -> History:
    """Return what the journals in ``logs`` show of games at the server, and of this ``player``'s there.

    Raises UsageError if the newest is an earlier edition's with an unfinished game, unless ``fresh`` gives it up.
    """
    past = _Past(player)
    for path in reversed(journal_files(logs)):
        if past.games >= GAMES and past.is_streak_known:
            break
        header = header_of(path)
        if header is not None:
            past.read(path, Identity.of(header.server, header.stil_ids))
        elif past.last is None and not fresh:
            _check_finished(path, player)
    answers = AnswerBook.of(answer for journal in reversed(past.answers) for answer in journal)
    deliveries = Deliveries() if past.last is None else past.last.session.belief.deliveries
    return History(past.last, answers, deliveries, past.standings)


def _check_finished(path: Path, player: Identity) -> None:
    """Raise UsageError for a journal of another edition that has an unfinished game of this player."""
    try:
        content = path.read_bytes()
        header = json.loads(content.partition(b"\n")[0])
        if Identity.of(header["server"], header["stil_ids"]) != player:
            return
        is_later = int(header["schema"]) > SCHEMA
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return  # another file
    last_line = content[content.rfind(b"\n", 0, -1) + 1 :]
    is_running = content.rfind(b'"intent"') > content.rfind(b'"game_end"')
    if is_running or (is_later and b'"finished"' not in last_line):
        edition = "a later" if is_later else "an earlier"
        raise UsageError(
            f"A game of {player} is unfinished; its journal {path} is from {edition} edition of this program, "
            "and this one cannot resume it.",
            f"Finish it with that edition, or {GIVE_UP}",
        )


def _answers(content: bytes) -> Iterator[tuple[Board, int]]:
    """Yield the boards with the bot to move and its answers, as the replies in a journal show them."""
    for line in parse_records(content):
        reply = line.record.reply if isinstance(line.record, Replied) else None
        if reply is None or reply.state is None or reply.botmove is None or reply.botmove < 0:
            continue
        try:
            before = answer_shown(Board.from_grid(reply.state, to_move=1), reply.botmove)
        except BoardError:
            continue
        if before is not None:
            yield before, reply.botmove


def _has_loss(games: Sequence[RecordedGame], *, is_newest: bool) -> bool:
    """Return whether one of the games was lost; one that was left unfinished by an older run was given up."""
    for game in games:
        if game.ended is not None and game.ended.result < 0:
            return True
        if game.ended is None and game.is_counted and not is_newest:
            return True
    return False

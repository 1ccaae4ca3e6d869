"""The server's statistics as a witness: asked patiently between games, briefly in one, and no reason to end a run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.client.http import CourseClient, NotSentError
from bot.client.wire import Stats
from bot.client.worlds import World
from bot.errors import BotError

_HOPELESS = 2
"""After so many questions in a row without an answer, later ones are asked briefly."""
_BRIEF_S = 1.0


@dataclass(slots=True)
class Books:
    """Asks /stats; ``base`` is what the worlds count from, None while the server tells none."""

    client: CourseClient
    base: Stats | None = None
    trouble: str = ""
    """Why the last question got no answer."""
    _unanswered: int = 0

    def ask(self, patience_s: float | None = None) -> Stats | None:
        """The statistics now, None when they cannot be had.

        ``patience_s`` bounds a question in the middle of a game. Between games (None) it is as long as the client's
        own, and NotSentError passes through: a server that cannot be reached at all is no server to play at.
        """
        if self._unanswered >= _HOPELESS:
            patience_s = min(_BRIEF_S, _BRIEF_S if patience_s is None else patience_s)
        try:
            told = self.client.stats(patience_s)
        except NotSentError as error:
            if patience_s is None:
                raise
            self._no_answer(error)
            return None
        except BotError as error:
            self._no_answer(error)
            return None
        self.trouble, self._unanswered = "", 0
        return told

    def _no_answer(self, error: BotError) -> None:
        self.trouble = error.message
        self._unanswered += 1

    def count(self, world: World) -> None:
        """Take the games that ended in ``world`` into the base, as the server has."""
        if self.base is not None:
            self.base = replace(
                self.base,
                played=self.base.played + world.ended,
                won=self.base.won + world.won,
                lost=self.base.lost + world.lost,
                streak=0 if world.lost else self.base.streak + world.ended,
            )


def ended_since(before: Stats, now: Stats) -> World:
    """A world without a running game, in which the games ended that ``now`` counts more than ``before``.

    A game that is counted as neither won nor lost is a draw, unless the streak shows that it was lost.
    """
    played = max(0, now.played - before.played)
    won = min(played, max(0, now.won - before.won))
    lost = min(played - won, max(0, now.lost - before.lost))
    if not lost and now.streak < before.streak + played:
        lost = played - won
    return World(None, played, won, lost)

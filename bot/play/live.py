"""The real world for a session: the client's requests as events, and the system's monotonic clock."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bot.client.failures import is_final
from bot.client.http import AmbiguousError, CourseClient, NotSentError, RejectedError
from bot.errors import BotError
from bot.protocol import MoveReply, Stats
from bot.session.events import Failed, Fate


class LiveWorld:
    """See `bot.play.driver.World`. ``move`` and ``stats`` are `CourseClient`'s."""

    def __init__(self, client: CourseClient, on_retry: Callable[[str, float], None] | None = None) -> None:
        """``on_retry`` is called when a reading of the statistics is repeated; see `CourseClient.stats`."""
        self._client = client
        self._on_retry = on_retry
        self._start = time.monotonic()

    def now(self) -> float:
        """Return the seconds since this object was made."""
        return time.monotonic() - self._start

    def sleep(self, seconds: float) -> None:
        """Wait, a little less or more, so that clients that failed together do not return together."""
        time.sleep(seconds * random.uniform(0.75, 1.0))

    def send(self, move: int, on_sent: Callable[[], None]) -> MoveReply | Failed:
        """Send ``move`` once. The session decides what follows a failure."""
        try:
            return self._client.move(move, on_sent, patience_s=0.0)
        except AmbiguousError as error:
            return Failed(
                0.0,
                Fate.UNKNOWN,
                error.message,
                error.hint,
                kind=error.kind,
                first_byte_s=error.first_byte_s,
                delivered=error.odds,
                retry_after_s=error.retry_after_s,
            )
        except NotSentError as error:
            fate = Fate.REJECTED if is_final(error) else Fate.NOT_SENT
            return Failed(0.0, fate, error.message, error.hint)
        except RejectedError as error:
            return Failed(0.0, Fate.REJECTED, error.message, error.hint)

    def statistics(self, patience_s: float | None) -> Stats | None:
        """Read the statistics; a failure ends nothing, since they are evidence only."""
        try:
            return self._client.stats(patience_s, self._on_retry)
        except BotError:
            return None

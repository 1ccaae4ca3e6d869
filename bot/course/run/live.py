"""The real world for a session: the client's requests as events, and the system's monotonic clock."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bot.course.client.failures import is_final
from bot.course.client.http import AmbiguousError, CourseClient, NotSentError, RejectedError
from bot.course.protocol import MoveReply, Stats
from bot.course.session.events import Delivery, Failed
from bot.errors import BotError


class LiveWorld:
    """See `bot.course.run.driver.World`. ``move`` and ``stats`` are `CourseClient`'s."""

    def __init__(self, client: CourseClient, on_retry: Callable[[str, float], None] | None = None) -> None:
        """``on_retry`` is called when a reading of the statistics is repeated; see `CourseClient.stats`."""
        self._client = client
        self._on_retry = on_retry
        self._start = time.monotonic()

    def now(self) -> float:
        """Return the seconds since this object was made."""
        return time.monotonic() - self._start

    def sleep(self, seconds: float) -> None:
        """Wait for 75 to 100 % of ``seconds``, at random: clients that failed together must not return together."""
        time.sleep(seconds * random.uniform(0.75, 1.0))

    def send(self, move: int, on_sent: Callable[[], None]) -> MoveReply | Failed:
        """Send ``move`` once. The session decides what follows a failure."""
        try:
            return self._client.move(move, on_sent, patience_s=0.0)
        except AmbiguousError as error:
            return Failed(
                0.0,
                Delivery.UNKNOWN,
                error.message,
                error.hint,
                kind=error.kind,
                first_byte_s=error.first_byte_s,
                delivered=error.delivered,
                retry_after_s=error.retry_after_s,
            )
        except NotSentError as error:
            delivery = Delivery.REJECTED if is_final(error) else Delivery.NOT_SENT
            return Failed(0.0, delivery, error.message, error.hint)
        except RejectedError as error:
            return Failed(0.0, Delivery.REJECTED, error.message, error.hint)

    def statistics(self, patience_s: float | None) -> Stats | None:
        """Return the statistics; None if they cannot be read: they are evidence only, so that does not end a run."""
        try:
            return self._client.stats(patience_s, self._on_retry)
        except BotError:
            return None

"""The course server's two endpoints, /move and /stats: one request becomes one event, and so does an outage.

No exception stands between an exchange and its event. What a kind of failure means, and how it is recognised where no
reply began, is in `bot.course.failures`.

A laptop's network, a relay that stalls or a server that restarts hits all requests at once. A second move that left in
an outage would be processed beside the first one as soon as the outage ends. So at most one move is on its way: its
connection stays open, and harmless requests are asked beside it until one of them is answered (`CourseClient.send`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import tenacity
from pydantic import SecretStr
from urllib3.exceptions import HTTPError
from urllib3.util import Retry

from bot.course.client.exchange import Exchange, Form, reply_of
from bot.course.client.trace import PLACEHOLDER, Trace, redacted, traced
from bot.course.events import Counted, Failed, Replied
from bot.course.failures import Delivery, about
from bot.course.protocol import NEW_GAME, Stats, parse_move_reply, parse_stats
from bot.game.notation import column_name

T = TypeVar("T")

DOWN = 2
"""Harmless requests in a row without an answer after which the server is taken for down."""
LIVE_S = 1.5
"""Pause once a server answers again that was silent, seconds: what it held back may overtake what is asked now."""
THAWED_S = 10.0
"""Time for a move's own reply once the server answers again, seconds: its bot may have to think first."""
SILENT_S = 90.0
"""Time for the reply to a move whose connection is open while the server answers other requests, seconds. Gateways give
up after 60 s as a rule; another move before that might be processed beside this one."""
_LONGEST_PAUSE_S = 1.0
_SHORTEST_S = 0.1
"""Shortest time limit of an exchange, seconds."""
_SHORTEST_PROBE_S = 1.0
"""Shortest time limit of a harmless request, which is doubled where the ones before it were not answered, seconds."""
_MAX_MESSAGE = 400
"""Maximum length of a message or a hint, characters: a server's text can be in it."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits, seconds."""

    connect_s: float = 3.0
    """For the connection to one address of the server."""
    read_s: float = 10.0
    """For a reply's headers. The connection of a move stays open after it; see `CourseClient.send`."""
    total_s: float = 20.0
    """For a whole exchange whose reply has begun, however slowly it arrives."""
    statistics_s: float = 5.0
    """How long to repeat /stats if the caller sets no limit."""


_TIMEOUTS = Timeouts()


# What came of a request


def _named(move: int) -> str:
    return "request for a new game" if move == NEW_GAME else f"move to column {column_name(move)}"


def _was_not_sent(found: Replied | Failed) -> bool:
    return isinstance(found, Failed) and found.delivery is Delivery.NOT_SENT


def _is_missing(found: Replied | Failed | None) -> bool:
    """Return whether the server has not answered a move that may have been sent."""
    return found is None or (is_no_answer(found) and not _was_not_sent(found))


def is_no_answer(found: object) -> bool:
    """Return whether a request failed as it would if no server answered."""
    return isinstance(found, Failed) and about(found.kind).is_no_answer


# The two endpoints


class CourseClient:
    """The course server for one group of students, and the clock of a run. The constructor does no I/O."""

    def __init__(
        self,
        server: str,
        stil_ids: Sequence[str],
        api_key: SecretStr,
        *,
        timeouts: Timeouts = _TIMEOUTS,
        patience_s: float = 120.0,
        trace: Callable[[Trace], None] | None = None,
    ) -> None:
        """``trace`` gets every finished exchange, without key and ids."""
        self.server = server.rstrip("/")
        self._ids = tuple(stil_ids)
        self._api_key = api_key.get_secret_value()
        names = {stil_id: f"<id {number}>" for number, stil_id in enumerate(stil_ids, start=1)}
        self._names = {**names, self._api_key: "<key>"}
        self._timeouts = timeouts
        self._trace = trace
        self.answer_s = timeouts.read_s
        """Seconds without a reply after which the server is asked whether it lives."""
        self.patience_s = patience_s
        """Seconds for which a move is sent and waited for, where there is no reply within `answer_s`."""
        self.is_interrupted = False
        """Whether Ctrl-C was pressed while a move was sent: KeyboardInterrupt is due once its outcome is recorded."""
        self.on_outage: Callable[[str, float], None] = lambda _text, _left_s: None
        """Called with a sentence that says what is waited for, and for how many seconds at most."""
        self._addresses: dict[str, str] = {}
        self._start = time.monotonic()
        self._slowest_s = 0.0
        """Longest time of a good reading of the statistics, seconds."""
        self._may_ask_at = 0.0
        """When the next request may leave, by the server's own word."""

    def now(self) -> float:
        """Return the seconds since this object was made."""
        return round(time.monotonic() - self._start, 4)

    def sleep(self, seconds: float) -> None:
        """Wait for 75 to 100 % of ``seconds``, at random: clients that failed together must not return together."""
        time.sleep(seconds * random.uniform(0.75, 1.0))

    # What is sent again, and what is waited for

    def send(self, move: int) -> Replied | Failed:
        """Send ``move``, a column 0..6 or -1 for a new game; return its outcome once the server answers.

        A move that was certainly not processed is sent again. After `patience_s`, or Ctrl-C, the outcome is what is
        known by then. No failure of the network raises.
        """
        end_s = self.now() + self.patience_s
        found: Replied | Failed | None = None
        is_repeated = False

        def attempt() -> Replied | Failed:
            nonlocal found
            underway = self.attempt(move)
            try:
                found = self._awaited(underway, move, end_s)
            except KeyboardInterrupt:
                found = underway.close()
                raise
            return found

        def report(_state: tenacity.RetryCallState) -> None:
            nonlocal is_repeated
            assert isinstance(found, Failed)
            is_repeated = True
            self.on_outage(f"{found.message} The {_named(move)} has not been sent.", end_s - self.now())

        try:
            tenacity.Retrying(
                retry=tenacity.retry_if_result(_was_not_sent),
                wait=tenacity.wait_exponential(multiplier=0.1, max=_LONGEST_PAUSE_S),
                stop=lambda _state: self.now() >= end_s,
                sleep=self.sleep,
                before_sleep=report,
                retry_error_callback=lambda _state: None,
            )(attempt)
        except KeyboardInterrupt:
            if found is None:
                raise
            self.is_interrupted = True
        assert found is not None
        return replace(found, is_outage=True) if is_repeated and isinstance(found, Replied) else found

    def _awaited(self, underway: Exchange[Replied | Failed], move: int, end_s: float) -> Replied | Failed:
        """Return the outcome of a move, once the server answers this or another request.

        What leaves at the end of the patience has its time for a reply all the same: given up unheard, it would leave a
        doubt where there is none.
        """
        found = underway.outcome(self.answer_s)
        misses, was_silent = 0, found is None
        while _is_missing(found) and self.now() < end_s:
            failed = self.failure_beside(misses)
            if failed is None:
                break
            misses += 1
            was_silent |= failed.kind == "timeout"
            if misses >= DOWN:
                text = f"{failed.message} The {_named(move)} was sent; nothing else is sent until the server answers."
                self.on_outage(text, end_s - self.now())
            pause_s = min(_LONGEST_PAUSE_S, 0.1 * 2**misses)
            if found is None:
                found = underway.outcome(pause_s)
            else:
                self.sleep(pause_s)
        was_down = misses >= DOWN
        if found is None:
            longest_s = THAWED_S if was_down else SILENT_S
            found = underway.outcome(min(longest_s, end_s - self.now())) or underway.close()
        elif was_silent and _is_missing(found):
            self.sleep(LIVE_S)
        return replace(found, is_outage=True) if was_down else found

    # One request

    def attempt(self, move: int) -> Exchange[Replied | Failed]:
        """Begin to send ``move``."""
        return self._exchange("move", self._form(move=str(move)), self._timeouts.total_s, self._replied)

    def _replied(self, exchange: Exchange[Any]) -> Replied | Failed:
        """Return what has come of the exchange of a move that is over."""
        found = self._found(exchange, parse_move_reply)
        if isinstance(found, Failed):
            return found
        reply = replace(found, msg=found.msg and redacted(found.msg, {self._api_key: PLACEHOLDER}))
        return Replied(
            self.now(), reply, first_byte_s=exchange.first_byte_s, body_s=exchange.end_at_s - exchange.reply_at_s
        )

    def failure_beside(self, misses: int) -> Failed | None:
        """Ask for the statistics, then for the base address; return why neither was answered, None if one was.

        ``misses`` were not answered before; each is given more time than the one before it.
        """
        total_s = max(_SHORTEST_PROBE_S, 2 * self._slowest_s) * 2**misses
        found = self._ask("stats", total_s)
        if is_no_answer(found):
            found = self._ask("", total_s)
        return found if isinstance(found, Failed) and is_no_answer(found) else None

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading of the server's statistics, or why there is none.

        Reading changes nothing, so it is repeated after any failure that this can mend: for at most ``patience_s``
        seconds in all, or as the timeouts say. If they say more, it is one request: the caller has a game to play. A
        server of January 2021 keeps no statistics: kind "http 404".
        """
        usual_s, start_s = self._timeouts.statistics_s, self.now()
        end_s = start_s + (usual_s if patience_s is None else patience_s)
        usual_end_s = min(end_s, start_s + usual_s)
        is_patient, is_brief = end_s > usual_end_s, end_s < start_s + usual_s
        found: Stats | Failed
        failures = 0

        def ask() -> Stats | Failed:
            nonlocal found, failures
            total_s = self._timeouts.total_s
            if patience_s is not None:
                total_s = min(total_s, max(_SHORTEST_S, end_s - self.now()))
            found = self._ask("stats", total_s)
            failures += 1
            if isinstance(found, Failed) and is_patient and failures >= DOWN:
                if not is_no_answer(self._ask("", total_s)):
                    return replace(found, kind="no statistics")
                self.on_outage(f"{found.message} Nothing else is sent until the server answers.", end_s - self.now())
            return found

        def is_repeated(found: Stats | Failed) -> bool:
            is_waited_for = is_patient and is_no_answer(found)
            return not is_brief and isinstance(found, Failed) and (is_waited_for or not about(found.kind).is_final)

        def is_over(state: tenacity.RetryCallState) -> bool:
            pause_s = max(state.upcoming_sleep, self._may_ask_at - self.now())
            return self.now() + pause_s > (end_s if is_no_answer(found) else usual_end_s)

        found = tenacity.Retrying(
            retry=tenacity.retry_if_result(is_repeated),
            wait=tenacity.wait_random_exponential(multiplier=0.1, max=1.0),
            stop=is_over,
            retry_error_callback=lambda _state: found,
        )(ask)
        if isinstance(found, Failed):
            return Counted(self.now(), None, found.kind, found.message, found.hint)
        return Counted(self.now(), found)

    def _form(self, **fields: str) -> Form:
        ids = [("stil_id", stil_id) for stil_id in self._ids]
        return (*ids, *fields.items(), ("api_key", self._api_key))

    def _ask(self, endpoint: str, total_s: float) -> Stats | Failed:
        """Ask for statistics; the base address has none, but its answer shows that the server lives."""
        form = self._form() if endpoint else ()
        exchange = self._exchange(endpoint, form, total_s, lambda exchange: self._found(exchange, parse_stats))
        found = exchange.outcome(min(self._timeouts.read_s, total_s)) or exchange.close()
        if not isinstance(found, Failed):
            self._slowest_s = max(self._slowest_s, exchange.end_at_s)
        return found

    def _exchange(self, endpoint: str, form: Form, total_s: float, finish: Callable[[Exchange[T]], T]) -> Exchange[T]:
        """Begin an exchange, as soon as the server allows it."""
        left_s = self._may_ask_at - self.now()
        if left_s > 0:
            self.on_outage("The server asks to wait before the next request.", left_s)
            time.sleep(left_s)
        url = f"{self.server}/{endpoint}"
        return Exchange(url, form, self._timeouts.connect_s, total_s, finish, addresses=self._addresses)

    def _found(self, exchange: Exchange[Any], parse: Callable[[Mapping[str, Any]], T]) -> T | Failed:
        """Return the reply to an exchange that is over, by ``parse``, and trace it."""
        pause_s = min(self.patience_s, retry_after_s(exchange.headers))
        self._may_ask_at = max(self._may_ask_at, self.now() + pause_s)
        found = reply_of(exchange, parse)
        if isinstance(found, Failed):
            # Cut after the key is removed: a part of it would not be found.
            message, hint = (
                redacted(text, {self._api_key: PLACEHOLDER})[:_MAX_MESSAGE] for text in (found.message, found.hint)
            )
            found = replace(found, at=self.now(), message=message, hint=hint)
        if self._trace is not None:
            failure = found.message if isinstance(found, Failed) else ""
            self._trace(traced(exchange, failure, self._names))
        return found


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return how long a reply asks to wait, seconds, as a number or as a date; 0 if it asks for nothing."""
    with suppress(HTTPError, ValueError, OverflowError):
        return Retry().parse_retry_after(headers.get("retry-after") or "0")
    return 0.0

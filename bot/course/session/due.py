"""What is due next: every handler of an event ends in one of these functions, which return the next command."""

from __future__ import annotations

from dataclasses import replace

from bot.course.session.commands import Choose, Command, Open, ReadStatistics, Send, Stop, StopReason
from bot.course.session.contact import WASTED
from bot.course.session.events import Counted, Failed
from bot.course.session.hypotheses import NO_GAME
from bot.course.session.session import Session

Transition = tuple[Session, Command]

KEPT = (
    "The game is kept: run the same command again to resume it. Where the server limits a move's time (5 s in the "
    "course), do so at once: a later move may lose the game, and the start alone takes 2 to 5 s."
)
"""The next step after a stop in a running game."""


def stop(session: Session, reason: StopReason, message: str, hint: str = "") -> Transition:
    """End the session; the hint says that a game is kept that may be running."""
    # Before the first answer of the server, a request that may have opened a game is not called one.
    is_asked_for = session.contact.is_made or NO_GAME not in session.belief.hypotheses
    if is_asked_for and not session.belief.is_idle and reason is not StopReason.REJECTED:
        hint = f"{hint} {KEPT}".strip()
    return session, Stop(reason, message, hint)


def read(session: Session, at: float, *, after_s: float = 0.0, repeated: int = 0) -> Transition:
    """Read the statistics, after a pause of ``after_s``.

    It is a brief reading while the move clock is running, and where the statistics could never be read. It is repeated
    as long as the session's patience lasts where nothing else may be sent.
    """
    patience_s: float | None = None
    if session.is_waiting:
        patience_s = session.run.patience_s
    elif session.contact.is_made and session.ledger.base is None:
        patience_s = 1.0
    elif session.contact.is_made and not session.belief.is_idle:
        half_s = session.belief.clock.left_s(at) / 2
        patience_s = 1.0 if repeated else max(0.5, min(2.0, half_s))
    return _unless_wasted(session, ReadStatistics(patience_s, repeated, after_s))


def read_between_games(session: Session, at: float) -> Transition:
    """Read the statistics after a game has ended."""
    return read(replace(session, belief=session.belief.at(None)), at)


def go_on(session: Session, at: float, *, after_s: float = 0.0) -> Transition:
    """Make the next move, after a pause of ``after_s``: in the running game, or to open one; or end the run."""
    belief = session.belief
    if session.ledger.unseen is not None:
        return read(session, at, after_s=after_s)
    if not belief.is_idle:
        return _unless_wasted(session, Choose(after_s))
    if not belief.is_certainly_idle:
        return read(session.concluded(at), at, after_s=after_s)
    if session.ledger.played >= session.run.games:
        return _unless_wasted(session, Stop(StopReason.FINISHED))
    if not session.opens_by_column:
        return _unless_wasted(session, Open(after_s))
    clock = belief.clock.start(at + after_s, session.run.limit_s)  # the server's clock does not run between games
    return _unless_wasted(replace(session, belief=belief.timed(clock)), Choose(after_s))


def try_again(session: Session, command: Send, event: Failed) -> Transition:
    """Make the next move after a failure, after a pause, as long as the session's patience lasts.

    The statistics are read first where they can help: after lost replies, and once the server may have ended a game
    whose move was late.
    """
    belief = session.belief
    is_late = not belief.is_idle and belief.clock.until_late_s(event.at) < 0
    may_help = (is_late or len(belief.hypotheses) > 1) and session.ledger.base is not None
    return after_trouble(session, command.chosen_at, event, reads=may_help or session.is_waiting)


def after_trouble(session: Session, since: float, event: Failed | Counted, *, reads: bool) -> Transition:
    """Read the statistics or make the next move, after a pause, as long as the session's patience lasts.

    The trouble has lasted since ``since``, unless it had begun before.
    """
    is_first = session.contact.trouble_since is None
    contact = session.contact.troubled(since)
    session = replace(session, contact=contact)
    if contact.trouble_s(event.at) >= session.run.patience_s:
        return stop(session, StopReason.NETWORK, event.message, event.hint)
    pause_s = contact.pause_s(event.at)
    if is_first and isinstance(event, Failed) and event.may_be_processed:
        pause_s = 0.0
    if reads:
        return read(session, event.at, after_s=pause_s)
    return go_on(session, event.at, after_s=pause_s)


def _unless_wasted(session: Session, command: Command) -> Transition:
    """Return the command, unless one game after another had no honest end: then the session ends."""
    most = WASTED // 2 if session.run.careful else WASTED
    if session.contact.wasted < most:
        return session, command
    return stop(
        session,
        StopReason.REFUSED,
        "The server refuses, loses or does not open one game after another.",
        "Play one game with --careful and send the bundle to a maintainer.",
    )

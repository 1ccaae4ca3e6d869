"""Interpret readings of the server's statistics: evidence only, never a reason to give up a game that may be running.

A reading can lag behind, come from a copy, or count games that were played elsewhere. So while several boards are
possible, it makes those that it contradicts less likely, and rules none out: a -1 would forfeit a running game. Our own
count stays the better one where a reading counts fewer games.
"""

from __future__ import annotations

from dataclasses import replace

from bot.course.failures import about
from bot.course.protocol import DRAWN, ILLEGAL, LOST, WON, Stats
from bot.course.session.commands import ReadStatistics, StopReason
from bot.course.session.dialect import confirmed
from bot.course.session.due import Transition, after_trouble, go_on, read, stop
from bot.course.session.events import Counted
from bot.course.session.hypotheses import Hypotheses, Hypothesis
from bot.course.session.session import Session

REREADS = 6
"""Maximum number of repeated readings, half a second apart: course servers' caches lag by a second or two. A reading is
repeated where its result is told: after the run's last game, and for the result of a game that ended unseen."""
REREAD_AFTER_S = 0.5
MOST_BEHIND = 2
"""Games by which a reading may lag behind; a server that counts still fewer has lost them."""
RESERVE_S = 2.0
"""Time left for the move, seconds, below which no reading is repeated."""
CONTRADICTED = 0.1
"""Weight factor of a hypothesis that a reading contradicts. Readings that ruled one out saved no game, and under lag
led to a -1 in a running game; 0.02 instead of 0.1 gained nothing (README.md, "Statistics")."""


def on_counted(session: Session, command: ReadStatistics, event: Counted) -> Transition:
    """Take a reading: it may settle what happened, or is repeated."""
    now, at = event.stats, event.at
    if now is None:
        return _unread(session, event)
    session = replace(session, contact=session.contact.made())
    base = session.ledger.base
    if base is None:
        return _first_reading(session, now, at)
    session = confirmed(session, base, now, at)
    base = session.ledger.base
    assert base is not None
    if session.ledger.unseen is not None:
        return _end_unseen(session, command, base, now, at)
    if session.belief.is_certainly_idle:
        return _between_games(session, command, base, now, at)
    if session.belief.position is None:
        return _in_doubt(session, base, now, at)
    return go_on(_doubted(session, base, now, at), at)


def _may_repeat(session: Session, command: ReadStatistics, at: float) -> bool:
    has_time = session.belief.is_idle or session.belief.clock.left_s(at) > RESERVE_S
    return command.repeated < REREADS and has_time


def _repeat(session: Session, command: ReadStatistics, at: float) -> Transition:
    return read(session, at, after_s=REREAD_AFTER_S, repeated=command.repeated + 1)


def _with_base(session: Session, base: Stats) -> Session:
    return replace(session, ledger=session.ledger.counted(base))


def _unread(session: Session, event: Counted) -> Transition:
    """Go on after a reading that failed: before the first answer of the server, nothing else may leave.

    A request may leave where nothing was sent yet: the server may keep no statistics.
    """
    contact, at, kind = session.contact, event.at, about(event.kind)
    is_known_to_answer = session.run.keeps_statistics or contact.trouble_since is not None
    is_outage = kind.is_no_answer and is_known_to_answer
    if not contact.is_made and kind.wrong_address == "any" and not is_outage:
        reason = StopReason.NETWORK if event.kind == "not sent" else StopReason.REFUSED
        return stop(session, reason, event.message, event.hint)
    keeps_none = event.kind == "http 404" and contact.trouble_since is None and not contact.is_made
    if keeps_none:
        session = replace(session, contact=contact.without_statistics())
    if session.is_waiting and (kind.is_no_answer or contact.trouble_since is not None):
        return after_trouble(session, session.run.at, event, reads=True)
    if session.ledger.unseen is not None:
        session = session.ending(0.0, "unknown", at=at)
    return go_on(session, at)


def _first_reading(session: Session, now: Stats, at: float) -> Transition:
    """Take the first reading of a run, if it counts the games that have ended."""
    if all(hypothesis.ended == 0 for hypothesis in session.belief.hypotheses):
        session = _with_base(replace(session, contact=session.contact.excused(False)), now)
    if session.ledger.unseen is not None:
        session = session.ending(0.0, "unknown", at=at)
    return go_on(session, at)


def _between_games(session: Session, command: ReadStatistics, base: Stats, now: Stats, at: float) -> Transition:
    """Compare a reading with our own count while no game is running: they should be equal."""
    missing = base.played - now.played
    if 0 < missing <= min(MOST_BEHIND, session.ledger.played):  # they may lag: our own count is the better one
        is_last = session.ledger.played >= session.run.games
        if is_last and _may_repeat(session, command, at):
            return _repeat(session, command, at)
        text = "The server's statistics count fewer games than were finished."
        return go_on(session.noting("statistics_behind", text, at=at, quiet=True), at)
    if missing > 0:
        text = "The server's statistics count fewer games than before: the server has lost some."
        session = session.noting("statistics_behind", text, at=at)
    elif missing < 0:
        is_forfeit = now.played - base.played == now.lost - base.lost == 1  # -1 met a game
        if not is_forfeit and not session.contact.is_excused:
            if _may_repeat(session, command, at) and not command.repeated:
                return _repeat(session, command, at)
            text = f"Somebody else plays as {'+'.join(session.run.stil_ids)}. {_more_games(base, now)}"
            return stop(
                session, StopReason.REFUSED, text, "End the other run, or wait for it: both play the same game."
            )
        is_given_up = session.gives_up_now and is_forfeit
        session = session.noting("statistics_ahead", _more_games(base, now), at=at, quiet=is_given_up)
    elif (now.won, now.lost) != (base.won, base.lost):
        text = "The server's statistics count as many games as were finished here, with other results."
        session = session.noting("statistics_differ", text, at=at)
    session = replace(session, contact=session.contact.excused(False))
    return go_on(_with_base(session, now), at)


def _more_games(base: Stats, now: Stats) -> str:
    """Return a sentence about games that the server counts and this run has not finished."""
    more, lost = now.played - base.played, now.lost - base.lost
    games = "1 game" if more == 1 else f"{more} games"
    text = f"The server counts {games} more than were finished here"
    if lost > 0:
        text += f", {lost} of them lost"
    return f"{text}."


def _in_doubt(session: Session, base: Stats, now: Stats, at: float) -> Transition:
    """Weigh the hypotheses by a reading while several boards are possible."""
    hypotheses = session.belief.hypotheses
    fitting = fitting_to(hypotheses, base, now)
    if not fitting:
        return go_on(_doubted(session, base, now, at), at)
    session = replace(session, belief=session.belief.given(weighed(hypotheses, fitting)))
    if session.belief.is_idle:
        session = session.concluded(at, are_counted=True)
    return go_on(session, at)


def fitting_to(hypotheses: Hypotheses, base: Stats, now: Stats) -> Hypotheses:
    """Return the hypotheses that a reading of the statistics fits; ``base`` counts every end that was known before.

    Among those of equal counts, the total reward rules out the wrong kind of loss.
    """
    rise = now.played - base.played, now.won - base.won, now.lost - base.lost
    by_counts = tuple(item for item in hypotheses if item.counts == rise)
    by_reward = tuple(item for item in by_counts if _reward_fits(item, base, now))
    return by_reward or by_counts


def weighed(hypotheses: Hypotheses, fitting: Hypotheses) -> Hypotheses:
    """Return the hypotheses with those that are not ``fitting`` less likely, and without those of another reward."""
    counts = fitting[0].counts
    others = [item for item in hypotheses if item.counts != counts]
    contradicted = [replace(item, weight=item.weight * CONTRADICTED) for item in others]
    return *fitting, *contradicted


def _reward_fits(hypothesis: Hypothesis, base: Stats, now: Stats) -> bool:
    """Return whether the total reward rose by the hypothesis's results: it distinguishes illegal moves from losses."""
    if base.total_reward is None or now.total_reward is None:
        return True
    return now.total_reward - base.total_reward == sum(hypothesis.results)


def _doubted(session: Session, base: Stats, now: Stats, at: float) -> Session:
    """Return the session in which the running game may have ended, where ``now`` counts one game more.

    It may if our move was late or the last reply could not be used, with probability one half. Otherwise the game was
    played elsewhere: such doubts lost games there, and saved none.
    """
    known = session.belief.hypotheses
    running = next((item for item in known if item.position and not item.ended), None)
    may_have_ended = session.contact.blind > 0 or session.belief.clock.until_late_s(at) < 0
    if running is None or not may_have_ended or now.played - base.played != 1:
        return session
    ended = replace(running.end(_result(base, now)), weight=1.0, processed=None)
    text = "The server's statistics count one more game: the running game may have ended."
    session = session.noting("statistics_ahead", text, at=at)
    return replace(session, belief=session.belief.given((*known, ended)))


def _result(base: Stats, now: Stats) -> float:
    """Return the result of the one game that ``now`` counts more than ``base``."""
    if now.won > base.won:
        return WON
    if now.lost == base.lost:
        return DRAWN
    if base.total_reward is None or now.total_reward is None:
        return LOST
    return ILLEGAL if now.total_reward - base.total_reward < LOST else LOST


def _end_unseen(session: Session, command: ReadStatistics, base: Stats, now: Stats, at: float) -> Transition:
    """Take a reading after a game that ended unseen: it may show how."""
    rise = now.played - base.played
    if rise <= 0 and _may_repeat(session, command, at):
        return _repeat(session, command, at)
    if rise == 1:
        return go_on(session.ending(_result(base, now), "statistics", at=at), at)
    session = session.ending(0.0, "unknown" if rise > 1 else "server_reset", at=at)
    return go_on(_with_base(session, now), at)

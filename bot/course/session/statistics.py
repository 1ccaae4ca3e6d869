"""Interpret readings of the server's statistics: evidence only, never a reason to give up a game that may be running.

A reading can lag behind, come from a copy, or count games that were played elsewhere. It is compared with the known
games; if it contradicts them, it is repeated as long as the move clock allows, and what still contradicts is noted.
"""

from __future__ import annotations

from dataclasses import replace

from bot.course.failures import about
from bot.course.protocol import DRAWN, ILLEGAL, LOST, WON, Stats
from bot.course.session.commands import ReadStatistics, StopReason
from bot.course.session.dialect import confirmed
from bot.course.session.due import Step, go_on, read, stop, try_again
from bot.course.session.events import Counted
from bot.course.session.hypotheses import Hypotheses, Hypothesis, normalised
from bot.course.session.ledger import Ledger
from bot.course.session.session import Session

REREADS = 6
"""Maximum number of repeated readings, half a second apart: course servers' caches lag by a second or two."""
REREAD_AFTER_S = 0.5
RESERVE_S = 2.0
"""Time left for the move, seconds, below which no reading is repeated."""
DOUBTED = 0.1
"""Weight factor of a hypothesis that a reading of unproven statistics contradicts."""


def on_counted(session: Session, command: ReadStatistics, event: Counted) -> Step:
    """Take a reading: it may settle what happened, or is repeated."""
    now, at = event.stats, event.at
    if now is None:
        return _unread(session, event)
    session = replace(session, contact=session.contact.made())
    base = session.ledger.base
    if base is None:
        return _first_reading(session, command, now, at)
    session = confirmed(session, base, now, at)
    base = session.ledger.base
    assert base is not None
    if session.ledger.unseen is not None:
        return _end_unseen(session, command, base, now, at)
    if session.belief.is_certainly_idle:
        return _between_games(session, command, base, now, at)
    if session.belief.position is None:
        return _in_doubt(session, command, base, now, at)
    if now.played - base.played == 1:
        session = _doubted(session, base, now, at)
    return go_on(session, at)


def _may_repeat(session: Session, command: ReadStatistics, at: float) -> bool:
    has_time = session.belief.is_idle or session.belief.clock.left_s(at) > RESERVE_S
    return command.repeated < REREADS and has_time


def _repeat(session: Session, command: ReadStatistics, at: float) -> Step:
    return read(session, at, after_s=REREAD_AFTER_S, repeated=command.repeated + 1)


def _with_base(session: Session, base: Stats) -> Session:
    return replace(session, ledger=replace(session.ledger, base=base))


def _unread(session: Session, event: Counted) -> Step:
    """Go on after a reading that failed: before the first answer of the server, nothing else may leave.

    A request may leave where nothing was sent yet: the server may keep no statistics.
    """
    contact, at = session.contact, event.at
    is_outage = event.kind == "not sent" and contact.trouble_since is not None  # it was reached before
    if not contact.is_made and about(event.kind).wrong_address == "any" and not is_outage:
        reason = StopReason.NETWORK if event.kind == "not sent" else StopReason.REFUSED
        return stop(session, reason, event.message, event.hint)
    if session.ledger.unseen is not None:
        return go_on(session.ending(0.0, "unknown", at=at), at)
    keeps_none = event.kind == "http 404" and contact.trouble_since is None
    if keeps_none and not contact.is_made:
        session = replace(session, contact=replace(contact, lacks_statistics=True))
    if contact.is_made or keeps_none or len(session.belief.hypotheses) == 1:
        return go_on(session, at)
    return try_again(session, event, is_blind=True)


def _first_reading(session: Session, command: ReadStatistics, now: Stats, at: float) -> Step:
    """Take the first reading of a run, if it counts the run's games; one that lags is repeated."""
    if now.played < session.ledger.played and command.repeated < REREADS:
        return _repeat(session, command, at)
    if all(hypothesis.ended == 0 for hypothesis in session.belief.hypotheses):
        session = _with_base(session, now)
    if session.ledger.unseen is not None:
        session = session.ending(0.0, "unknown", at=at)
    return go_on(session, at)


def _between_games(session: Session, command: ReadStatistics, base: Stats, now: Stats, at: float) -> Step:
    """Compare a reading with our own count while no game is running: they should be equal."""
    trust = session.ledger.trust
    if now.played == base.played:
        is_prompt = trust.is_prompt
        if is_prompt is None and trust.unread:
            is_prompt = True
        trust = replace(trust, counts_agree=True, is_prompt=is_prompt, unread=0)
        return go_on(replace(session, ledger=replace(session.ledger, base=now, trust=trust)), at)
    if now.played < base.played and _may_repeat(session, command, at):
        slow = replace(session.ledger, trust=replace(trust, is_prompt=False))
        return _repeat(replace(session, ledger=slow), command, at)
    if 0 < base.played - now.played <= trust.unread:  # counted late: our own count is the better one
        return go_on(session, at)
    if now.played < base.played:
        text = "The server's statistics count fewer games than before: the server has lost some."
        session = session.noting("statistics_behind", text, at=at)
    else:
        is_given_up = session.is_giving_up and now.played - base.played == now.lost - base.lost == 1
        session = session.noting("statistics_ahead", _more_games(base, now), at=at, quiet=is_given_up)
    trust = replace(trust, counts_agree=False, unread=0)
    return go_on(replace(session, ledger=replace(session.ledger, base=now, trust=trust)), at)


def _more_games(base: Stats, now: Stats) -> str:
    """Return a sentence about games that the server counts and this run has not finished."""
    more, lost = now.played - base.played, now.lost - base.lost
    games = "1 game" if more == 1 else f"{more} games"
    text = f"The server counts {games} more than were finished here"
    if lost > 0:
        text += f", {lost} of them lost"
    return f"{text}."


def _in_doubt(session: Session, command: ReadStatistics, base: Stats, now: Stats, at: float) -> Step:
    """Weigh the hypotheses by a reading while several boards are possible."""
    rise = now.played - base.played
    hypotheses, agrees = weighed(session.belief.hypotheses, session.ledger, base, now)
    is_ahead = any(hypothesis.ended > rise for hypothesis in hypotheses)
    if (is_ahead or not agrees) and _may_repeat(session, command, at):
        return _repeat(session, command, at)
    session = replace(session, belief=replace(session.belief, hypotheses=hypotheses))
    if agrees and session.belief.is_idle:
        session = session.concluded(at, known_by="statistics")
    elif not agrees and rise == 1 and any(item.position and not item.ended for item in hypotheses):
        session = _doubted(session, base, now, at)
    elif not agrees and rise < 0:
        text = "The server's statistics count fewer games than before."
        session = session.noting("statistics_behind", text, at=at)
    elif not agrees:
        text = "The server's statistics fit nothing that can have happened."
        session = session.noting("statistics_unclear", text, at=at)
    return go_on(session, at)


def weighed(hypotheses: Hypotheses, ledger: Ledger, base: Stats, now: Stats) -> tuple[Hypotheses, bool]:
    """Return the hypotheses after a reading of the statistics, and whether the reading agrees with one of them.

    ``base`` counts every end that was known before. A hypothesis with more ended games than the reading is ruled out
    only if the statistics are prompt; one with fewer only if they have agreed with our count before, the reading fits
    another hypothesis exactly, and the new results contain no loss, since a duplicated request or a late count causes
    losses too. A reading that agrees with no hypothesis changes nothing. Among hypotheses of equal counts, the total
    reward rules out those with the wrong kind of loss.
    """
    rise = now.played - base.played, now.won - base.won, now.lost - base.lost
    fitting = [item for item in hypotheses if item.counts == rise]
    by_reward = [item for item in fitting if _reward_fits(item, base, now)]
    if not fitting:
        return hypotheses, False
    after = list(by_reward or fitting)
    for hypothesis in hypotheses:
        if hypothesis.counts == rise:
            continue
        if hypothesis.ended > rise[0]:
            is_ruled_out = ledger.trust.is_prompt is True
        else:
            is_ruled_out = ledger.trust.counts_agree and not rise[2]
        if not is_ruled_out:
            after.append(replace(hypothesis, weight=hypothesis.weight * DOUBTED))
    return normalised(after), True


def _reward_fits(hypothesis: Hypothesis, base: Stats, now: Stats) -> bool:
    """Return whether the total reward rose by the hypothesis's results: it distinguishes illegal moves from losses."""
    if base.total_reward is None or now.total_reward is None:
        return True
    return now.total_reward - base.total_reward == sum(hypothesis.results)


def _doubted(session: Session, base: Stats, now: Stats, at: float) -> Session:
    """Return the session in which the game that ``now`` counts more is the running one with probability one half."""
    known = session.belief.hypotheses
    running = next(item for item in known if item.position and not item.ended)
    ended = replace(running.end(_result(base, now)), weight=1.0, processed=None)
    belief = replace(session.belief, hypotheses=normalised((*known, ended)))
    text = "The server's statistics count one more game: the running game may have ended."
    return replace(session, belief=belief).noting("statistics_ahead", text, at=at)


def _result(base: Stats, now: Stats) -> float:
    """Return the result of the one game that ``now`` counts more than ``base``."""
    if now.won > base.won:
        return WON
    if now.lost == base.lost:
        return DRAWN
    if base.total_reward is None or now.total_reward is None:
        return LOST
    return ILLEGAL if now.total_reward - base.total_reward < LOST else LOST


def _end_unseen(session: Session, command: ReadStatistics, base: Stats, now: Stats, at: float) -> Step:
    """Take a reading in a new game: it may show how the one before ended."""
    rise = now.played - base.played
    if rise <= 0 and _may_repeat(session, command, at):
        return _repeat(session, command, at)
    if rise == 1:
        return go_on(session.ending(_result(base, now), "statistics", at=at), at)
    if rise > 1:
        session = _with_base(session, now)
    return go_on(session.ending(0.0, "unknown", at=at), at)

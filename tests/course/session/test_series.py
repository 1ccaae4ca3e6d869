"""Properties of every series against the virtual server of `bot.trials.simulation`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.course.protocol import Stats
from bot.course.session.answers import AnswerBook
from bot.course.session.events import Chosen, Counted, GameEnded, Open, Reason, Record, Started, Stop
from bot.course.session.fold import Fold
from bot.course.session.machine import step
from bot.course.session.policy import choose
from bot.course.session.state import BLIND, Session
from bot.game import CENTRE_FIRST, Board
from bot.trials.faults.plan import FaultSpec
from bot.trials.simulation.faults import VIRTUAL
from bot.trials.simulation.series import Outcome, play_series

EXAMPLES = 5 if settings().max_examples == 100 else settings().max_examples // 10
"""Each is a run of several games; `--hypothesis-profile thorough` plays a hundred."""


class Rough:
    """Probabilities of not losing by one ply of search: inexact, so that games are won, lost and drawn."""

    def prospect(self, board: Board, column: int) -> float:
        """See `bot.course.session.policy.Prospects`."""
        if not board.can_play(column):
            return 0.0
        child = board.play(column)
        if child.is_over:
            return 1.0 if child.has_winner else 0.97
        loses = any(child.wins_with(answer) for answer in range(7))
        return 0.0 if loses else 0.97 - 0.001 * CENTRE_FIRST.index(column)

    def prospects(self, board: Board) -> list[float]:
        """See `bot.course.session.policy.Prospects`."""
        return [self.prospect(board, column) for column in range(7)]


@dataclass
class RoughChooser:
    """Chooses by `Rough`, sometimes any legal column; the same in the same position."""

    seed: int
    prospects: Rough = field(default_factory=Rough)

    def __call__(self, session: Session, left_s: float) -> Chosen:  # noqa: ARG002
        """See `bot.course.run.driver.Chooser`."""
        if session.position is None:
            return Chosen(0.0, choose(session.belief, self.prospects).column, source="hypotheses")
        board = session.position.board
        chance = random.Random(f"{self.seed} {board.current} {board.mask}")
        row = self.prospects.prospects(board)
        least = 0.0 if chance.random() < 0.3 else max(row) - 0.005
        column = chance.choice([column for column in range(7) if board.can_play(column) and row[column] >= least])
        return Chosen(0.0, column, source="rough")


def rough_bot(board: Board, _last: int, seed: int) -> int:
    """Answer a win if there is one, else by chance, in two of three games the same in the same position."""
    wins = [column for column in range(7) if board.wins_with(column)]
    chance = random.Random(f"{board.current} {board.mask} {seed if seed % 3 == 0 else 0}")
    return chance.choice(wins or [column for column in range(7) if board.can_play(column)])


def is_blind(session: Session) -> bool:
    """Return whether the server showed no board for so long that the session had to stop."""
    return session.blind >= BLIND


def series(shares: Mapping[str, float], seed: int, games: int = 3, **options: Any) -> Outcome:
    """Play a series of quick, rough games."""
    faults = FaultSpec.parse(",".join(f"{kind}={share}" for kind, share in shares.items()), VIRTUAL)
    chooser = RoughChooser(seed)
    return play_series(rough_bot, games, faults=faults, seed=seed, chooser=chooser, answers=AnswerBook(), **options)


def is_forfeited(outcome: Outcome) -> bool:
    """Return whether a request for a new game gave up a running one."""
    return any(game.reason == "forfeit" for game in outcome.world.finished)


def rate(highest: float) -> st.SearchStrategy[float]:
    """Return rates from none to ``highest``."""
    return st.sampled_from((0.0, highest / 10, highest))


NETWORK = {
    "reset": rate(0.2),
    "refuse": rate(0.2),
    "silent": rate(0.1),
    "truncate": rate(0.2),
    "kill": rate(0.03),
    "unread": rate(0.5),
    "behind": rate(0.5),
}
"""Shares of what networks and crashes do."""
PROXIES = {"stale": rate(0.1), "duplicate": rate(0.1), "restart": rate(0.05)}
"""Shares of what proxies and servers do."""
SEEDS = st.integers(0, 10_000)
quickly = settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])


@quickly
@given(shares=st.fixed_dictionaries(NETWORK), seed=SEEDS, refuses=st.booleans())
def test_behind_any_network_no_game_is_forfeited_and_no_result_invented(
    shares: dict[str, float], seed: int, refuses: bool
) -> None:
    outcome = series(shares, seed, refuses_idle_moves=refuses)
    assert outcome.stop == Stop(Reason.FINISHED) or is_blind(outcome.session)
    assert not is_forfeited(outcome)
    assert outcome.disk.invented == 0
    numbers = [record.game for record in outcome.disk.records if isinstance(record, GameEnded)]
    assert numbers == sorted(set(numbers))


@quickly
@given(
    shares=st.fixed_dictionaries(NETWORK | PROXIES),
    seed=SEEDS,
    refuses=st.booleans(),
)
def test_whatever_the_server_and_proxies_do_the_client_causes_no_forfeit_and_ends(
    shares: dict[str, float], seed: int, refuses: bool
) -> None:
    outcome = series(shares, seed, refuses_idle_moves=refuses)
    assert outcome.stop is not None
    unread = [Reason.NETWORK] if is_blind(outcome.session) else []
    assert outcome.stop.reason in (Reason.FINISHED, Reason.REFUSED, *unread)
    if not shares["restart"]:
        assert not is_forfeited(outcome)
        assert outcome.disk.invented == 0


def folded(records: Sequence[Record]) -> Fold:
    """Return the fold of records that follow from each other."""
    fold = Fold()
    for record in records:
        assert fold.take(record) == []
    return fold


@quickly
@given(shares=st.fixed_dictionaries(NETWORK | PROXIES), seed=SEEDS, refuses=st.booleans())
def test_folding_the_journal_gives_the_session_that_the_run_had(
    shares: dict[str, float], seed: int, refuses: bool
) -> None:
    outcome = series(shares, seed, refuses_idle_moves=refuses)
    session = folded(outcome.disk.records).session
    assert session == outcome.session
    assert session.answers == outcome.session.answers


@quickly
@given(shares=st.fixed_dictionaries(NETWORK), seed=SEEDS, records=st.integers(1, 200))
def test_folding_a_journal_that_was_cut_off_anywhere_never_opens_a_game_over_a_running_one(
    shares: dict[str, float], seed: int, records: int
) -> None:
    session = folded(series(shares, seed, games=2).disk.records[:records]).session
    is_idle = session.is_idle and not session.is_opening
    session, _ = step(session, Started(1e6, 2))
    session, command = step(session, Counted(1e6, session.base or Stats(0, 0, 0, 0)))
    assert is_idle or not isinstance(command, Open)


@pytest.mark.parametrize("seed", range(8))
def test_behind_a_bad_network_every_game_is_recorded_once_and_right(seed: int) -> None:
    shares = {"reset": 0.05, "refuse": 0.05, "truncate": 0.02, "kill": 0.01, "unread": 0.1}
    outcome = series(shares, seed, games=4)
    ends = [record.result for record in outcome.disk.records if isinstance(record, GameEnded) and record.result]
    assert ends == [game.result for game in outcome.world.finished]


def test_the_same_seed_gives_the_same_records() -> None:
    shares = {"reset": 0.2, "kill": 0.02, "unread": 0.2, "duplicate": 0.05, "stale": 0.05}
    assert series(shares, 5).disk.content() == series(shares, 5).disk.content()

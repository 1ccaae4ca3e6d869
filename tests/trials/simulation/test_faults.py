"""Fault plans: grammar, shares, schedule."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.errors import UsageError
from bot.trials.simulation.faults import KINDS, USUAL, Dice, FaultPlan, is_processed


def drawn(text: str, number: int, seed: int = 1) -> list[str | None]:
    """Return the kinds of the first requests' faults, None for requests without one."""
    dice = Dice(FaultPlan.parse(text), seed)
    kinds = [dice.of_request() for _ in range(number)]
    assert dice.requests == number
    assert dice.counts == Counter(kind for kind in kinds if kind is not None)
    return kinds


def test_shares_are_kept_and_override_the_default() -> None:
    usual = Counter(drawn("default", 10_000))
    assert usual.keys() == {None, *FaultPlan.parse("default").shares} and 420 < usual["reset_after"] < 580  # 4 sigma
    assert drawn("default", 300, seed=5) == drawn("default", 300, seed=5) != drawn("default", 300, seed=6)
    plan = FaultPlan.parse("default=0.32,reset=0.5,refuse=0")
    assert plan.shares["reset_before"] == plan.shares["reset_after"] == 0.25, "a kind overrides both its halves"
    assert plan.shares["truncate"] == pytest.approx(2 * USUAL["truncate"]) and plan.shares["refuse"] == 0


def test_what_is_no_request_has_shares_of_its_own_and_default_scales_the_requests_only() -> None:
    plan = FaultPlan.parse("default=0.32,behind=0.5,kill=1")
    assert sum(plan.shares.values()) == pytest.approx(0.32)
    assert plan.others == {"unread": 0.1, "behind": 0.5, "kill": 1.0}
    assert FaultPlan.parse("none") == FaultPlan()


def test_a_schedule_is_kept_to_the_number() -> None:
    kinds = drawn("@3:reset_after, @5:refuse,@7:silent,stale=0.0", 8)
    assert kinds[:6] == [None, None, "reset_after", None, "refuse", None] and kinds[7] is None
    assert kinds[6] in ("silent_before", "silent_after")
    halves = [is_processed(kind) for kind in drawn("reset=1", 400)]
    assert 140 < sum(halves) < 260, "a bare name is processed half the time"
    assert [kind for kind in KINDS if not is_processed(kind)] == ["refuse", "reset_before", "silent_before", "stale"]


def test_the_share_of_moves_that_were_played_moves_the_border_between_two_halves_and_nothing_else() -> None:
    text = "truncate=0.1,silent_after=0.05,reset=0.3,refuse=0.1"
    rare, often = (FaultPlan.parse(text, played) for played in (0.1, 0.9))
    assert [plan.shares["reset_after"] for plan in (rare, often)] == pytest.approx([0.03, 0.27])
    assert rare.shares["silent_after"] == often.shares["silent_after"] == 0.05, "a kind with its half keeps it"
    first, second = Dice(rare, seed=1), Dice(often, seed=1)
    pairs = Counter((first.of_request(), second.of_request()) for _ in range(2000))
    assert {pair for pair in pairs if pair[0] != pair[1]} == {("reset_before", "reset_after")}
    assert 400 < pairs["reset_before", "reset_after"] < 560, "480 +- 4 sigma"
    for played, half in ((0.0, "silent_before"), (1.0, "silent_after")):
        assert Dice(FaultPlan.parse("@1:silent", played), seed=1).of_request() == half


WRONG = (
    "|lightning=0.1|reset=2|reset=-0.1|reset=x|reset|@0:reset|@x:reset|@3:|@3|@3:rest|@1:kill|default=2|reset=nan|"
    "reset=1:2|reset=0.6,stale=0.6|delay=1"
)


@pytest.mark.parametrize("text", WRONG.split("|"))
def test_an_invalid_plan_is_rejected(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        FaultPlan.parse(text)
    assert raised.value.hint

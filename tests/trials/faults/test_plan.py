"""Fault plans: grammar, shares, schedule."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.errors import UsageError
from bot.trials.faults.plan import KINDS, SOCKETS, Fault, FaultPlan, FaultSpec, is_processed
from bot.trials.simulation.faults import VIRTUAL, Dice


def drawn(text: str, number: int, seed: int = 1) -> list[Fault]:
    """Return the faults of the first requests, "" for none; a refused connection counts as a request."""
    plan = FaultPlan.parse(text, seed)
    faults: list[Fault] = []
    while len(faults) < number:
        wait_s = plan.refuse_s()
        faults.append(plan.take() or Fault("") if wait_s is None else Fault("refuse", wait_s=wait_s))
    assert plan.requests == number
    assert plan.counts == Counter(fault.kind for fault in faults if fault.kind)
    return faults


def test_shares_are_kept_and_override_the_default() -> None:
    usual = Counter(fault.kind for fault in drawn("default", 12_000))
    assert set(usual) == {"", *KINDS} and all(140 < usual[kind] < 260 for kind in KINDS), usual  # 200 +- 4 sigma
    assert drawn("default", 300, seed=5) == drawn("default", 300, seed=5) != drawn("default", 300, seed=6)
    spec = FaultSpec.parse("default=0.12,reset=0.5,refuse=0")
    assert spec.shares["reset_before"] == spec.shares["reset_after"] == 0.25, "a kind overrides both its halves"
    assert spec.shares["drip"] == pytest.approx(0.01) and spec.shares["refuse"] == 0


def test_a_schedule_is_kept_to_the_number_and_refusals_count() -> None:
    faults = drawn("@3:reset_after, @5:refuse,@6:503_after,@7:html", 8)
    shown = [f"{fault.kind} {fault.status}" for fault in faults]
    assert shown[:6] == [" 200", " 200", "reset_after 200", " 200", "refuse 200", "5xx_after 503"]
    assert shown[6] in ("html_before 200", "html_after 200") and shown[7] == " 200"
    halves = drawn("5xx=1", 400)
    assert 140 < sum(is_processed(fault.kind) for fault in halves) < 260, "a bare name is processed half the time"
    assert {fault.status for fault in halves} == {500, 502, 503, 504}
    low, high = SOCKETS.seconds["refuse"]
    assert all(low <= fault.wait_s <= high for fault in drawn("refuse=1", 50))


WRONG = (
    "|lightning=0.1|reset=2|reset=-0.1|reset=x|reset|@0:reset|@x:reset|@3:|@3|@3:rest|default=2|reset=nan|reset=1:2|"
    "delay=2:1|delay=a:b|delay=1:2:3|reset=0.6,html=0.6|delay=1:2|@3:503_during|drip=0:inf"
)


def test_an_invalid_plan_is_rejected() -> None:
    for network, plans in ((SOCKETS, WRONG), (VIRTUAL, "html=0.1|refuse=0.1:0.2|@1:kill")):
        for text in plans.split("|"):
            with pytest.raises(UsageError) as raised:
                FaultSpec.parse(text, network)
            assert raised.value.hint, text


def test_the_virtual_network_reads_the_same_grammar() -> None:
    """What does not concern a request has its own shares; default scales the requests only."""
    spec = FaultSpec.parse("default=0.32,behind=0.5,kill=1", VIRTUAL)
    assert sum(spec.shares.values()) == pytest.approx(0.32)
    assert spec.besides == {"unread": 0.1, "behind": 0.5, "kill": 1.0}
    dice = Dice(FaultSpec.parse("@2:stale,@3:refuse", VIRTUAL), 1)
    assert [dice.of_request() for _ in range(4)] == [None, "stale", "refuse", None]
    assert FaultSpec.parse("none", VIRTUAL) == FaultSpec()

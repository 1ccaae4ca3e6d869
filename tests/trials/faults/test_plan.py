"""Fault plans: grammar, shares, schedule."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.errors import UsageError
from bot.trials.faults.plan import KINDS, SOCKETS, Fault, FaultPlan, FaultSpec, is_processed
from bot.trials.simulation.faults import VIRTUAL, Dice


def drawn(text: str, number: int, seed: int = 1) -> list[Fault | None]:
    """Return the faults of the first requests; a refused connection counts as a request."""
    plan = FaultPlan.parse(text, seed)
    faults: list[Fault | None] = []
    while len(faults) < number:
        wait_s = plan.refuse_s()
        faults.append(plan.take() if wait_s is None else Fault("refuse", wait_s=wait_s))
    assert plan.requests == number
    assert plan.counts == Counter(fault.kind for fault in faults if fault)
    return faults


def test_default_is_a_fifth_of_all_requests_of_every_kind() -> None:
    counts = Counter(fault.kind for fault in drawn("default", 12_000) if fault)
    assert set(counts) == set(KINDS)
    assert all(140 < count < 260 for count in counts.values()), counts  # 200 +- 4 sigma


def test_shares_are_kept_and_override_the_default() -> None:
    counts = Counter(fault.kind for fault in drawn("default=0.12, drip=0.5, refuse=0", 10_000) if fault)
    assert 4_800 < counts["drip"] < 5_200
    assert "refuse" not in counts
    assert 60 < counts["truncate"] < 140


def test_a_schedule_is_kept_to_the_number_and_refusals_count() -> None:
    faults = drawn("@3:reset_after, @5:refuse,@6:503_after,@7:html", 8)
    assert [fault.kind if fault else None for fault in faults[:6]] == [
        None, None, "reset_after", None, "refuse", "5xx_after",
    ]  # fmt: skip
    assert faults[5] is not None and faults[5].status == 503
    assert faults[6] is not None and faults[6].kind in ("html_before", "html_after")
    assert faults[7] is None


@pytest.mark.parametrize("name", ["reset", "html", "empty", "5xx", "429"])
def test_a_bare_name_is_processed_half_the_time(name: str) -> None:
    faults = drawn(f"{name}=1", 400)
    assert 140 < sum(is_processed(fault.kind) for fault in faults if fault) < 260
    statuses = {fault.status for fault in faults if fault}
    assert statuses == {"5xx": {500, 502, 503, 504}, "429": {429}}.get(name, {200})


def test_ranges_of_seconds_are_kept() -> None:
    waits = [fault.wait_s for fault in drawn("delay=1,delay=0.05:2.0", 300) if fault]
    assert 0.05 <= min(waits) < 0.2 and 1.8 < max(waits) <= 2.0
    assert all(fault and fault.wait_s == 1.0 for fault in drawn("drip=1,drip=1:1", 5))
    low, high = SOCKETS.seconds["refuse"]
    assert all(fault and low <= fault.wait_s <= high for fault in drawn("refuse=1", 50))


def test_a_seed_repeats_a_plan() -> None:
    assert drawn("default", 300, seed=5) == drawn("default", 300, seed=5) != drawn("default", 300, seed=6)


def test_only_what_reaches_the_server_counts_as_processed() -> None:
    unseen = {kind for kind in KINDS if not is_processed(kind)}
    assert unseen == {"refuse", "reset_before", "html_before", "empty_before", "5xx_before"}


@pytest.mark.parametrize(
    "text",
    ["", "lightning=0.1", "reset=2", "reset=-0.1", "reset=x", "reset", "@0:reset", "@x:reset", "@3:", "@3", "@3:rest",
     "default=2", "reset=nan", "reset=1:2", "delay=2:1", "delay=a:b", "delay=1:2:3", "reset=0.6,html=0.6", "delay=1:2",
     "@3:503_during", "drip=0:inf"],
)  # fmt: skip
def test_an_invalid_plan_is_rejected(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        FaultPlan.parse(text)
    assert raised.value.hint


def test_a_kind_overrides_both_its_halves() -> None:
    """`reset=0.5` beside `default` is the whole share of resets."""
    spec = FaultSpec.parse("default,reset=0.5")
    assert spec.shares["reset_before"] == spec.shares["reset_after"] == 0.25
    assert spec.shares["drip"] == pytest.approx(0.2 / 12)


def test_the_virtual_network_reads_the_same_grammar() -> None:
    """What does not concern a request has its own shares; default scales the requests only."""
    spec = FaultSpec.parse("default=0.32,behind=0.5,kill=1", VIRTUAL)
    assert sum(spec.shares.values()) == pytest.approx(0.32)
    assert spec.shares["reset_after"] == pytest.approx(0.1)
    assert spec.besides == {"unread": 0.1, "behind": 0.5, "kill": 1.0}
    dice = Dice(FaultSpec.parse("@2:stale,@3:refuse", VIRTUAL), 1)
    assert [dice.of_request() for _ in range(4)] == [None, "stale", "refuse", None]
    assert dice.counts == {"stale": 1, "refuse": 1}
    assert FaultSpec.parse("none", VIRTUAL) == FaultSpec()
    for wrong in ("html=0.1", "refuse=0.1:0.2", "@1:kill"):
        with pytest.raises(UsageError):
            FaultSpec.parse(wrong, VIRTUAL)

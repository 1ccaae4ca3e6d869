"""What each ingredient of the policy for lost replies gains: the ablation of `bot/course/session/README.md`.

The unit is a lost reply of `bot.trials.simulation.single`: for each of our moves in a fault-free game, its reply is
lost once with the move processed and once without. Every variant plays its own fault-free games, so differences are
paired by game (bot, starter, seed), and their intervals are over games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.trials.simulation.chooser import Policy
from bot.trials.simulation.opponents.roster import GROUPS, group, group_of
from bot.trials.simulation.report import parted
from bot.trials.simulation.single import SingleResult, SingleTask, tasks_of
from bot.trials.simulation.single_report import counts_of, more

FULL = Policy()
VARIANTS: dict[str, Policy] = {
    "(nothing)": FULL,
    "memory of answers": Policy(uses_memory=False),
    "plan": Policy(plans=False),
    "plan beyond the next answer": Policy(deepest_plan=0),
}
"""The policy without each ingredient, by the ingredient's name."""
SETTINGS = {"first contact": 0, "after 20 games": 20}
"""Games without faults that are played first, by the name of the situation."""


def tasks(halves: Sequence[str] = GROUPS) -> list[SingleTask]:
    """Return every game of these halves, in each setting and with each variant."""
    return [
        task
        for half in halves
        for train in SETTINGS.values()
        for policy in VARIANTS.values()
        for task in tasks_of(list(group(half)), train=train, policy=policy)
    ]


def markdown(results: Iterable[SingleResult]) -> str:
    """Return the table for `bot/course/session/README.md`."""
    parts = parted(results, lambda result: (group_of(result.task.bot), result.task.train, result.task.policy))
    lines = []
    for half in sorted({half for half, _, _ in parts}, key=GROUPS.index):
        rows = [
            f"| {name} | {' | '.join(_cell(parts, half, train, policy) for train in SETTINGS.values())} |"
            for name, policy in VARIANTS.items()
        ]
        whole = [parts[half, train, FULL] for train in SETTINGS.values()]
        lines += [
            f"Losses per 100 lost replies, {half} half. In brackets: how many more than with the whole policy, and its "
            "95 % interval.",
            "",
            f"| without | {' | '.join(SETTINGS)} |",
            f"|---|{'---|' * len(SETTINGS)}",
            *rows,
            "",
            f"Lost replies of the whole policy: {' / '.join(str(_counts(part)[1]) for part in whole)}.",
            "",
        ]
    return "\n".join(lines)


def _cell(parts: dict[tuple[str, int, Policy], list[SingleResult]], half: str, train: int, policy: Policy) -> str:
    results = parts[half, train, policy]
    lost, replies = _counts(results)
    value = f"{100 * lost / replies:.2f}"
    if policy == FULL:
        return f"**{value}**"
    excess = more(results, parts[half, train, FULL])
    low, high = excess["interval"]
    return f"{value} ({excess['value']:+.2f}; {low:+.2f} to {high:+.2f})"


def _counts(results: Iterable[SingleResult]) -> tuple[int, int]:
    lost, replies = zip(*(counts_of(result) for result in results), strict=True)
    return sum(lost), sum(replies)

"""The ledger as text: every sentence is made from a verdict and its numbers, so that none can contradict them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.lab.experiments.base import markdown_table
from bot.lab.experiments.inference import LEVEL
from bot.lab.experiments.ledger.catalogue import SOURCES
from bot.lab.experiments.ledger.claim import VERDICTS, Exact, Finding, Judged, Part, Readings, Sampled, Verdict

HEADINGS: dict[Verdict, str] = {
    "refuted": "Statements that the data refute",
    "supported": "Statements that the data support",
    "undecided": "Statements that the data do not decide",
    "not testable": "Statements that cannot be tested here",
}
WORDS: dict[Finding, str] = {"holds": "as claimed", "fails": "against the claim", "open": "not decided"}
METHOD = (
    "Every statement has a test, named beside it; its verdict is computed. A comparison without chance (counts, moves,"
    " printed numbers) decides alone. A comparison of a sample has a 95 % interval and a p-value at the boundary that"
    " the statement names; the p-values of all samples in this ledger are adjusted together by Holm's method, which"
    f" bounds the chance of even one false verdict by {LEVEL:g} whatever the dependence between the tests (the"
    " statements share games). A statement is refuted if one of its comparisons fails, supported if all hold, and"
    " undecided otherwise. Games that repeat each other (the same players, the same order, the same moves) count once"
    " in the size of a sample, from which its interval follows."
    " A statement on a program that the paper does not define is judged over its readings: supported if it holds in all"
    " of them; otherwise undecided, even if it holds in none, because the paper's program may be another one."
)


def sentence(part: Part, finding: Finding, p_value: float | None) -> str:
    """Return one comparison with its numbers and what it shows."""
    if isinstance(part, Exact):
        return f"{part.label}: {part.shown} ({WORDS[finding]})"
    if isinstance(part, Readings):
        return f"{part.label}: {part.agreeing or 'none'} of {part.readings} ({WORDS[finding]})"
    found, digits = part.estimate, part.digits
    value, low, high = (f"{number:.{digits}f}" for number in (found.value, found.low, found.high))
    size = f"{found.size} {part.unit}"
    return f"{part.label}: {value} ({low} to {high}; {size}), claimed {_claimed(part)}: {_with_p(finding, p_value)}"


def _claimed(part: Sampled) -> str:
    if part.above is not None and part.below is not None:
        return f"{part.above:.2f} to {part.below:.2f}"
    return f"above {part.above:.3g}" if part.above is not None else f"below {part.below:.3g}"


def _with_p(finding: Finding, p_value: float | None) -> str:
    if p_value is None:
        return WORDS[finding]
    return f"{WORDS[finding]}, p {'< 0.001' if p_value < 0.001 else f'= {p_value:.3f}'}"


def evidence(judged: Judged) -> str:
    """Return what decides a claim, as one paragraph."""
    if judged.missing:
        return f"Not run: {', '.join(judged.missing)}."
    if judged.claim.parts is None:
        return judged.claim.test
    return ". ".join(sentence(*part)[:1].upper() + sentence(*part)[1:] for part in judged.parts) + "."


def counts(judged: Sequence[Judged]) -> str:
    """Return the table of verdicts by source."""
    rows: list[list[object]] = []
    for source in SOURCES:
        verdicts = [each.verdict for each in judged if each.claim.source == source]
        rows.append([source, *(verdicts.count(verdict) for verdict in VERDICTS), len(verdicts)])
    total = [each.verdict for each in judged]
    rows.append(["all", *(total.count(verdict) for verdict in VERDICTS), len(total)])
    return markdown_table(rows, ["source", *VERDICTS, "statements"])


def ledger_markdown(judged: Sequence[Judged]) -> list[str]:
    """Return the ledger as paragraphs of Markdown: method, counts, and the statements by verdict."""
    parts = ["## Ledger of statements", METHOD, counts(judged)]
    header = ["source, section", "statement", "published", "goal", "evidence", "test"]
    for verdict in ("refuted", "supported", "undecided", "not testable"):
        chosen = [each for each in judged if each.verdict == verdict]
        rows = [
            [
                f"{each.claim.source}, {each.claim.section}",
                each.claim.says,
                each.claim.published,
                each.claim.goal,
                evidence(each),
                each.claim.test,
            ]
            for each in chosen
        ]
        columns = header[:4] + (["reason"] if verdict == "not testable" else header[4:])
        if rows:
            width = len(columns)
            parts += [f"### {HEADINGS[verdict]} ({len(rows)})", markdown_table([row[:width] for row in rows], columns)]
    return parts


def ledger_json(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Return the ledger as JSON, one object for each claim."""
    return [
        {
            "key": each.claim.key,
            "source": each.claim.source,
            "section": each.claim.section,
            "statement": each.claim.says,
            "published": each.claim.published,
            "goal": each.claim.goal,
            "test": each.claim.test,
            "verdict": each.verdict,
            "evidence": [sentence(*part) for part in each.parts],
            "not_run": list(each.missing),
        }
        for each in judged
    ]

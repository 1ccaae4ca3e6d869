"""The report of a gauntlet in words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.game import Board, parse_moves
from bot.game.notation import column_name
from bot.lab.gauntlet.losses import Loss, lost_before, plainest, position_of
from bot.lab.gauntlet.passing import GOAL, in_percent
from bot.lab.gauntlet.rules import COURSE_LIMIT

SHOWN = 5
"""Losses that are shown with their board; all are in --json and on the page."""
SEEN_BY = {"make four": "1 ply", "block four": "2 plies", "double threat": "3 plies"}
"""Plies after which a search without faults is right."""


def lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a report."""
    yield f"{report['agent']}, version {report['version']}"
    yield from _rules(report["rules"], report["failed"])
    if report["is_hopeless"]:
        yield "More than half of the answers failed, so no game was played. Mend that first."
        return
    yield from _strength(report)
    yield f"Will I pass? {GOAL} games in a row without a loss:"
    for each in report["passes"]:
        yield f"  {each['bot']} ({each['about']}): {each['text']}"
    yield from _losses(report)
    yield from _versions(report)
    yield from report["notes"]


def _rules(rules: Mapping[str, Any], failed: int) -> Iterator[str]:
    kept = "all answers are legal" if not failed else f"{failed} answers failed"
    memory = "" if rules["memory"] is None else f", memory {rules['memory'] / 1e6:.0f} MB"
    times = f"mean {rules['mean_s']:.3f} s, slowest {rules['worst_s']:.3f} s of {COURSE_LIMIT.hard_s:g} s"
    yield f"Rules: {rules['asked']} positions, {kept}; {times}{memory}."
    for error, count in list(rules["errors"].items())[:SHOWN]:
        yield f"  {count} x {error}"
    if rules["changed"]:
        yield "  It changed the board that it was given: harmless here, but wrong where the board is the game's own."
    if failed == rules["asked"]:
        return
    chance = "got different moves: it has chance" if rules["has_chance"] else "got equal moves"
    yield f"  Equal positions {chance}."
    missed = {what: (right, asked) for what, (right, asked) in rules["sight"].items() if right < asked}
    if not missed:
        yield "  It makes and blocks every four at once, in all directions, and plays every double threat."
    for what, (right, asked) in missed.items():
        plies = SEEN_BY[what.partition(",")[0]]
        yield f"  {what}: {right} of {asked} (a search that sees {plies} finds all)"


def _strength(report: Mapping[str, Any]) -> Iterator[str]:
    elo, kept = report["elo"], dict(report["kept"])
    error = (elo["high"] - elo["low"]) / 2
    scale = "random 0, depth3 952, level 9 1394"
    yield f"Strength: Elo {elo['value']:.0f} +- {error:.0f} in {elo['size']} games ({scale})."
    for opponent, points in report["by_opponent"].items():
        if points:
            counts = f"won {points.count(1)}, drawn {points.count(0.5)}, lost {points.count(0)}"
            yield f"  {opponent}: {counts}"
    whole = kept.pop("all")
    phases = ", ".join(f"{phase} {_percent(each)}" for phase, each in kept.items())
    yield f"  Keeps the outcome in {_percent(whole)} of {whole['size']} judged positions ({phases})."


def _losses(report: Mapping[str, Any]) -> Iterator[str]:
    losses, shown = report["losses"], list[str]()
    if not losses:
        yield "Why did it lose? It lost no game, and drew none that it had won."
        return
    lost = sum(loss["result"] == 0 for loss in losses)
    drawn = f", and {len(losses) - lost} drawn that it had won" if lost < len(losses) else ""
    yield f"Why did it lose? {lost} games lost{drawn}; repeated games count once:"
    for each in (*report["groups"], *({"text": text} for text in report["common"])):
        yield f"  {each['text']}"
    for group in report["groups"]:
        loss = losses[group["games"][0]]
        if (loss["column"] is not None or loss["plain"]) and len(shown) < SHOWN:
            shown.append(group["name"])
            yield from _loss(loss)


def _loss(loss: Loss) -> Iterator[str]:
    """Yield the lines about one game, at its plainest mistake."""
    result = "drew" if loss["result"] else "lost"
    starts = "it started" if loss["starts"] else f"{loss['opponent']} started"
    at = plainest(loss)
    yield ""
    yield f"The game that it {result} against {loss['opponent']} ({starts}): {loss['moves']}"
    board = Board.from_moves(parse_moves(position_of(loss["moves"], at["ply"])))
    yield str(board)
    right = ", ".join(map(column_name, at["right"]))
    played = f"played column {column_name(at['column'])} in move {at['ply'] + 1}"
    yield f"{'XO'[board.ply % 2]}, your agent, {played}; right: {right}."
    yield at["text"]
    if at["reason"]:
        yield f"{at['reason']} (line: {' '.join(map(column_name, at['line']))})"
    if at["depth"] is not None:
        score = "" if at["score"] is None else f", score {at['score']:g}"
        line = " ".join(map(column_name, at["pv"]))
        yield f"It said: depth {at['depth']}{score}, line {line}; a search has to see {at['needs']} plies here."
    if before := lost_before(loss):
        yield before


def _versions(report: Mapping[str, Any]) -> Iterator[str]:
    tests, before = report["tests"], report["before"]
    if tests is not None:
        yield f"Its own test set, positions in which earlier versions lost: {own_tests_text(tests)}."
    if before is None:
        return
    yield f"Against the version before ({before['version']}, {before['made']}): {before['verdict']}."
    if before["copy"]:
        yield f"  To test further: bot match {report['agent']} {before['copy']} --random-plies 6 --sprt 0,50"
    if before["is_quick"] != report["is_quick"]:
        yield "  Elo, outcome kept and passing are not compared: one of the two runs was --quick."
        return
    if before["elo"] and report["elo"]:
        yield f"  Elo {_rating(before['elo'])} -> {_rating(report['elo'])}"
        yield f"  outcome kept {_percent(before['kept']['all'])} -> {_percent(report['kept']['all'])}"
    old = {each["bot"]: each for each in before["passes"]}
    for each in report["passes"]:
        if each["bot"] in old:
            yield f"  passing {each['bot']} {_chance(old[each['bot']])} -> {_chance(each)}"


def _rating(elo: Mapping[str, Any]) -> str:
    return f"{elo['value']:.0f} ({elo['low']:.0f} to {elo['high']:.0f})"


def _chance(passing: Mapping[str, Any]) -> str:
    value, low, high = (in_percent(passing[name]) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def own_tests_text(tests: Mapping[str, int]) -> str:
    """Return "11 of 14 now right, 1 that was right is wrong again"."""
    text = f"{tests['right']} of {tests['of']} now right"
    again = tests["again_wrong"]
    if again:
        text += f", {again} that {'was' if again == 1 else 'were'} right {'is' if again == 1 else 'are'} wrong again"
    return text


def _percent(estimate: Mapping[str, float]) -> str:
    return f"{100 * estimate['value']:.0f} %"

"""The report of a gauntlet in words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.game import Board, parse_moves
from bot.game.notation import column_name
from bot.gauntlet.losses import Loss, lost_before, plainest, position_of
from bot.gauntlet.passing import GOAL, OPEN, in_percent
from bot.gauntlet.sight import COURSE_LIMIT

SHOWN = 3
"""Losses that are shown with their board; all are in --json and on the page."""


def lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a report."""
    given = f"; {report['given']}" if report["given"] else ""
    yield f"{report['agent']}, version {report['version']}{given}"
    if report["rules"]["is_hopeless"]:
        yield "All of its answers failed, so no game was played."
    else:
        yield f"Will I pass? {GOAL} games in a row without a loss:"
        for each in report["passes"]:
            yield f"  {each['bot']} ({each['about']}): {each['text']}"
        if any(each["verdict"] == OPEN and each["minutes"] for each in report["passes"]):
            yield f"  The same command goes on; `bot gauntlet {report['agent']}` plays until the answer is known."
    yield from _findings(report)
    yield from _rules(report["rules"])
    yield from _losses(report)
    yield from _before(report)


def _findings(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong: the first finding with its position and the commands that show it, the others in words."""
    if not report["findings"]:
        yield "What is wrong? No slip was found."
        return
    first, *others = report["findings"]
    lost = sum(loss["result"] == 0 for loss in report["losses"])
    games = f" Seen in {first['lost']} of its lost games." if first["lost"] and lost else ""
    yield f"What is wrong? {first['text']}{games}"
    for case in first["positions"][:1]:
        board = Board.from_moves(parse_moves(case["moves"]))
        yield str(board)
        played = "" if case["column"] is None else f" plays column {column_name(case['column'])}"
        right = ", ".join(map(column_name, case["right"]))
        told = f"{played}; right: {right}" if right else f": {case.get('error', played)}"
        yield f"{'XO'[board.ply % 2]}, your agent,{told}".replace(",:", ":").removesuffix(".") + "."
        yield f"  to see it: bot move '{report['agent']}' {case['moves']}; what is right: bot analyse {case['moves']}"
    if len(first["positions"]) > 1:
        yield f"  more positions: {', '.join(case['moves'] for case in first['positions'][1:4])}; all are in --json."
    for each in others:
        yield f"  Also: {each['text']}"


def _rules(rules: Mapping[str, Any]) -> Iterator[str]:
    kept = "all answers are legal" if not rules["failed"] else f"{rules['failed']} answers failed"
    times = f"mean {rules['mean_s']:.3f} s, slowest {rules['worst_s']:.3f} s of {COURSE_LIMIT.hard_s:g} s"
    chance = "got different moves: it has chance" if rules["has_chance"] else "got equal moves"
    yield f"Rules: {rules['asked']} positions, {kept}; {times}. Equal positions {chance}."
    if rules["changed"]:
        yield "  It changed the board that it was given: harmless here, but wrong where the board is the game's own."
    sight = [f"{kind} {right} of {asked}" for kind, (right, asked) in rules["sight"].items() if asked]
    if sight:
        yield f"  What it sees: {', '.join(sight)}."


def _losses(report: Mapping[str, Any]) -> Iterator[str]:
    losses, shown = report["losses"], list[str]()
    if not losses:
        return
    lost = sum(loss["result"] == 0 for loss in losses)
    drawn = f", and {len(losses) - lost} drawn that it had won" if lost < len(losses) else ""
    yield f"Lost games: {lost} explained{drawn}; repeated games count once:"
    for each in report["groups"]:
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


def _before(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield how the version before passed."""
    before = report["before"] or {"passes": []}
    old = {each["bot"]: each for each in before["passes"]}
    for each in report["passes"]:
        if each["bot"] in old:
            one, two = (_chance(passing) for passing in (old[each["bot"]], each))
            yield f"Passing {each['bot']}, version {before['version']} -> {report['version']}: {one} -> {two}"


def _chance(passing: Mapping[str, Any]) -> str:
    value, low, high = (in_percent(passing[name]) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"

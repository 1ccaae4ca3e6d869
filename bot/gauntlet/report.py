"""The report of a gauntlet in words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.game import Board, parse_moves
from bot.game.notation import column_name, with_count
from bot.gauntlet.passing import GOAL, OPEN
from bot.gauntlet.sight import COURSE_LIMIT


def lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a report."""
    given = f"; {report['given']}" if report["given"] else ""
    yield f"{report['agent']}, version {report['version']}{given}"
    if report["is_stopped"]:
        yield "Ctrl-C ended it early: this is what is known so far. The same command goes on."
    if report["rules"]["is_hopeless"]:
        yield "All of its answers failed, so no game was played."
    else:
        yield f"Will I pass? {GOAL} games in a row without a loss:"
        for each in report["passes"]:
            yield f"  {each['bot']} ({each['about']}): {each['text']}"
        if any(each["verdict"] == OPEN and each["minutes"] for each in report["passes"]):
            yield f"  The same command goes on; `bot gauntlet {report['agent']}` plays until the answer is known."
    yield from _findings(report)
    yield from _lost(report)
    yield from _rules(report["rules"])


def _findings(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong: the first finding with its position and the commands that show it, the others in words."""
    if not report["findings"]:
        yield "What is wrong? That is not known yet." if report["is_stopped"] else "What is wrong? No slip was found."
        return
    first, *others = report["findings"]
    yield f"What is wrong? {first['text']}"
    for case in first["positions"][:1]:
        board = Board.from_moves(parse_moves(case["moves"]))
        yield str(board)
        played = "" if case["column"] is None else f" plays column {column_name(case['column'])}"
        right = ", ".join(map(column_name, case["right"]))
        told = f"{played}; right: {right}" if right else f": {case.get('error', played)}"
        yield f"{'XO'[board.ply % 2]}, your agent,{told}".replace(",:", ":").removesuffix(".") + "."
        moves = case["moves"] or '""'
        yield f"  to see it: bot move '{report['agent']}' {moves}; what is right: bot analyse {moves}"
    if more := [case["moves"] or '""' for case in first["positions"][1:]]:
        yield f"  {with_count(len(more), 'position')} like it ({', '.join(more[:3])}); --json and the page have all."
    for each in others:
        yield f"  Also: {each['text']}"


def _lost(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield why games were lost, in groups: equal games count once."""
    if report["groups"]:
        counts, explained = report["counts"], len(report["losses"])
        known = "" if explained == counts["different"] else f", {explained} explained so far"
        different = f"{with_count(counts['different'], 'different one')} (equal moves count once){known}"
        yield f"It lost {counts['lost']} of {with_count(counts['games'], 'game')}: {different}. Why:"
        for group in report["groups"]:
            yield f"  {group['text']}"


def _rules(rules: Mapping[str, Any]) -> Iterator[str]:
    kept = "all answers are legal" if not rules["failed"] else f"{with_count(rules['failed'], 'answer')} failed"
    times = f"mean {rules['mean_s']:.3f} s, slowest {rules['worst_s']:.3f} s of {COURSE_LIMIT.hard_s:g} s"
    chance = {True: "got different moves: it has chance", False: "got equal moves", None: "were not asked yet"}
    asked = with_count(rules["asked"], "position")
    yield f"Rules: {asked}, {kept}; {times}. Equal positions {chance[rules['has_chance']]}."
    if rules["changed"]:
        yield "  It changed the board that it was given: harmless here, but wrong where the board is the game's own."
    sight = [f"{kind} {right} of {asked}" for kind, (right, asked) in rules["sight"].items() if asked]
    if sight:
        yield f"  What it sees: {', '.join(sight)}."

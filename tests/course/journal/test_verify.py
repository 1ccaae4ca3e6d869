"""What verification finds: every tampering with a journal, by the session again or by the server's plain rules."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.course.events import Replied
from bot.course.journal.games import game_problems
from bot.course.journal.journal import parse_journal
from tests.course.journal.build import WIN, as_grid, recorded
from tests.course.session.build import LAST_DISC_FOUR


def problems(content: bytes) -> list[str]:
    journal = parse_journal(content)
    return [*journal.problems, *(text for game in journal.games for text in game_problems(game))]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"botmove":0', '"botmove":5'),
        ('"move":3,"game":1,"ply":2', '"move":2,"game":1,"ply":2'),
        ("[-1,0,0,1,0,0,0]]", "[-1,0,0,1,0,0,1]]"),
        ("[-1,0,0,1,0,0,0]]", "[-1,0,0,1,0,0,0],[]]"),
        ('"result":1.0,"known_by"', '"result":0.5,"known_by"'),
        ('"result":1.0,"state"', '"result":0.5,"state"'),
        ('"moves":[3,0,3,0,3,0,3]', '"moves":[3,0,3,0,3,0,4]'),
        ('"we_started":true', '"we_started":false'),
        ('"type":"replied"', '"type":"reply_all"'),
    ],
)
def test_every_tampering_is_found_and_placed(before, after):
    content = recorded(WIN)
    changed = content.replace(before.encode(), after.encode(), 1)
    found = problems(changed)
    assert (found or parse_journal(changed).damaged) and problems(content) == []
    assert all(text.startswith(("Line ", "Move ", "The ")) and text.endswith(".") for text in found)


@pytest.mark.parametrize("following", ["d: dadada", "d: dada; d: +a"], ids=["processed", "not processed"])
def test_a_record_that_is_removed_or_doubled_is_missed(following):
    script = f"counted 0 0 0; new: .; d: +a; d: lost reset; settled 0 0 0; {following}; d: +; counted 1 1 0"
    lines = recorded(script).splitlines(keepends=True)
    assert problems(b"".join(lines)) == []
    for index, line in enumerate(lines[:-2]):  # nothing after the last reading depends on it
        kind = json.loads(line)["type"]
        if kind == "started":
            continue
        assert problems(b"".join(lines[:index] + lines[index + 1 :])), line
        if kind != "counted":  # two equal readings are as good as one, and the fourth edition writes some
            assert problems(b"".join(lines[: index + 1] + lines[index:])), line


@pytest.mark.parametrize(
    "rows", ["...X... O......", "....... OXXX...", "....... O....X."], ids=["floats", "too many", "elsewhere"]
)
def test_the_servers_rules_see_what_an_error_in_the_bitboards_would_hide(rows):
    (game,) = parse_journal(recorded(WIN)).games
    shown = [[{"X": 1, "O": -1, ".": 0}[cell] for cell in row] for row in rows.split()]
    outcome = game.steps[1].outcome
    assert isinstance(outcome, Replied)
    reply = replace(outcome.reply, state=as_grid([[0] * 7] * 4 + shown))
    game.steps[1].outcome = replace(outcome, reply=reply)
    assert "Move 1: the moves do not lead to the board." in game_problems(game)


@pytest.mark.parametrize(("result", "is_possible"), [(0.5, True), (1.0, True), (-1.0, False)])
def test_a_four_by_the_42nd_disc_may_be_a_draw_or_a_win(result, is_possible):
    first, rest = LAST_DISC_FOUR[:2], LAST_DISC_FOUR[2:]
    (game,) = parse_journal(recorded(f"counted 0 0 0; new: {first}; play {rest}; b: + result=0.5")).games
    assert game.ended is not None and (game.result, len(game.moves), game_problems(game)) == (0.5, 42, [])
    game.ended = replace(game.ended, result=result)
    assert (f"The result {result:g} does not follow from the last board." in game_problems(game)) != is_possible
    for moves in (game.ended.moves[:-1], (*game.ended.moves, 0)):
        game.ended = replace(game.ended, moves=moves)
        assert "The moves at the game's end do not lead to the last board." in game_problems(game)

"""The board rebuilt from replies: every contradiction is found, every legal continuation is accepted."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.server import rules
from bot.course.session.events import Replied
from bot.course.session.position import Position, after_move, continues, opening, shown
from tests.course.session.build import COLUMNS, DRAWN_GAME, LAST_DISC_FOUR, outcome, position


def reply(text: str, known: str = ".", move: str = "") -> MoveReply:
    """Return a reply in the notation of `build.py`, and after a comma changed cells, such as "c1x" or "c1."."""
    form, _, cells = text.partition(", ")
    event = outcome(form, position(known), COLUMNS.index(move) if move else NEW_GAME)
    assert isinstance(event, Replied)
    if not cells:
        return event.reply
    grid = [list(row) for row in event.reply.state or ()]
    for cell in cells.split():
        grid[6 - int(cell[1])][COLUMNS.index(cell[0])] = {".": 0, "o": 1, "x": -1}[cell[2]]
    return replace(event.reply, state=tuple(map(tuple, grid)))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("has_state", [True, False])
def test_any_game_by_the_servers_plain_rules_is_followed_to_its_end(seed: int, has_state: bool) -> None:
    chance, grid, bot = random.Random(seed), rules.empty_grid(), -1
    if seed % 2:
        bot = chance.randrange(7)
        rules.drop(grid, bot, rules.BOT)
    known = opening(MoveReply(True, "x", bot, 0.0, tuple(map(tuple, grid))))
    while known is not None and known.result is None:
        ours, bot = chance.choice(rules.playable(grid)), -1
        rules.drop(grid, ours, rules.STUDENT)
        result = rules.result_after(grid, rules.STUDENT)
        if result is None:
            bot = chance.choice(rules.playable(grid))
            rules.drop(grid, bot, rules.BOT)
            result = rules.result_after(grid, rules.BOT)
        plain = tuple(map(tuple, grid))
        known = after_move(known, ours, MoveReply(True, None, bot, result or 0.0, plain if has_state else None))
        assert known is not None
        assert (known.grid, known.result, known.bot_column) == (plain, result, None if bot == -1 else bot)
    assert known is not None
    assert len(known.moves) == known.board.ply


CONFLICTING_OPENINGS = [
    ". result=1", ". botmove=d", "., d1o", "., d1x", ". botmove=c, d1x", ". botmove=d, d2x", ". botmove=d, c1x d1x",
]  # fmt: skip


@pytest.mark.parametrize("text", CONFLICTING_OPENINGS)
def test_an_opening_is_an_empty_board_or_one_disc_of_the_bot(text: str) -> None:
    assert opening(reply(text)) is None


CONFLICTS = {
    "our disc is missing": "ddce, c1.",
    "the bot's disc is missing": "ddce, e1.",
    "the bot has not answered": "ddce botmove=-1, e1.",
    "our disc is the bot's": "ddce, c1x",
    "a disc floats": "ddce, a6x",
    "one disc too many": "ddce, a1x",
    "a known disc has changed": "ddce, d1x",
    "a known disc is gone": "ddce, d2.",
    "the bot's column is another": "ddce botmove=f",
    "the bot's column is none": "ddce botmove=-1",
    "a win that is none": "ddce result=1",
    "a loss that is none": "ddce result=-1",
    "a draw that is none": "ddce result=0.5",
    "nothing is shown": "null",
    "no board and no column": "null botmove=-1",
    "the old board": "dd",
    "an empty board": ".",
}


@pytest.mark.parametrize("text", CONFLICTS.values(), ids=CONFLICTS)
def test_a_reply_that_does_not_continue_the_game_is_a_conflict(text: str) -> None:
    assert after_move(position("dd"), COLUMNS.index("c"), reply("ddce")) == position("ddce")
    assert after_move(position("dd"), COLUMNS.index("c"), reply(text)) is None


ENDS: list[tuple[str, str, str, float | None]] = [
    ("ababab", "a", "+ state=no result=no", 1.0),
    ("ababab", "a", "+ result=-1", None),
    ("ababab", "a", "+ state=no result=0.5", None),
    ("ababab", "a", "+ result=0", None),
    ("^ababa", "g", "+a result=no", -1.0),
    ("^ababa", "g", "+a result=1", None),
    (f"^{DRAWN_GAME[:-1]}", "g", "+ result=no", 0.5),
    (LAST_DISC_FOUR, "b", "+ result=-1", None),
]


@pytest.mark.parametrize(("known", "move", "text", "result"), ENDS)
def test_the_board_decides_how_a_game_ends_and_the_result_must_agree(
    known: str, move: str, text: str, result: float | None
) -> None:
    after = after_move(position(known), COLUMNS.index(move), reply(text, known, move))
    assert (after and after.result) == result


def test_without_a_board_the_bots_column_must_be_legal() -> None:
    known = position("aaaaaa")
    assert after_move(known, 1, reply("null botmove=c")) == known.play(1).play(2)
    assert after_move(known, 1, reply("null botmove=a")) is None


SHOWN = [
    (".", position(".")), ("ddce", position("ddce")), ("^c", position("^c")), ("null", None), ("., d2x", None),
    ("d", None), ("ddce result=1", None), ("abababa", None), ("abababa result=0", None), ("abababgb result=0", None),
    (f"{DRAWN_GAME} result=0", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "known"), SHOWN)
def test_a_board_by_itself_shows_a_running_position_in_which_we_are_to_move(text: str, known: Position | None) -> None:
    found = shown(reply(text))
    assert found == known
    assert found is None or found.moves == ()


CONTINUED = [
    ("dd", "ddce", True), ("ddc", "ddce", True), ("ddc", "ddcec", True), (".", "dd", True), ("dd", "dd", True),
    ("dc", "cddc", False), ("ddc", "ddec", False), ("ddce", "dd", False), ("ddf", "ddce", False),
]  # fmt: skip


@pytest.mark.parametrize(("known", "later", "holds"), CONTINUED)
def test_a_later_board_holds_all_discs_of_the_one_before(known: str, later: str, holds: bool) -> None:
    assert continues(position(known).board, position(later)) is holds

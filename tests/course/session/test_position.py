"""The board rebuilt from replies: every contradiction is found, every legal continuation is accepted."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.course.protocol import MoveReply
from bot.course.server import rules
from bot.course.session.position import (
    EMPTY,
    Position,
    after_move,
    continues,
    opening,
    shown,
)
from tests.course.session.build import QUIRK, WINNING, grid_of, position, reply_at

BARE = tuple(tuple([0] * 7) for _ in range(6))
KNOWN = position((3, 3))
GOOD = position((3, 3, 2, 4))
REPLY = MoveReply(True, None, 4, 0.0, grid_of(GOOD))
FULL = [int(column) - 1 for column in "121212212121343434434343565656656565777777"]
"""A full board without a four."""


def frozen(grid: rules.Grid) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in grid)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("has_state", [True, False])
def test_any_game_of_the_plain_grid_is_followed_to_its_end(seed: int, has_state: bool) -> None:
    chance, grid = random.Random(seed), rules.empty_grid()
    column = -1
    if chance.random() < 0.5:
        column = chance.randrange(7)
        rules.drop(grid, column, rules.BOT)
    known = opening(MoveReply(True, "x", column, 0.0, frozen(grid)))
    assert known is not None
    assert known.bot_column == (None if column == -1 else column)
    while known.result is None:
        assert known.grid == frozen(grid)
        ours = chance.choice(rules.playable(grid))
        rules.drop(grid, ours, rules.STUDENT)
        result, bot = rules.result_after(grid, rules.STUDENT), -1
        if result is None:
            bot = chance.choice(rules.playable(grid))
            rules.drop(grid, bot, rules.BOT)
            result = rules.result_after(grid, rules.BOT)
        reply = MoveReply(True, None, bot, 0.0 if result is None else result, frozen(grid) if has_state else None)
        known = after_move(known, ours, reply)
        assert known is not None
        assert known.result == result
        assert known.bot_column == (None if bot == -1 else bot)
    assert len(known.moves) == known.board.ply == sum(cell != 0 for row in grid for cell in row)


# Openings


@pytest.mark.parametrize(
    ("reply", "expected", "bot_column"),
    [
        (MoveReply(True, "New game initiated"), EMPTY, None),
        (MoveReply(True, None, -1, 0.0, None), EMPTY, None),
        (MoveReply(True, None, -1, 0.0, BARE), EMPTY, None),
        (MoveReply(True, None, None, None, BARE), EMPTY, None),
        (MoveReply(True, None, 5, 0.0, None), position([5], we_start=False), 5),
        (MoveReply(True, None, 5, 0.0, (*BARE[:5], (0, 0, 0, 0, 0, -1, 0))), position([5], we_start=False), 5),
        (MoveReply(True, None, None, 0.0, (*BARE[:5], (-1, 0, 0, 0, 0, 0, 0))), position([0], we_start=False), 0),
    ],
)
def test_an_opening_is_an_empty_board_or_one_disc_of_the_bot(
    reply: MoveReply, expected: Position, bot_column: int | None
) -> None:
    known = opening(reply)
    assert known is not None
    assert known == expected
    assert (known.bot_column, known.moves) == (bot_column, expected.moves)


@pytest.mark.parametrize(
    "reply",
    [
        MoveReply(True, None, -1, 1.0, BARE),
        MoveReply(True, None, 3, 0.0, BARE),
        MoveReply(True, None, -1, 0.0, (*BARE[:5], (0, 0, 0, 1, 0, 0, 0))),
        MoveReply(True, None, 2, 0.0, (*BARE[:5], (0, 0, 0, -1, 0, 0, 0))),
        MoveReply(True, None, -1, 0.0, (*BARE[:5], (0, 0, 0, -1, 0, 0, 0))),
        MoveReply(True, None, 3, 0.0, (*BARE[:4], (0, 0, 0, -1, 0, 0, 0), BARE[5])),
        MoveReply(True, None, 3, 0.0, (*BARE[:5], (0, 0, -1, -1, 0, 0, 0))),
    ],
    ids=["ended", "botmove without disc", "our disc", "other column", "no botmove", "floating", "two discs"],
)
def test_an_opening_that_makes_no_sense_is_a_conflict(reply: MoveReply) -> None:
    assert opening(reply) is None


# Moves


def moved(known: Position, column: int, reply: MoveReply) -> Position:
    after = after_move(known, column, reply)
    assert after is not None
    return after


def changed(*cells: tuple[int, int, int]) -> MoveReply:
    """Return the good reply with (row, column, disc) changed."""
    grid = [list(row) for row in GOOD.grid]
    for row, column, disc in cells:
        grid[row][column] = disc
    return replace(REPLY, state=frozen(grid))


@pytest.mark.parametrize(
    "reply",
    [
        changed((5, 2, 0)),
        changed((5, 4, 0)),
        replace(changed((5, 4, 0)), botmove=-1),
        changed((5, 2, -1)),
        changed((0, 0, -1)),
        changed((5, 0, -1)),
        changed((5, 3, -1)),
        changed((4, 3, 0)),
        replace(REPLY, botmove=5),
        replace(REPLY, botmove=-1),
        replace(REPLY, result=1.0),
        replace(REPLY, result=-1.0),
        replace(REPLY, result=0.5),
        replace(REPLY, state=None, botmove=None),
        replace(REPLY, state=None, botmove=-1),
        replace(REPLY, state=grid_of(KNOWN)),
        replace(REPLY, state=BARE),
    ],
    ids=[
        "our disc is missing", "the bot's disc is missing", "the bot has not answered", "our disc is the bot's",
        "a disc floats", "one disc too many", "a known disc changed", "a known disc is gone", "botmove elsewhere",
        "botmove none", "a win that is none", "a loss that is none", "a draw that is none", "nothing at all",
        "no board and no botmove", "the old board", "an empty board",
    ],
)  # fmt: skip
def test_a_board_that_does_not_continue_ours_is_a_conflict(reply: MoveReply) -> None:
    assert after_move(KNOWN, 2, REPLY) == GOOD, "the unchanged reply is fine"
    assert after_move(KNOWN, 2, reply) is None


def test_without_a_board_the_bots_column_must_be_legal() -> None:
    known = position((0, 0, 0, 0, 0, 0))
    assert moved(known, 1, MoveReply(True, None, 2, 0.0)).board == known.play(1).play(2).board
    assert after_move(known, 1, MoveReply(True, None, 0, 0.0)) is None


def test_a_win_that_the_server_denies_is_a_conflict_and_a_null_result_is_read_from_the_board() -> None:
    known = position(WINNING)
    won = reply_at(known.play(0), result=1.0)
    for state in (won.state, None):
        assert moved(known, 0, replace(won, state=state)).result == 1.0
        assert moved(known, 0, replace(won, state=state, result=None)).result == 1.0
        for result in (-1.0, 0.5, 0.0, -10.0):
            assert after_move(known, 0, replace(won, state=state, result=result)) is None


def test_an_answer_that_wins_is_a_loss() -> None:
    known = position(WINNING[:5], we_start=False)
    over = known.play(6).play(0)
    assert moved(known, 6, reply_at(over, botmove=0, result=-1.0)).result == -1.0
    assert moved(known, 6, replace(reply_at(over, botmove=0), result=None)).result == -1.0
    assert after_move(known, 6, reply_at(over, botmove=0, result=1.0)) is None


def test_a_full_board_is_a_draw() -> None:
    known = position(FULL[:-1], we_start=False)
    assert moved(known, 6, replace(reply_at(position(FULL, we_start=False)), result=None)).result == 0.5
    assert moved(known, 6, reply_at(position(FULL, we_start=False), result=0.5)).result == 0.5


def test_a_four_by_the_42nd_disc_may_score_as_a_draw() -> None:
    known = position(QUIRK, we_start=False)
    for result, expected in ((0.5, 0.5), (1.0, 1.0), (None, 1.0)):
        assert moved(known, 1, replace(reply_at(known.play(1)), result=result)).result == expected
    assert after_move(known, 1, reply_at(known.play(1), result=-1.0)) is None


# Boards by themselves


@pytest.mark.parametrize("known", [EMPTY, GOOD, position((2,), we_start=False)], ids=["empty", "ours", "the bot's"])
def test_a_board_shows_the_running_position_and_who_started(known: Position) -> None:
    position_shown = shown(reply_at(known))
    assert position_shown == known
    assert position_shown.moves == ()


@pytest.mark.parametrize(
    "reply",
    [
        MoveReply(True),
        MoveReply(True, None, None, 0.0, (*BARE[:4], (0, 0, 0, -1, 0, 0, 0), BARE[5])),
        reply_at(position((3,))),
        reply_at(GOOD, result=1.0),
        reply_at(position((*WINNING, 0)), result=1.0),
        reply_at(position((*WINNING, 0)), result=0.0),
        reply_at(position((*WINNING, 6, 1)), result=-1.0),
        reply_at(position((*WINNING, 6, 1)), result=0.0),
        reply_at(position(FULL), result=0.0),
    ],
    ids=[
        "no board", "floating", "the bot is to move", "over, but running", "won", "won, not said", "lost",
        "lost, not said", "full, not said",
    ],
)  # fmt: skip
def test_a_board_of_no_running_game_shows_no_position(reply: MoveReply) -> None:
    assert shown(reply) is None


@pytest.mark.parametrize(
    ("known", "later", "holds"),
    [
        ((3, 3), (3, 3, 2, 4), True),
        ((3, 3, 2), (3, 3, 2, 4), True),
        ((3, 3, 2), (3, 3, 2, 4, 2), True),
        ((3, 3), (3, 3), True),
        ((), (3, 3), True),
        ((3, 2), (2, 3, 3, 2), False),
        ((3, 3, 2), (3, 3, 4, 2), False),
        ((3, 3, 2, 4), (3, 3), False),
        ((3, 3, 5), (3, 3, 2, 4), False),
    ],
)
def test_a_later_board_holds_all_discs_of_the_one_before(
    known: tuple[int, ...], later: tuple[int, ...], holds: bool
) -> None:
    assert continues(position(known).board, position(later)) is holds


def test_the_grid_is_written_from_our_side() -> None:
    assert position((3, 2)).grid[5] == (0, 0, -1, 1, 0, 0, 0)
    assert position((3, 2, 4)).grid[5] == (0, 0, -1, 1, 1, 0, 0)
    assert position((3,), we_start=False).grid[5] == (0, 0, 0, -1, 0, 0, 0)
    assert position((3, 2), we_start=False).grid[5] == (0, 0, 1, -1, 0, 0, 0)

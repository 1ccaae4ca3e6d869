"""The board rebuilt from replies: every contradiction is seen, every legal continuation accepted."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.client.tracking import Position, after_move, opening
from bot.client.wire import BadReplyError, MoveReply
from bot.game import Board
from bot.server import rules

EMPTY = tuple(tuple([0] * 7) for _ in range(6))


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
    position = opening(MoveReply(True, "x", column, 0.0, frozen(grid)))
    while position.result is None:
        assert frozen(position.grid) == frozen(grid)
        ours = chance.choice(rules.playable(grid))
        rules.drop(grid, ours, rules.STUDENT)
        result, bot = rules.result_after(grid, rules.STUDENT), -1
        if result is None:
            bot = chance.choice(rules.playable(grid))
            rules.drop(grid, bot, rules.BOT)
            result = rules.result_after(grid, rules.BOT)
        reply = MoveReply(True, None, bot, 0.0 if result is None else result, frozen(grid) if has_state else None)
        position = after_move(position, ours, reply)
        assert position.result == result
        assert position.bot_column == (None if bot == -1 else bot)
    assert len(position.moves) == position.board.ply == sum(cell != 0 for row in grid for cell in row)


def test_the_january_2021_opening_has_no_board() -> None:
    assert opening(MoveReply(True, "New game initiated")) == Position(Board(), we_started=True)


@pytest.mark.parametrize(
    "reply",
    [
        MoveReply(True, None, -1, 1.0, EMPTY),
        MoveReply(True, None, 3, 0.0, EMPTY),
        MoveReply(True, None, -1, 0.0, (*EMPTY[:5], (0, 0, 0, 1, 0, 0, 0))),
        MoveReply(True, None, 2, 0.0, (*EMPTY[:5], (0, 0, 0, -1, 0, 0, 0))),
        MoveReply(True, None, 3, 0.0, (*EMPTY[:4], (0, 0, 0, -1, 0, 0, 0), EMPTY[5])),
        MoveReply(True, None, 3, 0.0, (*EMPTY[:5], (0, 0, -1, -1, 0, 0, 0))),
    ],
    ids=["ended", "botmove without disc", "our disc", "other column", "floating", "two discs"],
)
def test_an_opening_that_makes_no_sense_is_refused(reply: MoveReply) -> None:
    with pytest.raises(BadReplyError) as refused:
        opening(reply)
    assert refused.value.exit_code == 4


KNOWN = Position(Board(), we_started=True).play(3).play(3)
GOOD = KNOWN.play(2).play(4)
REPLY = MoveReply(True, None, 4, 0.0, frozen(GOOD.grid))


def changed(*cells: tuple[int, int, int]) -> MoveReply:
    grid = [list(row) for row in GOOD.grid]
    for row, column, disc in cells:
        grid[row][column] = disc
    return replace(REPLY, state=frozen(grid))


@pytest.mark.parametrize(
    "reply",
    [
        changed((5, 2, 0)),
        changed((5, 4, 0)),
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
        replace(REPLY, state=frozen(KNOWN.grid)),
        replace(REPLY, state=EMPTY),
    ],
    ids=[
        "our disc is missing", "the bot's disc is missing", "our disc is the bot's", "a disc floats",
        "one disc too many", "a known disc changed", "a known disc is gone", "botmove elsewhere", "botmove none",
        "a win that is none", "a loss that is none", "a draw that is none", "nothing at all", "the old board",
        "an empty board",
    ],
)  # fmt: skip
def test_a_board_that_does_not_continue_ours_is_refused(reply: MoveReply) -> None:
    assert after_move(KNOWN, 2, REPLY).board == GOOD.board, "the unchanged reply is fine"
    with pytest.raises(BadReplyError) as refused:
        after_move(KNOWN, 2, reply)
    assert "\n" not in str(refused.value)
    assert refused.value.exit_code == 4


def test_a_win_that_the_server_denies_is_refused_and_a_null_result_is_read_from_the_board() -> None:
    known = Position(Board(), we_started=True)
    for column in (0, 1, 0, 1, 0, 1):
        known = known.play(column)
    won = MoveReply(True, "The game has ended.", -1, 1.0, frozen(known.play(0).grid))
    assert after_move(known, 0, won).result == 1.0
    assert after_move(known, 0, replace(won, result=None)).result == 1.0
    for result in (-1.0, 0.5, 0.0):
        with pytest.raises(BadReplyError):
            after_move(known, 0, replace(won, result=result))


def test_a_four_by_the_42nd_disc_may_score_as_a_draw() -> None:
    columns = (0,) * 6 + (1,) * 6 + (2,) * 6 + (4,) * 6 + (5,) * 6 + (6,) * 6
    board = Board()
    for column in columns:
        board = board.play(column)
    board = board.play(3).play(3).play(3).play(3).play(3)
    full = board.play(3)
    known = Position(board, we_started=board.ply % 2 == 0)
    reply = MoveReply(True, "The game has ended.", -1, 0.5, frozen(known.play(3).grid))
    assert full.is_full
    assert after_move(known, 3, reply).result == 0.5

"""The exact optimum against plain recursion, the policy below it, and planned lines that no lost reply breaks."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board
from bot.simulation.campaign import answers_of
from bot.simulation.chooser import Policy
from bot.simulation.known_bot import Game, Mixture, knowing, looks_at_last_move
from bot.simulation.lines import LineTask, find
from bot.simulation.lines import in_json as lines_in_json
from bot.simulation.optimum import Optimum, PolicyValue, solve, tasks_of

RATE = 0.2
BOT = "o-table-3"


def late_boards(count: int, ply: int) -> list[Board]:
    """Return unfinished boards at an even ply, from random games."""
    dice = random.Random(8)
    found: list[Board] = []
    while len(found) < count:
        board = Board()
        while board.ply < ply and not board.is_over:
            board = board.play(dice.choice(board.legal_columns()))
        if not board.is_over:
            found.append(board)
    return found


def plain_value(game: Game, start: Board) -> float:
    """Return the optimum by recursion over all columns, without cutting anything off."""

    @cache
    def known(board: Board) -> float:
        return mixed(((board, 1.0),), 0)

    def mixed(mixture: Mixture, losses: int) -> float:
        rate = game.loses(losses)
        values = []
        for column in range(7):
            value = 0.0
            for board, weight in mixture:
                following = game.after(board, column)
                value += weight * (1 - rate) * (known(following) if isinstance(following, Board) else following)
            if rate:
                saved, after = game.lost(mixture, column)
                value += rate * (saved + mixed(after, losses + 1))
            values.append(value)
        return max(values)

    return known(start)


def test_the_search_agrees_with_plain_recursion() -> None:
    """The cut-offs do not change the value, with an open and with a high lower bound."""
    game = Game(answers_of(BOT), RATE)
    values = []
    for board in late_boards(6, 36):
        expected = plain_value(game, board)
        values.append(expected)
        assert Optimum(game).value(board) == pytest.approx(expected)
        assert Optimum(game).value(board, expected - 1e-9) == pytest.approx(expected)
        assert Optimum(game).value(board, expected + 1e-9) <= expected + 1e-9
    assert len({round(value, 6) for value in values}) > 2


def test_without_losses_the_value_is_the_game() -> None:
    """Every reply arrives: 0 or 1, as some line against the known bot is saved or none is."""
    game = Game(answers_of(BOT), 0.0)
    for board in late_boards(4, 36):
        ours, lost = PolicyValue.of(game, Policy()).value(board)
        assert ours in (0.0, 1.0)
        assert lost == 0.0
        assert plain_value(game, board) >= ours


def test_the_policy_is_never_better_than_the_optimum() -> None:
    """And it is worse somewhere, or the comparison would show nothing."""
    game = Game(answers_of(BOT), RATE)
    for board in late_boards(6, 34):
        ours, lost = PolicyValue.of(game, Policy()).value(board)
        assert 0 <= ours <= Optimum(game).value(board) + 1e-9
        assert lost > 0
    careless = Policy(even_share=1.0, obvious_share=0.0, plans=False, uses_memory=False)
    gaps = [
        Optimum(game).value(board) - PolicyValue.of(game, careless).value(board)[0] for board in late_boards(20, 32)
    ]
    assert max(gaps) > 0.001


def test_a_lost_reply_halves_each_board() -> None:
    """Before or after processing, one half each; games that end are no longer in the mixture."""
    game = Game(answers_of(BOT), RATE)
    board = late_boards(1, 20)[0]
    column = board.legal_columns()[0]
    following = game.after(board, column)
    saved, mixture = game.lost(((board, 1.0),), column)
    assert isinstance(following, Board)
    assert saved == 0.0
    assert dict(mixture) == {board: 0.5, following: 0.5}
    won = Board.from_moves([3, 2, 3, 2, 3, 2])
    assert game.lost(((won, 1.0),), 3) == (0.5, ((won, 0.5),))


def test_the_memory_knows_every_answer() -> None:
    """The likely answer is the bot's."""
    answer = answers_of(BOT)
    book = knowing(answer, Policy())
    for board in late_boards(5, 11):
        likely = book.likely(board)
        assert max(likely, key=lambda column: likely[column]) == answer(board, -1, 0)


def test_bots_that_look_at_the_last_move_are_left_out() -> None:
    """The copycat has several answers to one board; stochastic bots have no known answer."""
    assert looks_at_last_move("o-copycat")
    assert not looks_at_last_move(BOT)
    assert tasks_of(["o-copycat", "o-playouts"], 5, rate=RATE, seed=1) == []


def test_a_sampled_position_is_solved() -> None:
    """The sample has us to move, late in the game."""
    tasks = tasks_of([BOT], 2, rate=0.05, seed=1)
    result = solve(tasks[0])
    assert len(tasks) == 2
    assert all(20 <= task.board.ply <= 25 for task in tasks)
    assert 0 < result.policy <= result.best <= 1


@pytest.mark.parametrize("we_start", [True, False])
def test_a_planned_line_survives_every_single_lost_reply(we_start: bool) -> None:
    """The line is its own certificate: each lost reply is played out against the virtual server."""
    result = find(LineTask("o-copycat", we_start))
    report = lines_in_json([result])
    assert result.is_found
    assert result.replies > 20
    assert result.lost == ()
    assert (report["games"], report["safe_lines"], report["lost_in_replay"]) == (1, 1, [])


def test_the_command_compares_and_searches(capsys: pytest.CaptureFixture[str]) -> None:
    """One object with both parts."""
    arguments = ["--opponents", BOT, "--games", "1", "--workers", "1", "--json"]
    assert run(["simulate", "--optimum", *arguments]) == ExitCode.DONE
    report = json.loads(capsys.readouterr().out)
    assert report["positions"] == 1
    assert report["lines"]["games"] == 2
    assert run(["simulate", "--optimum", "--exhaustive"]) == ExitCode.USAGE

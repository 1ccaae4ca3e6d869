"""Series of the proof: results seen from the proof, forced openings, and deterministic opponents."""

from __future__ import annotations

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board
from bot.prover.series import REPEATS, Played, Series, play_series, summary


def test_it_wins_as_first_player_without_a_fallback():
    games = list(play_series(Series("random", 6)))
    assert len(games) == 6
    for game in games:
        board = Board.from_moves(game.moves)
        assert board.has_winner
        assert len(game.moves) % 2 == 1
        assert (game.points, game.searched, game.nodes) == (1.0, 0, 0)
        assert game.answered == (len(game.moves) + 1) // 2


def test_it_does_not_lose_as_second_player_after_the_given_openings():
    openings = (0, 1, 2, 4, 5, 6)
    games = list(play_series(Series("depth3", 6, second=True, openings=openings)))
    assert [game.moves[0] for game in games] == list(openings)
    for game in games:
        board = Board.from_moves(game.moves)
        assert game.points == (0.5 if not board.has_winner else 1.0 - len(game.moves) % 2)
        assert game.points >= 0.5
        assert (game.searched, game.nodes) == (0, 0)


def test_a_deterministic_opponent_is_stopped_early():
    games = list(play_series(Series("scripted:112233445566771122334455667711", 50)))
    assert len(games) == REPEATS
    assert len({game.moves for game in games}) == 1


def test_the_summary_counts_games_moves_and_nodes():
    games = [Played((3, 0), 1.0, 4, 0, 0), Played((3, 1), 0.5, 2, 1, 70), Played((3, 0), 0.0, 1, 2, 30)]
    assert summary(games) == (
        "3 games, 2 distinct: won 1, drawn 1, lost 1; 100 nodes; the proof answered 7 of 10 moves, and all moves of 1 "
        "games"
    )


def test_the_command_prints_a_line_for_each_opponent(capsys):
    assert run(["proof", "series", "random", "depth2", "--games", "2"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["random", "depth2"]
    assert all("won 2, drawn 0, lost 0; 0 nodes" in line for line in lines)


@pytest.mark.parametrize("side", ["third", ""])
def test_an_unknown_side_is_rejected(side, capsys):
    assert run(["proof", "series", "random", "--side", side]) == ExitCode.USAGE
    assert "Unknown side" in capsys.readouterr().err

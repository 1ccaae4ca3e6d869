"""A foreign bot behind the embedded server sees the boards, and the student's last column, as in a simulation."""

from __future__ import annotations

import random

import pytest

from bot.engine.agent import Limit
from bot.errors import UsageError
from bot.game import Board
from bot.trials.simulation.opponents.agent import ForeignAgent
from bot.trials.simulation.opponents.foreign import Cells, ForeignBot
from bot.trials.simulation.opponents.roster import answering, bot_called, chosen, group

LIMIT = Limit(hard_s=1.0)


class Recorder:
    """Answers with the first legal column, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.seeds: list[int] = []

    def __call__(self, cells: Cells, last: int, seed: int) -> int:
        drawn = "/".join("".join(".so"[cell] for cell in row) for row in cells if row.any())
        self.asked.append((drawn, last))
        self.seeds.append(seed)
        return next(column for column in range(7) if cells[0][column] == 0)


def recording(seed: int = 1) -> tuple[ForeignAgent, Recorder]:
    recorder = Recorder()
    return ForeignAgent(ForeignBot("recorder", "Remembers.", True, recorder), seed), recorder


def test_it_sees_the_students_discs_as_1_and_its_own_as_minus_1() -> None:
    agent, recorder = recording()
    board = Board().play(3)
    answer = agent.choose(board, LIMIT).column
    assert answer == 0
    agent.choose(board.play(answer).play(6), LIMIT)
    assert recorder.asked == [("...s...", 3), ("o..s..s", 6)]


def test_the_last_column_is_unknown_where_the_board_does_not_show_it() -> None:
    agent, recorder = recording()
    agent.choose(Board(), LIMIT)
    agent.choose(Board.from_moves([1, 2, 4]), LIMIT)
    assert [last for _, last in recorder.asked] == [-1, -1]


def test_a_new_game_begins_with_an_empty_board() -> None:
    agent, recorder = recording()
    agent.choose(Board.from_moves([1, 2, 4]), LIMIT)
    agent.choose(Board().play(5), LIMIT)
    agent.choose(Board(), LIMIT)
    assert [last for _, last in recorder.asked] == [-1, 5, -1]


def test_equal_seeds_give_equal_games() -> None:
    seeds = []
    for seed in (1, 1, 2):
        agent, recorder = recording(seed)
        for _ in range(3):
            agent.choose(Board(), LIMIT)
        seeds.append(recorder.seeds)
    assert seeds[0] == seeds[1] != seeds[2]
    assert len(set(seeds[0])) == 3


def test_a_finished_board_is_refused() -> None:
    with pytest.raises(ValueError, match="over"):
        recording()[0].choose(Board.from_moves([0, 1, 0, 1, 0, 1, 0]), LIMIT)


@pytest.mark.parametrize("name", ["o-table-3", "o-copycat", "h-windows-plain"])
def test_a_deterministic_bot_answers_as_in_a_simulation(name: str) -> None:
    agent, answer, dice = ForeignAgent(bot_called(name), 1), answering(bot_called(name)), random.Random(5)
    agent.warm_up()
    for _ in range(3):
        board = Board()
        while not board.is_over:
            column = dice.choice(board.legal_columns())
            board = board.play(column)
            if board.is_over:
                break
            expected = answer(board, column, 0)
            assert agent.choose(board, LIMIT).column == expected
            board = board.play(expected)


def test_every_opponent_that_the_message_recommends_is_accepted() -> None:
    with pytest.raises(UsageError) as caught:
        bot_called("depth3")
    assert caught.value.hint is not None
    names = caught.value.hint.rstrip(".").removeprefix("Choose among ").split(", ")
    assert len(chosen(names)) == len(group("open")) + len(group("held-out")) + 2

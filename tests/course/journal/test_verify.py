"""What verification finds: every tampering with a journal, by the session again or by the server's plain rules."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.course.journal.reader import Journal, parse_journal
from bot.course.journal.verify import game_problems
from bot.course.protocol import MoveReply
from bot.course.session.events import GameEnded, Replied
from bot.game import Board
from tests.course.journal.build import Server, recorded, unheard, unprocessed

WIN = (3, 3, 3, 3)
QUIRK = "60646662065000303231233122325554545111444"
"""41 moves 0..6 after which column 1 makes four by the 42nd disc."""


def problems(content: bytes) -> list[str]:
    journal = parse_journal(content)
    return [*journal.problems, *(text for game in journal.games for text in game_problems(game))]


TAMPERINGS = [
    ('"botmove":0', '"botmove":5'),
    ('"move":3,"game":1,"ply":2', '"move":2,"game":1,"ply":2'),
    ("[-1,0,0,1,0,0,0]]", "[-1,0,0,1,0,0,1]]"),
    ("[-1,0,0,1,0,0,0]]", "[0,0,0,1,0,0,0]]"),
    ("[-1,0,0,1,0,0,0]]", "[-1,0,0,1,0,0,0],[]]"),
    ('"result":1.0,"known_by"', '"result":-1.0,"known_by"'),
    ('"result":1.0,"known_by"', '"result":0.5,"known_by"'),
    ('"result":1.0,"state"', '"result":0.5,"state"'),
    ('"moves":[3,0,3,0,3,0,3]', '"moves":[3,0,3,0,3,0,4]'),
    ('"we_started":true', '"we_started":false'),
    ('"type":"game_end"', '"type":"game_over"'),
]


@pytest.mark.parametrize(("before", "after"), TAMPERINGS)
def test_every_tampering_is_found_and_placed(before: str, after: str) -> None:
    content = recorded(WIN)
    assert problems(content) == []
    changed = content.decode().replace(before, after, 1)
    assert changed != content.decode()
    journal = parse_journal(changed.encode())
    found = problems(changed.encode())
    assert found or journal.damaged
    assert all(text.startswith(("Line ", "Move ", "The ")) and text.endswith(".") for text in found)


@pytest.mark.parametrize("faults", [{}, {3: unheard}, {3: unprocessed}, {1: unheard}, {5: unheard, 6: unprocessed}])
def test_a_record_that_is_removed_or_doubled_is_missed(faults: dict[int, object]) -> None:
    content = recorded((*WIN, *WIN), faults)  # type: ignore[arg-type]
    assert problems(content) == []
    lines = content.splitlines(keepends=True)
    kinds = [json.loads(line)["type"] for line in lines]
    for index, kind in enumerate(kinds[:-2]):  # nothing after the last reading depends on it
        if kind in ("sent", "run"):
            continue  # a request whose record of sending is lost is as good; see test_damage for the header
        assert problems(b"".join(lines[:index] + lines[index + 1 :])), f"line {index + 1}, {kind}"
        assert problems(b"".join(lines[: index + 1] + lines[index:])), f"line {index + 1} twice, {kind}"


def with_reply(content: bytes, index: int, reply: MoveReply) -> Journal:
    """Return a journal whose reply with this index was replaced after it was read, as an error of the session would."""
    journal = parse_journal(content)
    step = journal.games[0].steps[index]
    assert isinstance(step.outcome, Replied)
    step.outcome = replace(step.outcome, reply=reply)
    return journal


def reply_of(content: bytes, index: int) -> MoveReply:
    outcome = parse_journal(content).games[0].steps[index].outcome
    assert isinstance(outcome, Replied)
    return outcome.reply


@pytest.mark.parametrize(
    ("grid", "found"),
    [
        (["......."] * 4 + ["...X...", "O......"], "Move 1: the board is impossible."),
        (["......."] * 5 + ["OXXX..."], "Move 1: the board is impossible."),
        (["......."] * 5 + ["O....X."], "Move 1: the moves do not lead to the board."),
    ],
)
def test_the_servers_rules_see_what_an_error_in_the_bitboards_would_hide(grid: list[str], found: str) -> None:
    content = recorded(WIN)
    state = tuple(tuple({"X": 1, "O": -1, ".": 0}[cell] for cell in row) for row in grid)
    journal = with_reply(content, 1, replace(reply_of(content, 1), state=state))
    assert found in game_problems(journal.games[0])


@pytest.mark.parametrize(
    "end",
    [
        GameEnded(1, 1.0, "reply", (3, 0, 3, 0, 3, 0), True),
        GameEnded(1, 1.0, "reply", (3, 0, 3, 0, 3, 0, 3, 0), True),
        GameEnded(1, 1.0, "reply", (3, 3, 3, 3, 3, 3, 3), True),
        GameEnded(1, 0.5, "reply", (3, 0, 3, 0, 3, 0, 3), True),
        GameEnded(1, -1.0, "reply", (3, 0, 3, 0, 3, 0, 3), True),
    ],
)
def test_a_wrong_end_is_found_by_the_servers_rules_alone(end: GameEnded) -> None:
    (game,) = parse_journal(recorded(WIN)).games
    game.ended = end
    assert [text for text in game_problems(game) if text.startswith("The ")]


@pytest.mark.parametrize("result", [0.5, 1.0])
def test_a_four_by_the_42nd_disc_may_be_a_draw_or_a_win(result: float) -> None:
    moves = [int(digit) for digit in QUIRK] + [1]
    bot_first = Board.from_moves(moves[:-1]).ply % 2 == 1
    server = Server(moves[0::2] if bot_first else moves[1::2], student_first=not bot_first)
    columns = moves[1::2] if bot_first else moves[0::2]
    content = recorded(columns, server=server)
    (game,) = parse_journal(content).games
    assert (game.result, len(game.moves), problems(content)) == (0.5, 42, [])
    assert game.ended is not None
    game.ended = replace(game.ended, result=result)
    assert [text for text in game_problems(game) if text.startswith("The result")] == []
    game.ended = replace(game.ended, result=-1.0)
    assert "The result -1 does not follow from the last board." in game_problems(game)


def test_a_game_that_ended_because_our_move_came_too_late_has_no_final_board() -> None:
    def late(server: Server, _move: int) -> MoveReply:
        grid = server.grid
        assert grid is not None
        server.grid = None
        server.results.append(-1.0)
        return MoveReply(True, "Too late.", -1, -1.0, tuple(tuple(row) for row in grid))

    content = recorded(WIN, {4: late})
    journal = parse_journal(content)
    assert (journal.games[0].result, problems(content)) == (-1.0, [])


def test_an_order_of_moves_that_the_run_knew_from_earlier_answers_is_no_problem() -> None:
    # Two replies are lost, then the board shows four new discs in two columns: either order of them leads there.
    server = Server([0, 1, 2, 1, 2])
    content = recorded((3, 4, 4, 4, 3, 3, 3), {3: unheard, 4: unheard}, server=server)
    (game,) = parse_journal(content).games[:1]
    assert game.ended is not None
    first, second = game.ended.moves[2:4], game.ended.moves[4:6]
    other = (*game.ended.moves[:2], first[0], second[1], second[0], first[1], *game.ended.moves[6:])
    assert other != game.ended.moves
    changed = content.replace(written(game.ended.moves), written(other), 1)
    assert changed != content
    assert problems(changed) == []
    illegal = (*other[:-1], *(6,) * 8)
    assert problems(content.replace(written(game.ended.moves), written(illegal), 1))


def written(moves: tuple[int, ...]) -> bytes:
    """Return how a record names the moves of a game."""
    return f'"moves":[{",".join(map(str, moves))}]'.encode()

"""The coach: everything that it says of some games against plain rules and the solver, and each kind by an example."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import accumulate

import pytest

from bot.engine.analysis import Analyst
from bot.engine.review import review
from bot.engine.score import sign
from bot.errors import GameOverError
from bot.game import Board, parse_moves
from bot.game.board import has_four
from bot.gauntlet.arena.games import Pairing, play_pairing
from bot.gauntlet.positions import random_opening
from bot.learn.coach.coach import Coach
from bot.learn.coach.moments import GameLessons
from bot.learn.coach.pattern import follow_up, forced_win
from bot.learn.coach.position import facts, hint_steps, threats, view
from bot.learn.coach.reason import Lesson, Reason
from bot.learn.coach.sentences import ALLOWED, LATER, MISSED, PREVENTS, QUESTIONS, SAFE, TRIED
from tests.learn import plain
from tests.learn.exact import analyst, score, scores_of

DEADLINE_S = 600.0
"""Limit of each step of the analysis, seconds: more than any takes on any machine."""


def lost_games(count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the first ``count`` games of a seed that the weaker level lost."""
    rng, number = random.Random(seed), 0
    while count:
        levels = rng.sample(range(1, 7), 2)
        moves = play_pairing(Pairing(f"level:{levels[0]}", f"level:{levels[1]}", f"insight/{seed}/{number}")).moves
        winner, number = Board.from_moves(moves).winner, number + 1
        if winner and levels[winner - 1] > levels[2 - winner]:
            count -= 1
            yield tuple(moves)


def check_reason(before: Board, lesson: Lesson, reason: Reason) -> None:
    """Raise AssertionError where a quiet move of the line loses score, or the line is no faster than the game."""
    player, mover, verdict = reason.player, before.ply % 2 + 1, lesson.verdict.kind
    start, after = score(before, mover), score(before.play(lesson.column), mover)
    boards = list(accumulate(reason.line, Board.play, initial=before))
    for board in boards[1 : reason.quiet + 1]:
        assert score(board, mover) == (start if reason.missed else after), "a quiet move loses score"
    ours = score(boards[reason.quiet], player)
    assert ours == 0 if reason.kind == "follow-up that holds" else ours > 0, "the outcome is another"
    if verdict in ("slower", "sooner"):
        end = 2 * (22 - abs(after if verdict == "slower" else start)) - (player == 1)
        assert boards[-1].ply < end, "the line is as slow as the game without it"


def check_lesson(moves: Sequence[int], lesson: Lesson) -> int:
    """Raise AssertionError where the lesson on a mistake after ``moves`` says something false; return its claims."""
    board = Board.from_moves(moves)
    scores = scores_of(board)
    best, played, grave = max(scores.values()), scores[lesson.column], lesson.verdict.grave
    assert played < best and (lesson.ply, lesson.was_lost) == (board.ply, best < 0)
    assert grave == (sign(played) != sign(best)) and lesson.verdict.kind in ("blunder", "slower", "sooner")
    for reason in lesson.reasons:
        plain.check_line(board, lesson.column, reason)
        check_reason(board, lesson, reason)
    found = {missed: plain.right(board, lesson.column, missed=missed) for missed in (True, False)}
    assert lesson.is_visible == any(right for right, _ in found.values()), "what a person could have seen"
    if lesson.is_visible:
        (reason,) = lesson.reasons
        start = reduce(Board.play, reason.line[: reason.quiet], board)
        assert reason.quiet == (not reason.missed) and len(reason.line) - (not reason.missed) == min(
            n for n in (1, 3, 5) if plain.wins(start, n)
        )
        assert (tuple(sorted(lesson.right)), lesson.only_delays) == found[reason.missed], "other columns avoid it"
        if reason.missed:
            assert reason.line[0] in lesson.right
    else:
        same = {each for each, own in scores.items() if (sign(own) == sign(best) if grave else own == best)}
        assert set(lesson.right) == same and not lesson.only_delays
    begins = lesson.reasons[0].line[0] if lesson.reasons and lesson.reasons[0].missed else None
    assert list(lesson.right) == sorted(sorted(lesson.right), key=lambda each: (-scores[each], each != begins))
    named = bool(lesson.reasons and lesson.reasons[0].is_at_once and (lesson.is_visible or grave))
    assert bool(lesson.name) == named
    is_asked = lesson.question == QUESTIONS[lesson.verdict.kind][sign(best)]
    assert is_asked != (lesson.is_visible and not lesson.only_delays), "other columns answer it"
    for each in range(7):
        check_try(board, each, lesson, best)
    return len(lesson.reasons) + len(lesson.tries) - lesson.tries.count(None)


def check_try(board: Board, column: int, lesson: Lesson, best: int) -> None:
    """Raise AssertionError where a column that is tried in place of a mistake does something else than is said."""
    tried, player = lesson.tries[column], plain.to_move(board)
    if column == lesson.column or not board.can_play(column):
        assert tried is None
        return
    assert tried is not None and tried.line[0] == column
    after, is_right = board.play(column), column in lesson.right
    if not tried.text.startswith("Column "):
        line = tried.line[1:]
        assert reduce(Board.play, line, after).has_winner and plain.wins(after, len(line)) and not is_right
        assert len(line) <= plain.SIGHT and not re.search(r"\d", tried.hint)
        assert f"{'XO'[2 - player]} could" in tried.text and str(line[0] + 1) in tried.text
        return
    own = score(after, player)
    outcome = sign(best), sign(own)
    said = LATER[sign(own)] if own < best and outcome[0] == outcome[1] else TRIED[outcome]
    if is_right and lesson.is_visible and not lesson.only_delays and not lesson.reasons[0].missed:
        if best < 0:
            said = PREVENTS
        elif own < best:
            said = SAFE
    better = (each + 1 for each, known in scores_of(board).items() if known == best)
    assert tried.text in {said.format(column=column + 1, best=each) for each in better} and not tried.hint
    assert is_right or not plain.wins(after, plain.SIGHT), "what the opponent could do is not said"
    assert after.is_over or score(after.play(tried.line[1]), player) == own, "the reply is not the best one"


def played_out(moves: tuple[int, ...]) -> tuple[int, GameLessons]:
    """Return the claims about a game and what it teaches; raise AssertionError where something is false."""
    taught = Coach(analyst()).game(moves, review(moves, analyst(), DEADLINE_S), lines=True)
    return sum(check_lesson(moves[: lesson.ply], lesson) for lesson in taught.lessons), taught


@pytest.mark.parametrize(("games", "seed"), [(2, 11), pytest.param(200, 1, marks=pytest.mark.slow)])
def test_all_that_is_said_of_lost_games_is_true(games, seed):
    found = [played_out(moves) for moves in lost_games(games, seed)]
    assert sum(claims for claims, _ in found) > 30 * games
    assert sum(any(taught.moments) for _, taught in found) > games // 2


EXAMPLES = {
    "25344656": "missed win",
    "667644": "missed block",
    "54465332": "poisoned column",
    "31414": "missed double threat",
    "3344": "allowed double threat",
    "473233422": "missed forced sequence",
    "41565544": "allowed forced sequence",
    "577143445547": "allowed quiet move",
    "2243143627446": "missed quiet move",
    "64446": "allowed win by leaving the opponent no safe column",
    "333436": "missed win by leaving the opponent no safe column",
    "562723362663123512": "missed follow-up",
    "625347444334334312112225276176": "allowed follow-up",
    "6422117777264444422261": "missed follow-up",
    "16436255477713536257766615315721": "allowed follow-up",
}
"""For each kind of mistake moves, the last of which is the mistake, and its name."""


@cache
def example(moves: str) -> tuple[list[int], Lesson]:
    """Return the moves before the last one, and the lesson on that."""
    *before, column = parse_moves(moves)
    found = Coach(analyst()).lesson(Board.from_moves(before), column, lines=False)
    assert found is not None
    return before, found


def test_every_kind_of_mistake_has_an_example():
    found = {(one.missed, one.kind) for moves in EXAMPLES for one in example(moves)[1].reasons[:1]}
    assert found == {(missed, kind) for missed, kinds in ((True, MISSED), (False, ALLOWED)) for kind in kinds}


@pytest.mark.parametrize("moves", EXAMPLES)
def test_all_that_is_said_of_each_kind_of_mistake_is_true(moves):
    before, lesson = example(moves)
    mover, column = "XO"[len(before) % 2], lesson.column + 1
    assert lesson.name == EXAMPLES[moves] and lesson.question.endswith("?")
    assert lesson.line == lesson.better == (), "lines are searched for only on request"
    assert re.search(f"^({mover} played|After {mover}'s) column {column}[ ,]", lesson.text)
    check_lesson(before, lesson)


def test_what_is_said_of_positions_agrees_with_the_rules():
    forced = dangers = 0
    for number in range(100):
        board = Board.from_moves(random_opening(6 + number % 34, f"coach{number}"))
        if board.is_over:
            continue
        said, mover = view(board), plain.to_move(board)
        check_threats(board)
        assert (len(said.danger) == 1) == bool(plain.fours(board, 3 - mover))
        losing = tuple(each for each in board.legal_columns() if plain.fours(board.play(each), 3 - mover))
        is_quiet = not plain.fours(board, 3 - mover)
        assert (said.losing, said.zugzwang) == (losing, is_quiet and losing == board.legal_columns())
        assert (forced_win(board, 2) is not None) == plain.forces(board, 2)
        forced, dangers = forced + bool(said.forced), dangers + bool(said.danger)
    assert forced > 10 and dangers > 10
    twins = forced_win(Board.from_moves("5664466232"))
    assert twins == (4, 2, 4), "two fours at the same time are easier to see than one above the other"


def check_threats(board: Board) -> None:
    """Compare the threats with discs put into each empty cell."""
    sides = {plain.to_move(board): board.current, 3 - plain.to_move(board): board.opponent}
    empty = {column * 6 + row: 1 << column * 7 + row for column in range(7) for row in range(6)}
    empty = {cell: bit for cell, bit in empty.items() if not bit & board.mask}
    expected = [(cell, player) for cell, bit in empty.items() for player in (1, 2) if has_four(sides[player] | bit)]
    found = threats(board)
    assert [(each.cell, each.player) for each in found] == expected
    for each in found:
        row = each.cell % 6
        kind = "even" if row % 2 else "odd"
        if not row or each.cell - 1 not in empty:
            kind = "playable"
        elif (each.cell - 1, 3 - each.player) in expected:
            kind = "useless"
        assert each.kind == kind


def test_follow_up_achieves_what_plain_enumeration_finds():
    """Where it claims something, so does the enumeration; where all columns are even, also the other way round."""
    claims = 0
    for number in range(200):
        board = Board.from_moves(random_opening(20 + number % 17, f"coach{number}"))
        if board.is_over:
            continue
        claimed, reached = follow_up(board), plain.follows(board)
        if claimed is not None:
            assert reached == (claimed.kind != "follow-up that holds")
            claims += 1
        elif sum((board.mask >> column * 7 & 63).bit_count() % 2 for column in range(7)) <= 1:
            assert reached == -1
    assert claims > 2


FACTS = {
    "41414": """X threatens four in column 4.
Threats of X: d4 (playable).""",
    "46467165457562533175141774564": """O can force a four with 3 2 6.
X makes four at once after column 2.
Threats of X: b3 (odd row).
Threats of O: c5 (odd row).
In the last open column, X gets the odd rows and O the even rows.""",
    "425522352673235325546166676131371777411": """No column is safe for O: each lets X make four above it.
X makes four by answering every disc in the same column.
Threats of X: d5 (odd row), d6 (useless).
Threats of O: d5 (odd row), d6 (useless).
In the last open column, X gets the odd rows and O the even rows.""",
    "466177366776415116357335447414513255223": "X never loses by answering every disc in the same column.",
}


@pytest.mark.parametrize("moves", FACTS)
def test_a_position_is_described_in_sentences(moves):
    said = facts(view(Board.from_moves(moves)), len(moves))
    assert [fact.text for fact in said] == FACTS[moves].splitlines()
    with pytest.raises(GameOverError):
        view(Board.from_moves("4141414"))


HINTS: dict[str, tuple[int, int, str, str, str]] = {
    "": (
        3,
        1,
        "Nothing is forced yet: look for a good place.",
        "Look in the middle, at columns 3 to 5.",
        "Column 4 keeps the win.",
    ),
    "41414": (
        3,
        -11,
        "X threatens to make a four.",
        "Look in the middle, at columns 3 to 5.",
        "Column 4 blocks X's four. Column 4 holds out longest.",
    ),
    "414141": (3, 18, "X can make four now.", "Look in the middle, at columns 3 to 5.", "Column 4 makes four."),
    "444443333161": (
        4,
        14,
        "X can force a four.",
        "Look in the middle, at columns 3 to 5.",
        "X can force a four with column 5, then 7.",
    ),
    "46467165457562533175141774564": (
        2,
        6,
        "O can force a four.",
        "Look in the middle, at columns 3 to 5.",
        "O can force a four with column 3, then 6.",
    ),
    "451726255271757773161115": (
        5,
        0,
        "O threatens to force a four.",
        "Look on the right, at columns 6 and 7.",
        "Column 6 keeps the draw.",
    ),
    "743764434167722514714": (
        1,
        -2,
        "Some columns would let X make four at once.",
        "Look on the left, at columns 1 and 2.",
        "Column 2 holds out longest.",
    ),
}
"""For moves the best column and its score, and what the steps of a hint say: the threat, where to look, and why."""


@pytest.mark.parametrize("moves", HINTS)
def test_a_hint_says_whether_there_is_a_threat_then_where_and_only_then_the_column(moves):
    best, score, *said = HINTS[moves]
    assert [*hint_steps(Board.from_moves(moves), best, score)] == said


MOMENTS = {
    "4453473433225224343262755": (((12,), (23, 11, 5)), None, {4: 2, 9: 5, 11: 5, 23: 5}),
    "344635766344664177535": (((14,), (15, 7)), None, {9: 7, 11: 7, 15: 7}),
    "4141474": (((), (5,)), 1, {1: None, 3: None, 5: None}),
    "414147": (((), (5,)), None, {1: None, 3: None, 5: None}),
    "257771314744647214154617633623313656555222": (((38, 18), (35, 37)), None, {14: 12, 16: 12, 18: 12}),
}
"""Of a game the key moments, the side that was lost throughout, and, of mistakes in lost positions, where to turn."""


@pytest.mark.parametrize("moves", MOMENTS)
def test_the_key_moments_of_a_game_and_where_it_can_be_turned_around(moves):
    columns = tuple(parse_moves(moves))
    taught = Coach(analyst()).game(columns, review(columns, analyst(), DEADLINE_S))
    turns = {lesson.ply: taught.turns.get(lesson.ply) for lesson in taught.lessons}
    later = {ply: turn for ply, turn in turns.items() if turn != ply}
    assert (taught.moments, taught.lost_side, later) == MOMENTS[moves]
    assert bool(taught.lost_text) == (taught.lost_side is not None)


@pytest.mark.parametrize(("moves", "is_less"), [("64446", True), ("3344", False)])
def test_without_time_less_is_said_but_nothing_else(moves, is_less):
    before, whole = example(moves)
    board = Board.from_moves(before)
    own = scores_of(board)
    scores = max(own.values()), -own[whole.column]
    late = Coach(Analyst()).lesson(board, whole.column, scores=scores, deadline_s=0.0)
    assert late is not None and (late.right, late.reasons) == (((), ()) if is_less else (whole.right, whole.reasons))
    assert not late.only_delays and Coach(Analyst()).lesson(board, whole.column, deadline_s=0.0) is None

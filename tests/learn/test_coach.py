"""The coach: everything that it says of some games against the exact scores, and each kind by an example."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, reduce
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.analysis import Analyst
from bot.engine.review import MoveVerdict, Review, review
from bot.engine.score import plies_to_end, sign
from bot.errors import GameOverError
from bot.game import Board, parse_moves
from bot.game.board import bits, has_four
from bot.gauntlet.positions import random_opening
from bot.learn.coach.coach import Coach
from bot.learn.coach.moments import game_lessons
from bot.learn.coach.pattern import cell_of, follow_up, forced_win, pattern_for
from bot.learn.coach.position import facts, hint_cells, hint_steps, threats, view
from bot.learn.coach.reason import FOLLOW_UPS, SIGHT, Lesson, Reason, ReasonKind
from bot.learn.coach.sentences import ALLOWED, LATER, MISSED, PREVENTS, QUESTIONS, SAFE, TRIED
from tests.learn.exact import analyst, score, scores_of

SAID = json.loads(Path(__file__).with_name("said.json").read_text("utf-8"))
"""By moves: the name of the mistake that the last one is; the facts of a position; for its best column and score the
steps of a hint (the threat, where to look, and why), and the cells that make four now or next; of a game the key
moments, the side that was lost throughout, and, of mistakes in lost positions, where to turn.
"""
MISTAKES = SAID["mistakes"]
DEADLINE_S = 600.0
"""Limit of each step of the analysis, seconds: more than any takes on any machine."""


def wins_with(board: Board) -> list[int]:
    """Return the columns in which the side to move makes four."""
    return [column for column in board.legal_columns() if board.wins_with(column)]


def threats_to(board: Board) -> list[int]:
    """Return the columns in which the side that is not to move would make four."""
    return wins_with(Board(board.opponent, board.mask))


def plies_to_four(board: Board) -> int:
    """Return how soon the side to move makes four in exact play; 0 where that takes more than `SIGHT` plies."""
    found = 0 if board.is_over else score(board, to_move(board))
    plies = plies_to_end(found, board.ply)
    return plies if found > 0 and plies <= SIGHT else 0


def to_move(board: Board) -> int:
    """Return 1 or 2."""
    return 1 + board.ply % 2


def avoid(board: Board, played: int, scores: dict[int, int], *, missed: bool) -> tuple[tuple[int, ...], bool]:
    """Return the columns that avoid what a move missed or allowed within `SIGHT` plies, none where it was nothing.

    And whether they only delay it: each loses within `SIGHT` plies, too, but later.
    """
    if missed:
        most = 1 if wins_with(board) else SIGHT
        winning = tuple(each for each, own in scores.items() if own > 0 and plies_to_end(own, board.ply) <= most)
        return () if played in winning else winning, False
    lost = {each: plies_to_four(board.play(each)) for each in scores}
    if not lost[played]:
        return (), False
    safe = tuple(each for each, plies in lost.items() if not plies)
    late = tuple(each for each, plies in lost.items() if plies > lost[played])
    return safe or late, not safe and bool(late)


def check_reason(before: Board, lesson: Lesson, reason: Reason) -> None:
    """Raise AssertionError where the line of a reason, played out, does not show what its kind says."""
    player, mover, quiet, kind = reason.player, to_move(before), reason.quiet, reason.kind
    assert player == (mover if reason.missed else 3 - mover), "it speaks for the wrong player"
    assert reason.missed or (quiet > 0 and reason.line[0] == lesson.column), "it does not begin with the mistake"
    start, after = score(before, mover), score(before.play(lesson.column), mover)
    boards = list(accumulate(reason.line, Board.play, initial=before))
    for board in boards[1 : quiet + 1]:
        assert score(board, mover) == (start if reason.missed else after), "a quiet move loses score"
    won = kind is not ReasonKind.FOLLOW_UP
    assert boards[-1].is_over and boards[-1].winner == (player if won else None), "no four or no draw at the end"
    assert set(reason.cells) == set(map(cell_of, bits(boards[-1].winning_cells))), "the marked cells are not the four"
    assert sign(score(boards[quiet], player)) == won, "the outcome is another"
    if lesson.verdict.kind in ("slower", "sooner"):
        end = 2 * (22 - abs(after if lesson.verdict.kind == "slower" else start)) - (player == 1)
        assert boards[-1].ply < end, "the line is as slow as the game without it"
    turns = list(zip(boards[quiet + 1 :: 2], reason.line[quiet + 1 :: 2], strict=False))
    if kind in FOLLOW_UPS:
        for (board, answer), last in zip(turns, reason.line[quiet::2], strict=False):
            assert answer in (wins_with(board) or threats_to(board) or [last]), "an answer against the rules"
    elif kind is ReasonKind.QUIET_MOVE:
        assert forced_win(boards[quiet], (len(reason.line) - quiet) // 2) is None, "threats alone win as fast"
    else:
        for board, answer in turns:
            assert threats_to(board) == [answer, *threats_to(board)[1:]], "a move that threatens nothing"
            assert not wins_with(board), "the opponent could make four instead"
    shown = reason.line[quiet:]
    plain = {ReasonKind.FORCED_SEQUENCE: shown, ReasonKind.ZUGZWANG: shown[-1:]}
    named = (*reason.line[not reason.missed : quiet], *plain.get(kind, shown[: kind not in FOLLOW_UPS]))
    columns = [column + 1 for column in named]
    if quiet > 5:  # best play that is not listed
        columns[reason.missed : quiet - (not reason.missed)] = [boards[quiet].ply]
    assert [*map(int, re.findall(r"\d+", reason.text))] == columns, "other columns are named"
    assert re.findall(r"\b[XO]\b", reason.text)[0] == "XO"[player - 1], "another player is named"


def check_lesson(moves: Sequence[int], lesson: Lesson) -> None:
    """Raise AssertionError where the lesson on a mistake after ``moves`` says something false."""
    board = Board.from_moves(moves)
    scores = scores_of(board)
    best, played, grave = max(scores.values()), scores[lesson.column], lesson.verdict.grave
    assert played < best and (lesson.ply, lesson.was_lost) == (board.ply, best < 0)
    assert grave == (sign(played) != sign(best)) and lesson.verdict.kind in ("blunder", "slower", "sooner")
    for reason in lesson.reasons:
        check_reason(board, lesson, reason)
    found = {missed: avoid(board, lesson.column, scores, missed=missed) for missed in (True, False)}
    assert lesson.is_visible == any(right for right, _ in found.values()), "what a person could have seen"
    if lesson.is_visible:
        (reason,) = lesson.reasons
        start = reduce(Board.play, reason.line[: reason.quiet], board)
        assert reason.quiet == (not reason.missed) and len(reason.line) - reason.quiet == plies_to_four(start)
        assert (tuple(sorted(lesson.right)), lesson.only_delays) == found[reason.missed], "other columns avoid it"
    else:
        same = {each for each, own in scores.items() if (sign(own) == sign(best) if grave else own == best)}
        assert set(lesson.right) == same and not lesson.only_delays
    assert [scores[each] for each in lesson.right] == sorted(map(scores.__getitem__, lesson.right), reverse=True)
    is_asked = lesson.question == QUESTIONS[lesson.verdict.kind][sign(best)]
    assert is_asked != (lesson.is_visible and not lesson.only_delays), "other columns answer it"
    for each in range(7):
        check_try(board, each, lesson, scores)


def check_try(board: Board, column: int, lesson: Lesson, scores: dict[int, int]) -> None:
    """Raise AssertionError where a column that is tried in place of a mistake does something else than is said."""
    tried, is_right = lesson.tries[column], column in lesson.right
    if column == lesson.column or not board.can_play(column):
        assert tried is None
        return
    assert tried is not None and tried.line[0] == column
    after, own, best = board.play(column), scores[column], max(scores.values())
    if plies_to_four(after) and not is_right:
        end = reduce(Board.play, tried.line, board)
        assert end.winner == 3 - to_move(board) and len(tried.line) - 1 == plies_to_four(after)
        assert f"{'XO'[2 - to_move(board)]} could" in tried.text and not re.search(r"\d", tried.hint)
        return
    said = LATER[sign(own)] if own < best and sign(own) == sign(best) else TRIED[sign(best), sign(own)]
    if is_right and lesson.is_visible and not lesson.only_delays and not lesson.reasons[0].missed:
        if best < 0:
            said = PREVENTS
        elif own < best:
            said = SAFE
    better = (each + 1 for each in scores if scores[each] == best)
    assert tried.text in {said.format(column=column + 1, best=each) for each in better} and not tried.hint
    assert after.is_over or scores_of(after)[tried.line[1]] == -own, "the reply is not the best one"


@cache
def example(moves: str) -> tuple[list[int], Lesson]:
    """Return the moves before the last one, and the lesson on that."""
    *before, column = parse_moves(moves)
    found = Coach(analyst()).lesson(Board.from_moves(before), column, lines=False)
    assert found is not None
    return before, found


def test_every_kind_of_mistake_has_an_example():
    found = {(one.missed, one.kind) for moves in MISTAKES for one in example(moves)[1].reasons[:1]}
    assert found == {(missed, kind) for missed, kinds in ((True, MISSED), (False, ALLOWED)) for kind in kinds}


@pytest.mark.parametrize("moves", MISTAKES)
def test_all_that_is_said_of_each_kind_of_mistake_is_true(moves):
    before, lesson = example(moves)
    mover, column = "XO"[len(before) % 2], lesson.column + 1
    assert lesson.name == MISTAKES[moves] and lesson.question.endswith("?")
    assert lesson.line == lesson.better == (), "lines are searched for only on request"
    assert re.search(f"^({mover} played|After {mover}'s) column {column}[ ,]", lesson.text)
    check_lesson(before, lesson)


@pytest.mark.parametrize("moves", ["114372551377445423323311222657", "22255225772554544"])
def test_a_reason_is_shorter_than_the_game_without_the_mistake(moves):
    check_lesson(*example(moves))


def test_what_is_said_of_positions_agrees_with_the_rules():
    forced = dangers = 0
    for number in range(100):
        board = Board.from_moves(random_opening(6 + number % 34, f"coach{number}"))
        if board.is_over:
            continue
        said = view(board)
        check_threats(board)
        assert (len(said.danger) == 1) == bool(threats_to(board))
        losing = tuple(each for each in board.legal_columns() if wins_with(board.play(each)))
        assert said.losing == losing
        assert said.zugzwang == (losing == board.legal_columns() and not threats_to(board))
        assert not forced_win(board) or score(board, to_move(board)) > 0
        forced, dangers = forced + bool(said.forced), dangers + bool(said.danger)
    assert forced > 10 and dangers > 10
    twins = forced_win(Board.from_moves("5664466232"))
    assert twins == (4, 2, 4), "two fours at the same time are easier to see than one above the other"


def check_threats(board: Board) -> None:
    """Compare the threats with discs put into each empty cell."""
    sides = {to_move(board): board.current, 3 - to_move(board): board.opponent}
    empty = {column * 6 + row: 1 << column * 7 + row for column in range(7) for row in range(6)}
    empty = {cell: bit for cell, bit in empty.items() if not bit & board.mask}
    expected = [(cell, player) for cell, bit in empty.items() for player in (1, 2) if has_four(sides[player] | bit)]
    found = {(each.cell, each.player): each.kind for each in threats(board)}
    assert [*found] == expected
    for (cell, player), kind in found.items():
        is_playable = not cell % 6 or cell - 1 not in empty
        useless = "useless" if (cell - 1, 3 - player) in expected else ("odd", "even")[cell % 2]
        assert kind == ("playable" if is_playable else useless)


@cache
def followed(board: Board) -> int:
    """Return 1 where the side that is not to move wins by follow-up, 0 where it does not lose, and -1 otherwise."""
    outcomes = [1]
    for column in board.legal_columns():
        after = board.play(column)
        answers = wins_with(after) or threats_to(after) or [column] * after.can_play(column)
        if after.is_over or not answers:
            outcomes.append(0 if after.is_full and not after.has_winner else -1)
        elif not after.wins_with(answers[0]):
            end = after.play(answers[0])
            outcomes.append(0 if end.is_full else followed(end))
    return min(outcomes)


def test_follow_up_achieves_what_playing_it_against_every_disc_does():
    """In the first positions, the follower has to make four before it blocks, and to block before it follows."""
    openings = (random_opening(24 + number % 15, f"coach{number}") for number in range(1000))
    claims = Counter[int]()
    ordered = "7223447743641316747234733", "77666644441411112264655"
    known = map(parse_moves, (*ordered, "114434553333354411461175527757762722"))
    for moves in (*known, *openings):
        board = Board.from_moves(moves)
        odd = [column for column in range(7) if (board.mask >> column * 7 & 63).bit_count() % 2]
        if board.is_over or len(odd) > 1:
            continue
        claimed, achieved = follow_up(board), followed(board)
        assert (claimed is None) == (achieved < 0)
        if claimed is not None:
            assert reduce(Board.play, claimed.line, board).has_winner == achieved
            assert (claimed.kind is ReasonKind.FOLLOW_UP) == (achieved == 0)
            is_said = pattern_for(board, 3 - to_move(board), to_win=False) is not None
            assert is_said == (len(claimed.pairs) > 2), "on the last cells everything holds"
        claims[achieved] += 1
    assert min(claims[outcome] for outcome in (-1, 0, 1)) > 3, claims


@pytest.mark.parametrize("moves", SAID["facts"])
def test_a_position_is_described_in_sentences(moves):
    said = facts(view(Board.from_moves(moves)), len(moves))
    assert [fact.text for fact in said] == SAID["facts"][moves]
    with pytest.raises(GameOverError):
        view(Board.from_moves("4141414"))


@pytest.mark.parametrize("moves", SAID["hints"])
def test_a_hint_says_whether_there_is_a_threat_then_where_and_only_then_the_column(moves):
    said = SAID["hints"][moves]
    assert [*hint_steps(Board.from_moves(moves), said["best"], said["score"])] == said["steps"]


@pytest.mark.parametrize("moves", SAID["hint cells"])
def test_a_hint_rings_where_discs_land_in_its_area_and_then_every_cell_that_makes_four_now_or_next(moves):
    board, (best, cells) = Board.from_moves(moves), SAID["hint cells"][moves].values()
    area = next(area for area in ((0, 1), (2, 3, 4), (5, 6)) if best in area)
    landing = [6 * each + (board.mask >> 7 * each & 63).bit_count() for each in area if board.can_play(each)]
    assert hint_cells(board, best) == (landing, cells)


@pytest.mark.parametrize("moves", SAID["moments"])
def test_the_key_moments_of_a_game_and_where_it_can_be_turned_around(moves):
    columns = tuple(parse_moves(moves))
    taught = Coach(analyst()).game(columns, review(columns, analyst(), DEADLINE_S))
    for lesson in taught.lessons:
        check_lesson(columns[: lesson.ply], lesson)
        assert all(reason.is_at_once for reason in lesson.reasons), "deep play is shown with its lines only"
    turns = {lesson.ply: taught.turns.get(lesson.ply) for lesson in taught.lessons}
    later = {ply: turn for ply, turn in turns.items() if turn != ply}
    found = {"moments": taught.moments, "lost side": taught.lost_side, "turns": later}
    assert json.loads(json.dumps(found)) == SAID["moments"][moves]
    assert bool(taught.lost_text) == (taught.lost_side is not None)


KINDS = (ReasonKind.UNBLOCKED, ReasonKind.DOUBLE_THREAT, ReasonKind.FORCED_SEQUENCE, ReasonKind.ZUGZWANG)
MADE = st.none() | st.tuples(st.sampled_from(KINDS), *[st.booleans()] * 4)
"""No mistake, or its kind, whether it could be seen, only delayed, has a name, and was grave."""
SCORES = st.sampled_from((None, -4, -1, 0, 3))


def mistake(ply: int, was_lost: bool, kind: ReasonKind, is_visible: bool, *more: bool) -> Lesson:
    only_delays, has_name, grave = more
    return Lesson(
        ply=ply,
        column=0,
        verdict=MoveVerdict("blunder", "", grave),
        text="",
        name=kind.value if is_visible or has_name else "",
        reasons=(Reason(kind, False, 1, (0,), 1, (), (), ""),),
        is_visible=is_visible,
        only_delays=only_delays,
        was_lost=was_lost,
    )


def key_moments(own: list[Lesson]) -> tuple[int, ...]:
    """Return a side's key moments, as the room's README and `moments.py` describe them."""
    kinds: dict[str, list[Lesson]] = {}
    for each in own:
        if each.is_visible or (each.name and each.verdict.grave):
            kinds.setdefault(each.name, []).append(each)

    def use(each: Lesson) -> tuple[object, ...]:
        return each.is_visible, not each.only_delays, each.verdict.grave, not each.was_lost, each.ply

    found = [max(same, key=use) for same in kinds.values()]
    found.sort(key=lambda each: (not each.is_visible, KINDS.index(each.reasons[0].kind)))
    chances = [each for each in own if each.verdict.grave and each.name not in kinds]
    if chances and all(each.was_lost for each in found[:3]):
        found = [*found[:2], chances[-1]]
    return tuple(each.ply for each in found[:3])


@settings(max_examples=400)
@given(
    st.lists(st.tuples(MADE, SCORES), min_size=20, max_size=24),
    st.sampled_from((None, 1, 2)),
    st.integers(0, 24),
    st.none() | st.integers(0, 19),
)
def test_at_most_three_key_moments_teach_most_and_the_last_turn_that_was_not_lost_saves_the_game(
    game, winner, lost_from, only
):
    """``only``: the one ply whose score is drawn, where all others are lost."""
    lessons = [mistake(ply, ply >= lost_from, *made) for ply, (made, _) in enumerate(game) if made]
    scores = [score if only in (None, ply) else -1 for ply, (_, score) in enumerate(game)]
    taught = game_lessons(lessons, Review((*scores, 5), (None,) * len(game), (0,) * len(game)), winner)
    for side in (0, 1):
        own = [lesson for lesson in lessons if lesson.ply % 2 == side]
        assert taught.moments[side] == key_moments(own)
        for lesson in own:
            held = [ply for ply in range(side, lesson.ply + 1, 2) if scores[ply] in (0, 3)]
            assert taught.turns.get(lesson.ply) == max(held, default=None)
        is_lost = winner == 2 - side and all(score in (-4, -1) for score in scores[side::2])
        assert (taught.lost_side == side) == is_lost


@pytest.mark.parametrize(("moves", "is_less"), [("64446", True), ("3344", False)])
def test_without_time_less_is_said_but_nothing_else(moves, is_less):
    before, whole = example(moves)
    board = Board.from_moves(before)
    own = scores_of(board)
    scores = max(own.values()), -own[whole.column]
    late = Coach(Analyst()).lesson(board, whole.column, scores=scores, deadline_s=0.0)
    assert late is not None and (late.right, late.reasons) == (((), ()) if is_less else (whole.right, whole.reasons))
    assert not late.only_delays and Coach(Analyst()).lesson(board, whole.column, deadline_s=0.0) is None

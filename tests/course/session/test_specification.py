"""One player's games as a pure function: `step(session, event)` returns the session after an event and what to do next.

The server applies a move whenever one arrives, and shows the board only in its reply. So a move is not idempotent, and
after a lost reply the session plays on with every possibility. A -1, which opens a game, would forfeit a running one.
No test does anything but pass events: the session has no clock, no network and no disk. The notation is in `build.py`;
`transcripts/` has the details, state by state.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.course.failures import Delivery
from bot.course.journal.journal import Journal
from bot.course.journal.records import as_line, parse_line
from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session.belief import Belief
from bot.course.session.commands import Choose, Command, Note, Open, ReadStatistics, Send, Stop, StopReason
from bot.course.session.events import Abandoned, Chosen, Counted, Event, Failed, Replied, Sent, Started
from bot.course.session.hypotheses import Hypothesis
from bot.course.session.machine import UnexpectedEventError, step
from bot.course.session.policy import choose
from bot.course.session.position import EMPTY
from bot.course.session.session import Session
from bot.game import Board
from tests.course.session.build import Walk, position

EVENTS: dict[str, Event] = {
    "started": Started(1.0),
    "new game chosen": Chosen(1.0, NEW_GAME),
    "column chosen": Chosen(1.0, 3),
    "sent": Sent(1.0),
    "replied": Replied(1.0, MoveReply(True)),
    "failed": Failed(1.0, Delivery.UNKNOWN, "It failed."),
    "counted": Counted(1.0, None),
    "abandoned": Abandoned(1.0),
}
PLAYING = Belief((Hypothesis(EMPTY),))
OUTCOMES: list[tuple[Command | None, str]] = [
    (None, "started"),
    (Open(), "started, new game chosen, abandoned"),
    (Choose(), "started, column chosen, abandoned"),
    (Send(3), "started, sent, replied, failed, abandoned"),
    (Send(3, is_sent=True), "started, sent, replied, failed, abandoned"),
    (ReadStatistics(None), "started, counted, abandoned"),
    (Stop(StopReason.NETWORK), "started, abandoned"),
]
"""What brings the outcome of each command that is due; a process can die, and another start, at any moment."""


@pytest.mark.parametrize(("command", "outcomes"), OUTCOMES, ids=lambda value: type(value).__name__)
def test_only_the_outcome_of_the_command_that_is_due_is_taken(command: Command | None, outcomes: str) -> None:
    session = Session(belief=PLAYING, command=command)
    for name, event in EVENTS.items():
        if name in outcomes.split(", "):
            after, due = step(session, event)
            assert due == after.command
        else:
            with pytest.raises(UnexpectedEventError):
                step(session, event)


def test_a_game_is_opened_played_and_counted() -> None:
    walk = Walk()("run games=2; counted 4 2 1")
    assert walk.command == Open()
    walk("new: .")
    assert walk.session.belief.position == position(".")
    walk("play ababab; a: +")
    assert walk.ends == [(1, 1.0, "reply")]
    assert isinstance(walk.command, ReadStatistics)
    walk("counted 5 3 1")
    assert walk.command == Open()
    assert walk.session.ledger.game == 2


def test_a_run_ends_after_its_games() -> None:
    walk = Walk()("run games=1; unread http 404; new: .; play ababab; a: +")
    assert isinstance(walk.command, ReadStatistics), "whose count says whether the goal is met"
    assert walk("unread http 404").command == Stop(StopReason.FINISHED)


def test_a_move_is_chosen_within_the_servers_limit_from_the_first_byte_of_the_last_reply() -> None:
    walk = Walk()("run limit_s=5; unread http 404; new: .; d: sent; pass 2; then: +c body_s=1.5")
    assert isinstance(walk.command, Choose)
    used_s, overhead_s, margin_s = 1.5, 0.5, 0.35
    left_s = walk.session.belief.clock.left_s(walk.at)
    assert left_s == pytest.approx(5 - used_s - overhead_s - margin_s)


def test_after_a_lost_reply_the_move_was_not_processed_or_was_answered_by_any_column() -> None:
    walk = Walk()("run; unread http 404; new: .; play dd; c: lost reset")
    boards = {item.playing.board for item in walk.session.belief.hypotheses}
    assert boards == {position("dd").board, *(position(f"ddc{answer}").board for answer in "abcdefg")}
    assert sum(item.weight for item in walk.session.belief.hypotheses) == pytest.approx(1.0)


def test_after_a_lost_reply_another_move_follows_and_its_reply_shows_the_board() -> None:
    walk = Walk()("run; unread http 404; new: .; play dd; c: lost reset; e: ddcfeg")
    assert walk.session.belief.position == position("ddcfeg")


def test_after_a_lost_request_for_a_game_no_second_one_is_sent_since_it_would_forfeit_the_first_game() -> None:
    walk = Walk()("run; counted 0 0 0; new: lost reset; settled 0 0 0")
    assert isinstance(walk.command, Choose)
    assert {item.position for item in walk.session.belief.hypotheses} >= {None, EMPTY}
    walk("d: dc")
    assert (walk.session.ledger.game, walk.session.belief.position) == (1, position("dc"))


def test_a_process_that_died_at_any_moment_of_a_move_does_not_take_it_for_unsent() -> None:
    for moment, not_processed in (("chosen", 0.98), ("sent", 0.15)):
        walk = Walk()(f"run; counted 0 0 0; new: .; play dd; c: {moment}; run")
        before = next(item for item in walk.session.belief.hypotheses if item.position == position("dd"))
        assert before.weight == pytest.approx(not_processed)


def test_the_statistics_are_evidence_and_no_proof() -> None:
    walk = Walk()("run games=5; counted 0 0 0; new: .; play ababab; a: lost reset; counted 1 1 0")
    assert {item.position for item in walk.session.belief.hypotheses} == {None, position("ababab")}
    walk("d: dc")
    assert walk.ends == [(1, 1.0, "inferred")]


def test_of_all_columns_the_one_that_most_probably_does_not_lose_is_chosen() -> None:
    class Known:
        """Only the column of the last answer saves."""

        def prospects(self, board: Board) -> list[float]:
            last = "dd" if board == position("dd").board else "ddcf"
            return [float(column == "abcdefg".index(last[-1])) for column in range(7)]

        def prospect(self, board: Board, column: int) -> float:
            return self.prospects(board)[column]

    before, after = position("dd"), position("ddcf")
    choice = choose((Hypothesis(before, weight=0.4), Hypothesis(after, weight=0.6)), Known())
    assert (choice.column, choice.safe) == ("abcdefg".index("f"), False)
    assert choice.saved == pytest.approx(0.6)


def test_a_game_is_open_from_its_request_until_its_result_is_certain() -> None:
    walk = Walk()("run games=2; counted 0 0 0")
    assert (walk.session.is_opening, walk.session.has_open_game) == (False, False)
    walk("new: sent")
    assert (walk.session.is_opening, walk.session.has_open_game) == (True, True)
    walk("then: .; play ababab; a: sent")
    assert (walk.session.is_opening, walk.session.has_open_game) == (False, True)
    walk("then: lost truncated delivered=1")
    assert (walk.session.belief.is_idle, walk.session.has_open_game) == (True, False), "only one result is possible"


def test_a_run_begins_with_what_earlier_runs_have_learnt_of_lost_replies() -> None:
    walk = Walk()
    walk.feed(Started(0.0, deliveries={"reset": (9, 9)}))
    walk("unread http 404; new: .; play dd; c: lost reset")
    before = next(item for item in walk.session.belief.hypotheses if item.position == position("dd"))
    assert before.weight == pytest.approx(1 - 10 / 11)


FAILURES = [
    ("new: .; play dd; 2 times c: no, settled 0 0 0; c: no", StopReason.REFUSED, "The server refuses our moves"),
    ("new: .; play dd; 2 times c: ggga result=1, settled 0 0 0; c: ggga result=1", StopReason.REFUSED, "does not fit"),
    ("new: .; play dd; c: not sent; pass 30; c: not sent", StopReason.NETWORK, "It failed"),
    ("new: .; play dd; c: rejected", StopReason.REJECTED, "It failed"),
    ('new: .; play dd; c: no "Incorrect API key."', StopReason.REJECTED, "The server refuses the key"),
]


@pytest.mark.parametrize(("script", "reason", "message"), FAILURES)
def test_a_run_that_stops_says_why_and_the_next_one_resumes_its_game(
    script: str, reason: StopReason, message: str
) -> None:
    walk = Walk()(f"run; counted 0 0 0; {script}")
    assert isinstance(walk.command, Stop)
    assert walk.command.reason is reason
    assert message in walk.command.message
    hint = "The game is kept: run the same command again to resume it."
    assert walk.command.hint.endswith(hint) is (reason is not StopReason.REJECTED)
    assert isinstance(walk("run; settled 0 0 0").command, Choose)


def test_before_the_first_answer_of_the_server_one_request_leaves_and_what_is_no_course_server_gets_no_other() -> None:
    walk = Walk()("run; unread http 404; new: lost html")
    assert walk.command == Stop(StopReason.REFUSED, "It failed.", "Check it.")
    walk = Walk()("run; unread http 404; new: lost timeout; 5 times unread timeout")
    assert isinstance(walk.session.command, ReadStatistics)
    assert walk.session.command.after_s > 0


WORDS = {
    "new: .; c: lost reset": "It failed. The server may or may not have received the move.",
    "new: lost reset": "It failed. The server may or may not have received the request for a new game.",
    'new: .; c: no "Busy."': "The server refuses the move: Busy. Trying again.",
    'new: no "Busy."': "The server refuses the new game: Busy. Trying again.",
    "new: .; c: ggga": "The server's reply does not fit the game. The reply is not used.",
    "new: .; play dd; c: ddcece": "The server's reply does not fit the game. The game goes on from the server's board.",
    "new: .; play ababab; a: +; counted 2 1 0": "The server counts 1 game more than were finished here.",
    "new: .; play ababab; a: +; counted 3 1 1": (
        "The server counts 2 games more than were finished here, 1 of them lost."
    ),
}


@pytest.mark.parametrize("script", WORDS)
def test_what_is_unusual_is_noted_in_a_sentence(script: str) -> None:
    walk = Walk()(f"run games=9; counted 0 0 0; {script}")
    assert [item.text for item in walk.news if isinstance(item, Note)] == [WORDS[script]]


def test_the_records_of_a_journal_restore_the_session_at_any_moment() -> None:
    walk = Walk()("run games=3; counted 4 2 1; new: ^d; play dc; c: lost reset; settled 4 2 1; e: sent")
    journal = Journal(Path("journal.jsonl"))
    for record in walk.records:
        written = parse_line(as_line(record, "2026-11-22T18:00:00Z"))
        assert written is not None
        journal.take(written)
    assert journal.session.command == walk.session.command
    assert (journal.session.belief, journal.session.ledger) == (walk.session.belief, walk.session.ledger)
    assert journal.problems == []

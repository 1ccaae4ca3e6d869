"""Looking back: scores and lines, the coach's reasons, and the key moments of a game."""

from __future__ import annotations

import re

import pytest

from tests.web.browser import (
    LATE,
    LOST,
    OVER,
    PHONE,
    SEEN,
    Asked,
    alter,
    are_in_view,
    beside,
    click,
    counts,
    discs,
    go_to,
    hold,
    keep,
    kept,
    lacks,
    lists,
    opponent,
    play_out,
    plays,
    prefer,
    press,
    reload,
    respond,
    run_clock,
    says,
    sees,
    stop_clock,
    tab,
    visit,
)
from tests.web.test_runs import open_run

WAITING = "5644325144236"
"""The last move allows a win by leaving the opponent no safe column after 15 plies."""
OVERLAP = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
  const badges = boxes(".note.threat rect"), numbers = boxes(".ghost-plate");
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const cell = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < 40;
  return [badges.some((badge) => numbers.some((number) => !apart(badge, number))),
    badges.some((badge) => numbers.some((number) => cell(badge, number)))];
}"""
"""Whether a threat's badge covers a number of the best line, and whether one shares a cell with one."""
SAVED = re.compile(
    r"From move 21, this game can still be saved, as .*: Learner, one level up, does it in about \d of 10 tries\."
)
HEIGHTS = "all => all.map((one) => one.getAttribute('height'))"
MARKS = "all => all.map((one) => one.dataset.mark)"
CELLS = 43
"""Cells of the ribbon."""

pytestmark = pytest.mark.usefixtures("tab")


def place(cell: float) -> tuple[float, float]:
    """Return where the ribbon's cell with this number is, from 0."""
    box = tab.page.locator("#ribbon").bounding_box()
    assert box is not None
    return box["x"] + (cell + 0.5) / CELLS * box["width"], box["y"] + box["height"] / 2


def heights() -> set[str]:
    """Return the heights of the moves in the ribbon."""
    return set(tab.page.locator("#ribbon .cell").evaluate_all(HEIGHTS))


def test_a_line_that_is_shown_keeps_its_text_and_is_no_move_of_the_game():
    stop_clock()
    prefer(areScoresShown=True)
    visit(f"view=play&moves={OVER}&yellow=you&red=random")
    press(*["ArrowLeft"] * 3)
    run_clock(900)
    sees("#coach-text", "After Red\u2019s column 1, you could open two fours at once.")
    sees("#coach-text .reason", "Red could block only one.")
    counts(0, "#coach-text:text-matches('\\\\b[XO]\\\\b')")
    counts(2, "#coach-text > *")
    lacks("#coach details p")  # the rest is told on request
    said = tab.page.locator("#coach-text").inner_text()
    click("#coach-text .reason button")
    for at in range(5):
        says(f"step {at} of 4")
        discs(len(LATE) - 1 + at)
        run_clock(900)
    counts(4, "#board .four")
    assert tab.page.locator("#coach-text").inner_text() == said
    press("7")
    lacks("#columns button:enabled")
    click("#leave-line")
    discs(len(LATE))
    plays(OVER)


@PHONE
def test_study_shows_every_score_the_best_line_and_what_can_be_seen_and_threats_leave_the_line_readable():
    visit(f"moves={LATE}")
    sees("body[data-view=scores]")
    says("Yellow to move. Yellow wins in 2.")
    counts(7, "#scores .score")
    sees("#scores > :nth-child(5)", re.compile(r"win\s+in 2"))
    counts(2, ".score.best")
    counts(3, "#board .ghost")
    click("#coach summary")
    sees("#coach :text('Yellow can force a four with 5 5 7.')")
    sees("#coach :text('Threats of Yellow: column 5, row 2 (even row).')")
    sees("#board .ghost-number")
    counts(0, "#board .note")
    tab.page.get_by_label("Threats on the board").click()
    sees("#threat-legend", "can be played now")
    assert tab.page.evaluate(OVERLAP) == [False, True]
    sees("#line", re.compile(r"^5 \d"))
    visit(f"moves={WAITING}")
    counts(5, "#board .ghost")  # of a longer line, which red begins
    counts(3, "#board .ghost.second")
    tab.page.locator("#coach summary").press("Enter")  # a notice lies over it for a moment
    where = r"no column is safe for (Red|Yellow), and column\s\d lets (Red|Yellow) make four\."
    sees("#coach .reason", re.compile(where))


def test_the_ribbon_hides_the_scores_while_a_game_is_open_and_the_end_says_how_well_both_have_played():
    play_out(OVER[:-1])
    discs(len(OVER) - 1)
    assert heights() == {"8"}
    press(OVER[-1])
    says("You win with four in a row.")
    lists("#mistakes p", "You: no mistake", "Novice: 1 mistake")
    sees("#ribbon .cell[height='20']")
    assert heights() == {"7", "20"}
    press("ArrowLeft", "ArrowLeft", "ArrowLeft")
    discs(12)
    sees("#ribbon[aria-valuetext='Move 12 of 15: red, column 1, brought the loss 13 moves closer']")
    click("#moments")
    says("After Red\u2019s column 1, you could open two fours at once.")  # no mistake was one's own
    assert heights() == {"8"}, "the guide asks"
    click("#guide-close")
    assert heights() == {"7", "20"}


def test_a_press_on_the_ribbon_steps_through_the_game():
    visit(f"view=scores&moves={LOST}")
    for cell, ply in ((6, 6), (11.6, 12), (24, 24), (0, 0), (40, len(LOST))):  # the last one is behind the last move
        tab.page.mouse.click(*place(cell))
        discs(ply)


def test_a_key_moment_could_be_seen_and_every_try_is_answered_on_the_board():
    stop_clock()
    visit(f"view=play&moves={SEEN}&yellow=you&red=level:2")
    click("#moments")
    run_clock(1)
    lists("#guide-head", "Key moment 1 of 2, move 21: column 4")
    says("You played column 4 and left Red\u2019s four open. Where should you have blocked?")
    discs(20)
    sees("#board .note.pale.first")
    lacks(":is(#mistakes, #setup, #analyse, .score)")  # all else steps back
    counts(2, "#ribbon .moment")
    press("2")
    discs(21)
    says("Not column 2. Red could still make four.")
    press("7")  # nothing happens while the wrong disc is shown
    run_clock(900)
    discs(20)
    says("Not column 2. Red could still make four.")
    sees("#guide-text", "Try another column.")
    lists("#board .note", "?", "\u00d7")
    press("2")
    run_clock(900)
    discs(22)
    counts(4, "#board .four")
    says("Not column 2. Red could make four in column 7: that cell was left open.")
    run_clock(900)
    discs(20)
    says("Not column 2. Red could make four in column 7: that cell was left open.")
    press("7")
    for count in (21, 22, 20):
        discs(count)
        says("Right: column 7.")
        run_clock(900)
    counts(4, "#board .note.of")  # with the cell that it lacks
    sees("#guide-turn", "Turn it around from move 21")
    sees("#turn-text", SAVED)
    said = tab.page.locator("#guide-text").inner_text()
    click("#panel .reason button")
    for at in range(3):
        says(f"step {at} of 2")
        run_clock(900)
    says("Red\u2019s column 7 makes four, step 2 of 2")
    assert tab.page.locator("#guide-text").inner_text() == said
    click("#leave-line")
    discs(20)
    click("#panel .reason button")
    go_to("scores")
    go_to("play")  # where the game is, not a line of the coach
    says("Move 24 of 24")
    click("#guide-next")
    sees("#guide-text", "Try a column.")


@PHONE
def test_marks_survive_a_reload_and_all_mistakes_are_behind_one_press():
    keep("guide", {f"game {number}": {} for number in range(60)})
    visit(f"view=play&moves={LOST}&yellow=random&red=you")
    sees("#ribbon .cell[data-ply='25'][y='26']")  # below the line: the side below the board has lost
    assert tab.page.locator("#ribbon .moment").evaluate_all(MARKS) == ["6", "12", "24"]
    click("#moments")
    are_in_view("#board", "#guide-head", "#guide-text", "#guide-show")
    click("#guide-show")
    says("The answer: column 1.")
    sees("#board .note.hint[data-column='0']")
    are_in_view("#board", "#guide-head", "#panel .reason", "#guide-next")
    games = kept("guide")
    assert LOST in games and len(games) == 60 and "game 0" not in games, "the oldest game's marks are left out"
    reload()
    click("#moments")
    lists("#guide-head", "Key moment 2 of 3, move 12: column 2")
    click("#guide-skip", "#guide-skip")
    lists("#guide-text", "You found 0 of 3.")
    lists("#panel .list button >> nth=1", re.compile(r"^Move 12\s+skipped\s*After your column\s2, Yellow"))
    click("#guide-all")
    lists("#guide-head", "Mistake 1 of 4, move 6: column 7")
    says("Which column kept the win?")
    press("1")
    says("Not column 1. Column 1 turns a won position into a lost one.")
    click("#guide-show")
    sees("#guide-text .reason", "After best play up to move 21, Yellow could make four whatever the replies")
    click("#guide-text .reason button")
    says(", step ")
    click("#leave-line", "#guide-close", "#moments", "#guide-skip", "#guide-skip")
    click("#panel .list button >> nth=0")
    lists("#guide-head", "Key moment 1 of 3, move 24: column 5")
    press("1")
    click("#guide-next", "#guide-skip", "#guide-skip")
    lists("#guide-text", "You found 0 of 3.")  # that answer had been shown


def test_what_the_end_says_of_a_move_has_the_number_that_the_ribbon_marks():
    visit(f"view=play&moves={LOST}&yellow=you&red=random")
    sees("#why", "Key moment, move 24.")
    assert tab.page.locator("#ribbon .moment").evaluate_all(MARKS) == ["13", "24"]  # with the own one
    lists("#mistakes p", "You: 4 mistakes", "random: 4 mistakes, 1 decisive (move 6)")
    click("#moments", "#guide-skip")
    lists("#guide-all", "All mistakes: 4")  # the same number


def test_a_lost_game_is_turned_around_where_its_opponent_would_have_let_off_and_hints_are_counted():
    opponent("1" * 21 + "4")
    visit(f"view=play&moves={SEEN}&yellow=you&red=level:2")
    sees("#why", "Key moment, move 21. You played column 4 and left Red\u2019s four open.")
    sees("#turn-text", SAVED)
    lists("#actions button", "Key moments", "Turn it around", "Rematch")
    click("#turn")
    discs(20)
    says("Second try from move 21: your move.")
    sees("#turn-text", SAVED)
    lists("#bar-above .name", "Novice")
    sees("#undo:disabled")
    press("h")
    sees("#status-text", "Red threatens to make a four.")
    press("7")
    discs(22)
    lacks("#turn-text")
    reload()
    says("Second try from move 21: your move.")
    press("h")
    sees("#hint", "Where?")
    assert kept("unfinished-game")["hints"] == 2
    press("4")
    sees("#compared", "First game: lost at move 24.")
    sees("#compared", "Second try from move 21, with 2 hints: won at move 23.")
    lacks("#joy")
    lists("#actions button", "Rematch", "Moments", "First game")
    click("#first")
    plays(SEEN)
    sees("#turn-text", SAVED)
    lacks("#compared")
    click("#moments", "#guide-skip", "#guide-skip")
    sees("#guide-text", "You found 0 of 2.")
    lacks("#why")  # the list says it
    click("#turn")
    says("Second try from move 21: your move.")
    press("4")
    discs(22)
    press("4")
    sees("#compared", "Second try from move 21: lost at move 24.")
    lacks("#guide-text")  # although the moves are those of the first game
    lists("#actions button", "Try again", "Moments", "First game")
    click("#turn")
    says("Second try from move 21: your move.")


def test_a_second_try_begins_at_the_key_moment_and_a_later_start_is_offered_beside_it():
    alter("review", moments=[[], [11]])
    starts = [{"ply": ply, "share": share, "by": "Learner"} for ply, share in ((11, 0.62), (23, 0.2))]
    take = hold("chance")
    opponent(LOST)
    visit(f"view=play&moves={LOST}&yellow=level:2&red=you")
    measured = take()
    assert measured.body()["moments"] == [11]
    sees("#ending", "Looking for the key moment")
    measured.reply(starts)
    sees("#why", "move 12. ")
    sees("#turn-text", "From move 12, this game can still be saved")
    click("#moments")
    lists("#guide-head", re.compile(r"Key moment, move 12: column \d"))
    click("#guide-show", "#guide-turn")
    says("Second try from move 12: your move.")
    click("#other-turn:text('From move 24: saved in about 2 of 10 tries')")
    says("Second try from move 24: your move.")
    sees("#turn-text", "From move 24, this")
    sees("#other-turn", "From move 12: saved in about 6 of 10 tries")
    press(LOST[23])
    sees("#compared", "First game: lost at move 25. Second try from move 24: lost at move 25.")


def test_what_is_said_of_a_game_from_a_later_move_is_about_its_own_moves():
    have_beaten(2)
    opponent(OVER)
    visit(f"view=play&moves={OVER[:-1]}&yellow=you&red=level:2")
    press(OVER[-1])
    sees("#joy", f"does not count for the ladder, because this game began at move {len(OVER)}.")
    sees("#why", "Novice made no mistake that is easy to see.")
    visit(f"view=play&moves={OVER[:11]}&yellow=level:2&red=you")
    press(OVER[11])
    discs(13)
    press(OVER[13])
    sees("#why", "Key moment, move 12.")  # the first one that is its player's own


def test_a_win_is_celebrated_once_beats_its_level_and_offers_the_next_one_unless_hints_were_given():
    play_out(OVER)
    sees("#joy", "Novice is beaten. 9 of 10 levels to go.")
    lists("#ending .streak .on", "")
    sees("#why", "Key moment, move 12. After Red\u2019s column 1, you could open two fours at once.")
    sees("body.joy")
    lists("#actions button", "Next: Learner", "Rematch", "Key moments")
    click("#next-level")
    lists("#bar-above .name", "Learner")
    discs(0)
    lists(".ladder .beaten", "\u2713")
    for count in range(0, len(OVER), 2):
        discs(count)
        if count == 2:
            press("h")
            sees("#hint", "Where?")
        press(OVER[count])
    sees("#joy", "A whole game without hints beats the level.")
    sees("#joy", "Well played, with 1 hint.")
    lists("#next-level", "Next: Casual")  # not the one that was won with a hint
    click("#rematch")
    lists("#next-game .beaten, #setup .beaten", "\u2713")


def have_beaten(level: int) -> None:
    """Let a level have been beaten before the page is opened."""
    keep("own-games", [{"moves": OVER, "side": 0, "names": ["You", "it"], "seats": ["you", f"level:{level}"]}])


def test_the_next_level_is_one_that_is_not_beaten_yet():
    have_beaten(3)
    play_out(OVER)
    lists("#next-level", "Next: Casual")


def test_a_journals_game_is_turned_around_against_the_opponent_that_is_set_up(logs):
    journal = open_run(logs)
    journal.game_end(1, -1.0, moves=SEEN)
    journal.close()
    visit(f"view=games&run={journal.path.name}")
    click("#moments")
    lists("#guide-head", "Key moment 1 of 2, move 21: column 4")
    says("Yellow played column 4 and left Red\u2019s four open.")  # nobody here played it
    click("#guide-show")
    sees("#turn-text", "Move 19 is the last one at which the game was not lost.")
    click("#guide-turn")
    lists(".name", "Novice", "You")
    click("#first")
    plays(SEEN)
    assert not kept("own-games"), "it is not a game of the user"


def test_an_unfinished_review_is_made_again_and_mistakes_are_asked_about_where_there_is_no_key_moment():
    asked = alter("review", moments=[[], []], scores=[None] * 16)
    for count in (1, 2):
        visit(f"view=play&moves={OVER}&yellow=random&red=you")
        click("#moments")
        sees("#guide-text", "No key moment")
        sees("#guide-text", "Not all moves could be checked in time.")
        assert len(asked) == count
    lists("#guide-all", "All mistakes: 1")
    click("#guide-all")
    lists("#guide-head", "Mistake, move 12: column 1")


def test_a_column_that_was_not_checked_in_time_is_not_judged():
    def without_tries(asked: Asked) -> None:
        review = asked.fetch()
        review["lessons"][0]["tries"] = [None] * 7
        asked.reply(review)

    respond("review", without_tries)
    visit(f"view=play&moves={OVER}&yellow=random&red=you")
    click("#moments")
    says("Which column prevented that?")
    press("3")
    says("Not column 3. It could not be checked in time.")
    discs(11)
    press("1")
    says("Not column 1. That is what was played.")
    discs(11)
    lists("#board .note", "?", "\u00d7")


def test_that_every_move_lost_is_said_first_and_only_to_the_loser():
    visit(f"view=play&moves={OVER}&yellow=random&red=you")
    click("#moments")
    sees("#doomed", "The game was lost for you from the first move on: Yellow kept the win throughout.")
    click("#guide-show")
    lacks("#guide-turn")
    click("#guide-next")
    sees("#guide-text", "You found 0 of 1.")
    lacks("#doomed")
    with beside():
        visit(f"view=play&moves={OVER}&yellow=you&red=random")
        click("#moments", "#panel .list button")
        says("After Red\u2019s column 1, you could open two fours at once.")
        lacks("#doomed")
    alter("review", moments=[[20], []])
    visit(f"view=play&moves={SEEN}&yellow=random&red=you")
    click("#moments", "#guide-show")
    sees("#guide-text .reason")
    lacks("#guide-turn")  # the other side lost it

"""`bot challenge` with scripted input: turns, undo, hints, resigning, leaving."""

from __future__ import annotations

import pytest

GAMES = {
    ("--level 1 --seed 3", "4\nresign\n"): ("You lose: resigned. Moves: 4", "bot coach 4"),
    ("--moves 414141", "4\n"): ("\nYou win: four in a row. Moves: 4141414\n",),
    ("--moves 414141", "hint\nq\n"): ("X can make four in column 4.", "Best: 4. Your side wins in 1 move."),
    ("--moves 44", "hint\nq\n"): ("\nNo threats.\nBest: 4. Your side ",),
    ("--moves 257771314744647214154617633623313656555222", ""): ("A draw: the board is full.",),
    ("--moves 17271727", ""): ("You lose: four in a row.",),
    ("--moves 444444 --seed 1", "9\n\n44\n4\nhello\nundo\nm\n"): (
        "'9' is not a column. Type a column (1-7), or undo",
        "'hello' is not a column.",
        "There is no column in that.",
        "Give one column at a time.",
        "Column 4 is full.",
        "2 moves taken back.",
        "Moves: 4444\n",
        "The game is not finished. To go on: bot challenge --level 2 --moves 4444",
    ),
    ("", "undo\nm\n"): ("There is no move of yours to take back.", "Moves: none yet\n"),
    ("--moves 4 --second", "undo\nm\n"): ("There is no move of yours to take back.", "Moves: 4\n"),
    ("--moves 445 --second", "undo\nm\n"): ("Moves: 4\n",),
    ("--second --seed 1", ""): ("You are O", "The computer plays", "bot challenge --level 2 --second --moves "),
}
"""Options and input of a game, and what is printed."""


@pytest.mark.parametrize(("options", "typed"), GAMES)
def test_a_game_is_played_by_typing(options, typed, cli):
    done = cli(f"challenge {options}", typed)
    assert done.returncode == 0 and all(part in done.stdout for part in GAMES[options, typed]), done.stdout


def test_the_same_seed_plays_the_same_game(cli):
    assert len({cli("challenge --seed 1", "4\n4\n3\nq\n").stdout for _ in range(3)}) == 1

"""Settings of the open half's minimax bots: what each entry of the array ``habits`` means.

This module lies among the kernels because they read it at compile time; importing it compiles nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

ROWS, COLUMNS = 6, 7
BOT, STUDENT = -1, 1

# Indices into ``habits``.
PLIES = 0  # plies to search, the bot's own move included
LINES = 1  # bit mask of the line directions that the bot knows
WIN_SPEED = 2  # bonus per unused ply of the bot's win
LOSS_SPEED = 3  # extra penalty per unused ply of the bot's loss
LATE_CHECK = 4  # 1: the last ply is evaluated before anything looks for a win
TIE = 5  # which of several best columns is chosen
SLIP_PER_MILLE = 6  # how often a random column replaces the answer
USES_WINDOWS = 7  # 1: the window weights count
USES_RUNS = 8  # 1: the run weights count
OWN_WINDOW = 9  # 3 weights: windows with 1, 2, 3 discs of the bot and none of the student
STUDENT_WINDOW = 12  # 3 weights: the same for the student
OWN_ODD, OWN_EVEN, STUDENT_ODD, STUDENT_EVEN = 15, 16, 17, 18  # a window's missing fourth cell, by its row from below
OWN_PAIR, OWN_TRIPLE, STUDENT_PAIR, STUDENT_TRIPLE = 19, 20, 21, 22  # adjacent discs, extendable or not
HABITS = 23  # length of ``habits``

FIRST, LAST, RANDOM = 0, 1, 2  # values of TIE

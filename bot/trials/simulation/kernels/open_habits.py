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
WIN_SPEED = 1  # bonus per unused ply of the bot's win
LOSS_SPEED = 2  # extra penalty per unused ply of the bot's loss
LATE_CHECK = 3  # 1: the last ply is evaluated before anything looks for a win
TIE = 4  # which of several best columns is chosen
USES_WINDOWS = 5  # 1: the window weights count
OWN_WINDOW = 6  # 3 weights: windows with 1, 2, 3 discs of the bot and none of the student
STUDENT_WINDOW = 9  # 3 weights: the same for the student
HABITS = 12  # length of ``habits``

FIRST, RANDOM = 0, 1  # values of TIE

"""Tommy, Hardjianto, Agani 2017: alpha-beta ("X", always MAX) against MTD(f) ("O", always MIN).

IOP Conf. Ser. 190 012044. The evaluation is that of the paper (bot/lab/README.md#tommy-evaluation); the two searches
follow its pseudo-code, with the details that the published leaf counts decide (bot/lab/README.md#tommy-searches).
"""

from __future__ import annotations

from bot.agents.family import Family
from bot.agents.growing_table import entries_needed, new_table
from bot.agents.kernels.rules import ABORT, INFINITY
from bot.agents.kernels.windows import linear as evaluate
from bot.agents.paper import Counters, Flag, Found, PaperAgent
from bot.agents.program import CENTRE_RIGHT_FIRST, Ends, Program, linear
from bot.game import Board

WEIGHTS = (0, 1, 10, 100, 0)
"""Values of a window with one, two or three discs of one colour and none of the other; four end the game."""
PROGRAM = Program(evaluate, Ends(won=INFINITY, lost=-INFINITY), linear(WEIGHTS, WEIGHTS), CENTRE_RIGHT_FIRST)
FIRST_GUESS = 1
"""First guess of MTD(f) from X's view, at every move: the only value tried that gives the published counts."""


class TommyMtdf(PaperAgent):
    """The paper's O: MTD(f) to the same depth; every move has a new table, in which mirror images share entries."""

    passes_counted = True

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search for the minimiser's move; the value found is the side to move's. Where all lose, the first column."""
        from bot.agents.kernels.search import mtd

        program, table = self.program, new_table(entries_needed(depth))
        value, column = mtd(
            *(board.current, board.opponent, -1, depth, FIRST_GUESS, INFINITY),
            *(program.evaluate, program.rules, counters, table, flag),
        )
        if counters[ABORT]:
            return None
        first = next(column for column in CENTRE_RIGHT_FIRST if board.can_play(column))
        return Found(first if column < 0 else int(column), -int(value), depth)


def _alpha_beta(name: str, depth: int, _seed: int | None) -> PaperAgent:
    return PaperAgent(name, depth, PROGRAM)


def _mtdf(name: str, depth: int, _seed: int | None) -> PaperAgent:
    return TommyMtdf(name, depth, PROGRAM)


FAMILIES = (
    Family("tommy-ab", "Tommy 2017", "alpha-beta, the paper's X", _alpha_beta),
    Family("tommy-mtdf", "Tommy 2017", "MTD(f) with a mirror-aware table, the paper's O", _mtdf),
)

"""OpenSpiel's connect_four: a `pyspiel.Bot`, and the position of one of its states.

::

    import pyspiel
    from bot.adapters.openspiel import make_bot

    state = pyspiel.load_game("connect_four").new_initial_state()
    returns = pyspiel.evaluate_bots(state, [make_bot(), pyspiel.make_uniform_random_bot(1, 7)], 42)
"""

from __future__ import annotations

from typing import Any

from bot.adapters.shared_engine import choose_column, reading
from bot.errors import UsageError
from bot.game import Board
from bot.game.board import COLUMNS, ROWS

_RULES = {"rows": ROWS, "columns": COLUMNS, "x_in_row": 4}


def board_of_state(state: Any) -> Board:
    """Return the position of an OpenSpiel state of connect_four, from its printed board.

    A state that was made from a description has no history of the moves before. Raises UsageError where the state is of
    another game, or of connect_four with other rules, and where its position cannot arise in a game.
    """
    with reading("a state of OpenSpiel", "Pass what game.new_initial_state() returns."):
        game = state.get_game()
        parameters = game.get_parameters()
    rules = {name: parameters.get(name, value) for name, value in _RULES.items()}
    if game.get_type().short_name != "connect_four" or rules != _RULES:
        raise UsageError(f"{game} is not connect_four on 6 x 7 cells with 4 in a row.", "Leave its parameters out.")
    return Board.from_text(str(state))


def choose_action(state: Any, limit_s: float = 5.0) -> int:
    """Return our action 0..6 for the player to move, within ``limit_s`` seconds."""
    board = board_of_state(state)
    if board.is_over:
        raise UsageError("The state is terminal: there is no action to choose.")
    return choose_column(board, limit_s)


def make_bot(limit_s: float = 5.0) -> Any:
    """Return a `pyspiel.Bot` that plays either side, each move within ``limit_s`` seconds (extra `openspiel`)."""
    try:
        import pyspiel
    except ImportError:
        hint = "Install it with `pip install open-spiel`."
        raise UsageError("OpenSpiel is not installed.", hint) from None

    class Player(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no annotations
        """Keeps nothing between moves: a state holds its position."""

        def __init__(self) -> None:
            pyspiel.Bot.__init__(self)

        def step(self, state: Any) -> int:
            return choose_action(state, limit_s)

        def inform_action(self, state: Any, player_id: int, action: int) -> None: ...
        def restart(self) -> None: ...
        def restart_at(self, state: Any) -> None: ...
        def provides_force_action(self) -> bool:
            return False

        def provides_policy(self) -> bool:
            return False

    return Player()

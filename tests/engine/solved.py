"""The solved positions of `tests.positions`, for the rooms that still import them from here."""

from tests.positions import SOLVED as FILE
from tests.positions import SolvedPosition, some
from tests.positions import solved as fixture

__all__ = ["FILE", "SolvedPosition", "fixture", "some"]

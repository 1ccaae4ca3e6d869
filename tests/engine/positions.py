"""The random positions of `tests.positions`, for the rooms that still import them from here."""

from tests.positions import boards, sample

__all__ = ["boards", "sample"]

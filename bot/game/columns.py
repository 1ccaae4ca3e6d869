"""The orders of the columns from the centre outward."""

from __future__ import annotations

CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
"""Columns 0..6 by their distance from the centre, the left one of a pair first: good moves come early in this order."""

CENTRE_RIGHT_FIRST = (3, 4, 2, 5, 1, 6, 0)
"""The same, the right one of a pair first, as Tommy's program has it."""

"""Puzzles from seeds, proven by the exact solver: the only winning move, save the draw, find the trap."""

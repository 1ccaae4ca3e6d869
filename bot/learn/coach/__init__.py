"""Reasons: why a position is won, drawn or lost, and why a move was a mistake; each is said only where it is proven."""

"""Kang 2019: two heuristics."""

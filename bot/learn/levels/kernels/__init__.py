"""Compiled functions of the levels."""

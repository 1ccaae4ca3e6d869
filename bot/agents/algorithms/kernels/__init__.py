"""Compiled search algorithms, one file each."""

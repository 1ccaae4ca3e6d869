"""Compiled parts of the builder."""

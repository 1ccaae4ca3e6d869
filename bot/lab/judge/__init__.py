"""Solved positions, and what agents answer in them."""

"""Benchmarks of the exact solver."""

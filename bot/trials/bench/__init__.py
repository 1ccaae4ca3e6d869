"""Benchmarks: the exact solver's speed, the engine's move times, and what the recovery policy's ingredients gain."""

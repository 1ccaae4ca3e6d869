"""Benchmarks: the exact solver's speed, the engine's move times, and ablations of solver and recovery policy."""

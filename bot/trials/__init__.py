"""Trials of the bot: simulated series with faults, and benchmarks."""

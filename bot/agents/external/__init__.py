"""Agents from outside the package: a line protocol, child processes with limits, and the bot as such a child."""

"""Simulate the session against a virtual server, network, clock and disk, in one process."""

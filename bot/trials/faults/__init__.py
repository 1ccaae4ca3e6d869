"""Faults of real networks and servers, for the embedded course server."""

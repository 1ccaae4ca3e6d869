"""Checks of this machine, the journals and the server. They change nothing; each result has a next step."""

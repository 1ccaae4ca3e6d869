"""A Connect Four client that plays a university course's game server and does not lose."""

__version__ = "0.1.0"

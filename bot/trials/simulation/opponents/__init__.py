"""Bots that the server may run, written apart from the engine to test the client against strangers."""

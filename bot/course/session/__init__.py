"""One game session at the server as a pure state machine: no I/O, no clock, no randomness."""

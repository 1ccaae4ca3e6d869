"""The command line: one file per command; parsing, printing and exit codes, no logic."""

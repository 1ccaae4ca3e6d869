"""The embedded course server: same protocol, SQLite store, opponents, faults on tap."""

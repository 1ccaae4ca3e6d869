"""The embedded course server: the course's protocol, an SQLite store, any agent as opponent."""

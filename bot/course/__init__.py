"""The games at the course's server: transport, session, journal, runs, and the embedded server."""

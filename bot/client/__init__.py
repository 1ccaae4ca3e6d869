"""The course server seen from outside: wire models, HTTP, what may be retried, recovery."""

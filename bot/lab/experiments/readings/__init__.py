"""Readings of a vague paper: every open choice enumerated, each reading scored against the whole published table."""

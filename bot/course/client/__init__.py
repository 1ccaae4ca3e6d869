"""The course server over HTTP: requests, replies, failures, and which requests may be repeated."""

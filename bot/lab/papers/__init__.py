"""The systems of the publications, one module a source."""

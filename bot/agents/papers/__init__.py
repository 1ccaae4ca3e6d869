"""The programs of the publications, one module for each source."""

"""The sources' experiments, one file each: constants, runs, printed tables, statements."""

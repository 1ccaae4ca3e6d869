"""Van der Schee 2014: a blog's program that plays by MTD(f)."""

"""Tommy 2017: alpha-beta against MTD(f)."""

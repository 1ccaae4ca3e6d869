"""The benchmark: the judge's positions for programs in any language, and a scorer that needs nothing but Python."""

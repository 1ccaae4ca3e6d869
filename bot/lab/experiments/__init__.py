"""The publications' experiments: one TOML file a source says what is run, what was printed, and what is stated."""

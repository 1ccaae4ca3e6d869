"""A run of `bot play`: its games, the move clock, the standings, and what a console is shown."""

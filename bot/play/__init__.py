"""Playing one game, a series of games, and judging the streak."""

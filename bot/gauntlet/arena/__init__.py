"""Games between agents without a server: matches, tournaments, their statistics, and the processes they run in."""

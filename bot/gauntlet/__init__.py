"""The gauntlet: an agent of one's own against rules, clock, fixed opponents and the course's bots, and why it lost."""

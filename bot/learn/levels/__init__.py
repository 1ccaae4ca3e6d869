"""Ten levels of play for people, from beginner to perfect, and a game of a person against one of them."""

"""Game-tree search algorithms over one evaluation, one move order and one tie rule."""

"""A source in a folder of its own, for tests of the machine."""

from __future__ import annotations

from collections.abc import Callable

Sources = Callable[[str, str], None]
"""Writes a source's file, by name and text, into the folder that BOT_PAPERS names."""
SOURCE = """
source = 'Toy'
cite = 'nobody'

[run.games]
title = 'Games'
players = { X = "depth1", O = "random" }
grid = { first = ["X", "O"], game = 50 }
quick = { game = 15 }

[table.games]
title = 'Table'
rows = ["first"]
columns = { won = "X.won / n" }
printed = '''
X 0.9
O 0.1
'''

[[says]]
id = 'toy-wins'
at = '1'
text = 'X wins.'
run = 'games'
values = ['X.won']
above = 0

[[says]]
id = 'toy-table'
at = 'Table'
text = 'The cells.'
table = 'games'
equal = 'all cells'
""".lstrip()

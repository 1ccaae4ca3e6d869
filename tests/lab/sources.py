"""A publication of two roles, for tests of the machine that reads, runs and judges publications."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Write = Callable[[str, str], Path]
"""Writes a file, by name and text, into the folder that BOT_PAPERS names."""
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
X 1.0
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

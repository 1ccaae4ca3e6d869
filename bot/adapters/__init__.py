"""Doors to other people's arenas: the engine `perfect` behind the signatures that they ask for.

``bot.adapters.kaggle`` for Kaggle's ConnectX, ``bot.adapters.pettingzoo`` for PettingZoo's connect_four_v3 and
``bot.adapters.course`` for the local environment of the course. None of them imports the arena's own package.
"""

from bot.adapters.chooser import warm_up

__all__ = ["warm_up"]

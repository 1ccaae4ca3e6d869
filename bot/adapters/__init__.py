"""Integrations: the engine `perfect` behind the function signatures of other environments.

``bot.adapters.kaggle`` for Kaggle's ConnectX, ``bot.adapters.pettingzoo`` for PettingZoo's connect_four_v3,
``bot.adapters.openspiel`` for OpenSpiel's connect_four and ``bot.adapters.course`` for the course's local environment.
``bot.adapters.kaggle_export`` writes a Kaggle submission that brings this package along. The environments' own packages
are imported when they are first used.
"""

from bot.adapters.shared_engine import warm_up

__all__ = ["warm_up"]

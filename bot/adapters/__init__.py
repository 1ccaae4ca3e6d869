"""Integrations: the engine `perfect` behind the function signatures of other environments.

``bot.adapters.kaggle`` for Kaggle's ConnectX, ``bot.adapters.pettingzoo`` for PettingZoo's connect_four_v3 and
``bot.adapters.course`` for the course's local environment. No integration imports the environment's own package.
"""

from bot.adapters.shared_engine import warm_up

__all__ = ["warm_up"]

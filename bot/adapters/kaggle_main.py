"""Kaggle's ConnectX: main.py of the archive that `bot export kaggle` writes, beside the folder `bot`.

Kaggle executes this file as text, without ``__file__``, and calls the last function in it.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

sys.path[:0] = ["/kaggle_simulations/agent", str(Path.cwd())]  # where Kaggle unpacks the archive, and anywhere else
for package in ("numba", "platformdirs"):
    if find_spec(package) is None:
        raise ModuleNotFoundError(f"This agent needs {package}, which Kaggle's image has: pip install {package}")

from bot.adapters.kaggle import agent  # noqa: E402, F401

"""The compiling decorator with its cache, and the bitboard helpers that the kernels of all rooms use.

Numba is loaded here first: it warns of a variable of the environment that it cannot read, with a traceback, or fails.
"""

import os
import warnings

from bot.errors import UsageError

with warnings.catch_warnings():
    warnings.filterwarnings("error", "Environment variable")
    try:
        import numba

        features = numba.config.CPU_FEATURES or ""  # type: ignore[attr-defined]
        if any(each[0] not in "+-" for each in filter(None, features.split(","))):  # LLVM would end the process
            raise ValueError(f"the features of a processor begin with + or -, unlike {features!r}.")
    except (RuntimeWarning, ValueError) as error:
        names = ", ".join(name for name in os.environ if name.startswith("NUMBA_"))
        if not names:
            raise
        raise UsageError(
            f"Numba, which compiles the engine, cannot be loaded: {str(error).splitlines()[0]}",
            f"Correct or unset {names}.",
        ) from None

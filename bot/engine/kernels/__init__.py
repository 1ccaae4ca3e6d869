"""The engine's compiled kernels; the modules of `bot.engine` wrap them with types."""

"""Checks of this machine, the journals and the server. They change nothing; each result has a next step."""

from bot.cli.checks.check_result import CheckResult, Level
from bot.cli.checks.examination import examine

__all__ = ["CheckResult", "Level", "examine"]

"""Is everything in order on this machine? Checks that change nothing, each a result with its next step."""

from bot.doctor.check_result import CheckResult, Level
from bot.doctor.examination import Examination, examine

__all__ = ["CheckResult", "Examination", "Level", "examine"]

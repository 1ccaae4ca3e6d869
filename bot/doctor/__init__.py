"""Is everything in order on this machine? Checks that change nothing, each a finding with its next step."""

from bot.doctor.check_result import Finding, Level
from bot.doctor.examination import Examination, examine

__all__ = ["Examination", "Finding", "Level", "examine"]

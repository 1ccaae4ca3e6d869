"""Is everything in order on this machine? Checks that change nothing, each a finding with its next step."""

from bot.doctor.examination import Examination, examine
from bot.doctor.finding import Finding, Level

__all__ = ["Examination", "Finding", "Level", "examine"]

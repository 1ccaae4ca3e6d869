"""Series in which the reply to exactly one move of each game is lost, at a place drawn at random."""

from __future__ import annotations

from bot.course.events import Event, Replied
from bot.course.run.run import ColumnChooser, Driver
from bot.course.session import Session
from bot.trials.simulation.faults import Dice, FaultPlan
from bot.trials.simulation.world import VirtualDisk, VirtualWorld


class OneLoss(Dice):
    """Dice that schedule one lost reply when a game has begun: they watch the series, see `Watch`.

    Each of our moves is equally likely, if the game without a fault has them. The lost reply belongs to a move that was
    played with the probability ``played``. The place does not depend on it.
    """

    def __init__(self, chooser: ColumnChooser, played: float, seed: int) -> None:
        super().__init__(FaultPlan(), seed)
        self._chooser = chooser
        self._played = played
        self._opened = 0

    def __call__(self, world: VirtualWorld, session: Session, event: Event) -> None:
        """Schedule the lost reply of a game that has been opened; ``event`` is its first board."""
        opened = world.server.state.opened
        if opened == self._opened or not isinstance(event, Replied):
            return
        self._opened = opened
        place, is_played = self.random.random(), self.random.random() < self._played
        number = self.requests + 1 + int(place * moves_to_come(world, session, self._chooser))
        kind = "reset_after" if is_played else "reset_before"
        self.scheduled[number] = {kind: 1.0}


def moves_to_come(world: VirtualWorld, session: Session, chooser: ColumnChooser) -> int:
    """Return the number of our moves until the running game ends, if nothing fails: it is played in a copy."""
    dice = Dice(FaultPlan(), seed=0)
    copy = VirtualWorld(world.rules, dice, world.server, world.time_s)
    driver = Driver(session, copy, VirtualDisk(copy), chooser)
    command = session.command
    while not copy.finished:
        assert command is not None
        command = driver.take(driver.perform(command))
    return dice.requests

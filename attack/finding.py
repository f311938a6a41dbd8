"""What an attack found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One line of the table: a finding, what was done, what was measured, whether it held.

    A line that held, but took longer than it may, is slow: a loaded machine looks the same, so its
    attack is tried again.
    """

    finding: str
    what: str
    figure: str
    held: bool
    in_time: bool = True

    @property
    def state(self) -> str:
        """Return held, slow or OPEN."""
        if not self.held:
            return "OPEN"
        return "held" if self.in_time else "slow"

    def __str__(self) -> str:
        return f"{self.finding:<5}{self.state:<6}{self.what}: {self.figure}"

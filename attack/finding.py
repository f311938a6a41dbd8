"""What an attack found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One line of the table: a finding, what was done, what was measured, whether it held."""

    finding: str
    what: str
    figure: str
    held: bool

    def __str__(self) -> str:
        return f"{self.finding:<5}{'held' if self.held else 'OPEN':<6}{self.what}: {self.figure}"

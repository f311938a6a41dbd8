"""What a check found."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "broken"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor.

    Attributes
    ----------
    check
        What was looked at.
    words
        What was found.
    remedy
        What to do; empty where nothing is to be done.
    """

    check: str
    state: State
    words: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.check}: {self.state}. {self.words} {self.remedy}".rstrip()

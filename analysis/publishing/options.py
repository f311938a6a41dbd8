"""What is asked for when a study is published, from the page, the command and the API."""

import datetime as dt
from dataclasses import dataclass

from analysis.publishing.personal_data import LONGEST_SEED, SMALLEST

MOST_GROUPED = 1000


class PublishingError(ValueError):
    """A publication that cannot be made; the message says why and what to do."""


@dataclass(frozen=True)
class Options:
    """How a study is published.

    Attributes
    ----------
    seed
        Draws the names of raters; the same seed, date and study give the same bytes.
    date
        Of publication, as 2026-05-01.
    reports
        Numbers of the frozen reports to publish; None for all.
    comments
        Whether comments of annotators are published.
    smallest
        Groups of fewer raters are small.
    accept
        Names of the warnings that the owner confirms.
    """

    seed: str
    date: str
    reports: tuple[int, ...] | None = None
    comments: bool = False
    smallest: int = SMALLEST
    accept: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises
        ------
        PublishingError
            With the name of the option.
        """
        if not 0 < len(self.seed) <= LONGEST_SEED:
            raise PublishingError(f"seed: expected 1 to {LONGEST_SEED} characters")
        try:
            dt.date.fromisoformat(self.date)
        except ValueError:
            raise PublishingError(f"date: {self.date!r} is no date such as 2026-05-01") from None
        if not 2 <= self.smallest <= MOST_GROUPED:
            raise PublishingError(f"smallest: expected a number from 2 to {MOST_GROUPED}")

"""Segments that were chosen for a campaign, and how: a part of its settings.

The settings of a campaign are exported with the study, so that its ratings can be weighted
elsewhere too. Segments are named by key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corpus.tabular.plain import PlainError, from_plain, to_plain

NAME = "chosen_segments"
WAYS = {
    "probability": "with known probabilities",
    "top": "the best, so that means are of chosen segments only",
}


@dataclass(frozen=True)
class ChosenStratum:
    """How many segments a stratum has, and how many of them were chosen."""

    name: str
    segments: int
    chosen: int


@dataclass(frozen=True)
class ChosenSegments:
    """The segments of a campaign.

    Parameters
    ----------
    by
        What was compared, in words.
    metrics
        Name and signature of each metric that was.
    aspect
        Of earlier ratings; empty where none were compared.
    way
        One of `WAYS`.
    allocation
        "proportional" or "equal", over strata.
    strata
        Direction and attributes of segments; empty for none.
    strata_counted
        What was chosen of each stratum.
    seed
        Of the sample.
    among
        How many segments there were to choose from.
    segments
        Key of each chosen segment to its stratum.
    inclusion
        Key to the probability with which it was to be chosen; empty where the best were taken.
    """

    by: str
    metrics: tuple[tuple[str, str], ...]
    aspect: str
    way: str
    allocation: str
    strata: tuple[str, ...]
    strata_counted: tuple[ChosenStratum, ...]
    seed: int
    among: int
    segments: Mapping[str, int]
    inclusion: Mapping[str, float]

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "ChosenSegments | None":
        """Return what a campaign's settings say; None where they say nothing that can be read."""
        try:
            found: ChosenSegments = from_plain(cls, config.get(NAME))
        except (PlainError, OverflowError):
            return None
        return found if found._is_sound() else None

    def to_config(self) -> dict[str, Any]:
        """Return it as the settings of a campaign have it."""
        return {NAME: to_plain(self)}

    def _is_sound(self) -> bool:
        weighted = self.way == "probability"
        strata = range(max(1, len(self.strata_counted)))
        return (
            self.way in WAYS
            and bool(self.segments)
            and all(number in strata for number in self.segments.values())
            and (self.inclusion.keys() == self.segments.keys() if weighted else not self.inclusion)
            and all(0 < chance <= 1 for chance in self.inclusion.values())
        )

    @property
    def is_weighted(self) -> bool:
        """Whether ratings can be weighted by known probabilities."""
        return bool(self.inclusion)

    @property
    def words(self) -> str:
        """Return how they were chosen, as a part of a sentence."""
        named = ", ".join(name for name, _ in self.metrics)
        metrics = f" ({named})" if named and named != self.by else ""
        within = f", within {' and '.join(self.strata)} ({self.allocation})" if self.strata else ""
        seed = f", seed {self.seed}" if self.is_weighted else ""
        return (
            f"{len(self.segments):,} of {self.among:,} segments, chosen by {self.by}{metrics}, "
            f"{WAYS[self.way]}{within}{seed}"
        )

"""On which scale an aspect was rated: as declared, or as assumed until somebody declares it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.judgements import CampaignView
from analysis.data.measures import RATER_WORDS, campaign_words
from analysis.data.study_data import StudyData
from annotation.protocols.catalogue import protocol
from annotation.protocols.protocol import ConfigError
from annotation.protocols.questions import MOST_CATEGORIES

USUAL = ((0.0, 1.0), (1.0, 5.0), (1.0, 7.0), (0.0, 10.0), (0.0, 100.0))
"""Scales that are assumed where none is declared: the first that holds every rating."""
Source = Literal["declared", "assumed", "unknown"]


@dataclass(frozen=True, slots=True)
class RatingScale:
    """The scale of an aspect.

    Parameters
    ----------
    low, high, step
        Its ends and the distance of its points; zeros where no single scale is known.
    source
        Whether it was declared (by the protocol or the study), assumed from the ratings, or is
        unknown.
    ranks
        Whether its points are places in an order.
    """

    low: float = 0.0
    high: float = 0.0
    step: float = 1.0
    source: Source = "unknown"
    ranks: bool = False

    @property
    def known(self) -> bool:
        """Whether it has ends."""
        return self.source in ("declared", "assumed")

    @property
    def points(self) -> Floats:
        """Its points, lowest first; none where it has too many to be categories."""
        if not self.known or (self.high - self.low) / self.step + 1 > MOST_CATEGORIES + 1e-9:
            return np.empty(0)
        return np.arange(self.low, self.high + self.step / 2, self.step)

    @property
    def words(self) -> str:
        """Its ends for a reader.

        Examples
        --------
        >>> RatingScale(1, 5, source="declared").words
        '1 to 5'
        """
        if not self.known:
            return "no known scale"
        return f"{'ranks ' if self.ranks else ''}{self.low:g} to {self.high:g}"

    def like(self, other: "RatingScale") -> bool:
        """Whether numbers on both mean the same distance from the same ends."""
        ends = (self.low, self.high, self.ranks) == (other.low, other.high, other.ranks)
        return self.known and other.known and ends


UNKNOWN = RatingScale()


def scale_of(data: StudyData, aspect: str) -> RatingScale:
    """Return the scale of a measure, whose campaigns all share it."""
    rated = data.aspect_mask(aspect)
    judged = data.judgements
    measure = data.measure(aspect)
    if measure is None or measure.scale is None:
        return assumed_scale(judged.value[rated])
    campaigns = [judged.campaigns[i] for i in np.unique(judged.campaign[rated])]
    step = min((_step(campaign) for campaign in campaigns), default=1.0)
    return RatingScale(*measure.scale, step, "declared", measure.lower_is_better)


def _step(campaign: CampaignView) -> float:
    """Return the distance between the answers that a campaign offers."""
    try:
        rules = protocol(campaign.protocol)
        return float(rules.setting(campaign.config, "step", 1.0))
    except (LookupError, ConfigError):
        return 1.0


def assumed_scale(values: Floats) -> RatingScale:
    """Return the first of the usual scales that holds every rating.

    Examples
    --------
    >>> assumed_scale(np.array([1.0, 4.0])).words, assumed_scale(np.array([-3.0])).words
    ('1 to 5', 'no known scale')
    """
    for low, high in USUAL:
        if values.size and _holds(values, low, high):
            return RatingScale(low, high, 1.0, "assumed")
    return UNKNOWN


def _holds(values: Floats, low: float, high: float) -> bool:
    return bool(values.min() >= low and values.max() <= high)


def one_scale(scales: Iterable[RatingScale]) -> RatingScale | None:
    """Return the scale that all share; None where they differ or one is not known."""
    first, *others = scales
    if not first.known or not all(first.like(other) for other in others):
        return None
    assumed = any(scale.source == "assumed" for scale in (first, *others))
    return RatingScale(
        first.low, first.high, first.step, "assumed" if assumed else "declared", first.ranks
    )


def why_not_together(data: StudyData, aspects: Sequence[str]) -> str:
    """Say why ratings of several aspects cannot be taken together; nothing where they can.

    What was rated in different campaigns is not, even on the same scale.
    """
    if len(aspects) < 2:
        return ""
    measures = [each for each in map(data.measure, aspects) if each is not None]
    scales = [scale_of(data, aspect) for aspect in aspects]
    words = {
        "campaign": [campaign_words(each) for each in measures],
        "kind of rater": [RATER_WORDS.get(each.raters, each.raters) for each in measures],
        "scale": [each.words for each in scales],
    }
    for shared, found in words.items():
        if len(set(found)) > 1 or (shared == "scale" and not one_scale(scales)):
            of: dict[str, list[str]] = {}
            for aspect, word in zip(aspects, found, strict=True):
                of.setdefault(word, []).append(aspect)
            parts = "; ".join(f"{word}: {', '.join(names)}" for word, names in of.items())
            return (
                f"the aspects do not share one {shared} ({parts}), so their ratings are not pooled"
            )
    return ""


def why_not_categories(scale: RatingScale, values: Floats) -> str:
    """Say why statistics of exact categories have no meaning here; nothing where they have.

    A declared scale decides. Where none is declared, so many different values as a categorical
    scale has points count as categories.
    """
    different = int(np.unique(values[np.isfinite(values)]).size)
    if scale.source == "declared" and not scale.points.size:
        return (
            f"the scale is continuous ({scale.words}), so agreement on exact categories says "
            "nothing: see ICC or interval alpha"
        )
    if different <= MOST_CATEGORIES:
        return ""
    if scale.source == "declared":
        return (
            f"ratings lie between the points of the scale ({scale.words}, {different} different "
            "values), so agreement on exact categories says nothing: see ICC or interval alpha"
        )
    return (
        f"no scale is declared and there are {different} different values, so the scale is taken "
        "as continuous and agreement on exact categories says nothing: see ICC or interval alpha"
    )

"""How the segments of ratings were chosen, where none were rated that were not."""

from analysis.data.judgements import Judgements
from annotation.chosen_segments import ChosenSegments


def chosen_segments(judged: Judgements) -> list[ChosenSegments]:
    """Return how the segments of some ratings were chosen; none where any were not chosen."""
    found = [ChosenSegments.of(campaign.config) for campaign in judged.campaigns_met]
    chosen = list(filter(None, found))
    return chosen if len(chosen) == len(found) else []


def weighted_choice(judged: Judgements) -> ChosenSegments | None:
    """Return the one choice by which some ratings can be weighted; None where there is none."""
    chosen = chosen_segments(judged)
    alike = chosen and all(each.inclusion == chosen[0].inclusion for each in chosen)
    return chosen[0] if alike and chosen[0].is_weighted else None

"""What a campaign will be like, before anyone is invited: its numbers and its screens."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import numpy as np

from annotation.campaigns.drafts import LaunchError
from annotation.campaigns.service import annotators_wanted
from annotation.designs.assignment import DesignError, Plan
from annotation.designs.control_tests import choice_power, control_power
from annotation.designs.controls import ControlCounts
from annotation.designs.order import SIDES, sides
from annotation.designs.preview import Preview
from annotation.launch.planning import check_texts, planned, previewed
from annotation.masks.masking import MaskError, masks_for
from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.protocols.protocol import ConfigError
from annotation.rating.screens import Screen, build_screen
from annotation.selection.pool import Pool, SelectionError

EFFECTS = ((0.5, "medium"), (0.8, "large"), (1.2, "very large"))
"""Differences between the better and the worse text, in standard deviations (Cohen 1988)."""
RATES = ((0.75, "often"), (0.9, "mostly"), (0.99, "nearly always"))
"""How often somebody attentive finds the better of two texts."""
MOST_PAIRS_SHOWN = 12


@dataclass(frozen=True)
class Prospect:
    """What a design will give, or why it cannot start.

    Parameters
    ----------
    preview
        Its numbers; None where it cannot be made.
    problem
        Why it cannot start as it is; empty where it can.
    screen
        The first screen of the first annotator.
    counts
        Control items of each annotator.
    power
        For each size of effect (a difference, or how often the better text is found): its value,
        its name, and how surely an attentive annotator passes the test with the degraded controls
        and that with the references.
    """

    preview: Preview | None
    problem: str = ""
    screen: Screen | None = None
    counts: ControlCounts = field(default_factory=ControlCounts)
    power: list[tuple[float, str, float, float]] = field(default_factory=list)

    @property
    def loads(self) -> list[tuple[int, int]]:
        """How many annotators have how many items, controls included."""
        if self.preview is None:
            return []
        values, counts = np.unique(self.preview.load, return_counts=True)
        more = self.counts.total
        return [(int(n), int(v) + more) for v, n in zip(values, counts, strict=True)]

    @property
    def pairs(self) -> list[tuple[int, list[int]]]:
        """Items that two annotators share, as rows of a small table; none where it is large."""
        if self.preview is None or self.preview.pairs is None:
            return []
        if len(self.preview.pairs) > MOST_PAIRS_SHOWN:
            return []
        return [(number, row.tolist()) for number, row in enumerate(self.preview.pairs, start=1)]


def prospect(campaign: Campaign) -> Prospect:
    """Say what a campaign's design gives and whether it could start."""
    counts = ControlCounts.of(campaign.selection.get("controls", {}))
    given: dict[str, Any] = {"counts": counts}
    if counts.degraded or counts.references:
        given["power"] = _power(campaign, counts)
    count = annotators_wanted(campaign)
    try:
        made = planned(campaign, count)
        found = previewed(campaign, count, made)
    except (LaunchError, SelectionError, DesignError, ConfigError) as error:
        return Prospect(None, str(error), **given)
    given["screen"] = _screen(campaign, *made, number=0)
    try:
        check_texts(campaign)
    except LaunchError as error:
        return Prospect(found, str(error), **given)
    return Prospect(found, **given)


def screen_in_prospect(campaign: Campaign, number: int) -> Screen | None:
    """Build one of the screens that the first annotator would see; None where there is none.

    Nothing is stored: the annotator and the assignments exist in memory only.
    """
    try:
        pool, plan = planned(campaign, annotators_wanted(campaign))
    except (SelectionError, DesignError, ConfigError):
        return None
    return _screen(campaign, pool, plan, number)


def _power(campaign: Campaign, counts: ControlCounts) -> list[tuple[float, str, float, float]]:
    chooses = campaign.rules.layout.chooses
    power, sizes = (choice_power, RATES) if chooses else (control_power, EFFECTS)
    return [
        (size, name, power(counts.degraded, size), power(counts.references, size))
        for size, name in sizes
    ]


def _screen(campaign: Campaign, pool: Pool, plan: Plan, number: int) -> Screen | None:
    assigned = len(plan.first_list)
    if not 0 <= number < assigned:
        return None
    annotator = Annotator(campaign=campaign, public_id=uuid4(), assigned=assigned, submitted=number)
    swapped = bool(sides(number + 1, [campaign.seed, SIDES, 0])[number])
    texts = pool.screens[plan.first_at(number)].items
    try:
        masks = masks_for(campaign, [first for first, _ in texts])
    except MaskError:
        # Why it cannot start stands beside this screen.
        masks = None
    assignments = [
        Assignment(
            item=Item(
                campaign=campaign,
                first_id=first.pk,
                second_id=second.pk if second else None,
                shown=masks.shown(first) if masks else None,
            ),
            annotator=annotator,
            swapped=swapped and second is not None,
        )
        for first, second in texts
    ]
    return build_screen(annotator, assignments)

"""What a campaign will consist of: its screens, who rates them, and what stands between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from annotation.campaigns.drafts import LaunchError
from annotation.controls.items import place_in_lists, references_of
from annotation.designs.assignment import DESIGNS, DesignError, Plan
from annotation.designs.controls import ControlCounts, ControlKind, Placed
from annotation.designs.preview import Answers, Preview, preview
from annotation.masks.masking import CampaignMasks, MaskError, check_mask, masks_for
from annotation.models import Campaign
from annotation.practice.reading import read_practice
from annotation.protocols.layouts.exercises import Exercise, PracticeError
from annotation.protocols.layouts.texts import Text
from annotation.selection.pool import Pool, batches_by, build_pool

if TYPE_CHECKING:
    from annotation.designs.segments import Rounds

_PRACTICE = 10


@dataclass(frozen=True)
class Prepared:
    """Everything that a start writes, thought out before it writes.

    Parameters
    ----------
    pool, plan
    exercises
        What is practised first.
    masks
        What is shown in place of the stored texts; None where these are shown.
    counts
        Control items of each annotator.
    placed, kinds
        For each list made beforehand, where the controls stand, and of which kind they are.
    references
        For each segment its reference, where references are controls.
    rounds
        The rounds of the queue, where the campaign may stop early.
    """

    pool: Pool
    plan: Plan
    exercises: list[Exercise]
    masks: CampaignMasks | None
    counts: ControlCounts
    placed: list[Placed]
    kinds: list[dict[int, ControlKind]]
    references: Mapping[int, Text]
    rounds: "Rounds | None" = None


def planned(campaign: Campaign, annotators: int, pool: Pool | None = None) -> tuple[Pool, Plan]:
    """Build a campaign's screens and who would rate them.

    Parameters
    ----------
    campaign, annotators
    pool
        The screens, where they were built already.

    Raises
    ------
    SelectionError, DesignError
        If the selection is empty or the design impossible with these numbers.
    """
    pool = pool or build_pool(campaign)
    design = DESIGNS[campaign.design]
    given: dict[str, Any] = {}
    attribute = campaign.selection.get("batches")
    if attribute and campaign.design == Campaign.Design.BATCHES:
        given["batch_of"] = batches_by(campaign.study, pool, attribute)
    if campaign.selection.get("stopping"):
        if campaign.design != Campaign.Design.QUEUE:
            raise DesignError(
                "a stopping rule needs the shared queue, which rates some segments after others"
            )
        given["in_rounds"] = True
    k = campaign.ratings_per_item
    plan = design(pool.segments, pool.systems, annotators, k, campaign.seed, **given)
    return pool, plan


def previewed(
    campaign: Campaign, annotators: int, made: tuple[Pool, Plan] | None = None
) -> Preview:
    """Say what a design gives before anyone is invited.

    Parameters
    ----------
    campaign, annotators
    made
        What `planned` has given already; it is planned anew without it.

    Raises
    ------
    LaunchError, SelectionError, DesignError, ConfigError
        What `launch` would raise.
    """
    campaign.rules.check(campaign.config)
    pool, plan = made or planned(campaign, annotators)
    found = preview(
        plan, len(pool.screens), annotators, campaign.ratings_per_item, answers_of(campaign)
    )
    _controls(campaign, pool, plan, annotators)
    return found


def answers_of(campaign: Campaign) -> Answers:
    """Return of which kind the answers of a campaign are, which agreement depends on."""
    return campaign.rules.layout.answers(campaign.rules.questions(campaign.config))


def prepared(
    campaign: Campaign, annotators: int, made: tuple[Pool, Plan] | None = None
) -> Prepared:
    """Think out everything that a start writes.

    Raises
    ------
    LaunchError, SelectionError, DesignError, ConfigError
        If the campaign cannot be run as it is configured.
    """
    campaign.rules.check(campaign.config)
    pool, plan = made or planned(campaign, annotators)
    counts, references, placed, kinds = _controls(campaign, pool, plan, annotators)
    try:
        exercises = [
            exercise.mixed([campaign.seed, _PRACTICE, number])
            for number, exercise in enumerate(read_practice(campaign))
        ]
        shown = (first for screen in pool.screens for first, _ in screen.items)
        practised = (text for exercise in exercises for text in exercise.firsts)
        masks = masks_for(campaign, chain(shown, practised, references.values()))
    except (MaskError, PracticeError) as error:
        raise LaunchError(str(error)) from None
    rounds = None
    if campaign.selection.get("stopping"):
        from annotation.designs.segments import laid_out

        rounds = laid_out(pool.segments, plan.queue, campaign.seed)
    return Prepared(pool, plan, exercises, masks, counts, placed, kinds, references, rounds)


def check_texts(campaign: Campaign) -> None:
    """See whether what is shown in place of stored texts, and what is practised, can be made.

    Raises
    ------
    LaunchError
        If the campaign is to mask and no mask is chosen that can be used, or a practice item
        cannot be shown or judged.
    """
    try:
        read_practice(campaign)
        check_mask(campaign)
    except (MaskError, PracticeError) as error:
        raise LaunchError(str(error)) from None


def queue_load(campaign: Campaign, pool: Pool, annotators: int) -> int:
    """Return how many items of the shared queue fall to each annotator, rounded up."""
    return -(-len(pool.screens) * campaign.ratings_per_item // annotators)


_Controls = tuple[ControlCounts, Mapping[int, Text], list[Placed], list[dict[int, ControlKind]]]


def _controls(campaign: Campaign, pool: Pool, plan: Plan, annotators: int) -> _Controls:
    """Place the controls that are wanted, having checked that they fit."""
    counts = ControlCounts.of(campaign.selection.get("controls", {}))
    if not counts.total:
        return counts, {}, [], []
    _check_kinds(campaign, counts)
    if plan.dealt:
        shortest = min(len(rows) for rows in plan.dealt)
    else:
        shortest = queue_load(campaign, pool, annotators)
    if counts.total > shortest // 2:
        raise LaunchError(
            f"{counts.total} controls for lists of {shortest} items; at most {shortest // 2}"
        )
    references = references_of(campaign, pool) if counts.references else {}
    if counts.references > len(references):
        raise LaunchError(
            f"{counts.references} references as controls, and {len(references)} of the segments "
            "have a reference: import more, or ask for fewer"
        )
    try:
        placed, kinds = place_in_lists(campaign, pool, plan, counts, references)
    except ValueError as error:
        raise LaunchError(str(error)) from None
    return counts, references, placed, kinds


def _check_kinds(campaign: Campaign, counts: ControlCounts) -> None:
    """Refuse controls that a protocol has no expectation of."""
    rules = campaign.rules
    if not rules.layout.takes_controls(campaign.config):
        raise LaunchError("controls are for screens with one item, not for tables and rankings")
    if not counts.references:
        return
    if not rules.layout.reference_is:
        raise LaunchError(
            "references as controls are to be better than outputs; here outputs are compared with "
            "their source: use degraded ones"
        )
    if campaign.selection.get("references"):
        raise LaunchError(
            "the references are rated themselves: choose them as controls or to be rated, not both"
        )
    if rules.setting(campaign.config, "show_reference", False):
        raise LaunchError(
            "the reference is shown with each output, so that it cannot be a control too"
        )

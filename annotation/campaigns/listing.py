"""The campaigns of a study at a glance."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Q, Sum
from django.db.models.functions import Coalesce

from annotation.campaigns.rater_kinds import raters_in_words
from annotation.campaigns.tally import WANTED_AT_MOST
from annotation.models import Annotator, Campaign, CampaignSet, Item, Submission
from annotation.protocols.catalogue import PROTOCOLS
from corpus.models import Study


@dataclass(frozen=True)
class ListedCampaign:
    """A campaign with how far it is.

    Parameters
    ----------
    wanted, done
        Ratings of items that are asked for, and those that count so far; imported campaigns ask
        for none.
    raters
        In words, how many persons, models, means and majorities there are.
    started
        How many places for annotators have answered something.
    """

    campaign: Campaign
    wanted: int
    done: int
    raters: list[str]
    started: int

    @property
    def protocol(self) -> str:
        """The protocol by its title; one of an import need not be known here."""
        known = PROTOCOLS.get(self.campaign.protocol)
        return known.title if known else self.campaign.protocol

    @property
    def imported(self) -> bool:
        """Whether its ratings came in a table."""
        return self.campaign.origin == Campaign.Origin.IMPORTED

    @property
    def percent(self) -> int:
        """How much of it is done."""
        return 100 * self.done // self.wanted if self.wanted else 0


def campaigns_listed(study: Study, together: CampaignSet | None = None) -> list[ListedCampaign]:
    """Return campaigns, by as many queries for many as for few.

    Those of a study come latest first, with the tasks of a set in their order; those of a set in
    their order alone.
    """
    plain = Q(kind=Item.Kind.PLAIN)
    # What a start has written so far is not asked for yet.
    items = (
        Item.objects.filter(plain, campaign__study=study)
        .exclude(campaign__state=Campaign.State.DRAFT)
        .order_by()
    )
    wanted = dict(items.values_list("campaign").annotate(wanted=Sum(WANTED_AT_MOST)))
    counted = Submission.objects.counted(study)
    done = dict(counted.order_by().values_list("item__campaign").annotate(done=Count("*")))
    begun = Annotator.objects.filter(campaign__study=study, submitted__gt=0).order_by()
    started = dict(begun.values_list("campaign").annotate(started=Count("*")))
    raters = raters_in_words(study)
    return [
        ListedCampaign(
            campaign,
            wanted.get(campaign.pk) or 0,
            done.get(campaign.pk, 0),
            raters.get(campaign.pk, []),
            started.get(campaign.pk, 0),
        )
        for campaign in _in_order(study, together)
    ]


def _in_order(study: Study, together: CampaignSet | None) -> Iterable[Campaign]:
    if together is not None:
        return together.campaigns.order_by("position")
    latest = Coalesce(Max("set__campaigns"), "pk")
    campaigns = study.campaigns.select_related("set").annotate(latest=latest)
    return campaigns.order_by("-latest", "position")

"""The campaigns of a study at a glance."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotation.models import Annotator, Campaign, Item, Submission
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
    raters, started
        Places for annotators, and how many of them have answered something.
    """

    campaign: Campaign
    wanted: int
    done: int
    raters: int
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


def campaigns_listed(study: Study) -> list[ListedCampaign]:
    """Return the campaigns of a study, the latest first, by as many queries for many as for few."""
    plain = Q(kind=Item.Kind.PLAIN)
    # What a start has written so far is not asked for yet.
    items = (
        Item.objects.filter(plain, campaign__study=study)
        .exclude(campaign__state=Campaign.State.DRAFT)
        .order_by()
    )
    wanted = dict(items.values_list("campaign").annotate(wanted=Sum("wanted")))
    counted = Submission.objects.filter(
        item__campaign__study=study, item__kind=Item.Kind.PLAIN, surplus=False, revision=1
    )
    done = dict(counted.order_by().values_list("item__campaign").annotate(done=Count("*")))
    people = Annotator.objects.filter(campaign__study=study).order_by()
    raters = {
        campaign: (count, started)
        for campaign, count, started in people.values_list("campaign").annotate(
            count=Count("*"), started=Count("pk", filter=Q(submitted__gt=0))
        )
    }
    return [
        ListedCampaign(
            campaign,
            wanted.get(campaign.pk) or 0,
            done.get(campaign.pk, 0),
            *raters.get(campaign.pk, (0, 0)),
        )
        for campaign in study.campaigns.order_by("-pk")
    ]

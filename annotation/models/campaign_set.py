"""Campaigns that belong together, and the link that lets in whoever was invited."""

from typing import TYPE_CHECKING, ClassVar

from django.db import models

from corpus.models import Study

if TYPE_CHECKING:
    from annotation.models.campaign import Annotator, Campaign

LENGTH_OF_MARK = 16


class PersonalLink(models.Model):
    """Somebody with a personal link, or a place that a crowd platform sends people to."""

    relation: ClassVar[str]
    """The name of the fields by which rows of other tables refer to this person."""

    token_sha256 = models.CharField(max_length=64, blank=True)
    link_expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    completion_code = models.CharField(max_length=40, blank=True)
    platform = models.JSONField(
        default=dict, blank=True, help_text="Participant, study and session of a crowd platform."
    )

    refused_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When somebody with the same identifier last came from another browser.",
    )

    class Meta:
        abstract = True

    @property
    def mark(self) -> str:
        """Part of the token's hash, by which a browser shows which link it was opened with."""
        return self.token_sha256[:LENGTH_OF_MARK]


class CampaignSet(models.Model):
    """Campaigns that the same people rate one after the other: the tasks of the set.

    `sample` holds the segments that were drawn for all of its campaigns, by primary key; null
    where all are rated. The state of a set is that of its campaigns.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="campaign_sets")
    slug = models.CharField(max_length=100)
    title = models.CharField(max_length=200, blank=True)
    seed = models.BigIntegerField(default=0, help_text="Draws the sample.")
    sample = models.JSONField(null=True, blank=True)
    invite_code = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    relation: ClassVar[str] = "set"

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint("study", "slug", name="campaign_set_slug_once"),
            models.UniqueConstraint(
                fields=("invite_code",),
                condition=~models.Q(invite_code=""),
                name="campaign_set_invite_code_once",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.slug

    @property
    def tasks(self) -> list["Campaign"]:
        """The campaigns in their order, each with the set and its study loaded."""
        found = list(self.campaigns.order_by("position"))
        for campaign in found:
            campaign.set, campaign.study = self, self.study
        return found

    @property
    def people(self) -> models.QuerySet["Participant"]:
        """Who rates in it."""
        return self.participants.all()


class Participant(PersonalLink):
    """Somebody who rates in all campaigns of a set, in each as an annotator of this pseudonym."""

    set = models.ForeignKey(CampaignSet, models.CASCADE, related_name="participants")
    pseudonym = models.CharField(max_length=200)
    number = models.PositiveIntegerField(help_text="Place in the design, from 0.")
    relation: ClassVar[str] = "participant"

    class Meta:
        ordering = ("set", "number")
        constraints = [
            models.UniqueConstraint("set", "pseudonym", name="participant_once"),
            models.UniqueConstraint("set", "number", name="participant_number_once"),
            models.UniqueConstraint(
                fields=("token_sha256",),
                condition=~models.Q(token_sha256=""),
                name="participant_token_once",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def place(self) -> CampaignSet:
        """Where they rate."""
        return self.set

    @property
    def tasks(self) -> list["Annotator"]:
        """The annotator that they are in each campaign."""
        return list(self.annotators.select_related("campaign").order_by("campaign"))

"""Panels that send people to a campaign, and what is known of each person they sent."""

from typing import Any

from django.db import models

from annotation.models.campaign import Annotator, Campaign, Place
from annotation.models.campaign_set import CampaignSet, Participant
from corpus.models import Study


class Panel(models.Model):
    """How people of one panel, such as Prolific, come to a campaign or set and leave it."""

    class Preset(models.TextChoices):
        PROLIFIC = "prolific", "Prolific"
        OTHER = "other", "Another panel, with your own names"

    class Work(models.TextChoices):
        KEPT = "kept", "Their ratings stay and count"
        WITHDRAWN = "withdrawn", "Their ratings are withdrawn, and somebody else rates the same"

    campaign = models.OneToOneField(
        Campaign, models.CASCADE, null=True, blank=True, related_name="panel"
    )
    set = models.OneToOneField(
        CampaignSet, models.CASCADE, null=True, blank=True, related_name="panel"
    )
    preset = models.CharField(max_length=20, choices=Preset.choices, default=Preset.PROLIFIC)
    names = models.JSONField(
        default=dict, help_text="Names of participant, study and session in the address."
    )
    endings = models.JSONField(
        default=dict, help_text="Completion code or return address for each outcome."
    )
    least_checks = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Control items that decide; empty where none do."
    )
    work_of_freed = models.CharField(max_length=20, choices=Work.choices, default=Work.KEPT)
    at_once = models.BooleanField(default=False, help_text="Whether people go back by themselves.")
    reward = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(campaign__isnull=False, set__isnull=True)
                | models.Q(campaign__isnull=True, set__isnull=False),
                name="panel_of_one",
            ),
        ]

    def __str__(self) -> str:
        return f"panel of {self.place}"

    @property
    def place(self) -> Place:
        """Where the panel sends people."""
        found = self.campaign or self.set
        assert found is not None  # noqa: S101  (the constraint `panel_of_one`)
        return found

    @property
    def study(self) -> Study:
        """The study that this belongs to."""
        return self.place.study

    @property
    def campaigns(self) -> list[Campaign]:
        """The campaigns that its people rate in, in their order."""
        return self.place.tasks

    @property
    def has_begun(self) -> bool:
        """Whether all of its campaigns have started."""
        return all(campaign.state != Campaign.State.DRAFT for campaign in self.campaigns)


class PanelEntry(models.Model):
    """One person whom a panel sent: where they rate, how they left, what the panel says.

    Who came when no place was left, or none could be given, has no annotator.
    """

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="entries")
    identifier = models.CharField(max_length=200, blank=True, help_text="As the panel sent it.")
    panel_study = models.CharField(max_length=200, blank=True)
    session = models.CharField(max_length=200, blank=True, help_text="The panel's submission.")
    annotator = models.OneToOneField(
        Annotator, models.CASCADE, null=True, blank=True, related_name="panel_entry"
    )
    participant = models.OneToOneField(
        Participant, models.CASCADE, null=True, blank=True, related_name="panel_entry"
    )
    came_at = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=20, blank=True)
    code = models.TextField(blank=True, help_text="Code or address last given.")
    ended_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=40, blank=True, help_text="What the panel says.")
    freed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=("panel", "identifier"),
                condition=~models.Q(identifier=""),
                name="panel_entry_once",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.pk} of {self.panel}"

    @property
    def person(self) -> Any:
        """Who has the place: an annotator or participant; None where nobody has one."""
        return self.annotator or self.participant

"""What is judged, who is to judge it, and what they have typed so far."""

import uuid

from django.db import models

from annotation.models.campaign import Annotator, Campaign
from corpus.models import Output


class Item(models.Model):
    """What is judged: one output, or two in canonical order (the source or lower ordinal first).

    A practice item may show texts that its owner wrote; then it has no output, and `shown` has all.
    Items of one `screen` are judged together; the first of them, the lead, stands for all where
    work is handed out. `taken` counts the places that annotators hold or have filled. An item of a
    later round of the shared queue has a place and no ratings wanted yet.
    """

    class Kind(models.TextChoices):
        PLAIN = "plain"
        REPEAT = "repeat"
        DEGRADED = "degraded"
        REFERENCE = "reference"
        PRACTICE = "practice"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    first = models.ForeignKey(
        Output,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty where practice shows a text that its owner wrote.",
    )
    second = models.ForeignKey(Output, models.PROTECT, null=True, blank=True, related_name="+")
    occasion = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(
        max_length=20, choices=Kind.choices, default=Kind.PLAIN, db_default=Kind.PLAIN
    )
    original = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="controls"
    )
    screen = models.PositiveIntegerField(default=0, db_default=0)
    lead = models.BooleanField(default=True, db_default=True)
    position = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text="Place in the shared queue; a new one at its end whenever `taken` changes.",
    )
    wanted = models.PositiveSmallIntegerField(default=0, db_default=0)
    taken = models.PositiveSmallIntegerField(default=0, db_default=0)
    shown = models.JSONField(
        null=True,
        blank=True,
        help_text="Texts that are shown in place of the stored ones: masked, degraded, or written "
        "for practice.",
    )

    class Meta:
        ordering = ("campaign", "id")
        constraints = [
            models.UniqueConstraint(
                fields=("campaign", "first", "occasion"),
                condition=models.Q(second__isnull=True),
                name="item_of_one_once",
            ),
            models.UniqueConstraint(
                fields=("campaign", "first", "second", "occasion"),
                condition=models.Q(second__isnull=False),
                name="item_of_two_once",
            ),
            models.CheckConstraint(
                condition=models.Q(taken__lte=models.F("wanted")), name="item_not_over_rated"
            ),
            models.CheckConstraint(
                condition=models.Q(first__isnull=False)
                | models.Q(kind="practice", second__isnull=True, shown__isnull=False),
                name="item_has_texts",
            ),
        ]
        indexes = [
            models.Index(
                fields=("campaign", "taken", "position"),
                condition=models.Q(lead=True, taken__lt=models.F("wanted")),
                name="item_to_hand_out",
            ),
            models.Index(
                fields=("campaign", "position"),
                condition=models.Q(kind="plain", wanted=0, position__gt=0),
                name="item_of_later_round",
            ),
            models.Index(
                fields=("campaign", "screen"),
                condition=models.Q(lead=False),
                name="item_beside_lead",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} item {self.pk}"

    @property
    def output(self) -> Output:
        """The first output: every item has one but practice with texts that its owner wrote.

        Raises
        ------
        LookupError
            If this is such an item.
        """
        if self.first is None:
            raise LookupError("this practice item shows no output")
        return self.first

    @property
    def is_pair(self) -> bool:
        """Whether two texts are compared."""
        return self.second_id is not None or "second" in (self.shown or {})


class Assignment(models.Model):
    """One annotator's place at one item."""

    class State(models.TextChoices):
        OPEN = "open", "to be judged"
        SUBMITTED = "submitted", "judged"
        EXPIRED = "expired", "given back"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    # The constraint `assignment_once` is its index, too.
    item = models.ForeignKey(Item, models.CASCADE, related_name="assignments", db_index=False)
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="assignments")
    swapped = models.BooleanField(default=False, help_text="Whether the first text is on side B.")
    position = models.PositiveIntegerField(default=0)
    lead = models.BooleanField(default=True)
    state = models.CharField(max_length=20, choices=State.choices, default=State.OPEN)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("annotator", "position", "id")
        constraints = [
            models.UniqueConstraint("item", "annotator", name="assignment_once"),
            models.UniqueConstraint(
                fields=("annotator",),
                condition=models.Q(lease_until__isnull=False, lead=True),
                name="assignment_one_lease",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "submitted", "expired"]),
                name="assignment_known_state",
            ),
        ]
        indexes = [
            models.Index(
                fields=("annotator", "position"),
                condition=models.Q(state="open", lead=True),
                name="assignment_next",
            ),
            models.Index(
                fields=("lease_until",),
                condition=models.Q(lease_until__isnull=False),
                name="assignment_lease",
            ),
            models.Index(
                fields=("annotator", "position"),
                condition=models.Q(lead=False),
                name="assignment_beside_lead",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} at {self.item}"


class Draft(models.Model):
    """What an annotator has answered so far on one screen: the only answers that change."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="draft")
    answers = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft {self.version} of {self.assignment}"

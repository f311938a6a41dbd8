"""Human judgements: campaigns, annotators, items, submissions and ratings."""

import uuid

from django.db import models

from corpus.models import Output, Study
from corpus.models.staging import StagedRow


class Campaign(models.Model):
    """One protocol run over chosen outputs, or the ratings of one published table."""

    class Origin(models.TextChoices):
        LIVE = "live"
        IMPORTED = "imported"

    study = models.ForeignKey(Study, models.CASCADE, related_name="campaigns")
    slug = models.CharField(max_length=100)
    protocol = models.CharField(max_length=50)
    config = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField(default=0)
    origin = models.CharField(max_length=20, choices=Origin.choices)

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint("study", "slug", name="campaign_slug_once"),
            models.CheckConstraint(
                condition=models.Q(origin__in=["live", "imported"]), name="campaign_known_origin"
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class Annotator(models.Model):
    """Who judged: a person, or several of whom only the mean or the majority is known."""

    class Kind(models.TextChoices):
        PERSON = "person"
        MEAN = "mean"
        MAJORITY = "majority"
        UNSTATED = "unstated"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    pseudonym = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.PERSON)
    raters = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many stand behind a mean or a majority, where stated."
    )

    class Meta:
        ordering = ("campaign", "id")
        constraints = [
            models.UniqueConstraint("campaign", "pseudonym", name="annotator_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["person", "mean", "majority", "unstated"]),
                name="annotator_known_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym


class Item(models.Model):
    """What is judged: one output, or two in canonical order (the source or lower ordinal first)."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    first = models.ForeignKey(Output, models.PROTECT, related_name="+")
    second = models.ForeignKey(Output, models.PROTECT, null=True, blank=True, related_name="+")
    occasion = models.PositiveSmallIntegerField(default=1)

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
        ]

    def __str__(self) -> str:
        return f"{self.campaign} item {self.pk}"


class Submission(models.Model):
    """One annotator's answers to one item at one time; never changed, a later revision counts."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True)
    item = models.ForeignKey(Item, models.PROTECT, related_name="submissions")
    annotator = models.ForeignKey(Annotator, models.PROTECT, related_name="submissions")
    revision = models.PositiveSmallIntegerField(default=1)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                "item", "annotator", "revision", name="submission_revision_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.item}"


class RatingQuerySet(models.QuerySet["Rating"]):
    """Reading vocabulary of ratings."""

    def current_of(self, study: Study) -> "RatingQuerySet":
        """Ratings of a study's latest revisions, in the order in which they were given."""
        later = Submission.objects.filter(
            item=models.OuterRef("submission__item"),
            annotator=models.OuterRef("submission__annotator"),
            revision__gt=models.OuterRef("submission__revision"),
        )
        return (
            self.filter(submission__item__campaign__study=study)
            .exclude(models.Exists(later))
            .order_by("submission_id", "id")
        )


class Rating(models.Model):
    """One answer on one aspect: a number or a choice, never both; never changed."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="ratings")
    aspect = models.CharField(max_length=100)
    value = models.FloatField(null=True, blank=True)
    choice = models.CharField(max_length=20, blank=True)

    objects = RatingQuerySet.as_manager()

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint("submission", "aspect", name="rating_aspect_once"),
            models.CheckConstraint(
                condition=(
                    models.Q(value__isnull=False, choice="")
                    | models.Q(value__isnull=True) & ~models.Q(choice="")
                ),
                name="rating_number_or_choice",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.aspect} = {self.choice or self.value}"


class StagedRating(StagedRow):
    """A judgement on its way in, of outputs by their ordinals."""

    campaign = models.CharField(max_length=100)
    first = models.IntegerField()
    second = models.IntegerField(default=-1, help_text="−1 where one output is judged alone.")
    rater = models.CharField(max_length=200)
    aspect = models.CharField(max_length=100)
    revision = models.PositiveSmallIntegerField(default=1)
    value = models.FloatField(null=True)
    choice = models.CharField(max_length=20, blank=True)
    comment = models.TextField(blank=True)

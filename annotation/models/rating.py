"""Answers as they were given: append-only."""

import uuid

from django.db import models

from annotation.models.assignment import Item
from annotation.models.campaign import Annotator, Withdrawal
from corpus.models import Study
from corpus.models.staging import StagedRow


class Submission(models.Model):
    """One annotator's answers to one item at one time; never changed, a later revision counts."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True)
    # The constraint `submission_revision_once` is its index, too.
    item = models.ForeignKey(Item, models.PROTECT, related_name="submissions", db_index=False)
    annotator = models.ForeignKey(Annotator, models.PROTECT, related_name="submissions")
    revision = models.PositiveSmallIntegerField(default=1)
    swapped = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether the first text was on side B; empty where no import says so.",
    )
    surplus = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Came when the item's places were taken; not counted.",
    )
    reason = models.TextField(
        blank=True, default="", db_default="", help_text="Why it cannot be judged; then no ratings."
    )
    warned = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether the page warned of a contradiction and the answers were kept; empty "
        "where it was not recorded.",
    )
    active_seconds = models.FloatField(null=True, blank=True)
    payload_sha256 = models.CharField(max_length=64, blank=True, default="", db_default="")
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

    def current_of(self, study: Study, *, withdrawn: bool = False) -> "RatingQuerySet":
        """Ratings that count: latest revisions, in the order in which they were given.

        Left out are control and practice items, surplus answers, and, unless asked for, what was
        withdrawn.
        """
        later = Submission.objects.filter(
            item=models.OuterRef("submission__item"),
            annotator=models.OuterRef("submission__annotator"),
            revision__gt=models.OuterRef("submission__revision"),
        )
        ratings = self.every_revision_of(study, withdrawn=withdrawn)
        return ratings.exclude(models.Exists(later)).order_by("submission_id", "id")

    def every_revision_of(self, study: Study, *, withdrawn: bool = False) -> "RatingQuerySet":
        """Ratings of systems that fill a place, the corrected ones too."""
        ratings = self.filter(
            submission__item__campaign__study=study,
            submission__item__kind=Item.Kind.PLAIN,
            submission__surplus=False,
        )
        if withdrawn:
            return ratings
        covering = Withdrawal.objects.filter(
            Withdrawal.covers(models.OuterRef("submission__created_at")),
            annotator=models.OuterRef("submission__annotator"),
        )
        return ratings.exclude(models.Exists(covering))


class Rating(models.Model):
    """One answer on one aspect: a number or a choice, never both; never changed.

    A choice between two texts is ``first``, ``second``, ``tie`` or ``both_bad``; of one text it is
    one of the categories that its campaign declares.
    """

    # The constraint `rating_aspect_once` is its index, too.
    submission = models.ForeignKey(
        Submission, models.PROTECT, related_name="ratings", db_index=False
    )
    aspect = models.CharField(max_length=100)
    value = models.FloatField(null=True, blank=True)
    choice = models.CharField(max_length=100, blank=True)

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

    @property
    def answer(self) -> float | str:
        """The number or the choice."""
        return self.choice if self.value is None else self.value


class StagedRating(StagedRow):
    """A judgement on its way in, of outputs by their ordinals."""

    campaign = models.CharField(max_length=100)
    first = models.IntegerField()
    second = models.IntegerField(default=-1, help_text="−1 where one output is judged alone.")
    rater = models.CharField(max_length=200)
    rater_kind = models.CharField(max_length=20, blank=True, default="")
    aspect = models.CharField(max_length=100)
    revision = models.PositiveSmallIntegerField(default=1)
    value = models.FloatField(null=True)
    choice = models.CharField(max_length=100, blank=True)
    comment = models.TextField(blank=True)
    swapped = models.BooleanField(null=True, help_text="Whether `first` was on side B.")
    seconds = models.FloatField(null=True)

"""Answers as they were given: append-only."""

import uuid

from django.db import models

from annotation.models.assignment import Item
from annotation.models.campaign import Annotator, Withdrawal
from corpus.models import Study
from corpus.models.staging import StagedRow


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """Reading vocabulary of answers."""

    def counted(self, study: Study, *, withdrawn: bool = False) -> "SubmissionQuerySet":
        """Answers whose ratings count, as `RatingQuerySet.counted` has them, and refusals."""
        return self.filter(_counts("", study, withdrawn), ~_is_followed(""))

    def counted_with_earlier_revisions(self, study: Study) -> "SubmissionQuerySet":
        """Answers whose ratings count, and those that they correct."""
        return self.filter(_counts("", study, withdrawn=False), ~_is_followed("", by_refusal=True))


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

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                "item", "annotator", "revision", name="submission_revision_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.item}"

    @property
    def answers(self) -> dict[str, float | str]:
        """The answer on each aspect."""
        return {rating.aspect: rating.answer for rating in self.ratings.all()}


class RatingQuerySet(models.QuerySet["Rating"]):
    """Reading vocabulary of ratings."""

    def counted(self, study: Study, *, withdrawn: bool = False) -> "RatingQuerySet":
        """Ratings that count, in the order in which they were given.

        They are the latest revisions of answers to plain items. Left out are answers to control and
        practice items, extra answers, and, unless asked for, what was withdrawn. Whoever needs more
        uses `counted_with_earlier_revisions`, or reads a campaign's answers (`campaigns.history`).
        """
        counted = self.filter(
            _counts("submission__", study, withdrawn), ~_is_followed("submission__")
        )
        return counted.order_by("submission_id", "id")

    def counted_with_earlier_revisions(self, study: Study) -> "RatingQuerySet":
        """Ratings that count, and those that they correct: a study archive keeps both.

        What an annotator took back, by saying that it cannot be judged, is not among them.
        """
        taken_back = _is_followed("submission__", by_refusal=True)
        return self.filter(_counts("submission__", study, withdrawn=False), ~taken_back)


def _counts(answer: str, study: Study, withdrawn: bool) -> models.Q:
    """Return the condition that an answer, under this prefix, fills a place of a plain item."""
    plain = models.Q(
        **{
            f"{answer}item__campaign__study": study,
            f"{answer}item__kind": Item.Kind.PLAIN,
            f"{answer}surplus": False,
        }
    )
    if withdrawn:
        return plain
    covering = Withdrawal.objects.filter(
        Withdrawal.covers(models.OuterRef(f"{answer}created_at")),
        annotator=models.OuterRef(f"{answer}annotator"),
    )
    return plain & ~models.Q(models.Exists(covering))


def _is_followed(answer: str, *, by_refusal: bool = False) -> models.Q:
    """Return the condition that an answer has a later revision, or one without ratings."""
    later = Submission.objects.filter(
        item=models.OuterRef(f"{answer}item"),
        annotator=models.OuterRef(f"{answer}annotator"),
        revision__gt=models.OuterRef(f"{answer}revision"),
    )
    return models.Q(models.Exists(later.exclude(reason="") if by_refusal else later))


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
    item_kind = models.CharField(max_length=20, default="plain", db_default="plain")
    occasion = models.PositiveSmallIntegerField(default=1, db_default=1)
    value = models.FloatField(null=True)
    choice = models.CharField(max_length=100, blank=True)
    comment = models.TextField(blank=True)
    swapped = models.BooleanField(null=True, help_text="Whether `first` was on side B.")
    seconds = models.FloatField(null=True)

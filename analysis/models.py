"""Stored results, frozen reports, published values, and collections of studies."""

import hashlib
import json
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models

from corpus.models import Job, Study


class OrderedJSONField(models.JSONField):
    """JSON kept as text: PostgreSQL's own type forgets the order of keys, which tables follow."""

    def get_internal_type(self) -> str:
        """Return the kind of column, by which a migration knows that it must convert."""
        return "TextField"

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> str:
        """Write JSON with its keys as they are."""
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Result(models.Model):
    """A computed report or statistic, looked up by the ratings it used and its signature."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="results")
    ratings_sha256 = models.CharField(
        max_length=64, blank=True, help_text="State of the ratings; empty where it uses none."
    )
    signature = models.CharField(max_length=64, help_text="Hash of everything it depends on.")
    kind = models.CharField(max_length=50)
    content = OrderedJSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("study", "ratings_sha256", "signature", name="result_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.signature[:12]}"


class FrozenReport(models.Model):
    """A report that was kept, with all that it was computed from; only its sharing changes."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="frozen_reports")
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=50)
    question = models.JSONField(default=dict)
    # As text: a database that reads JSON may write its numbers otherwise.
    content_json = models.TextField(help_text="The report with its frame, in canonical JSON.")
    sha256 = models.CharField(max_length=64, help_text="Of the content in canonical JSON.")
    inputs = models.BinaryField(help_text="Ratings, scores and names; no texts.")
    inputs_sha256 = models.CharField(max_length=64)
    token = models.CharField(
        max_length=64,
        null=True,
        blank=True,
        unique=True,
        help_text="In the address of a shared one.",
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        constraints = [models.UniqueConstraint("study", "sha256", name="frozen_report_once")]

    def __str__(self) -> str:
        return self.title

    @property
    def content(self) -> dict[str, Any]:
        """The report: its content and its frame of versions, counts and signature."""
        content: dict[str, Any] = json.loads(self.content_json)
        return content


class Publication(models.Model):
    """A study as it was written for others: what was checked, what the zip holds, its page."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="publications")
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="publication")
    options = models.JSONField(default=dict, help_text="As asked for; the seed is never published.")
    record = models.JSONField(default=dict, help_text="Checks, what was accepted, files with sums.")
    sha256 = models.CharField(max_length=64, help_text="Of its list of sums.")
    # The page that anybody may open; none without an address.
    address = models.CharField(max_length=64, null=True, blank=True, unique=True)
    with_texts = models.BooleanField(default=False)
    may_be_indexed = models.BooleanField(default=False)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"publication {self.pk} of {self.study}"


class PublishedValue(models.Model):
    """A number as printed somewhere, with what it takes to compute it again."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="published_values")
    ordinal = models.PositiveIntegerField()
    where = models.CharField(max_length=200)
    what = models.CharField(max_length=100)
    conditions = models.JSONField(default=dict)
    conditions_text = models.TextField(help_text="Conditions in canonical JSON, for uniqueness.")
    value = models.FloatField()
    decimals = models.PositiveSmallIntegerField()
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("study", "ordinal")
        constraints = [
            models.UniqueConstraint(
                "study", "where", "what", "conditions_text", name="published_value_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.where}: {self.what} = {self.value}"


class Preregistration(models.Model):
    """Question, design, primary analysis and stopping rule of a campaign; rows never change.

    A change before the first rating is another version; the last one counts. The campaign is
    known by its short name, so that its plan outlives it and goes with the study's archive.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="preregistrations")
    campaign = models.CharField(max_length=100, help_text="Its short name.")
    version = models.PositiveSmallIntegerField(help_text="From 1.")
    # As text: a database that reads JSON may write its numbers otherwise.
    content_json = models.TextField(help_text="All that was registered, in canonical JSON.")
    sha256 = models.CharField(max_length=64, help_text="Of the content.")
    public = models.BooleanField(default=False, help_text="Whether anybody may read it.")
    registered_at = models.DateTimeField()
    imported_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When an import brought it; empty if it was registered here.",
    )

    class Meta:
        ordering = ("study", "campaign", "version")
        constraints = [
            models.UniqueConstraint(
                "study", "campaign", "version", name="preregistration_version_once"
            ),
            models.CheckConstraint(
                condition=models.Q(version__gte=1), name="preregistration_version_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, version {self.version}"

    @staticmethod
    def hash_of(content_json: str) -> str:
        """Hash content in canonical JSON."""
        return hashlib.sha256(content_json.encode()).hexdigest()

    @property
    def is_intact(self) -> bool:
        """Whether the content still has its hash."""
        return self.hash_of(self.content_json) == self.sha256

    @property
    def is_imported(self) -> bool:
        """Whether its time is only stated by a file; this server did not see it registered."""
        return self.imported_at is not None

    @property
    def content(self) -> dict[str, Any]:
        """What was registered."""
        found: dict[str, Any] = json.loads(self.content_json)
        return found


class CollectionQuerySet(models.QuerySet["Collection"]):
    """Reading vocabulary of collections."""

    def visible_to(self, user: User | AnonymousUser) -> "CollectionQuerySet":
        """Collections all of whose studies a person may open, and one's own without tasks.

        An average over some of the tasks would be another number under the same name.
        """
        if not user.is_authenticated:
            return self.none()
        may_open = Study.objects.visible_to(user).values("pk")
        closed = CollectionTask.objects.filter(collection=models.OuterRef("pk")).exclude(
            study__in=may_open
        )
        shown = self.filter(~models.Exists(closed))
        if user.is_superuser:
            return shown
        with_tasks = CollectionTask.objects.filter(collection=models.OuterRef("pk"))
        return shown.filter(models.Exists(with_tasks) | models.Q(owner=user))


class Collection(models.Model):
    """Several studies as weighted tasks: metrics and systems are compared over all of them."""

    class Correction(models.TextChoices):
        NONE = "none", "none, as in the WMT metrics tasks"
        HOLM = "holm", "Holm, two-sided"

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="collections"
    )
    preset = models.CharField(max_length=50, blank=True, help_text="What it was made from.")
    unit_range = models.BooleanField(
        default=False, help_text="Whether correlations enter the average as (r + 1) / 2."
    )
    correction = models.CharField(
        max_length=10, choices=Correction.choices, default=Correction.NONE
    )
    draws = models.PositiveIntegerField(default=1000)
    seed = models.PositiveIntegerField(default=20190604)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ("slug",)
        constraints = [
            models.CheckConstraint(
                condition=models.Q(correction__in=["none", "holm"]),
                name="collection_known_correction",
            ),
            models.CheckConstraint(
                condition=models.Q(draws__gte=100, draws__lte=100_000), name="collection_draws"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class CollectionTask(models.Model):
    """One statistic on one study, with its weight in the average."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="tasks")
    ordinal = models.PositiveSmallIntegerField()
    study = models.ForeignKey(Study, models.CASCADE, related_name="collection_tasks")
    name = models.CharField(max_length=100)
    statistic = models.CharField(max_length=50)
    weight = models.FloatField(default=1.0)
    pool = models.CharField(
        max_length=100,
        blank=True,
        help_text="Tasks with the same words here are one column: their pairs are pooled.",
    )
    standard_reference = models.CharField(
        max_length=100,
        blank=True,
        help_text="Metrics that were compared with it take part, and those without a reference.",
    )
    human_ties = models.CharField(max_length=10, default="exact")
    question = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("collection", "ordinal")
        constraints = [
            models.UniqueConstraint("collection", "ordinal", name="collection_task_ordinal_once"),
            models.CheckConstraint(
                condition=models.Q(weight__gt=0), name="collection_task_weight_above_zero"
            ),
            models.CheckConstraint(
                condition=models.Q(human_ties__in=["exact", "rounded"]),
                name="collection_task_known_ties",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CollectionResult(models.Model):
    """The computed comparison of a collection, looked up by all that it depends on."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="results")
    signature = models.CharField(max_length=64)
    content = OrderedJSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("collection", "signature", name="collection_result_once")
        ]

    def __str__(self) -> str:
        return f"{self.collection} {self.signature[:12]}"

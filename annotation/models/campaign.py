"""Campaigns and who judges in them."""

import secrets
from typing import Any, ClassVar, NamedTuple

from django.db import models

from annotation.chosen_segments import ChosenSegments
from annotation.models.campaign_set import CampaignSet, Participant, PersonalLink
from annotation.protocols.catalogue import Protocol, protocol
from corpus.models import Study


def new_seed() -> int:
    """Return a seed that nobody can guess."""
    return secrets.randbits(62)


class Campaign(models.Model):
    """One protocol run over chosen outputs, or the ratings of one published table."""

    class Origin(models.TextChoices):
        LIVE = "live"
        IMPORTED = "imported"

    class State(models.TextChoices):
        DRAFT = "draft", "being prepared"
        OPEN = "open", "open"
        PAUSED = "paused", "paused"
        CLOSED = "closed", "closed"

    class Design(models.TextChoices):
        BATCHES = "fixed_batches", "fixed batches: each annotator rates all systems of some sources"
        OVERLAP = "balanced_overlap", "balanced random overlap"
        LATIN = "latin_square", "Latin square: each source once per annotator, systems rotated"
        QUEUE = "shared_queue", "shared queue: whoever comes gets the least-rated item"

    study = models.ForeignKey(Study, models.CASCADE, related_name="campaigns")
    set = models.ForeignKey(
        CampaignSet, models.RESTRICT, null=True, blank=True, related_name="campaigns"
    )
    position = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Place among the tasks of the set, from 0."
    )
    slug = models.CharField(max_length=100)
    title = models.CharField(max_length=200, blank=True)
    protocol = models.CharField(max_length=50)
    config = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField(default=0)
    origin = models.CharField(max_length=20, choices=Origin.choices)
    state = models.CharField(max_length=20, choices=State.choices, default=State.CLOSED)
    design = models.CharField(max_length=20, choices=Design.choices, blank=True)
    ratings_per_item = models.PositiveSmallIntegerField(default=1)
    selection = models.JSONField(
        default=dict, blank=True, help_text="Which outputs are rated: systems, segments, controls."
    )
    guidelines = models.TextField(blank=True, help_text="Markdown.")
    consent = models.TextField(blank=True, help_text="Markdown; asked before the first item.")
    content_warning = models.TextField(blank=True)
    questions = models.JSONField(
        default=list, blank=True, help_text="What annotators are asked about themselves."
    )
    lease_seconds = models.PositiveIntegerField(default=1800)
    queue_end = models.PositiveIntegerField(
        default=0, db_default=0, help_text="The last place of the shared queue that was given."
    )
    queue_controls = models.JSONField(
        default=dict,
        blank=True,
        help_text="Control items of each annotator of the shared queue, among how many items.",
    )
    stopping = models.JSONField(
        default=dict,
        blank=True,
        help_text="Of a campaign with a rule of stopping: rounds of the queue, how many are open, "
        "and what was decided of the next.",
    )
    invite_code = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    deletion_asked_at = models.DateTimeField(
        null=True, blank=True, help_text="Nobody rates since then; to be deleted."
    )
    relation: ClassVar[str] = "campaign"

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint("study", "slug", name="campaign_slug_once"),
            models.UniqueConstraint("set", "position", name="campaign_position_once"),
            models.UniqueConstraint(
                fields=("invite_code",),
                condition=~models.Q(invite_code=""),
                name="campaign_invite_code_once",
            ),
            models.CheckConstraint(
                condition=models.Q(origin__in=["live", "imported"]), name="campaign_known_origin"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "open", "paused", "closed"]),
                name="campaign_known_state",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.slug

    @property
    def rules(self) -> Protocol:
        """The protocol that is followed."""
        return protocol(self.protocol)

    @property
    def chosen_segments(self) -> ChosenSegments | None:
        """The segments that were chosen for it, and how; None where all or some at random are."""
        return ChosenSegments.of(self.config)

    @property
    def can_mask(self) -> bool:
        """Whether the protocol can show masked texts."""
        return self.rules.setting({}, "masked", None) is not None

    @property
    def tasks(self) -> list["Campaign"]:
        """Itself, as a set has several."""
        return [self]

    @property
    def people(self) -> models.QuerySet["Annotator"]:
        """Who rates in it."""
        return self.annotators.all()


class OtherTasks(NamedTuple):
    """What the person behind an annotator has in the other campaigns of the set, in screens."""

    campaigns: int
    submitted: int
    left: int


class Annotator(PersonalLink):
    """Who judged: a person, a model, or several of whom only a mean, median or majority is known.

    Who rates in a set of campaigns is an annotator in each; `participant` ties them, and has the
    link.
    """

    other_tasks: OtherTasks | None = None
    """Set where an annotator is read for the rating pages and has other tasks."""

    class Kind(models.TextChoices):
        PERSON = "person"
        PLACE = "place"  # in the list of an output's ratings: somebody, and elsewhere another
        MODEL = "model"
        MEAN = "mean"
        MEDIAN = "median"
        MAJORITY = "majority"
        UNSTATED = "unstated"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    participant = models.ForeignKey(
        Participant, models.CASCADE, null=True, blank=True, related_name="annotators"
    )
    pseudonym = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.PERSON)
    raters = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="How many stand behind a mean, median or majority, where stated.",
    )
    public_id = models.UUIDField(
        null=True, blank=True, unique=True, help_text="In the addresses of the rating pages."
    )
    number = models.PositiveIntegerField(default=0, help_text="Place in the design, from 0.")
    consented_at = models.DateTimeField(null=True, blank=True)
    guidelines_read_at = models.DateTimeField(null=True, blank=True)
    qualified = models.BooleanField(null=True, blank=True, help_text="Set by the server.")
    # Item pages of a list, or the next place in the shared queue; and answered item pages. Practice
    # is in neither. Control items are: nothing that annotators see may tell them apart.
    assigned = models.PositiveIntegerField(default=0)
    submitted = models.PositiveIntegerField(default=0)
    passed = models.JSONField(
        default=list,
        blank=True,
        help_text="For each number of ratings: places of the shared queue up to which the "
        "annotator has had every item.",
    )
    about = models.JSONField(default=dict, blank=True, help_text="Answers about the annotator.")
    relation: ClassVar[str] = "annotator"

    class Meta:
        ordering = ("campaign", "id")
        constraints = [
            models.UniqueConstraint("campaign", "pseudonym", name="annotator_once"),
            models.UniqueConstraint("campaign", "participant", name="annotator_participant_once"),
            models.UniqueConstraint(
                fields=("token_sha256",),
                condition=~models.Q(token_sha256=""),
                name="annotator_token_once",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        *("person", "place", "model", "mean", "median", "majority", "unstated")
                    ]
                ),
                name="annotator_known_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def place(self) -> Campaign:
        """Where they rate."""
        return self.campaign

    @property
    def tasks(self) -> list["Annotator"]:
        """Themselves, as a participant of a set has several."""
        return [self]


Place = Campaign | CampaignSet
"""Where people rate."""
Invitee = Annotator | Participant
"""Who has a link: an annotator, or who rates in all campaigns of a set."""


class Contact(models.Model):
    """Who an annotator is outside: apart, so that it can be deleted without touching ratings.

    Of who rates in a set of campaigns there is one, at the participant.
    """

    annotator = models.OneToOneField(
        Annotator, models.CASCADE, null=True, blank=True, related_name="contact"
    )
    participant = models.OneToOneField(
        Participant, models.CASCADE, null=True, blank=True, related_name="contact"
    )
    name = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(annotator__isnull=False, participant__isnull=True)
                | models.Q(annotator__isnull=True, participant__isnull=False),
                name="contact_of_one",
            )
        ]

    def __str__(self) -> str:
        return self.name or self.email


class Withdrawal(models.Model):
    """An annotator's work of some time does not count: a fact beside it, not a change of it."""

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="withdrawals")
    since = models.DateTimeField(null=True, blank=True, help_text="Empty: from the beginning.")
    until = models.DateTimeField(null=True, blank=True, help_text="Empty: for good.")
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"work of {self.annotator} withdrawn"

    @staticmethod
    def covers(when: Any) -> models.Q:
        """Return the condition that a withdrawal holds at a time, which may be an expression."""
        since = models.Q(since__isnull=True) | models.Q(since__lte=when)
        until = models.Q(until__isnull=True) | models.Q(until__gte=when)
        return since & until

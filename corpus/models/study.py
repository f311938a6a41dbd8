"""A study and who may see it."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models


class StudyQuerySet(models.QuerySet["Study"]):
    """Reading vocabulary of studies."""

    def visible_to(self, user: User | AnonymousUser) -> "StudyQuerySet":
        """Studies that a signed-in person may open; administrators see every one.

        One that is to be deleted is hidden from everybody.
        """
        if not user.is_authenticated:
            return self.none()
        shown = self.filter(deletion_asked_at__isnull=True)
        return shown if user.is_superuser else shown.filter(memberships__user=user)


class Study(models.Model):
    """Texts, judgements and scores that belong together under one slug."""

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    language = models.CharField(max_length=35, default="en")
    simulated = models.BooleanField(default=False)
    declarations = models.JSONField(
        default=dict, blank=True, help_text="Scales, protocols and metric orientations as declared."
    )
    provenance = models.JSONField(
        default=list,
        blank=True,
        help_text="Sampling and normalisation applied at import, in order.",
    )
    without_texts = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Its outputs are known by their keys; their texts are not here.",
    )
    revision = models.PositiveIntegerField(
        default=0, help_text="Grows with every published change."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    deletion_asked_at = models.DateTimeField(
        null=True, blank=True, help_text="Hidden since then, to be deleted."
    )

    objects = StudyQuerySet.as_manager()

    class Meta:
        ordering = ("slug",)
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.title or self.slug


class Membership(models.Model):
    """One person's role in one study."""

    class Role(models.TextChoices):
        OWNER = "owner", "owner: imports, exports, manages"
        RESEARCHER = "researcher", "researcher: reads reports and texts"

    study = models.ForeignKey(Study, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint("study", "user", name="membership_once_per_study"),
            models.CheckConstraint(
                condition=models.Q(role__in=["owner", "researcher"]), name="membership_known_role"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.study}"

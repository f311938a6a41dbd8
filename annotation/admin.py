"""Campaigns, annotators and their answers, for support.

Tokens are never shown, answers never changed; a foreign key is a number to look up, so that a
page costs the same whatever the size of the campaign.
"""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.models import Annotator, Assignment, Campaign, Item, Rating, Submission, Withdrawal
from corpus.admin import LookUp, Table


@admin.register(Campaign)
class CampaignAdmin(LookUp):
    """Campaigns of all studies."""

    list_display = ("slug", "study", "protocol", "origin", "state", "design", "created_at")
    list_select_related = ("study",)
    list_filter = ("state", "origin", "protocol")
    search_fields = ("slug", "title", "study__slug")
    exclude = ("invite_code",)


@admin.register(Annotator)
class AnnotatorAdmin(Table):
    """Annotators by pseudonym; how long a link lasts can be changed."""

    list_display = ("pseudonym", "campaign", "kind", "assigned", "submitted", "last_seen_at")
    list_select_related = ("campaign",)
    list_filter = ("kind",)
    search_fields = ("pseudonym", "campaign__slug", "=completion_code")
    show_full_result_count = False
    list_per_page = 50
    fields = (
        *("campaign", "pseudonym", "kind", "raters", "number", "assigned", "submitted"),
        *("link_expires_at", "revoked_at", "consented_at", "guidelines_read_at", "qualified"),
        *("last_seen_at", "completion_code", "platform", "about"),
    )
    readonly_fields = tuple(
        name for name in fields if name not in ("link_expires_at", "revoked_at")
    )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: an annotator needs items and a link."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: answers point here."""
        return False


@admin.register(Item)
class ItemAdmin(LookUp):
    """What is judged."""

    list_display = ("pk", "campaign", "kind", "screen", "lead", "wanted", "taken", "segment")
    list_select_related = ("campaign", "first__segment")
    list_filter = ("kind",)
    search_fields = ("campaign__slug", "=first__segment__key")
    fields = (
        *("campaign", "kind", "occasion", "original_id", "screen", "lead", "position"),
        *("wanted", "taken", "first_text", "second_text", "shown"),
    )
    readonly_fields = ("original_id", "first_text", "second_text")

    def segment(self, item: Item) -> str:
        """Return the key of the segment."""
        return item.first.segment.key if item.first else ""

    def first_text(self, item: Item) -> str:
        """Return the first text."""
        return item.first.text if item.first else ""

    def second_text(self, item: Item) -> str:
        """Return the second text, where two are compared."""
        return item.second.text if item.second else ""


@admin.register(Assignment)
class AssignmentAdmin(LookUp):
    """Who judges what, in which order."""

    list_display = ("pk", "annotator", "item_id", "position", "state", "swapped", "lease_until")
    list_select_related = ("annotator",)
    list_filter = ("state",)
    search_fields = ("annotator__pseudonym", "=public_id")
    fields = ("public_id", "item_id", "annotator_id", *list_display[3:], "lead")
    readonly_fields = ("item_id", "annotator_id")


@admin.register(Submission)
class SubmissionAdmin(LookUp):
    """Answers as they came."""

    list_display = ("pk", "annotator", "item_id", "revision", "surplus", "reason", "created_at")
    list_select_related = ("annotator",)
    list_filter = ("surplus",)
    search_fields = ("annotator__pseudonym", "=uuid")
    fields = (
        *("uuid", "annotator_id", "item_id", "revision", "swapped", "surplus", "reason"),
        *("warned", "active_seconds", "comment", "created_at"),
    )
    readonly_fields = ("annotator_id", "item_id", "created_at")


@admin.register(Rating)
class RatingAdmin(LookUp):
    """Single ratings."""

    list_display = ("pk", "pseudonym", "item", "revision", "aspect", "value", "choice")
    search_fields = ("submission__annotator__pseudonym", "=aspect")
    fields = ("submission_id", "aspect", "value", "choice")
    readonly_fields = ("submission_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Rating]:
        """Read what the list shows of submissions with it."""
        return super().get_queryset(request).select_related("submission__annotator")

    def pseudonym(self, rating: Rating) -> str:
        """Return who judged."""
        return rating.submission.annotator.pseudonym

    def item(self, rating: Rating) -> int:
        """Return the number of the item."""
        return rating.submission.item_id

    def revision(self, rating: Rating) -> int:
        """Return which answer to the item this is."""
        return rating.submission.revision


@admin.register(Withdrawal)
class WithdrawalAdmin(LookUp):
    """Whose work does not count, and why."""

    list_display = ("annotator", "since", "until", "reason", "created_at")
    list_select_related = ("annotator",)
    search_fields = ("annotator__pseudonym",)
    exclude = ("annotator",)

"""Campaigns and annotators, for support.

Tokens are never shown; a foreign key is a number to look up, so that a page costs the same
whatever the size of the campaign.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from annotation.models import Annotator, Campaign
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

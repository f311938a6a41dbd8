"""Studies, members, jobs and what was done, for support."""

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from corpus.access.members import set_role
from corpus.models import AuditEntry, Job, Membership, Study

# Django's classes take no type arguments at run time.
if TYPE_CHECKING:
    Table = admin.ModelAdmin[Any]
else:
    Table = admin.ModelAdmin


class LookUp(Table):
    """A table to look things up in: nothing is added, changed or deleted here.

    Pages for that are elsewhere; they know the rules and leave an entry behind.
    """

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


@admin.register(Study)
class StudyAdmin(LookUp):
    """Studies by name."""

    list_display = ("slug", "title", "language", "simulated", "revision", "created_at")
    search_fields = ("slug", "title")


@admin.register(Membership)
class MembershipAdmin(Table):
    """Who may open what; a study whose last owner is gone is mended here.

    A change leaves an entry behind and ends invitations, as on the members page.
    """

    list_display = ("study", "user", "role")
    list_select_related = ("study", "user")
    list_filter = ("role",)
    raw_id_fields = ("study", "user")
    search_fields = ("study__slug", "user__username")
    show_full_result_count = False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Of a membership, only the role changes."""
        return ("study", "user") if obj else ()

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Give the role."""
        saved = set_role(obj.study, obj.user, obj.role, cast(User, request.user))
        obj.pk = saved.pk if saved else obj.pk

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        """Take the person out."""
        set_role(obj.study, obj.user, "", cast(User, request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Membership]) -> None:
        """Take them out one by one."""
        for membership in queryset:
            self.delete_model(request, membership)


@admin.register(Job)
class JobAdmin(LookUp):
    """Jobs with their errors."""

    list_display = ("pk", "kind", "study", "state", "attempts", "created_by", "created_at")
    list_select_related = ("study", "created_by")
    list_filter = ("kind", "state")
    search_fields = ("study__slug", "key")


@admin.register(AuditEntry)
class AuditEntryAdmin(LookUp):
    """Who did what."""

    list_display = ("created_at", "study", "actor", "action", "object")
    list_select_related = ("study", "actor")
    list_filter = ("action",)
    search_fields = ("study__slug", "actor__username", "object")

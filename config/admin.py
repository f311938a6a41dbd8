"""Accounts in the support tool: one that is deactivated leaves nothing behind that works."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from config.accounts.sessions import end_sessions
from config.models import ApiToken
from corpus.access.log import Action, log_access
from corpus.access.members import end_invitations
from corpus.models import AuditEntry, Study
from corpus.pages.frame import actor

if TYPE_CHECKING:
    Accounts = UserAdmin[User]
else:
    Accounts = UserAdmin
admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(Accounts):
    """Django's, which ends sessions, tokens and invitations of an account that is deactivated."""

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account, and end what it gave out if it may no longer sign in."""
        super().save_model(request, obj, form, change)
        if not obj.is_active and (change and "is_active" in form.changed_data):
            end_access(obj, actor(request))


def end_access(person: User, actor: User) -> None:
    """End sessions, API tokens and open invitations of a person, with a record."""
    with transaction.atomic():
        sessions = end_sessions(person)
        tokens = ApiToken.objects.filter(user=person).delete()[0]
        invited = Study.objects.filter(invitations__invited_by=person).order_by("pk").distinct()
        count = sum(end_invitations(study, person, actor) for study in invited)
        ended = {"sessions": sessions, "tokens": tokens, "invitations": count}
        AuditEntry.record(None, actor, "deactivate account", person.get_username(), after=ended)
        if tokens:
            log_access(Action.TOKEN_REVOKED, "account deactivated", person=person)

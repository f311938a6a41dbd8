"""Accounts in the support tool: one that is deactivated leaves nothing behind that works."""

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest

from config.ended_accounts import end_access

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
            end_access(obj, cast(User, request.user))

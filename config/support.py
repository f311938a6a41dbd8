"""Django's admin as a tool of support: for superusers, to look things up."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse


class SupportSite(AdminSite):
    """The admin, open to superusers only: it knows nothing of who may see which study."""

    site_header = "Touchstone support"
    site_title = "Touchstone support"
    index_title = "Tables"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether this person may look into every study."""
        return bool(request.user.is_active and request.user.is_superuser)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Sign in as on every other page.

        Raises
        ------
        PermissionDenied
            If somebody signed in has come who may not see it.
        """
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied("the support pages are for administrators")
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

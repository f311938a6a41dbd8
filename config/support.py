"""Django's admin as a tool of support: for superusers, to look things up."""

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from config.sign_in import SignInForm


class SupportSite(AdminSite):
    """The admin, open to superusers only: it knows nothing of who may see which study."""

    site_header = "Touchstone support"
    site_title = "Touchstone support"
    index_title = "Tables"
    login_form = SignInForm

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether this person may look into every study."""
        return bool(request.user.is_active and request.user.is_superuser)

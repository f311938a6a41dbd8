"""What every page needs to know about the site."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, str]:
    """Return the version shown in the footer."""
    return {"version": settings.VERSION}

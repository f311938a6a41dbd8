"""What this site stores about whom, and taking the deletion of a study back."""

from datetime import datetime
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.http import require_POST, require_safe

from corpus.models import Study
from corpus.studies.deletion import gone_after, take_back, to_be_deleted


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is stored about annotators and about who signs in, and for how long.

    Annotators come from pages in the language of their campaign, and read it in the same frame.
    """
    language = request.GET.get("language", "")
    asked = language in dict(settings.LANGUAGES)
    frame = "annotation/base.html" if asked else "base.html"
    with translation.override(language if asked else settings.LANGUAGE_CODE):
        context = {
            "days": settings.DELETION_DAYS,
            "days_of_log": settings.ACCESS_LOG_DAYS,
            "frame": frame,
        }
        return render(request, "corpus/privacy.html", context)


@require_POST
@login_required
def take_study_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a study again that was to be deleted."""
    found = next((each for each in to_be_deleted(request.user) if each.slug == slug), None)
    if found is None:
        raise Http404(f"no study {slug!r} that you may take back")
    take_back(found, cast(User, request.user))
    messages.success(request, f"{found} was restored.")
    return redirect("study", found.slug)


def hidden_studies(user: User | AnonymousUser) -> list[tuple[Study, datetime]]:
    """Return the studies that a person may take back, each with when it is deleted."""
    return [
        (each, gone_after(each.deletion_asked_at))
        for each in to_be_deleted(user)
        if each.deletion_asked_at
    ]

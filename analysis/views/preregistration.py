"""The preregistration of a campaign: written before the first rating, read by whoever may."""

import json
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from analysis.models import Preregistration
from analysis.preregistration.form import PreregistrationForm
from analysis.preregistration.service import (
    RegistrationError,
    as_text,
    checked,
    register,
    report_title,
    versions_of,
    why_closed,
)
from annotation.campaigns.access import campaign_view
from annotation.models import Campaign
from corpus.access.guard import may_change
from corpus.pages.frame import actor, page_with_form, study_frame

FORMATS = ("txt", "json")


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_view(owner=False, imported=True)
def preregistration(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show every version, and to owners the form of the next; by POST, register it."""
    owned, closed = may_change(request.user, campaign.study), why_closed(campaign)
    versions = list(versions_of(campaign))
    last = versions[-1] if versions else None
    form = None
    if owned and not closed:
        form = PreregistrationForm(campaign, last, request.POST or None)
    if request.method == "POST":
        if form is None:
            messages.error(request, f"Nothing was registered: {closed or 'only owners may'}.")
            return _page_of(campaign)
        if form.is_valid() and form.asked is not None:
            values = form.cleaned_data
            words = {name: values[name] for name in ("question", "exclusions", "notes")}
            try:
                kept = register(
                    campaign, values["kind"], form.asked, words,
                    public=values["public"], actor=actor(request),
                )  # fmt: skip
            except RegistrationError as error:
                messages.error(request, f"Nothing was registered: {error}.")
            else:
                messages.success(request, f"Version {kept.version} is registered.")
            return _page_of(campaign)
    heading = f"Preregistration of {campaign.title or campaign.slug}"
    context = study_frame(campaign.study, "study-campaigns", heading) | {
        "campaign": campaign,
        "part": "campaign-preregistration",
        "versions": [_shown(request, each, campaign) for each in reversed(versions)],
        "closed": closed,
        "form": form,
    }
    return page_with_form(request, "analysis/preregistration.html", context)


@require_safe
@campaign_view(owner=False, imported=True)
def preregistration_file(
    request: HttpRequest, campaign: Campaign, version: int, file_format: str
) -> HttpResponse:
    """Send a version as text, or as the JSON that was hashed."""
    kept = get_object_or_404(versions_of(campaign), version=version)
    return _file(kept, file_format)


@require_safe
def public_preregistration(request: HttpRequest, sha256: str, file_format: str) -> HttpResponse:
    """Send a public version to anybody."""
    public = Preregistration.objects.filter(public=True, study__deletion_asked_at=None)
    kept = public.filter(sha256=sha256).order_by(F("imported_at").asc(nulls_first=True)).first()
    if kept is None:
        raise Http404("no public preregistration has this hash")
    return _file(kept, file_format)


def _file(kept: Preregistration, file_format: str) -> HttpResponse:
    if file_format not in FORMATS:
        raise Http404(f"no preregistration as {file_format!r}")
    if file_format == "json":
        response = HttpResponse(kept.content_json, content_type="application/json")
    else:
        text = as_text(kept.content, kept.sha256, is_imported=kept.is_imported)
        response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    # The JSON is what was hashed, so that only its name can say it.
    imported = "imported-" if kept.is_imported else ""
    name = f"{imported}preregistration-{kept.sha256[:12]}.{file_format}"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _shown(request: HttpRequest, kept: Preregistration, campaign: Campaign) -> dict[str, Any]:
    content = kept.content
    primary = content["primary"]
    report = reverse(f"study-{primary['kind']}", args=[campaign.study.slug])
    where = [campaign.study.slug, campaign.slug, kept.version]
    public = ""
    if kept.public:
        path = reverse("public-preregistration", args=[kept.sha256, "txt"])
        public = request.build_absolute_uri(path)
    return {
        "found": checked(kept, campaign),
        "content": content,
        "report": report_title(primary["kind"]),
        "address": f"{report}?{urlencode(primary['question'], doseq=True)}",
        "filter": primary["question"],
        "design": json.dumps(content["design"], ensure_ascii=False, indent=1),
        "files": [(name, reverse("preregistration-file", args=[*where, name])) for name in FORMATS],
        "public_url": public,
    }


def _page_of(campaign: Campaign) -> HttpResponse:
    return redirect("campaign-preregistration", campaign.study.slug, campaign.slug)

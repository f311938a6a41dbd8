"""Who rated in a study and in a campaign, and on which scales imported ratings are."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.campaigns.access import campaign_view
from annotation.campaigns.rater_kinds import change_kinds, kinds_allowed, raters_of
from annotation.imports.declared_scales import (
    ScaleError,
    ScaleForm,
    declare_scales,
    undeclared_aspects,
)
from annotation.models import Campaign
from annotation.people.of_study import raters_of_study
from annotation.views.places import frame
from corpus.access.guard import may_change, study_view
from corpus.models import Study
from corpus.pages.frame import actor, page_with_form, study_frame


@require_safe
@study_view
def of_study(request: HttpRequest, study: Study) -> HttpResponse:
    """List everybody who rates in a study, with what they rated."""
    rows = raters_of_study(study)
    context = study_frame(study, "study-annotators", "Annotators and raters") | {
        "owned": may_change(request.user, study),
        "rows": rows,
        "timed": any(row.times for row in rows),
        "tested": any(row.decided for row in rows),
    }
    return render(request, "annotation/owner/study_annotators.html", context)


@require_safe
@campaign_view(owner=False, imported=True)
def raters(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the raters with their kinds, to owners as a form."""
    return _page(request, campaign)


@require_POST
@campaign_view(owner=True, imported=True)
def kinds(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Change the kinds of raters."""
    allowed = kinds_allowed(campaign)
    keys = campaign.annotators.values_list("pk", flat=True)
    wanted = {pk: kind for pk in keys if (kind := request.POST.get(f"kind-{pk}")) is not None}
    if not set(wanted.values()) <= set(allowed):
        known = ", ".join(allowed.values())
        messages.error(request, f"Nothing was saved: a rater is one of these: {known}.")
        return _page(request, campaign, status=400)
    changed = change_kinds(campaign, wanted, actor(request))
    messages.success(request, _words(changed))
    return redirect("campaign-raters", campaign.study.slug, campaign.slug)


def _page(request: HttpRequest, campaign: Campaign, status: int = 200) -> HttpResponse:
    context = frame(campaign, "campaign-annotators", f"Raters of {campaign}") | {
        "owned": may_change(request.user, campaign.study),
        "rows": raters_of(campaign),
        "kinds": kinds_allowed(campaign),
    }
    return render(request, "annotation/owner/raters.html", context, status=status)


def _words(changed: list[str]) -> str:
    if not changed:
        return "Nothing had changed."
    return f"Changed: {', '.join(changed[:5])}{' and others' if len(changed) > 5 else ''}."


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def scales(request: HttpRequest, study: Study) -> HttpResponse:
    """Show which aspects have no scale; by POST, store what was said and go to the agreement."""
    posted = request.POST if request.method == "POST" else None
    form = ScaleForm(undeclared_aspects(study), posted)
    if posted is not None and form.is_valid():
        try:
            stored = declare_scales(study, form.scales, actor(request))
        except ScaleError as error:
            form.add_error(f"low:{error.aspect}", str(error))
        else:
            if stored:
                messages.success(request, f"Scale declared: {', '.join(stored)}.")
            else:
                messages.info(request, "Nothing was declared.")
            return redirect("study-agreement", study.slug)
    context = study_frame(study, "study-scales", "Scales") | {"form": form}
    return page_with_form(request, "annotation/owner/scales.html", context)

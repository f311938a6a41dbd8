"""What is stored of a study, and deleting it, one of its campaigns, or somebody's data."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotation.campaigns.access import campaign_view, person_of
from annotation.campaigns.deletion import ask_for_deletion, take_back
from annotation.campaigns.service import CampaignError
from annotation.models import Annotator, Campaign, Place
from annotation.people.withdrawing import anonymise, erase
from annotation.views.places import back_to, frame, people_of_place
from corpus.access.guard import study_view
from corpus.models import Study
from corpus.pages.frame import actor, study_frame
from corpus.studies.deletion import DeletionError
from corpus.studies.deletion import ask_for_deletion as ask_for_deletion_of_study


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def data(request: HttpRequest, study: Study) -> HttpResponse:
    """Say what is stored of a study and for how long; by POST, hide it to be deleted."""
    problem = ""
    if request.method == "POST":
        try:
            ask_for_deletion_of_study(study, request.POST.get("name", ""), actor(request))
        except DeletionError as error:
            problem = str(error)
        else:
            days = settings.DELETION_DAYS
            messages.success(
                request, f"{study} is hidden. An owner can restore it for {days} days."
            )
            return redirect("home")
    context = study_frame(study, "study-data", "Data and deletion") | {
        "days": settings.DELETION_DAYS,
        "days_of_zips": settings.EXPORT_DAYS,
        "problem": problem,
        "campaigns": study.campaigns.order_by("pk"),
    }
    return render(request, "annotation/owner/data.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_view(owner=True, imported=True)
def delete(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Say what deleting a campaign means; by POST, shut raters out and have it deleted."""
    problem = ""
    if request.method == "POST":
        try:
            ask_for_deletion(campaign, request.POST.get("name", ""), actor(request))
        except DeletionError as error:
            problem = str(error)
        else:
            days = settings.DELETION_DAYS
            messages.success(
                request,
                f"Annotators can no longer rate in {campaign}. An owner can restore it "
                f"for {days} "
                "days.",
            )
            return redirect("study-data", campaign.study.slug)
    context = frame(campaign, heading=f"Delete {campaign}") | {
        "tab": "study-data",
        "days": settings.DELETION_DAYS,
        "problem": problem,
    }
    page = "annotation/owner/delete_campaign.html"
    return render(request, page, context, status=400 if problem else 200)


@require_POST
@campaign_view(owner=True, imported=True)
def undelete(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Take the deletion of a campaign back."""
    try:
        take_back(campaign, actor(request))
    except CampaignError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, f"{campaign} was restored.")
    return redirect("study-data", campaign.study.slug)


@require_POST
@campaign_view(owner=True)
def forget(request: HttpRequest, place: Place, pk: int) -> HttpResponse:
    """Make somebody anonymous in all of their tasks, or delete them with their ratings."""
    found = person_of(place, pk)
    if isinstance(found, Annotator) and found.participant is not None:
        found = found.participant
    if request.POST.get("confirmed") != "yes":
        messages.error(request, "Nothing was changed: confirm that it cannot be undone.")
        return back_to(found)
    if request.POST.get("what") == "delete":
        count = erase(found, actor(request))
        messages.success(request, f"Deleted with {count} answers. Reports will be computed again.")
    else:
        name = anonymise(found, actor(request), comments="comments" in request.POST)
        messages.success(request, f"The ratings stay under the pseudonym {name}.")
    return redirect(people_of_place(place))

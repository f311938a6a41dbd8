"""Inviting annotators: the list, links that are shown once, the address for all."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.campaigns.access import campaign_view
from annotation.campaigns.service import CampaignError, record
from annotation.forms.short import AddAnnotatorsForm
from annotation.models import Annotator, Campaign, CampaignSet
from annotation.people.adding import add_annotators, free_places
from annotation.people.invitations import DAYS_VALID, Invitee
from annotation.people.invited import invited, links_for, links_given, links_table, without_link
from corpus.tabular.spreadsheets import spreadsheet_csv


@require_safe
@never_cache
@campaign_view(owner=True)
def annotators(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List annotators with their links, contacts and what can be done about each."""
    return _page(request, campaign)


@require_POST
@never_cache
@campaign_view(owner=True)
def make_links(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Make links for who has none, and show them this once."""
    if campaign.set_id:
        return _to_set(request, campaign)
    people = without_link(persons_of(campaign))
    if not people:
        messages.info(
            request, "Every annotator already has a link. Make new links on the annotators’ pages."
        )
        return _back(campaign)
    return shown_once(request, campaign, people)


@require_POST
@never_cache
@campaign_view(owner=True)
def links_file(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Give the links that are on the owner's page as a file."""
    name = f"links-{campaign.pk}.csv"
    return file_of_links(request, campaign.annotators.all(), name) or _back(campaign)


@require_POST
@campaign_view(owner=True)
def add(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Add places for annotators."""
    if campaign.set_id:
        return _to_set(request, campaign)
    form = AddAnnotatorsForm(request.POST)
    if form.is_valid():
        try:
            people = add_annotators(campaign, form.cleaned_data["count"], actor(request))
        except CampaignError as error:
            form.add_error("count", f"{str(error).capitalize()}.")
        else:
            messages.success(request, f"{len(people)} added. Next: make links for them.")
            return _back(campaign)
    return _page(request, campaign, status=400, add_form=form)


def shown_once(
    request: HttpRequest, campaign: Campaign, people: Sequence[Annotator]
) -> HttpResponse:
    """Make new links and show them; they can be seen nowhere else."""
    if campaign.set_id:
        return _to_set(request, campaign)

    addresses = ("campaign-links-file", "campaign-annotators")
    return page_of_links(request, campaign, people, campaign_frame(campaign), *addresses)


def page_of_links(
    request: HttpRequest,
    whose: Campaign | CampaignSet,
    people: Sequence[Invitee],
    frame: dict[str, Any],
    file_at: str,
    back_to: str,
) -> HttpResponse:
    """Make new links and show them, with addresses of the file and of the page before."""

    def note(about: str, after: dict[str, Any]) -> None:
        record(whose, actor(request), "make links", about, after=after)

    where = (whose.study.slug, whose.slug)
    context = frame | {
        "links": links_for(people, join_address(request), note),
        "days": DAYS_VALID,
        "heading": "Links",
        "file_at": reverse(file_at, args=where),
        "back_to": reverse(back_to, args=where),
    }
    return render(request, "annotation/owner/links.html", context)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    *,
    status: int = 200,
    add_form: AddAnnotatorsForm | None = None,
) -> HttpResponse:
    people = invited(campaign)
    context = campaign_frame(campaign) | {
        "people": people,
        "linkless": len(without_link(persons_of(campaign))),
        "is_queue": campaign.design == Campaign.Design.QUEUE,
        "free": free_places(campaign),
        "add_form": add_form or AddAnnotatorsForm(),
        "code_address": request.build_absolute_uri(
            reverse("join-by-code", args=[campaign.invite_code])
        )
        if campaign.invite_code
        else "",
    }
    return render(request, "annotation/owner/annotators.html", context, status=status)


def campaign_frame(campaign: Campaign) -> dict[str, Any]:
    """Return what every page about annotators needs."""
    return {
        "study": campaign.study,
        "campaign": campaign,
        "tab": "study-campaigns",
        "part": "campaign-annotators",
        "heading": campaign.title or campaign.slug,
    }


def file_of_links(request: HttpRequest, people: "QuerySet[Any]", name: str) -> HttpResponse | None:
    """Return the links of a page as a file; None, with a message, if none works any more."""
    links = links_given(people, request.POST.getlist("token"), join_address(request))
    if not links:
        messages.error(request, "These links no longer work; make new ones.")
        return None
    content = spreadsheet_csv(links_table(links))
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def join_address(request: HttpRequest) -> Callable[[str], str]:
    """Return what turns a token into an address."""
    return lambda token: request.build_absolute_uri(reverse("join", args=[token]))


def persons_of(campaign: Campaign) -> QuerySet[Annotator]:
    """Return who may have a link: a model needs none."""
    return campaign.annotators.filter(kind=Annotator.Kind.PERSON)


def _to_set(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Say where the links of a campaign of a set are made."""
    together = campaign.set
    assert together is not None  # noqa: S101  (asked before)
    messages.info(request, "The annotators belong to the set: make links and add annotators here.")
    return redirect("campaign-set", campaign.study.slug, together.slug)


def _back(campaign: Campaign) -> HttpResponse:
    return redirect("campaign-annotators", campaign.study.slug, campaign.slug)


def actor(request: HttpRequest) -> User:
    """Return who asks; the guard has seen to it that somebody does."""
    return cast(User, request.user)

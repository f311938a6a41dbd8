"""Who rates in a campaign or set, as owners see them: links shown once, places, contacts, work."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.campaigns.access import campaign_view, person_of
from annotation.campaigns.service import CampaignError, record
from annotation.forms.short import AddAnnotatorsForm, ContactForm, WithdrawForm
from annotation.models import Annotator, Campaign, CampaignSet, Invitee, Place
from annotation.people.adding import add_annotators, free_places, release_places
from annotation.people.invitations import DAYS_VALID
from annotation.people.invited import (
    forget_contact,
    links_for,
    links_given,
    links_table,
    note_contact,
    people_of,
    shut_out,
    without_link,
)
from annotation.people.withdrawing import end_withdrawal, withdraw
from annotation.views.campaign_sets import set_page
from annotation.views.places import (
    address_of,
    back_to,
    code_address,
    csv_file,
    frame,
    people_of_place,
)
from corpus.pages.frame import actor, page_with_form

PART = "campaign-annotators"


@require_safe
@never_cache
@campaign_view(owner=True)
def annotators(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List annotators with their links, contacts and what can be done about each."""
    return _annotators(request, campaign)


@require_POST
@never_cache
@campaign_view(owner=True)
def make_links(request: HttpRequest, place: Place) -> HttpResponse:
    """Make links for who has none, and show them this once."""
    if _is_task(place):
        return _to_set(request, place)
    people = without_link(_everybody(place))
    if not people:
        messages.info(
            request, "Every annotator already has a link. Make new links on the annotators’ pages."
        )
        return redirect(people_of_place(place))
    return _shown_once(request, place, people)


@require_POST
@never_cache
@campaign_view(owner=True)
def links_file(request: HttpRequest, place: Place) -> HttpResponse:
    """Give the links that are on the owner's page as a file, if any still works."""
    links = links_given(_everybody(place), request.POST.getlist("token"), _join_address(request))
    if links:
        return csv_file(links_table(links), f"links-{place.slug}.csv")
    messages.error(request, "These links no longer work; make new ones.")
    return redirect(people_of_place(place))


@require_POST
@campaign_view(owner=True)
def add(request: HttpRequest, place: Place) -> HttpResponse:
    """Add places for annotators, in a set in all of its tasks."""
    if _is_task(place):
        return _to_set(request, place)
    form = AddAnnotatorsForm(request.POST)
    if form.is_valid():
        count = form.cleaned_data["count"]
        try:
            add_annotators(place, count, actor(request))
        except CampaignError as error:
            form.add_error("count", f"{str(error).capitalize()}.")
        else:
            messages.success(request, f"{count} added. Next: make links for them.")
            return redirect(people_of_place(place))
    if isinstance(place, CampaignSet):
        return set_page(request, place, form)
    return _annotators(request, place, form)


@require_safe
@campaign_view(owner=True)
def person(request: HttpRequest, place: Place, pk: int) -> HttpResponse:
    """Show one annotator, or somebody with their tasks, and what can be done about them."""
    return _person(request, person_of(place, pk))


@require_POST
@never_cache
@campaign_view(owner=True)
def new_link(request: HttpRequest, place: Place, pk: int) -> HttpResponse:
    """Make a new link; the old one stops working."""
    found = person_of(place, pk)
    return _to_set(request, place) if _is_task(place) else _shown_once(request, place, [found])


@require_POST
@campaign_view(owner=True)
def revoke(request: HttpRequest, place: Place, pk: int) -> HttpResponse:
    """Shut somebody out, in a set of all tasks."""
    found = person_of(place, pk)
    if isinstance(found, Annotator) and found.campaign.set is not None:
        messages.info(request, "Their link is for all tasks: it is ended here.")
        together = found.campaign.set
        return redirect(
            "campaign-set-person", place.study.slug, together.slug, found.participant_id
        )
    shut_out(found, actor(request))
    messages.success(request, f"The link of {found} no longer works.")
    return back_to(found)


@require_POST
@campaign_view(owner=True)
def release(request: HttpRequest, place: Place, pk: int) -> HttpResponse:
    """Give back what somebody who leaves has not judged, in a set in any task."""
    found = person_of(place, pk)
    count = release_places(found, actor(request))
    messages.success(request, f"{count} item pages of {found} are free for other annotators.")
    return back_to(found)


@require_POST
@campaign_view(owner=True)
def contact(request: HttpRequest, place: Place, pk: int) -> HttpResponse:
    """Note who somebody is, or forget it."""
    found = person_of(place, pk)
    if "forget" in request.POST:
        forget_contact(found, actor(request))
        messages.success(request, f"Name and e-mail of {found} were deleted.")
        return back_to(found)
    form = ContactForm(request.POST)
    if not form.is_valid():
        return _person(request, found, contact_form=form)
    note_contact(found, form.cleaned_data, actor(request))
    messages.success(request, f"Noted for {found}.")
    return back_to(found)


@require_POST
@campaign_view(owner=True)
def withdraw_work(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Leave an annotator's work out of every number."""
    found = cast(Annotator, person_of(campaign, pk))
    form = WithdrawForm(request.POST)
    if not form.is_valid():
        return _person(request, found, withdraw_form=form)
    return _changed(
        request,
        found,
        lambda: withdraw(found, form.cleaned_data["reason"], actor(request)),
        f"The work of {found} no longer counts; nothing was deleted.",
    )


@require_POST
@campaign_view(owner=True)
def count_again(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """End a withdrawal, for everything or from now on."""
    found = cast(Annotator, person_of(campaign, pk))
    whole = request.POST.get("what") != "new"
    return _changed(
        request,
        found,
        lambda: end_withdrawal(found, whole=whole, actor=actor(request)),
        f"{'All' if whole else 'New'} work of {found} counts.",
    )


def _everybody(place: Place) -> QuerySet[Any]:
    """Return who may have a link: a model needs none."""
    if isinstance(place, CampaignSet):
        return place.participants.all()
    return place.annotators.filter(kind=Annotator.Kind.PERSON)


def _is_task(place: Place) -> bool:
    """Whether a campaign is of a set, to which its people and their links belong."""
    return isinstance(place, Campaign) and place.set_id is not None


def _to_set(request: HttpRequest, place: Place) -> HttpResponse:
    """Say where the links of a campaign of a set are made."""
    together = place.set if isinstance(place, Campaign) else place
    assert together is not None  # noqa: S101  (asked before)
    messages.info(request, "The annotators belong to the set: make links and add annotators here.")
    return redirect("campaign-set", place.study.slug, together.slug)


def _shown_once(request: HttpRequest, place: Place, people: Sequence[Invitee]) -> HttpResponse:
    """Make new links and show them; they can be seen nowhere else."""

    def note(about: str, after: dict[str, Any]) -> None:
        record(place, actor(request), "make links", about, after=after)

    context = frame(place, PART, "Links") | {
        "links": links_for(people, _join_address(request), note),
        "days": DAYS_VALID,
        "file_at": address_of(place, "links-file"),
        "back_to": people_of_place(place),
    }
    return render(request, "annotation/owner/links.html", context)


def _join_address(request: HttpRequest) -> Callable[[str], str]:
    """Return what turns a token into an address."""
    return lambda token: request.build_absolute_uri(reverse("join", args=[token]))


def _annotators(
    request: HttpRequest, campaign: Campaign, add_form: AddAnnotatorsForm | None = None
) -> HttpResponse:
    context = frame(campaign, PART) | {
        "people": people_of(campaign),
        "linkless": len(without_link(_everybody(campaign))),
        "is_queue": campaign.design == Campaign.Design.QUEUE,
        "free": free_places(campaign),
        "add_form": add_form or AddAnnotatorsForm(),
        "code_address": code_address(request, campaign),
    }
    return page_with_form(request, "annotation/owner/annotators.html", context)


def _person(
    request: HttpRequest,
    found: Invitee,
    *,
    contact_form: ContactForm | None = None,
    withdraw_form: WithdrawForm | None = None,
) -> HttpResponse:
    """Show one person, with a form that was not right."""
    [row] = people_of(found.place, only=found.pk)
    stored = {"name": row.contact.name, "email": row.contact.email} if row.contact else {}
    context = frame(found.place, PART, found.pseudonym) | {
        "row": row,
        "person": found,
        "contact_form": contact_form or ContactForm(initial=stored),
        "withdraw_form": withdraw_form or WithdrawForm(),
    }
    page = f"annotation/owner/{'annotator' if isinstance(found, Annotator) else 'set_person'}.html"
    return page_with_form(request, page, context)


def _changed(
    request: HttpRequest, found: Annotator, change: Callable[[], Any], words: str
) -> HttpResponse:
    try:
        change()
    except CampaignError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, words)
    return back_to(found)

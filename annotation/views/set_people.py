"""The people of a set: their links for all tasks, and one of them as an owner sees them."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.campaigns.access import participant_of, set_view
from annotation.campaigns.service import CampaignError
from annotation.forms.short import AddAnnotatorsForm, ContactForm
from annotation.models import CampaignSet, Participant
from annotation.people.adding import add_participants, release_all
from annotation.people.invited import people_of, without_link
from annotation.views.campaign_sets import set_frame, set_page
from annotation.views.invitations import actor, file_of_links, page_of_links
from annotation.views.one_person import change_contact, contact_form_of, end_link, free_screens


@require_POST
@never_cache
@set_view(owner=True)
def make_links(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Make links for who has none, and show them this once."""
    people = without_link(together.participants.all())
    if not people:
        messages.info(
            request, "Every annotator already has a link. Make new links on the annotators’ pages."
        )
        return redirect("campaign-set", together.study.slug, together.slug)
    return _shown_once(request, together, people)


@require_POST
@never_cache
@set_view(owner=True)
def links_file(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Give the links that are on the owner's page as a file."""
    file = file_of_links(request, together.participants.all(), f"links-{together.slug}.csv")
    return file or redirect("campaign-set", together.study.slug, together.slug)


@require_POST
@set_view(owner=True)
def add(request: HttpRequest, together: CampaignSet) -> HttpResponse:
    """Add people to all tasks."""
    form = AddAnnotatorsForm(request.POST)
    if form.is_valid():
        count = form.cleaned_data["count"]
        try:
            add_participants(together, count, actor(request))
        except CampaignError as error:
            form.add_error("count", f"{str(error).capitalize()}.")
        else:
            messages.success(request, f"{count} added. Next: make links for them.")
            return redirect("campaign-set", together.study.slug, together.slug)
    return set_page(request, together, add_form=form, status=400)


@require_safe
@set_view(owner=True)
def person(request: HttpRequest, together: CampaignSet, pk: int) -> HttpResponse:
    """Show somebody with their tasks and what can be done about them."""
    return _page(request, participant_of(together, pk))


@require_POST
@never_cache
@set_view(owner=True)
def new_link(request: HttpRequest, together: CampaignSet, pk: int) -> HttpResponse:
    """Make a new link; the old one stops working."""
    return _shown_once(request, together, [participant_of(together, pk)])


@require_POST
@set_view(owner=True)
def revoke(request: HttpRequest, together: CampaignSet, pk: int) -> HttpResponse:
    """Shut somebody out of all tasks."""
    return end_link(request, participant_of(together, pk))


@require_POST
@set_view(owner=True)
def release(request: HttpRequest, together: CampaignSet, pk: int) -> HttpResponse:
    """Give back what somebody who leaves has not judged in any task."""
    return free_screens(request, participant_of(together, pk), release_all)


@require_POST
@set_view(owner=True)
def contact(request: HttpRequest, together: CampaignSet, pk: int) -> HttpResponse:
    """Note who somebody is, or forget it."""
    found = participant_of(together, pk)
    return change_contact(request, found, lambda form: _page(request, found, form))


def _shown_once(
    request: HttpRequest, together: CampaignSet, people: Sequence[Participant]
) -> HttpResponse:
    frame = set_frame(together) | {"frame": "annotation/owner/set_page.html"}
    addresses = ("campaign-set-links-file", "campaign-set")
    return page_of_links(request, together, people, frame, *addresses)


def _page(
    request: HttpRequest, found: Participant, contact_form: ContactForm | None = None
) -> HttpResponse:
    [row] = people_of(found.set, only=found.pk)
    context = set_frame(found.set) | {
        "row": row,
        "heading": found.pseudonym,
        "contact_form": contact_form or contact_form_of(row.contact),
    }
    status = 400 if contact_form else 200
    return render(request, "annotation/owner/set_person.html", context, status=status)

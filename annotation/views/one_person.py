"""What an owner does about one person, be they an annotator or rate in all tasks of a set."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from annotation.forms.short import ContactForm
from annotation.models import Contact, Participant
from annotation.people.invitations import Invitee
from annotation.people.invited import forget_contact, note_contact, shut_out
from annotation.views.invitations import actor


def end_link(request: HttpRequest, found: Invitee) -> HttpResponse:
    """Shut somebody out."""
    shut_out(found, actor(request))
    messages.success(request, f"The link of {found} no longer works.")
    return back_to(found)


def free_screens(
    request: HttpRequest, found: Invitee, release: Callable[[Any, Any], int]
) -> HttpResponse:
    """Give back what somebody who leaves has not judged."""
    count = release(found, actor(request))
    messages.success(request, f"{count} item pages of {found} are free for other annotators.")
    return back_to(found)


def change_contact(
    request: HttpRequest, found: Invitee, again: Callable[[ContactForm], HttpResponse]
) -> HttpResponse:
    """Note who somebody is, or forget it; `again` shows a form that is not right."""
    if "forget" in request.POST:
        forget_contact(found, actor(request))
        messages.success(request, f"Name and e-mail of {found} were deleted.")
        return back_to(found)
    form = ContactForm(request.POST)
    if not form.is_valid():
        return again(form)
    note_contact(found, form.cleaned_data, actor(request))
    messages.success(request, f"Noted for {found}.")
    return back_to(found)


def contact_form_of(known: Contact | None) -> ContactForm:
    """Return the form with what is known."""
    return ContactForm(initial={"name": known.name, "email": known.email} if known else {})


def back_to(found: Invitee) -> HttpResponse:
    """Lead to the page of a person."""
    if isinstance(found, Participant):
        return redirect("campaign-set-person", found.set.study.slug, found.set.slug, found.pk)
    campaign = found.campaign
    return redirect("campaign-annotator", campaign.study.slug, campaign.slug, found.pk)

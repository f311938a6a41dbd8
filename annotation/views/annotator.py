"""One annotator as an owner sees them: link, contact, open places, work that does not count."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.campaigns.access import annotator_of, campaign_view
from annotation.campaigns.service import CampaignError
from annotation.forms.short import ContactForm, WithdrawForm
from annotation.models import Annotator, Campaign
from annotation.people.adding import release_places
from annotation.people.invited import invited
from annotation.people.withdrawing import end_withdrawal, withdraw
from annotation.views.invitations import actor, campaign_frame, shown_once
from annotation.views.one_person import (
    back_to,
    change_contact,
    contact_form_of,
    end_link,
    free_screens,
)


@require_safe
@campaign_view(owner=True)
def annotator(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Show one annotator and what can be done about them."""
    return _page(request, annotator_of(campaign, pk))


@require_POST
@never_cache
@campaign_view(owner=True)
def new_link(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Make a new link; the old one stops working."""
    return shown_once(request, campaign, [annotator_of(campaign, pk)])


@require_POST
@campaign_view(owner=True)
def revoke(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Shut an annotator out."""
    found = annotator_of(campaign, pk)
    if campaign.set is not None:
        messages.info(request, "Their link is for all tasks: it is ended here.")
        return redirect(
            "campaign-set-person", campaign.study.slug, campaign.set.slug, found.participant_id
        )
    return end_link(request, found)


@require_POST
@campaign_view(owner=True)
def release(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Give back what an annotator who leaves has not judged."""
    return free_screens(request, annotator_of(campaign, pk), release_places)


@require_POST
@campaign_view(owner=True)
def contact(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Note who an annotator is, or forget it."""
    found = annotator_of(campaign, pk)
    return change_contact(request, found, lambda form: _page(request, found, contact_form=form))


@require_POST
@campaign_view(owner=True)
def withdraw_work(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Leave an annotator's work out of every number."""
    found = annotator_of(campaign, pk)
    form = WithdrawForm(request.POST)
    if not form.is_valid():
        return _page(request, found, withdraw_form=form)
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
    found = annotator_of(campaign, pk)
    whole = request.POST.get("what") != "new"
    return _changed(
        request,
        found,
        lambda: end_withdrawal(found, whole=whole, actor=actor(request)),
        f"{'All' if whole else 'New'} work of {found} counts.",
    )


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


def _page(
    request: HttpRequest,
    found: Annotator,
    *,
    contact_form: ContactForm | None = None,
    withdraw_form: WithdrawForm | None = None,
) -> HttpResponse:
    [row] = invited(found.campaign, only=found.pk)
    context = campaign_frame(found.campaign) | {
        "row": row,
        "annotator": found,
        "heading": found.pseudonym,
        "contact_form": contact_form or contact_form_of(row.contact),
        "withdraw_form": withdraw_form or WithdrawForm(),
    }
    status = 400 if contact_form or withdraw_form else 200
    return render(request, "annotation/owner/annotator.html", context, status=status)

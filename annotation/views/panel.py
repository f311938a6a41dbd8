"""The panel of a campaign or set as its owner sees it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.campaigns.access import campaign_view
from annotation.models import Campaign, Panel, Place
from annotation.panels.ending import panel_at
from annotation.panels.form import PanelForm, StatusesForm
from annotation.panels.freeing import planned, take_list
from annotation.panels.payment import LONGEST_GAP, pay_of, table, worked_by
from annotation.panels.settings import PROLIFIC_NAMES, keep_panel, new_panel, study_text
from annotation.views.places import address_of, code_address, csv_file, frame
from corpus.pages.frame import actor, page_with_form

PAGES = ("people", "statuses", "text")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@campaign_view(owner=True)
def panel(request: HttpRequest, place: Place) -> HttpResponse:
    """Show what is decided about a panel; by POST, store it."""
    if isinstance(place, Campaign) and place.set is not None:
        messages.info(request, "A panel sends participants to all tasks: set it up here.")
        return redirect("campaign-set-panel", place.study.slug, place.set.slug)
    found = panel_at(place)
    chosen = found or new_panel(place)
    form = PanelForm(chosen, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        keep_panel(chosen, form.values, actor(request))
        messages.success(request, "Saved. Everybody who leaves from now on gets these codes.")
        return redirect(address_of(place, "panel"))
    context = panel_frame(place) | {"form": form, "panel": found, "asked": _asked(request, found)}
    return page_with_form(request, "annotation/owner/panel/settings.html", context)


def with_panel(view: Callable[[HttpRequest, Place, Panel], HttpResponse]) -> Any:
    """Lead to the page of the panel where none is set up."""

    @never_cache
    @campaign_view(owner=True)
    @wraps(view)
    def guarded(request: HttpRequest, place: Place) -> HttpResponse:
        found = panel_at(place)
        if found is None:
            messages.info(request, "Set up the panel first.")
            return redirect(address_of(place, "panel"))
        return view(request, place, found)

    return guarded


@require_safe
@with_panel
def people(request: HttpRequest, place: Place, found: Panel) -> HttpResponse:
    """List who came, how they left, what they did and what their pay is for an hour."""
    rows = worked_by(found)
    context = panel_frame(place) | {
        "panel": found,
        "people": rows,
        "pay": pay_of(found, rows),
        "to_approve": [row.entry.identifier for row in rows if row.is_to_approve],
        "longest_gap": round(LONGEST_GAP.total_seconds() / 60),
    }
    return render(request, "annotation/owner/panel/people.html", context)


@require_safe
@with_panel
def people_file(request: HttpRequest, place: Place, found: Panel) -> HttpResponse:
    """Give the same list as a file."""
    return csv_file(table(worked_by(found)), f"panel-{found.pk}.csv")


@require_safe
@with_panel
def text(request: HttpRequest, place: Place, found: Panel) -> HttpResponse:
    """Show what to write on the study's page at the panel."""
    context = panel_frame(place) | {
        "panel": found,
        "text": study_text(found),
        "asked": _asked(request, found),
    }
    return render(request, "annotation/owner/panel/text.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@with_panel
def statuses(request: HttpRequest, place: Place, found: Panel) -> HttpResponse:
    """Take a list of who returned: first say what it would do, then do it."""
    sent = request.method == "POST"
    form = StatusesForm(found, request.POST, request.FILES) if sent else StatusesForm(found)
    context = panel_frame(place) | {"form": form, "panel": found}
    if sent and form.is_valid():
        if "confirmed" in request.POST:
            done = take_list(found, form.people, actor(request))
            messages.success(request, f"Slots freed: {done.freed}. New statuses: {done.changed}.")
            return redirect(address_of(place, "panel-statuses"))
        context |= {"plan": planned(found, form.people), "text": form.text}
    return page_with_form(request, "annotation/owner/panel/statuses.html", context)


def panel_frame(place: Place) -> dict[str, Any]:
    """Return what every page about a panel needs."""
    at = {name: address_of(place, f"panel-{name}") for name in PAGES}
    at |= {"panel": address_of(place, "panel"), "file": address_of(place, "panel-people-file")}
    return frame(place, "campaign-panel") | {"at": at}


def _asked(request: HttpRequest, found: Panel | None) -> str:
    """Return the address that people are sent to, with the placeholders of the panel."""
    if found is None or not found.place.invite_code:
        return ""
    start = code_address(request, found.place)
    holes = "{{{{%{name}%}}}}" if found.preset == Panel.Preset.PROLIFIC else "…"
    # A database may keep them in another order.
    names = [found.names[what] for what in PROLIFIC_NAMES if found.names.get(what)]
    return f"{start}?" + "&".join(f"{name}={holes.format(name=name)}" for name in names)

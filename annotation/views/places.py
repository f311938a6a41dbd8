"""What pages about a campaign or a set of campaigns have in common."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotation.models import CampaignSet, Invitee, Participant, Place
from corpus.tabular.spreadsheets import spreadsheet_csv

TAB = "study-campaigns"


def frame(place: Place, part: str = "", heading: str = "") -> dict[str, Any]:
    """Return what every page of a campaign or set needs."""
    is_set = isinstance(place, CampaignSet)
    return {
        "study": place.study,
        "campaign_set" if is_set else "campaign": place,
        "frame": f"annotation/owner/{'set' if is_set else 'campaign'}_page.html",
        "tab": TAB,
        "part": part,
        "heading": heading or str(place),
    }


def address_of(place: Place, name: str = "") -> str:
    """Return the address of a page of a campaign or set, by the end of its name."""
    start = "campaign-set" if isinstance(place, CampaignSet) else "campaign"
    return reverse(f"{start}-{name}" if name else start, args=[place.study.slug, place.slug])


def code_address(request: HttpRequest, place: Place) -> str:
    """Return the address by which anybody may join; empty where there is none."""
    if not place.invite_code:
        return ""
    return request.build_absolute_uri(reverse("join-by-code", args=[place.invite_code]))


def people_of_place(place: Place) -> str:
    """Return the address of the page that lists who rates in a campaign or set."""
    return address_of(place, "" if isinstance(place, CampaignSet) else "annotators")


def back_to(found: Invitee) -> HttpResponse:
    """Lead to the page of a person."""
    page = "campaign-set-person" if isinstance(found, Participant) else "campaign-annotator"
    return redirect(page, found.place.study.slug, found.place.slug, found.pk)


def csv_file(rows: Iterable[Iterable[Any]], name: str) -> HttpResponse:
    """Return rows as a file in which no formula of a text is run."""
    response = HttpResponse(spreadsheet_csv(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


# This preset leaves HTML in the text as text and refuses addresses that run scripts.
_RENDERER = MarkdownIt("js-default", {"linkify": False})


def markdown(text: str) -> SafeString:
    """Return a text as HTML."""
    return mark_safe(str(_RENDERER.render(text)))  # noqa: S308  (the renderer escapes)

"""The page of a search, and the panel below the field that shows the same while one types."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.search.named import (
    find_campaigns,
    find_collections,
    find_in_help,
    find_metrics,
    find_pages,
    find_studies,
    find_systems,
)
from config.search.query import LONGEST, SHORTEST, Group, Query, Scope
from config.search.texts import find_segments
from corpus.pages.frame import actor

ON_THE_PAGE = 8
IN_THE_PANEL = 3


@require_safe
@never_cache
@login_required
def search(request: HttpRequest) -> HttpResponse:
    """Show what is found; to htmx the panel, else the page."""
    query = Query.of(request.GET.get("q", ""))
    panel = bool(getattr(request, "htmx", False))
    slug = request.GET.get("study", "")
    groups: list[Group] = []
    study = None
    if query.is_long_enough:
        scope = Scope.of(actor(request), slug)
        study = scope.current
        groups = find(query, scope, IN_THE_PANEL if panel else ON_THE_PAGE)
    context = {
        "query": query,
        "groups": groups,
        "shown": sum(len(group.hits) for group in groups),
        "study": study,
        "search_study": study.slug if study else "",
        "longest": LONGEST,
        "shortest": SHORTEST,
    }
    template = "search/panel.html" if panel else "search/page.html"
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def find(query: Query, scope: Scope, most: int) -> list[Group]:
    """Return what is found, by kind; kinds of which there is nothing are left out.

    Parameters
    ----------
    query
        What is searched for.
    scope
        Where.
    most
        So many of each kind are returned.
    """
    groups = (
        find_studies(query, scope, most),
        find_collections(query, scope, most),
        find_campaigns(query, scope, most),
        find_systems(query, scope, most),
        find_segments(query, scope, most),
        find_metrics(query, scope, most),
        find_pages(query, scope, most),
        find_in_help(query, most),
    )
    return [group for group in groups if group.hits or group.notes]

"""The help that this site shows, open to everybody; it is read once for each process."""

import mimetypes
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.help.library import FIRST, Library, find_help, read_library


@cache
def the_library() -> Library:
    """Return the pages below `docs/`, which a wheel holds too."""
    return read_library(Path(settings.BASE_DIR) / "docs")


@require_safe
def help_page(request: HttpRequest, name: str = FIRST) -> HttpResponse:
    """Show a page."""
    library = the_library()
    page = library.pages.get(name)
    if page is None:
        raise Http404("The help has no such page.")
    groups = (
        group for group in library.contents if name in {entry.page for entry in group.entries}
    )
    context = {
        "page": page,
        "up": page.up,
        "first": name == FIRST,
        "sections": [part for part in page.parts if part.level == 2],
        "contents": library.contents,
        "here": next(groups, None),
    }
    return render(request, "help/page.html", context)


@require_safe
def help_search(request: HttpRequest) -> HttpResponse:
    """Show the parts of pages that have the words asked for."""
    query = request.GET.get("q", "").strip()[:200]
    library = the_library()
    context = {
        "query": query,
        "found": find_help(library.pages.values(), query),
        "contents": library.contents,
    }
    return render(request, "help/search.html", context)


@require_safe
def help_file(request: HttpRequest, file: str) -> FileResponse:
    """Send a file that pages link to or show."""
    path = the_library().files.get(file)
    if path is None:
        raise Http404("The help has no such file.")
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return FileResponse(path.open("rb"), content_type=kind)

"""The pages of the help, open to everybody."""

import mimetypes

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.help.library import FIRST
from config.help.search import find_help
from config.help.shelf import page_context, the_library


@require_safe
def help_page(request: HttpRequest, name: str = FIRST) -> HttpResponse:
    """Show a page."""
    library = the_library()
    if name not in library.pages:
        raise Http404("The help has no such page.")
    return render(request, "help/page.html", page_context(library, name) | {"frame": "base.html"})


@require_safe
def help_search(request: HttpRequest) -> HttpResponse:
    """Show the parts of pages that have the words asked for."""
    query = request.GET.get("q", "").strip()[:200]
    library = the_library()
    context = {
        "frame": "base.html",
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

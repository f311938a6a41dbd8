"""The help that this site shows, read once for each process."""

from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from config.help.library import FIRST, Library, read_library

SEARCH = "search.html"


@cache
def the_library() -> Library:
    """Return the pages below `docs/`, which a wheel holds too."""
    return read_library(Path(settings.BASE_DIR) / "docs")


def page_context(library: Library, name: str) -> dict[str, Any]:
    """Return what the template of a page needs.

    Parameters
    ----------
    library
        The help.
    name
        One of its pages.
    """
    page = library.pages[name]
    here = next(
        (group for group in library.contents if name in {entry.page for entry in group.entries}),
        None,
    )
    return {
        "page": page,
        "up": page.up,
        "first": name == FIRST,
        "sections": [part for part in page.parts if part.level == 2],
        "contents": library.contents,
        "here": here,
    }

"""`manage.py docs_site`: write the help as a site of files (`make docs`)."""

import json
import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.template.loader import render_to_string

from config.help.library import Library
from config.help.views import SEARCH, page_context, the_library

STATIC = (
    "css/tokens.css",
    "css/touchstone.css",
    "css/workbench.css",
    "touchstone.svg",
    "js/help-search.js",
)


class Command(BaseCommand):
    """Write the pages that `/help/` shows, so that any web server, or none, can show them."""

    help = "Write the pages of docs/ as a site that needs no server and nothing from elsewhere."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where the site goes."""
        folder = Path(settings.DATA_DIR) / "docs"
        parser.add_argument("--output", type=Path, default=folder, help=f"folder ({folder})")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write everything, unless a link leads nowhere."""
        library = the_library()
        if problems := library.problems():
            raise CommandError("\n".join(problems))
        folder: Path = options["output"]
        _write_pages(library, folder)
        _write_search(library, folder)
        for name, path in library.files.items():
            _copy(path, folder / name)
        for name in STATIC:
            _copy(Path(settings.BASE_DIR) / "static" / name, folder / Path(name).name)
        self.stdout.write(f"wrote {len(library.pages)} pages to {folder}")


def _write_pages(library: Library, folder: Path) -> None:
    for name, page in library.pages.items():
        context = page_context(library, name) | {"frame": "help/standalone.html"}
        _write(folder / page.address, render_to_string("help/page.html", context))


def _write_search(library: Library, folder: Path) -> None:
    context = {"frame": "help/standalone.html", "contents": library.contents, "by_script": True}
    _write(folder / SEARCH, render_to_string("help/search.html", context))
    parts = [
        [page.title, part.title, f"{page.address}#{part.anchor}", part.text]
        for page in library.pages.values()
        for part in page.parts
    ]
    # A script, because a page that is opened from a disk may not read other files.
    _write(folder / "help-index.js", f'"use strict";\nconst helpParts = {json.dumps(parts)};\n')


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)

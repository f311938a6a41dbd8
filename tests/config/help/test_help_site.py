"""The site that `make docs` writes: whole, without a server, searched as the help is."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from config.help.library import find_help
from config.help.views import the_library
from tests.config.static.test_static_policy import Inline
from tests.fixtures.nonempty import at_least_one


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    call_command("docs_site", output=folder, verbosity=0)
    return folder


def test_the_site_asks_for_nothing_that_it_does_not_hold(site: Path) -> None:
    for path in at_least_one(sorted(site.rglob("*.html"))):
        text = path.read_text(encoding="utf-8")
        parser = Inline()
        parser.feed(text)
        assert parser.found == [], path
        for target in at_least_one(re.findall(r'(?:href|src|action)="([^"#]+)', text)):
            if not re.match(r"https?://", target):
                assert (path.parent / target).is_file(), f"{path.name} asks for {target}"


def test_the_site_holds_every_page(site: Path) -> None:
    written = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert written == {page.address for page in the_library().pages.values()} | {"search.html"}


@pytest.mark.browser
def test_the_script_finds_what_the_server_finds(site: Path, chromium_page: Any) -> None:
    pages = the_library().pages.values()
    page = chromium_page()
    for query in ("backup sqlite", "krippendorff", "a", "campaign links", "nothing-like-it"):
        page.goto(f"{(site / 'search.html').as_uri()}?q={query}")
        found = find_help(pages, query)
        links = page.locator("#help-found a")
        assert [link.get_attribute("href") for link in links.all()] == [
            each.address for each in found
        ]
        excerpts = page.locator("#help-found p").all_inner_texts()
        for text, each in zip(excerpts, found, strict=True):
            assert " ".join(text.split("\n")[-1].split()) == " ".join(each.excerpt.split())
        counted = page.locator("#help-count").inner_text()
        assert counted.startswith(f"{len(found)} part")

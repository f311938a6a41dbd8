"""The pictures of the README and the help show the pages as they are, and are small."""

import re

import pytest
from django.contrib.auth.models import User

from config.help.shelf import the_library
from tests.fixtures.help_pictures import FOLDER, PICTURES, file_of, outline
from tests.fixtures.machine import ROOT

LARGEST = 60_000
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [README, *(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md"))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small(name: str, scheme: str) -> None:
    picture = file_of(name, scheme).read_bytes()
    assert picture[:4] + picture[8:12] == b"RIFFWEBP"
    assert len(picture) < LARGEST


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_shown_with_words_for_who_cannot_see_it(name: str) -> None:
    shown = rf"!\[([^]]*)\]\([\w./]*pictures/{name}\.webp\)"
    words = [said for page in PAGES for said in re.findall(shown, page)]
    assert words
    assert all(len(said) > 40 for said in words)


def test_no_picture_is_left_of_what_is_no_longer_shown() -> None:
    names = {path.stem.removesuffix("-dark") for path in FOLDER.iterdir()}
    assert names == set(PICTURES)


def test_the_readme_shows_findings_and_a_report() -> None:
    shown = re.findall(r"!\[[^]]*\]\(docs/pictures/(\w+)\.webp\)", README)
    assert shown == ["findings", "correlation"]


def test_the_help_shows_the_dark_picture_to_who_prefers_that() -> None:
    page = the_library().pages["how-to/trust-ratings"]
    dark = 'media="(prefers-color-scheme: dark)" srcset="../pictures/agreement-dark.webp"'
    assert f"<picture><source {dark}>" in page.html
    assert 'src="../pictures/agreement.webp" alt="' in page.html
    assert {"pictures/agreement.webp", "pictures/agreement-dark.webp"} <= {*page.links}


@pytest.mark.django_db
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_current(name: str, demo_reports: None) -> None:
    """Where this fails, look at the page, and run `scripts/picture_help.py`."""
    User.objects.create_superuser("ada")
    client, address = PICTURES[name].open()
    page = client.get(address)
    assert page.status_code == 200
    shown = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert outline(page.content.decode()) == shown

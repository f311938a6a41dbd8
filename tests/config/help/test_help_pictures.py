"""The pictures of the README show the pages as they are, and are small."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.fixtures.machine import ROOT
from tests.fixtures.help_pictures import FOLDER, PICTURES, outline

pytestmark = pytest.mark.django_db
LARGEST = 250_000
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_in_the_readme_with_words_for_who_cannot_see_it(name: str) -> None:
    picture = FOLDER / f"{name}.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size < LARGEST
    _, _, rest = README.partition(f"](docs/pictures/{name}.png)")
    words = README.partition(f"](docs/pictures/{name}.png)")[0].rpartition("![")[2]
    assert rest
    assert len(words) > 40


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_current(name: str, demo_reports: None, client: Client) -> None:
    """Where this fails, look at the page, and run `scripts/picture_help.py`."""
    client.force_login(User.objects.create_superuser("ada"))
    page = client.get(PICTURES[name])
    assert page.status_code == 200
    shown = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert outline(page.content.decode()) == shown

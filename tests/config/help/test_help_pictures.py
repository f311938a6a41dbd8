"""The pictures of the README and the help show the pages as they are, and are small."""

import base64
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from corpus.imports.service import create_study
from corpus.models import Study
from tests.fixtures.campaigns import make_campaign
from tests.fixtures.import_pages import sent_files
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.rating_pages import entered
from tests.fixtures.simulated_ratings import rate_everything

LARGEST = 60_000
QUALITY = 42
"""Of WebP, up to 100: letters are sharp, and a picture weighs a quarter of a PNG."""
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [README, *(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md"))]
FOLDER = ROOT / "docs" / "pictures"
WIDTH = 1100
_STUDY = "/studies/formality-demo/"


class Picture(NamedTuple):
    """What makes a page and returns who looks and its address; and how much of it is shown."""

    open: Callable[[], tuple[Client, str]]
    height: int


def file_of(name: str, scheme: str = "light") -> Path:
    """Return where a picture is; the help shows the dark one to who prefers that."""
    return FOLDER / f"{name}{'-dark' if scheme == 'dark' else ''}.webp"


def outline(page: str) -> str:
    """Return navigation, larger headings and questions without numbers, one in a line."""
    main = page.partition("<main")[2]
    found = re.findall(r"<(h1|h2|nav|legend)\b[^>]*>(.*?)</\1>", main, re.DOTALL)
    lines = [
        f"{kind}: {' '.join(re.sub('<[^>]+>', ' ', inside).split())}" for kind, inside in found
    ]
    return "\n".join(line for line in lines if not re.search(r"\d", line.partition(": ")[2])) + "\n"


def _owner() -> Client:
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    return client


def _page(path: str) -> Callable[[], tuple[Client, str]]:
    return lambda: (_owner(), _STUDY + path)


def _mapping() -> tuple[Client, str]:
    """Upload the two files of the tutorial."""
    client = _owner()
    create_study("first-study", User.objects.get(username="ada"), title="First study")
    texts = {
        path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("docs/samples/*.csv")
    }
    sent = client.post(reverse("study-import", args=["first-study"]), {"files": sent_files(texts)})
    return client, sent.headers["Location"]


def _campaign() -> tuple[Client, str]:
    """Let simulated annotators rate a part of a campaign."""
    campaign, annotators = make_campaign(
        Study.objects.get(slug="formality-demo"),
        annotators=4,
        slug="first-campaign",
        title="First campaign",
        selection={"controls": {"repeats": 4, "degraded": 4}},
    )
    for annotator, screens in zip(annotators, (70, 60, 40, 0), strict=True):
        rate_everything(campaign, [annotator], most=screens)
    return _owner(), f"{_STUDY}campaigns/{campaign.slug}/"


def _rating() -> tuple[Client, str]:
    """Open the page on which an annotator rates."""
    study = Study.objects.get(slug="formality-demo")
    _, [annotator] = make_campaign(
        study, annotators=1, slug="to-be-rated", title="To be rated", seed=3
    )
    return entered(annotator), f"/rate/{annotator.public_id}/"


PICTURES = {
    "findings": Picture(_page(""), 900),
    "correlation": Picture(_page("correlation/?aspect=content"), 1000),
    "agreement": Picture(_page("agreement/?aspect=content"), 900),
    "ranking": Picture(_page("ranking/?aspect=style"), 900),
    "mapping": Picture(_mapping, 900),
    "campaign": Picture(_campaign, 900),
    "rating": Picture(_rating, 800),
}


def test_pictures_are_small_and_shown_with_words_for_who_cannot_see_them() -> None:
    for name in PICTURES:
        for scheme in ("light", "dark"):
            picture = file_of(name, scheme).read_bytes()
            assert picture[:4] + picture[8:12] == b"RIFFWEBP"
            assert len(picture) < LARGEST
        shown = rf"!\[([^]]*)\]\([\w./]*pictures/{name}\.webp\)"
        for said in at_least_one([said for page in PAGES for said in re.findall(shown, page)]):
            assert len(said) > 40, name


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        name if name == "correlation" else pytest.param(name, marks=pytest.mark.nightly)
        for name in PICTURES
    ],
)
def test_a_picture_is_current(name: str, demo_reports: None) -> None:
    """Where this fails, look at the page, and take its picture anew by the test below."""
    User.objects.create_superuser("ada")
    client, address = PICTURES[name].open()
    page = client.get(address)
    assert page.status_code == 200
    shown = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert outline(page.content.decode()) == shown


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_taken_anew(
    name: str, demo_reports: None, live_server: Any, chromium_page: Callable[..., Any],
    tmp_path: Path,
) -> None:  # fmt: skip
    """With TAKE_PICTURES=1 it is put into `docs/pictures`, with the outline of what it shows."""
    User.objects.create_superuser("ada")
    folder = FOLDER if os.environ.get("TAKE_PICTURES") else tmp_path
    client, address = PICTURES[name].open()
    for scheme in ("light", "dark"):
        page = chromium_page(width=WIDTH, height=PICTURES[name].height, dark=scheme == "dark")
        page.context.add_cookies(
            [
                {"name": key, "value": morsel.value, "url": live_server.url}
                for key, morsel in client.cookies.items()
            ]
        )
        page.goto(live_server.url + address)
        page.wait_for_load_state("networkidle")
        taken = {"format": "webp", "quality": QUALITY}
        shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", taken)
        picture = base64.b64decode(shot["data"])
        assert len(picture) < LARGEST
        (folder / file_of(name, scheme).name).write_bytes(picture)
    shown = outline(client.get(address).content.decode())
    (folder / f"{name}.txt").write_text(shown, encoding="utf-8")
    assert shown == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")

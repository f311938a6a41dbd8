"""The demo study as a publication, which all tests of a module read."""

from pathlib import Path

import pytest
from django.test import override_settings

from corpus.models import Study
from tests.fixtures.publications import declare_details, freeze_some, published


@pytest.fixture(scope="module")
def _published(demo, once, tmp_path_factory):
    place = tmp_path_factory.mktemp("published")

    def fill(_: Path) -> None:
        study = declare_details(Study.objects.get(slug="formality-demo"))
        freeze_some(study)
        published(study, place)

    with override_settings(MEDIA_ROOT=place / "media"):
        once(fill)
        yield place / "publication"


@pytest.fixture
def folder(_published, db) -> Path:
    """The folder of the publication, which no test changes."""
    return _published

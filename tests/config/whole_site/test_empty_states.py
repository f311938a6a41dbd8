"""Pages of a study that has nothing yet teach: an example, a sample, what comes next."""

import re
from pathlib import Path

import pytest
from django.urls import reverse

from config.help.views import the_library
from corpus.models import Output, Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
TEACHING = ("study-segments", "study-campaigns", "study-metrics", "study-import")


@pytest.fixture
def study() -> Study:
    return Study.objects.create(slug="empty", title="Empty")


@pytest.mark.parametrize("name", TEACHING)
def test_an_empty_page_shows_owners_an_example_and_what_to_read(study: Study, name: str) -> None:
    page = signed_in("owner", study).get(reverse(name, args=["empty"])).content.decode()
    assert 'aria-label="Example: ' in page
    main = page.partition("<main")[2]
    for target in at_least_one(re.findall(r'href="/help/([^"#]+)', main)):
        library = the_library()
        assert target.removesuffix(".html") in library.pages or target in library.files, target


def test_the_examples_are_imported_as_they_are_shown(study: Study, tmp_path: Path) -> None:
    page = signed_in("owner", study).get(reverse("study-import", args=["empty"])).content.decode()
    files = {}
    for title, table in re.findall(
        r'aria-label="Example: ([^"]+)".*?<table>(.*?)</table>', page, re.S
    ):
        rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]
        files[f"{title.replace(' ', '_')}.csv"] = rows
    assert len(files) == 3
    done = import_path(write_files(tmp_path / "shown", files), slug="shown")
    assert done.state == "done", done.error
    shown = Study.objects.get(slug="shown")
    assert Output.objects.filter(study=shown, system__kind="system").count() == 2

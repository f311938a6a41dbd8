"""What was chosen on the mapping page is kept for each person until the files are imported."""

import pytest
from django.urls import reverse

from corpus.models import ImportDraft
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import ImportPages, finished, of_table, place_of
from tests.fixtures.import_shapes import TIDY
from tests.fixtures.study_files import SEGMENTS

pytestmark = pytest.mark.django_db
JUDGED = {"outputs.csv": [["id", "text"], ["s1", "Hi."]], "t.csv": SEGMENTS}


@pytest.fixture
def grace(study):
    client = signed_in("grace", study)
    return ImportPages(client)


def form(client, address):
    return fields_of(client.get(address).text, "layout")


def test_choices_survive_reload_and_coming_again(client, pages):
    address, page = pages.upload(JUDGED)
    roles = of_table(0, column_system="= 'BART'") | {"sample": "3"}
    pages.look(address, page, roles)
    fields = form(client, address)
    assert fields["file-0-0-column_system"] == ["= 'BART'"]
    assert fields["sample"] == ["3"]
    listed = client.get(reverse("study-import", args=["small"])).text
    assert f'<a href="{address}">Go on with outputs.csv, t.csv</a>' in listed


def test_two_people_keep_choices_of_their_own(client, pages, grace):
    address, page = pages.upload(JUDGED)
    pages.look(address, page, of_table(0, column_system="= 'BART'"))
    seen = grace.client.get(address)
    assert fields_of(seen.text, "layout")["file-0-0-column_system"] == ["= 'BART'"]
    grace.look(address, seen, of_table(0, column_system="= 'T5'"))
    assert form(client, address)["file-0-0-column_system"] == ["= 'BART'"]
    assert form(grace.client, address)["file-0-0-column_system"] == ["= 'T5'"]


def test_a_failed_import_leads_back_to_the_column_that_is_wrong(client, pages):
    files = TIDY | {"ratings.csv": [row.copy() for row in TIDY["ratings.csv"]]}
    files["ratings.csv"][3][0] = "s99"
    address, page = pages.upload(files)
    job = finished(pages.press(address, page, {"sample": "5"}))
    shown = client.get(reverse("job", args=[job.pk])).text
    link = f"{address}?file=ratings.csv&amp;column=segment_id"
    assert f'<a href="{link}">Correct how it is read</a>' in shown
    assert f'href="{address}">Correct the columns</a>' in shown
    page = client.get(link.replace("&amp;", "&"))
    place = place_of(page, "ratings.csv")
    [focused] = [part for part in page.text.split("<input")[1:] if "autofocus" in part[:300]]
    assert f'name="file-{place}-0-column_segment"' in focused[:300]
    assert form(client, address)["sample"] == ["5"]


def test_a_file_of_which_the_kept_choice_is_damaged_is_guessed_again(client, pages):
    address, page = pages.upload(TIDY)
    pages.look(address, page, {})
    draft = ImportDraft.objects.get()
    for broken in ({"mappings": [{"table": "nothing"}]}, {"mappings": 3}, {}):
        draft.choices["files"]["ratings.csv"] = broken
        draft.save()
        place = place_of(page, "ratings.csv")
        assert form(client, address)[f"file-{place}-0-column_rater"] == ["rater"]

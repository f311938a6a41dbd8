"""A mapping is saved as a `.sql` file, used again on the page and by the command."""

import pytest
from django.core.management import call_command

from annotation.models import Rating
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, first_mappings, of_table, use
from tests.fixtures.import_shapes import UNNAMED
from tests.fixtures.study_files import write_files

pytestmark = pytest.mark.django_db
ASPECT = of_table(2, column_aspect="= 'style'")
QUERY = '-- table: segments\nSELECT DISTINCT c1 AS segment, c2 AS source FROM files."data.csv"'


def downloaded(pages, address, page, changes=()):
    answer = pages.press(address, page, changes, "download")
    assert answer["Content-Disposition"] == 'attachment; filename="mapping-small.sql"'
    return answer.text


def test_a_mapping_is_downloaded_as_it_is_chosen_and_taken_by_page_and_command(
    client, pages, tmp_path
):
    address, page = pages.upload(UNNAMED)
    saved = downloaded(pages, address, page, ASPECT)
    mapping = tmp_path / "mapping.sql"
    mapping.write_text(saved, encoding="utf-8")
    path = write_files(tmp_path / "elsewhere", UNNAMED)
    call_command("import_study", str(path), mapping=mapping, verbosity=0)
    assert Rating.objects.filter(aspect="style").count() == 54

    address, page = pages.upload(UNNAMED, sample="6")
    page = use(pages, address, saved)
    assert "please check" not in page.text, "who brings a mapping means it"
    assert fields_of(page.text, "layout")["sample"] == ["6"], "what was said stays"
    assert downloaded(pages, address, page) == saved
    done(pages.press(address, page))
    assert Rating.objects.filter(aspect="style").count() == 108


def test_a_file_that_is_no_mapping_is_refused_in_words(client, pages):
    address, page = pages.upload(UNNAMED)
    for content, words in (
        (QUERY.replace("data", "other"), "other.csv is not here; files: "),
        ("\n".join([QUERY] * 101), "at most 100"),
    ):
        refused = use(pages, address, content)
        assert refused.status_code == 400
        assert words in refused.text
    assert first_mappings(client.get(address)) == first_mappings(page)

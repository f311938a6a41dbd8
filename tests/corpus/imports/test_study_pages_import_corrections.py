"""The mapping page corrects, leaves out, refuses and takes options."""

import pytest
from django.urls import reverse

from corpus.jobs.worker import run_next
from corpus.models import Output
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import (
    done,
    finished,
    first_mappings,
    of_table,
    place_of,
)
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, TABLES

pytestmark = pytest.mark.django_db


# Correcting, leaving out, and what cannot be read


def test_an_unreadable_file_shows_its_problems_and_can_be_left_out(pages):
    address, page = pages.upload({"segments.xlsx": b"PK\x03\x04 no workbook", "t.csv": SEGMENTS})
    assert "cannot be read" in page.text
    refused = pages.press(address, page)
    assert "segments.xlsx cannot be read; leave it out" in refused.text
    done(pages.press(address, refused, {"file-0-leave_out": "on"}))


def test_an_encoding_can_be_corrected(pages):
    latin = "segment,source\ns1,déjà vu\n".encode("windows-1252")
    address, page = pages.upload({"segments.csv": latin})
    mended = pages.press(address, page, {"file-0-encoding": "windows-1252"})
    assert "déjà vu" in mended.text, "it is shown before it is imported"
    done(pages.press(address, mended))
    assert Output.objects.get().text == "déjà vu"


def test_a_query_reaches_what_the_fields_do_not(pages):
    address, page = pages.upload({"outputs.csv": OUTPUTS, "t.csv": SEGMENTS})
    query = fields_of(page.text, "layout")["file-0-0-query"][0]
    assert 'FROM files."outputs.csv"' in query
    mended = query.replace('"system"', 'upper("system")', 1)
    wrong = pages.look(address, page, of_table(0, query=query.replace("FROM", "FORM")))
    assert "syntax error" in wrong.text
    page = pages.look(address, page, of_table(0, query=mended))
    assert fields_of(page.text, "layout")["file-0-0-query"] == [mended]
    back = pages.look(address, page, of_table(0, query=""))
    assert fields_of(back.text, "layout")["file-0-0-query"] == [query]
    done(pages.press(address, back, of_table(0, query=mended)))
    assert set(Output.objects.values_list("system__name", flat=True)) >= {"BART", "T5"}


# One import at a time, and trying again


def test_a_second_import_waits_for_the_first_and_keeps_its_files(client, pages):
    first, second = pages.upload(TABLES), pages.upload({"segments.csv": SEGMENTS})
    job = pages.press(*first).url.partition("?")[0]
    refused = pages.press(*second)
    assert refused.status_code == 409
    assert "<strong>Not started.</strong>" in refused.text
    assert f'href="{job}"' in refused.text
    assert f'href="{job}"' in client.get(reverse("study-import", args=["small"])).text
    assert run_next().state == "done"
    done(pages.press(*second))


def test_a_refused_import_is_corrected_from_where_it_was(client, pages):
    files = TABLES | {
        "ratings.csv": [["segment", "system", "who", "score"], ["s1", "T5", "r", "9"]]
    }
    address, page = pages.upload(files)
    place = place_of(page, "ratings.csv")
    page = pages.look(address, page, {f"file-{place}-add": "ratings"})
    assert fields_of(page.text, "layout")[f"file-{place}-0-column_score"] == ["score"]
    told = {f"file-{place}-0-column_rater": "who"}
    refused = finished(pages.press(address, page, told))
    assert refused.state == "failed"
    assert "Which aspect was judged" in refused.result["problems"][0]["message"]
    assert address in client.get(reverse("study-import", args=["small"])).text
    page = client.get(address)
    assert fields_of(page.text, "layout")[f"file-{place}-0-column_rater"] == ["who"]
    done(pages.press(address, page, {f"file-{place}-0-column_aspect": "= 'style'"}))


@pytest.mark.nightly
def test_forms_that_were_tampered_with_are_drawn_anew(pages):
    address, page = pages.upload({"segments.csv": SEGMENTS})
    for name, value in [
        ("file-0-was", "{"),
        ("file-0-was", '{"mappings": [{"table": "nothing"}]}'),
        ("file-0-was", '{"mappings": "many"}'),
        ("file-0-was", '{"dialect": [1, 2, 3, 4]}'),
        ("file-0-name", "other.csv"),
    ]:
        again = pages.look(address, page, {name: value})
        assert again.status_code == 200
        assert first_mappings(again) == first_mappings(page)

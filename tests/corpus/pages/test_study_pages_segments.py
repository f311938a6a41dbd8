"""The segment browser: all texts of a segment, filtered and paged."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.fixtures.campaign_pages import member
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/segments/"


FILES = {"segments.csv": SEGMENTS, "outputs.csv": [*OUTPUTS[:-1], ["s4", "T5", ""]]}


@pytest.fixture
def study(study_made_once):
    return study_made_once


@pytest.fixture
def show(client, study):
    person = member("researcher", study, "researcher")
    client.force_login(person)

    def get(**filters):
        page = client.get(ADDRESS, filters)
        assert page.status_code == 200
        return page

    return get


def keys(page):
    return [each.segment.key for each in page.context["segments"]]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"direction": "informal → formal"}, ["s1", "s2"]),
        ({"attribute-domain": "chat"}, ["s2"]),
        ({"attribute-domain": "mail", "direction": "formal → informal"}, ["s3", "s4"]),
        ({"q": "DUNNO"}, ["s2"]),
        ({"q": "100%"}, []),
        ({"direction": "up → down"}, ["s1", "s2", "s3", "s4"]),
    ],
)
def test_a_filter_leaves_what_fits(show, filters, expected):
    assert keys(show(**filters)) == expected


def test_texts_are_shown_as_text_and_never_as_markup(show, study):
    study.segments.filter(key="s1").update(key="<script>alert(1)</script>")
    text = show().text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_an_attribute_may_be_called_as_methods_of_templates_are(show, study):
    study.segments.filter(key="s1").update(attributes={"items": "three", "keys": "two"})
    text = show().text
    assert "items" in text
    assert "three" in text


@pytest.fixture
def many(study, tmp_path):
    """Fifty further segments with an attribute of fifty values."""
    rows = [["segment_id", "source", "number", "reference_1"]]
    rows += [[f"n{n}", f"sentence {n}", str(n), "rewritten"] for n in range(50)]
    outputs = [OUTPUTS[0], *([f"n{n}", "BART", f"output {n}"] for n in range(50))]
    files = {"segments.csv": rows, "outputs.csv": outputs}
    assert import_path(write_files(tmp_path / "many", files)).state == "done"


def test_long_lists_are_paged_and_keep_the_filter(show, many):
    page = show(q="sentence")
    assert len(keys(page)) == 20
    assert "Page 1 of 3" in page.text
    assert 'href="?q=sentence&amp;page=2"' in page.text
    assert keys(show(q="sentence", page=3))[-1] == "n49"
    assert keys(show(q="sentence", page=99)) == keys(show(q="sentence", page=3))


def test_a_full_page_costs_no_more_queries_than_a_short_one(show, many):
    show()
    with CaptureQueriesContext(connection) as short:
        assert len(keys(show(q="n7"))) == 1
    with CaptureQueriesContext(connection) as full:
        assert len(keys(show(q="n"))) == 20
    assert len(full) == len(short)


def test_attributes_of_any_name_are_asked_for(show, tmp_path):
    name = 'it\'s 100 % "quoted".really__so'
    rows = [["segment_id", "source", name, "2019"], ["o1", "odd", "yes", "x"]]
    path = write_files(tmp_path / "odd", {"segments.csv": rows})
    assert import_path(path).state == "done"
    assert keys(show(**{f"attribute-{name}": "yes"})) == ["o1"]
    assert "attribute-2019" not in show().text

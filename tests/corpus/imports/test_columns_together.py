"""Several columns are said to be one thing at once, by ticking them or by a pattern."""

import pytest
from django.test import Client

from annotation.models import Rating
from corpus.models import Output
from metrics.models import Metric
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, first_mappings, of_table, place_of, several
from tests.fixtures.import_shapes import TEXTS, WIDE_ASPECTS, many_columns, many_files

pytestmark = pytest.mark.django_db
RATERS = "ratings:rater/score"
ASPECTS = "ratings:aspect/score"
METRICS = "metric_scores:metric/score"


def test_columns_that_are_ticked_become_raters(pages):
    rows = [["id", "model", "Anna B.", "Bo", "Cy"], ["s1", "BART", "3", "4", "2"]]
    address, page = pages.upload({"a-sheet.csv": rows, **TEXTS})
    page = pages.look(address, page, several(0, RATERS, [2, 3, 4]))
    [mapping] = first_mappings(page)
    assert mapping["columns"] == {"segment": "id", "system": "model"}
    assert mapping["wide"]["columns"] == ["Anna B.", "Bo", "Cy"]
    assert (mapping["wide"]["pattern"], mapping["wide"]["value"]) == ("{rater}", "score")
    done(pages.press(address, page, of_table(0, column_aspect="= 'style'")))
    assert Rating.objects.count() == 3


def test_columns_named_by_a_pattern_become_aspects(pages):
    address, page = pages.upload(WIDE_ASPECTS)
    place = place_of(page, "judged.csv")
    page = pages.look(address, page, several(place, ASPECTS, pattern="q_{aspect}"))
    assert "please check" not in page.text
    done(pages.press(address, page, {f"file-{place}-0-column_rater": "who"}))
    assert set(Rating.objects.values_list("aspect", flat=True)) == {
        "style",
        "content",
        "fluency",
        "overall",
    }


def test_what_is_not_said_to_its_end_is_refused_where_it_is(pages):
    address, page = pages.upload({"segments.csv": TEXTS["segments.csv"]})
    for sent, words in (
        (several(0, RATERS), "Select the columns, or state how they are named."),
        (several(0, "", [0]), "Choose what these columns hold."),
        (several(0, RATERS, pattern="x_{name}"), "No column is named so."),
        (several(0, RATERS, pattern="style"), "Write what differs in braces"),
        (several(0, "ratings:/score", pattern="{aspect}{system}"), "with a text between two"),
    ):
        refused = pages.look(address, page, sent)
        assert refused.status_code == 400
        assert words in refused.text, words


# Very many columns, very many files


@pytest.mark.nightly
@pytest.mark.parametrize("count", [150, 2000])
def test_of_many_columns_the_page_stays_small(pages, count):
    address, page = pages.upload(many_columns(count))
    assert len(page.content) < 1_000_000
    place = place_of(page, "scores.csv")
    page = pages.look(address, page, several(place, METRICS, pattern="metric_{name}"))
    fields = fields_of(page.text, "layout")
    assert fields[f"file-{place}-0-column_segment"] == ["segment_id"]
    wrong = pages.look(address, page, {f"file-{place}-0-column_segment": "segmentid"})
    assert "There is no such column." in wrong.text
    page = pages.look(address, page, several(place, ":nothing/", range(4, count + 2)))
    done(pages.press(address, page))
    assert sorted(Metric.objects.values_list("name", flat=True)) == ["0", "1"]


@pytest.mark.nightly
def test_of_many_files_forms_are_shown_where_they_are_asked_for(client: Client, pages):
    address, page = pages.upload(many_files(13))
    fields = fields_of(page.text, "layout")
    assert not [name for name in fields if name.endswith("-column_segment")]
    assert page.text.count("<strong>6 outputs</strong>") == 12
    answer = client.post(address, {**fields, "look": "file-7"})
    page = client.get(answer.url)
    name = fields_of(page.text, "layout")["file-7-name"][0]
    page = pages.look(address, page, {"file-7-0-column_system": "= 'Renamed'", "look": "file-7"})
    done(pages.press(address, page))
    assert Output.objects.filter(system__name="Renamed").count() == 6
    assert not Output.objects.filter(system__name=name.removesuffix(".csv")).exists()

"""Several columns are said to be one thing at once, by ticking them or by a pattern."""

import pytest
from django.test import Client

from annotation.models import Rating
from corpus.models import Output, Segment
from corpus.tables import handlers
from corpus.tabular.column_groups import grouped, groups_of, shared_pattern
from corpus.tabular.mapping import Mapping
from metrics.models import Metric
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, first_mappings, of_table, place_of, several
from tests.fixtures.import_shapes import SOURCES, TEXTS, WIDE_ASPECTS, many_columns, many_files
from tests.fixtures.import_shapes import output as output_of
from tests.fixtures.study_files import text_of

pytestmark = pytest.mark.django_db
SPECS = [handler.spec for handler in handlers()]
GROUPS = {group.key: group for group in groups_of(SPECS)}
RATERS = "ratings:rater/score"
ASPECTS = "ratings:aspect/score"
METRICS = "metric_scores:metric/score"
SYSTEMS = "outputs:system/output"


def test_columns_that_are_ticked_become_raters(pages):
    rows = [["id", "model", "Anna B.", "Bo", "Cy"], ["s1", "BART", "3", "4", "2"]]
    address, page = pages.upload({"a-sheet.csv": rows, **TEXTS})
    page = pages.look(address, page, several(0, RATERS, [2, 3, 4]))
    [mapping] = first_mappings(page)
    assert mapping["columns"] == {"segment": "id", "system": "model"}
    assert mapping["wide"]["columns"] == ["Anna B.", "Bo", "Cy"]
    assert (mapping["wide"]["name"], mapping["wide"]["value"]) == ("rater", "score")
    done(pages.press(address, page, of_table(0, constant_aspect="style")))
    assert Rating.objects.count() == 3


def test_columns_named_by_a_pattern_become_aspects(pages):
    address, page = pages.upload(WIDE_ASPECTS)
    place = place_of(page, "judged.csv")
    page = pages.look(address, page, several(place, ASPECTS, pattern="q_{aspect}"))
    assert "please check" not in page.text
    done(pages.press(address, page, {f"file-{place}-0-column_rater": "column:who"}))
    assert set(Rating.objects.values_list("aspect", flat=True)) == {
        "style",
        "content",
        "fluency",
        "overall",
    }


def test_texts_beside_each_other_become_outputs_of_systems(pages):
    rows = [["key", "A", "B"], *([k, output_of("A", k), output_of("B", k)] for k in SOURCES)]
    address, page = pages.upload({"both.csv": rows, "segments.csv": TEXTS["segments.csv"]})
    page = pages.look(address, page, several(0, SYSTEMS, [1, 2]))
    assert first_mappings(page)[-1]["wide"]["skip_empty"] is False, "an output may be empty"
    done(pages.press(address, page))
    assert Output.objects.filter(system__kind="system").count() == 2 * len(SOURCES)


def test_references_and_attributes_are_said_for_many_columns(pages):
    rows = [["id", "source", "r_a", "r_b", "topic"], ["s1", "dunno", "I do not know.", "No.", "x"]]
    address, page = pages.upload({"segments.csv": rows})
    page = pages.look(address, page, several(0, "segments:reference/", [2, 3]))
    assert first_mappings(page)[0]["columns"]["reference"] == ["r_a", "r_b"]
    assert first_mappings(page)[0]["attributes"] == ["topic"]
    page = pages.look(address, page, several(0, ":nothing/", [4]))
    done(pages.press(address, page))
    assert Segment.objects.get().attributes == {}
    assert Output.objects.count() == 3


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (several(0, RATERS), "Select the columns, or state how they are named."),
        (several(0, "", [0]), "Choose what these columns hold."),
        (several(0, RATERS, pattern="x_{name}"), "No column is named so."),
        (several(0, RATERS, pattern="style"), "Write one name in braces"),
        (several(0, RATERS, pattern="{a}{b}"), "Write one name in braces"),
        (several(0, "nobody:knows/"), "Select a valid choice"),
    ],
)
def test_what_is_not_said_to_its_end_is_refused_where_it_is(pages, sent, words):
    address, page = pages.upload({"segments.csv": TEXTS["segments.csv"]})
    refused = pages.look(address, page, sent)
    assert refused.status_code == 400
    assert words in refused.text


def test_places_that_there_are_not_are_passed_over(pages):
    address, page = pages.upload({"segments.csv": TEXTS["segments.csv"]})
    sent = several(0, ":nothing/", ["99", "-1", "x", "999999999999", "²"])
    assert pages.look(address, page, sent).status_code == 400


def test_a_table_from_which_all_columns_go_is_read_no_more():
    scores = Mapping("metric_scores", {"segment": "id"})
    before = [Mapping("ratings", {"score": "a"}), scores]
    after = grouped(before, GROUPS[METRICS], ["a", "b"], None, Mapping("metric_scores"), SPECS)
    assert [mapping.table for mapping in after] == ["metric_scores"]
    assert after[0].columns == {"segment": "id"}
    assert after[0].wide.columns == ("a", "b")


def test_what_names_share_before_their_labels_is_a_pattern():
    assert shared_pattern(["Answer.style", "Answer.content"]) == "Answer.{name}"
    assert shared_pattern(["q_a_1", "q_a_2", "q_b"]) == "q_{name}"
    assert shared_pattern(["style", "stand"]) is None
    assert shared_pattern(["q_", "q_a"]) is None


# Very many columns, very many files


def test_of_two_thousand_columns_each_field_takes_a_name_instead_of_a_list(pages):
    files = many_columns(2000)
    address, page = pages.upload(files)
    assert len(page.content) < 1_000_000
    place = place_of(page, "scores.csv")
    page = pages.look(address, page, several(place, METRICS, pattern="metric_{name}"))
    fields = fields_of(page.text, "layout")
    assert fields[f"file-{place}-0-column_segment"] == ["segment_id"]
    wrong = pages.look(address, page, {f"file-{place}-0-column_segment": "segmentid"})
    assert "There is no column &#x27;segmentid&#x27;." in wrong.text
    page = pages.look(address, page, several(place, ":nothing/", range(4, 2002)))
    done(pages.press(address, page))
    assert sorted(Metric.objects.values_list("name", flat=True)) == ["0", "1"]


def test_a_form_of_many_columns_that_is_sent_back_unchanged_changes_nothing(pages):
    address, page = pages.upload({"scores.csv": many_columns(70)["scores.csv"]})
    page = pages.look(address, page, several(0, METRICS, pattern="metric_{name}"))
    before = first_mappings(page)
    assert first_mappings(pages.look(address, page, {})) == before


def test_of_many_files_forms_are_shown_where_they_are_asked_for(client: Client, pages):
    address, page = pages.upload(many_files(30))
    fields = fields_of(page.text, "layout")
    assert not [name for name in fields if name.endswith("-column_segment")]
    assert page.text.count("<strong>6 outputs</strong>") == 29
    answer = client.post(address, {**fields, "look": "file-7"})
    page = client.get(answer.url)
    name = fields_of(page.text, "layout")["file-7-name"][0]
    page = pages.look(address, page, {"file-7-0-constant_system": "Renamed", "look": "file-7"})
    done(pages.press(address, page))
    assert Output.objects.filter(system__name="Renamed").count() == 6
    assert not Output.objects.filter(system__name=name.removesuffix(".csv")).exists()


def test_a_table_of_sixty_columns_still_has_lists(pages):
    _, page = pages.upload({"scores.csv": text_of(many_columns(60)["scores.csv"])})
    assert "<datalist" not in page.text

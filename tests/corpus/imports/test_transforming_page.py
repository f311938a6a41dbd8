"""Keys, chosen rows, parts of cells and what words mean are said on the mapping page."""

import json

import pytest

from annotation.models import Rating
from corpus.mapping_lines import (
    LineError,
    lines_of_conditions,
    lines_of_keys,
    lines_of_parts,
    lines_of_splits,
    read_conditions_in,
    read_keys,
    read_parts,
    read_splits,
)
from corpus.models import Segment
from corpus.tabular.known_values import known_meanings
from corpus.tabular.mapping import Mapping
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, first_mappings, of_table, place_of
from tests.fixtures.import_shapes import (
    CHOSEN_ROWS,
    JOINED_KEYS,
    SPLIT_CELLS,
    TEXTS,
    VOTES,
    YES_AND_NO,
)

pytestmark = pytest.mark.django_db
SAID = Mapping.from_dict(
    {
        "table": "ratings",
        "joined": {"segment": ["doc", "line no"]},
        "numbered": ["rater"],
        "where": [
            {"column": "split", "is": ["test", "dev set"]},
            {"column": "is it", "is_not": ["no"]},
            {"column": "n", "at_least": 3, "at_most": 7.5},
            {"column": "note", "empty": False},
        ],
        "split": {"scores": "\t", "more": "|", "list": "json"},
        "take": {"score": ["a={}", "b={};"], "rater": "by {}"},
    }
)
COLUMNS = ["split", "is it", "n", "note", "is"]


def test_what_lines_say_is_what_a_mapping_says():
    assert read_keys(lines_of_keys(SAID)) == (SAID.joined, SAID.numbered)
    assert read_parts(lines_of_parts(SAID)) == SAID.take
    assert read_splits(lines_of_splits(SAID)) == SAID.split
    again = read_conditions_in(lines_of_conditions(SAID.where), COLUMNS)
    assert lines_of_conditions(again) == lines_of_conditions(SAID.where)
    assert [each.column for each in again] == ["split", "is it", "n", "n", "note"]


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_keys, "segment = doc"),
        (read_keys, "segment doc + line"),
        (read_parts, "score ="),
        (read_splits, "| = "),
        (lambda text: read_conditions_in(text, COLUMNS), "nothing is test"),
        (lambda text: read_conditions_in(text, COLUMNS), "n at least three"),
        (lambda text: read_conditions_in(text, COLUMNS), "split"),
    ],
)
def test_a_line_that_says_nothing_is_refused_with_what_was_expected(read, text):
    with pytest.raises(LineError, match="expected"):
        read(text)


def test_words_that_are_well_known_are_translated_and_to_be_confirmed(pages):
    address, page = pages.upload(YES_AND_NO)
    place = place_of(page, "ratings.csv")
    fields = fields_of(page.text, "layout")
    values = [fields[f"file-{place}-0-value_score_{n}"] for n in range(2)]
    assert sorted(values) == [["0"], ["1"]]
    assert "please confirm" in page.text
    assert "“yes” means 1" in page.text
    assert "scores from 0 to 1" in page.text, "records are shown as they will be stored"
    done(pages.press(address, page, {f"file-{place}-confirm": "on"}))
    assert set(Rating.objects.values_list("value", flat=True)) == {0, 1}


def test_words_that_nobody_knows_are_listed_with_a_box_each(pages):
    rows = [row.copy() for row in YES_AND_NO["ratings.csv"]]
    for row in rows[1:]:
        row[3] = "pretty good" if row[3] == "yes" else "hm"
    address, page = pages.upload(YES_AND_NO | {"ratings.csv": rows})
    assert "54 problems while reading ratings." in page.text
    place = place_of(page, "ratings.csv")
    assert "score “hm” means" in page.text
    fields = fields_of(page.text, "layout")
    assert fields[f"file-{place}-0-value_score_0"] == [""]
    first = page.text.partition("score “")[2].partition("”")[0]
    both = {"pretty good": "1", "hm": "0"}
    other = next(word for word in both if word != first)
    told = of_table(0, value_score_0=both[first], value_score_1=both[other])
    told = {name.replace("file-0", f"file-{place}"): each for name, each in told.items()}
    done(pages.press(address, page, told))
    assert set(Rating.objects.values_list("value", flat=True)) == {0, 1}


def test_meanings_are_proposed_only_if_all_words_are_known():
    assert known_meanings("score", ["Yes", "no", "1"]) == {"Yes": "1", "no": "0"}
    assert known_meanings("score", ["yes", "perhaps"]) == {}
    assert known_meanings("judgement", ["yes", "no"]) == {}, "a judgement is no number"


def test_rows_are_chosen_and_those_left_out_are_counted(pages):
    address, page = pages.upload(CHOSEN_ROWS)
    place = place_of(page, "ratings.csv")
    page = pages.look(address, page, {f"file-{place}-0-where": "split is test"})
    assert "5 rows left out, because split is not test." in page.text
    assert fields_of(page.text, "layout")[f"file-{place}-0-where"] == ["split is test"]
    wrong = pages.look(address, page, {f"file-{place}-0-where": "splitter is test"})
    assert wrong.status_code == 400
    assert "expected a column and what its cells must be" in wrong.text


def test_a_cell_of_several_scores_gets_raters_by_position(pages):
    address, page = pages.upload(SPLIT_CELLS)
    place = place_of(page, "ratings.csv")
    page = pages.look(address, page, {f"file-{place}-0-split": "score = |"})
    fields = fields_of(page.text, "layout")
    assert fields[f"file-{place}-0-explode"] == ["score"]
    assert fields[f"file-{place}-0-column_rater"] == ["column:score[#]"]
    assert "54 ratings" in page.text


def test_keys_made_of_columns_replace_the_column_that_was_proposed(pages):
    files = {"segments.csv": JOINED_KEYS["texts.csv"]}
    address, page = pages.upload(files)
    page = pages.look(address, page, of_table(0, keys="segment = row number"))
    assert first_mappings(page)[0]["numbered"] == ["segment"]
    done(pages.press(address, page))
    assert sorted(Segment.objects.values_list("key", flat=True)) == list("123456")


def test_what_the_form_cannot_show_stays_when_something_else_is_changed(pages):
    mapping = {
        "table": "ratings",
        "columns": {"system": "system", "score": "score"},
        "digests": {"segment": ["segment_id", "aspect"]},
        "constants": {"aspect": "style"},
    }
    rows = [["segment_id", "system", "aspect", "score"], ["s1", "BART", "x", "3"]]
    address, page = pages.upload({"a.csv": rows, **TEXTS})
    page = pages.look(address, page, {"file-0-text": json.dumps([mapping])})
    page = pages.look(address, page, of_table(0, missing="NA"))
    assert first_mappings(page)[0]["digests"] == mapping["digests"]


def test_words_of_judgements_are_listed_but_left_as_they_are(pages):
    address, page = pages.upload(VOTES)
    place = place_of(page, "votes.csv")
    fields = fields_of(page.text, "layout")
    assert fields[f"file-{place}-0-value_judgement_0"] == [""]
    assert "please confirm" not in page.text
    done(pages.press(address, page))
    assert Rating.objects.count() == 18


def test_names_of_columns_are_said_for_a_file_that_begins_with_data(pages):
    address, page = pages.upload({"x.csv": "s1,dunno\ns2,gonna be late\n"})
    page = pages.look(address, page, {"file-0-names": "segment, source"})
    assert "2 segments" in page.text
    assert first_mappings(page)[0]["header"] == ["segment", "source"]
    done(pages.press(address, page))
    assert Segment.objects.count() == 2

"""The mapping page shows the first records as they will be stored, with counts of what comes."""

from types import SimpleNamespace

import pytest

from corpus.imports import trial as trials
from corpus.trial_words import TrialWords
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done
from tests.fixtures.import_shapes import (
    BATCH,
    METRICS,
    NESTED,
    TEXTS,
    TIDY,
    UNNAMED,
    WIDE_RATERS,
)
from tests.fixtures.study_files import SEGMENTS

pytestmark = pytest.mark.django_db


def test_each_file_says_what_will_be_imported_and_the_import_adds_that(pages):
    address, page = pages.upload(BATCH)
    said = "To be imported: <strong>6 segments, 18 outputs, 108 ratings</strong>."
    assert said in page.text
    assert "6 segments, 3 systems, 3 raters, 2 aspects, scores from 1 to 5." in page.text
    assert "48 records passed over, because an earlier one is the same." in page.text
    tables = done(pages.press(address, page)).result["tables"]
    added = {name: counts["added"] for name, counts in tables.items()}
    assert added["segments"] == 6
    assert added["ratings"] == 108


def test_the_page_begins_with_the_import_where_nothing_has_to_be_decided(pages):
    _, ready = pages.upload(BATCH)
    _, open_question = pages.upload(UNNAMED)
    for page, buttons in ((ready, 2), (open_question, 1)):
        assert page.text.count('name="start"') == buttons
    assert '<strong>To be checked:</strong> <a href="#file-0">' in open_question.text


@pytest.mark.parametrize(
    ("files", "counted"),
    [
        (WIDE_RATERS, "54 ratings"),
        (METRICS, "90 metric scores"),
        (NESTED, "6 segments, 18 outputs, 108 ratings"),
    ],
)
def test_spread_and_nested_records_are_counted_as_records(pages, files, counted):
    _, page = pages.upload(files)
    assert f"<strong>{counted}</strong>" in page.text


def test_the_first_records_are_shown_by_field_with_their_lines(pages):
    _, page = pages.upload(WIDE_RATERS)
    _, _, shown = page.text.partition('aria-label="First ratings of human.csv"')
    head, _, body = shown.partition("</thead>")
    names = [part.partition("</th>")[0] for part in head.split('<th scope="col">')[1:]]
    assert names == ["segment", "system", "rater", "score"]
    first = body.partition("</tr>")[0]
    assert '<th scope="row" class="number">2</th>' in first
    assert '<td dir="auto">s1</td><td dir="auto">BART</td><td dir="auto">annotator1</td>' in first


def test_a_value_that_would_be_refused_is_shown_with_its_line_before_the_import(pages):
    rows = [row.copy() for row in TIDY["ratings.csv"]]
    rows[3][4] = "hm"
    address, page = pages.upload(TIDY | {"ratings.csv": rows})
    [name] = [name for name in fields_of(page.text, "layout") if "unlike-others" in name]
    page = pages.look(address, page, {name: "keep"})
    assert "1 problem while reading ratings." in page.text
    assert "Line 4, <code>score</code>: found <code>hm</code>" in page.text
    assert '<span class="badge bad">something is wrong</span>' in page.text


def test_ratings_that_repeat_are_asked_about_and_shown_as_answered(pages):
    header = ["segment", "system", "rater", "aspect", "score"]
    rows = [header, *(["s1", "BART", "r1", "style", n] for n in "123")]
    address, page = pages.upload(TEXTS | {"ratings.csv": rows})
    assert "The last one counts" in page.text
    assert "<strong>3 ratings</strong>" in page.text
    [name] = [name for name in fields_of(page.text, "layout") if name.startswith("answer-")]
    page = pages.look(address, page, {name: "first"})
    assert "<strong>1 rating</strong>" in page.text
    assert done(pages.press(address, page)).result["tables"]["ratings"]["added"] == 1


def test_segments_that_are_stored_already_are_counted(pages):
    done(pages.press(*pages.upload({"segments.csv": SEGMENTS[:3]})))
    _, page = pages.upload({"segments.csv": SEGMENTS})
    assert "2 of these segments are already stored" in page.text


def test_a_long_file_is_tried_in_part_and_the_page_says_so(pages, monkeypatch):
    monkeypatch.setattr(trials, "MOST_RECORDS", 4000)
    monkeypatch.setattr("corpus.trial_words.MOST_RECORDS", 4000)
    rows = [["segment", "source"], *([f"s{n}", "x"] for n in range(9000))]
    _, page = pages.upload({"segments.csv": rows})
    assert "more than 4,000 segments" in page.text
    assert "This holds for the first 4,000 records; the import reads the rest." in page.text


def test_rows_are_counted_in_words_also_where_a_table_has_no_plural():
    lexicon = SimpleNamespace(name="style_lexicon")
    trial = SimpleNamespace(spec=lexicon, is_whole=True, records=433)
    assert TrialWords(trial).count == "433 rows of a style lexicon"

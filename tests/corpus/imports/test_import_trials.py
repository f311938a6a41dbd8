"""The mapping page shows the first records as they will be stored, with counts of what comes."""

import pytest

from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done
from tests.fixtures.import_shapes import (
    BATCH,
    TIDY,
    WIDE_RATERS,
)

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

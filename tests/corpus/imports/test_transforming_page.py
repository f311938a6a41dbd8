"""Expressions and conditions in SQL are said on the mapping page."""

import pytest

from annotation.models import Rating
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, place_of
from tests.fixtures.import_shapes import (
    CHOSEN_ROWS,
    YES_AND_NO,
)

pytestmark = pytest.mark.django_db


def test_a_field_is_an_expression(pages):
    rows = [row.copy() for row in YES_AND_NO["ratings.csv"]]
    for row in rows[1:]:
        row[3] = "pretty good" if row[3] == "yes" else "hm"
    address, page = pages.upload(YES_AND_NO | {"ratings.csv": rows})
    assert "54 problems while reading ratings." in page.text
    name = f"file-{place_of(page, 'ratings.csv')}-0-column_score"
    score = "= choice(score, MAP {'pretty good': '1', 'hm': '0'})"
    page = pages.look(address, page, {name: score})
    assert fields_of(page.text, "layout")[name] == [score]
    done(pages.press(address, page))
    assert set(Rating.objects.values_list("value", flat=True)) == {0, 1}


def test_rows_are_chosen_and_those_left_out_are_counted(pages):
    address, page = pages.upload(CHOSEN_ROWS)
    place = place_of(page, "ratings.csv")
    page = pages.look(address, page, {f"file-{place}-0-where": "split = 'test'"})
    assert "5 rows left out, because this is not true: split = &#x27;test&#x27;." in page.text
    assert fields_of(page.text, "layout")[f"file-{place}-0-where"] == ["split = 'test'"]
    wrong = pages.look(address, page, {f"file-{place}-0-where": "splitter = 'test'"})
    assert "splitter" in wrong.text
    assert "The import would be refused" in wrong.text

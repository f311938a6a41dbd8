"""Keys, chosen rows, parts of cells and what words mean are said on the mapping page."""

import pytest

from annotation.models import Rating
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, of_table, place_of
from tests.fixtures.import_shapes import (
    CHOSEN_ROWS,
    YES_AND_NO,
)

pytestmark = pytest.mark.django_db


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


def test_rows_are_chosen_and_those_left_out_are_counted(pages):
    address, page = pages.upload(CHOSEN_ROWS)
    place = place_of(page, "ratings.csv")
    page = pages.look(address, page, {f"file-{place}-0-where": "split is test"})
    assert "5 rows left out, because split is not test." in page.text
    assert fields_of(page.text, "layout")[f"file-{place}-0-where"] == ["split is test"]
    wrong = pages.look(address, page, {f"file-{place}-0-where": "splitter is test"})
    assert wrong.status_code == 400
    assert "expected a column and what its cells must be" in wrong.text

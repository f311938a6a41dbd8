"""Keys, chosen rows, parts of cells and what words mean are said on the mapping page."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError

from annotation.models import Rating
from corpus.mapping.file_form import (
    lines_of_conditions,
    lines_of_keys,
    read_conditions_in,
    read_keys,
)
from corpus.tabular.shaping.mapping import Condition, Mapping
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, of_table, place_of
from tests.fixtures.import_shapes import (
    CHOSEN_ROWS,
    YES_AND_NO,
)

pytestmark = pytest.mark.django_db
SAID = Mapping(
    "ratings",
    joined={"segment": ("doc", "line no")},
    numbered=("rater",),
    where=(
        Condition("split", allowed=("test", "dev set")),
        Condition("is it", refused=("no",)),
        Condition("n", at_least=3),
        Condition("n", at_most=7.5),
        Condition("note", empty=False),
    ),
)
COLUMNS = ["split", "is it", "n", "note", "is"]


def test_what_lines_say_is_what_a_mapping_says():
    assert read_keys(lines_of_keys((SAID.joined, SAID.numbered))) == (SAID.joined, SAID.numbered)
    assert read_conditions_in(lines_of_conditions(SAID.where), COLUMNS) == SAID.where


@pytest.mark.parametrize(
    "text", ["segment = doc", "segment doc + line", "nothing is test", "n at least three", "split"]
)
def test_a_line_that_says_nothing_is_refused_with_what_was_expected(text):
    read = read_keys if text.startswith("segment") else partial(read_conditions_in, columns=COLUMNS)
    with pytest.raises(ValidationError, match="expected"):
        read(text)


def test_words_that_are_well_known_are_asked_about_and_listed_with_a_box_each(pages):
    address, page = pages.upload(YES_AND_NO)
    place = place_of(page, "ratings.csv")
    fields = fields_of(page.text, "layout")
    assert [fields[f"file-{place}-0-value_score_{n}"] for n in range(2)] == [[""], [""]]
    assert "no: 0, yes: 1" in page.text
    assert "scores from 0 to 1" in page.text, "records are shown as they will be stored"
    done(pages.press(address, page))
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


def test_rows_are_chosen_and_those_left_out_are_counted(pages):
    address, page = pages.upload(CHOSEN_ROWS)
    place = place_of(page, "ratings.csv")
    page = pages.look(address, page, {f"file-{place}-0-where": "split is test"})
    assert "5 rows left out, because split is not test." in page.text
    assert fields_of(page.text, "layout")[f"file-{place}-0-where"] == ["split is test"]
    wrong = pages.look(address, page, {f"file-{place}-0-where": "splitter is test"})
    assert wrong.status_code == 400
    assert "expected a column and what its cells must be" in wrong.text

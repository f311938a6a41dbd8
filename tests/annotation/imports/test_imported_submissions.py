"""Identifiers of imported submissions: in the order of their rows, and each import's its own."""

import pytest

from annotation.models import Item, Rating, Submission
from corpus.models import Study
from tests.fixtures.study_files import RATINGS, TABLES, import_path, write_files


@pytest.mark.dialect
@pytest.mark.django_db
def test_an_import_that_adds_ratings_gives_identifiers_that_none_had_before(tmp_path):
    assert import_path(write_files(tmp_path / "one", TABLES)).state == "done"
    before = set(Submission.objects.values_list("uuid", flat=True))
    more = [RATINGS[0], [*RATINGS[1][:2], "another rater", *RATINGS[1][3:]]]
    assert import_path(write_files(tmp_path / "two", {"ratings.csv": more})).state == "done"
    after = set(Submission.objects.values_list("uuid", flat=True))
    assert before < after


CONTROLS = [
    ["segment", "system", "rater", "aspect", "score", "item_kind", "occasion"],
    ["s1", "A", "ann", "overall", "80", "", ""],
    ["s1", "A", "ann", "overall", "20", "degraded", "1"],
    ["s1", "A", "ann", "overall", "30", "degraded", "2"],
    ["s1", "A", "ann", "overall", "79", "Repeat", ""],
]


@pytest.mark.django_db
def test_answers_to_control_items_are_stored_with_them_and_count_for_no_system(tmp_path):
    folder = write_files(tmp_path / "one", {"ratings.csv": CONTROLS})
    assert import_path(folder, without_texts=True).state == "done"
    plain = Item.objects.get(kind=Item.Kind.PLAIN)
    kinds = Rating.objects.values_list("value", "submission__item__kind")
    assert dict(kinds) == {80: "plain", 20: "degraded", 30: "degraded", 79: "repeat"}
    assert {item.original for item in Item.objects.exclude(pk=plain.pk)} == {plain}
    counted = Rating.objects.counted_with_earlier_revisions(Study.objects.get())
    assert [rating.value for rating in counted] == [80]
    again = import_path(folder, without_texts=True)
    assert again.result["tables"]["ratings"] == {"added": 0, "unchanged": 4}


@pytest.mark.django_db
def test_a_kind_of_item_that_is_none_is_said_with_its_line(tmp_path):
    rows = [*CONTROLS, ["s1", "A", "ben", "overall", "1", "odd", ""]]
    rows += [["s1", "A", "ben", "overall", "1", "degraded", "0"]]
    job = import_path(write_files(tmp_path / "one", {"ratings.csv": rows}), without_texts=True)
    found = {(p["line"], p["column"], p["found"]) for p in job.result["problems"]}
    assert found == {(6, "item_kind", "odd"), (7, "occasion", "0")}

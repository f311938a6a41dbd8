"""Answers that are categories: declared, imported as words, and given back as they came."""

import pytest

from analysis.data import matrices
from analysis.reports.catalogue import KINDS
from annotation.models import Campaign, Rating
from corpus.models import Study
from tests.fixtures.report_pages import reader
from tests.fixtures.study_files import import_path, stored_content, write_files, write_zip

pytestmark = pytest.mark.django_db
HEADER = ["segment_id", "system", "rater", "rater_kind", "aspect", "judgement"]
# Names that mean something where two texts are compared mean nothing here.
WORDS = ("tie", "first", "source", "given", "members-of-the-same-category", "3")
CATEGORIES = {"relation": [*WORDS]}


def rows(words=WORDS) -> list[list[str]]:
    raters = (("ann", "person"), ("ben", "person"), ("gpt", "model"))
    return [
        [f"s{place}", "given", rater, kind, "relation", word]
        for place, word in enumerate(words)
        for rater, kind in raters
    ]


def imported(folder, table, declared, **options):
    matrices.forget()
    described = {"without_texts": True} | declared
    files = {"ratings.csv": [HEADER, *table], "study.json": described}
    return import_path(write_files(folder, files), **options)


def test_words_go_in_and_come_out_as_they_are(tmp_path):
    assert imported(tmp_path / "small", rows(), {"categories": CATEGORIES}).state == "done"
    assert {*Rating.objects.values_list("value", "choice")} == {(None, word) for word in WORDS}
    assert not Rating.objects.filter(submission__item__second__isnull=False).exists()
    assert Campaign.objects.get().config["categories"] == CATEGORIES
    before = stored_content("small")
    assert b"members-of-the-same-category" in before["ratings.csv"]
    archive = write_zip(tmp_path / "again.zip", before)
    assert import_path(archive, slug="again").state == "done"
    assert stored_content("again")["ratings.csv"] == before["ratings.csv"]
    client = reader("ria", "small")
    listed = client.get("/api/v1/studies/small/ratings/").json()["results"]
    assert {row["judgement"] for row in listed} == {*WORDS}
    for kind in KINDS:
        for query in ("", "?aspect=relation"):
            assert client.get(f"/studies/small/{kind}/{query}").status_code in (200, 400), kind
    for page in ("", "reports/", "disagreement/", "segments/"):
        assert client.get(f"/studies/small/{page}").status_code == 200, page


def test_numbers_may_be_categories_and_new_ones_are_added(tmp_path):
    table = [[*row[:5], str(code)] for row in rows() for code in (1,)]
    assert (
        imported(tmp_path / "one", table, {"categories": {"relation": ["1", "2"]}}).state == "done"
    )
    assert {*Rating.objects.values_list("value", "choice")} == {(None, "1")}
    more = [[*row[:2], "dan", "person", "relation", "3"] for row in rows()[::3]]
    assert (
        imported(tmp_path / "two", more, {"categories": {"relation": ["3", "1"]}}).state == "done"
    )
    assert Campaign.objects.get().config["categories"] == {"relation": ["1", "2", "3"]}


@pytest.mark.parametrize(
    ("declared", "expected", "message"),
    [
        ({"categories": CATEGORIES}, "one of tie, first, source", "No category of relation"),
        ({}, "a number, source, output", "If answers are categories, declare them"),
    ],
)
def test_another_word_is_refused_and_says_what_to_do(tmp_path, declared, expected, message):
    job = imported(tmp_path / "small", rows(("frist",)), declared)
    assert (job.state, Study.objects.get().revision) == ("failed", 0)
    problem = job.result["problems"][0]
    assert (problem["line"], problem["found"], problem["code"]) == (2, "frist", "answer")
    assert problem["expected"].startswith(expected)
    assert message in problem["message"]


@pytest.mark.parametrize("wrong", [["one"], ["a", "a"], "a, b", [1, 2], ["a", ""]])
def test_a_list_of_categories_is_checked(tmp_path, wrong):
    job = imported(tmp_path / "small", rows(), {"categories": {"relation": wrong}})
    (problem,) = job.result["problems"]
    assert problem["column"] == "categories.relation"
    assert "a list of 2 to 100 different words" in problem["expected"]

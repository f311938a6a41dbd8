"""Ratings and scores whose texts are not to be had: a study of keys alone; texts that follow."""

import pytest
from django.db import DatabaseError, transaction

from annotation.models import Rating
from corpus.models import Output, Segment, Study, System
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import ImportPages, done
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SCORES,
    SEGMENTS,
    import_path,
    row_counts,
    write_files,
)

pytestmark = pytest.mark.django_db
KEYS = {"ratings.csv": RATINGS, "metric_scores.csv": SCORES}


@pytest.fixture
def keys_only(tmp_path):
    """The ratings and scores of the small study, imported without its texts."""
    job = import_path(write_files(tmp_path / "keys", KEYS), without_texts=True)
    assert job.state == "done", job.error
    return Study.objects.get()


def added(job):
    return {name: counts["added"] for name, counts in job.result["tables"].items()}


def again(tmp_path, files, **options):
    return import_path(write_files(tmp_path / "again", files), **options)


def test_keys_make_segments_systems_and_outputs(keys_only):
    assert keys_only.without_texts
    assert list(Segment.objects.values_list("key", flat=True)) == ["s1", "s2", "s3", "s4"]
    assert list(System.objects.values_list("name", flat=True)) == ["BART", "T5"]
    assert set(Output.objects.values_list("text", "sha256")) == {("", "")}
    assert (Output.objects.count(), Rating.objects.count()) == (8, 32)


def test_without_the_option_the_question_is_open_and_no_leads_to_an_error(tmp_path):
    folder = write_files(tmp_path / "keys", KEYS)
    [question] = import_path(folder, accept=False).result["questions"]
    assert question["name"] == "without-texts"
    problems = import_path(folder, answers={"without-texts": "no"}).result["problems"]
    assert "--without-texts" in problems[0]["message"]
    assert row_counts()["Output"] == 0


def test_a_study_with_texts_never_gets_outputs_without(tmp_path):
    import_path(write_files(tmp_path / "a", {"s.csv": SEGMENTS, "outputs.csv": OUTPUTS}))
    files = {"ratings.csv": [RATINGS[0], ["s1", "BRAT", "r1", "style", "3"]]}
    job = again(tmp_path, files, without_texts=True)
    assert job.state == "failed"
    assert "this study holds texts of outputs" in job.error
    typo = again(tmp_path, files)
    assert "--without-texts" not in typo.result["problems"][0]["message"]


@pytest.mark.dialect
def test_texts_of_all_outputs_fill_in_a_study_of_keys(keys_only, tmp_path):
    job = again(tmp_path, {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS})
    assert job.state == "done", job.error
    assert added(job) == {"segments": 4, "outputs": 8}
    assert not Study.objects.get().without_texts
    assert Output.objects.get(segment__key="s1", system__name="T5").text == "T5 writes 1"
    assert not Output.objects.filter(sha256="").exists()
    # From then on it is a study with texts.
    assert not again(tmp_path, {"outputs.csv": OUTPUTS}).result["changed"]
    changed = [*OUTPUTS[:-1], [*OUTPUTS[-1][:2], "another"]]
    assert again(tmp_path, {"outputs.csv": changed}).result["problems"][0]["code"] == "differs"


def test_texts_of_some_outputs_are_refused(keys_only, tmp_path):
    job = again(tmp_path, {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS[:-2]})
    assert job.result["problems_total"] == 2
    problem = job.result["problems"][0]
    assert (problem["code"], problem["found"]) == ("texts-missing", "s4, BART")
    assert Study.objects.get().without_texts
    assert not Output.objects.exclude(sha256="").exists()


@pytest.mark.dialect
def test_the_database_lets_a_text_be_filled_in_once(keys_only):
    output = Output.objects.first()
    Output.objects.filter(pk=output.pk).update(text="known now", sha256="1" * 64)
    for change in ({"text": "another"}, {"text": "", "sha256": ""}, {"variant": 2}):
        with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
            Output.objects.filter(pk=output.pk).update(**change)
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        Output.objects.filter(sha256="").update(text="x", sha256="2" * 64, variant=7)


def test_the_mapping_page_asks_and_takes_the_answer(client, owner, study):
    pages = ImportPages(client)
    words = "Neither the study nor these files hold texts of outputs."
    address, page = pages.upload(KEYS)
    assert words in page.text
    page = pages.look(address, page, {"answer-without-texts": "no"})
    assert fields_of(page.text, "layout")["answer-without-texts"] == ["no"]
    job = done(pages.press(address, page, {"answer-without-texts": "yes"}))
    assert added(job) == {"segments": 4, "outputs": 8, "ratings": 32, "metric_scores": 16}
    # Further ratings of known keys need no answer.
    address, page = pages.upload({"more.csv": [RATINGS[0], ["s1", "BART", "r9", "style", "3"]]})
    assert words not in page.text
    assert added(done(pages.press(address, page))) == {"ratings": 1}
    _, page = pages.upload({"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS, **KEYS})
    assert words not in page.text

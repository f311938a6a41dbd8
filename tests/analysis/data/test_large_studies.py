"""A large study is read once for each of its states, by a job; pages take it from files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import transaction

from analysis.data import matrices, states
from analysis.data.array_files import taken_apart
from analysis.data.reading import read_study
from analysis.deletion import delete_of_study
from annotation.models import Annotator, Rating, Submission
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from tests.fixtures.report_pages import DEMO, imported, open_page, reader, words

ADDRESS = "/studies/formality-demo/ranking/"


@pytest.fixture(scope="module", autouse=True)
def _demo(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock(), imported(DEMO):
        yield


@pytest.fixture(autouse=True)
def _is_large(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Iterator[None]:
    """Take the demo for a large study, with a folder of files of its own."""
    monkeypatch.setattr(matrices, "LARGE", 100)
    settings.MEDIA_ROOT = tmp_path
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def client(db: None) -> Any:
    return reader("ada", "formality-demo")


def rate_once(study: Study) -> None:
    """Store one more rating, as a rating page does."""
    annotator = Annotator.objects.filter(campaign__study=study, kind="person").earliest("pk")
    last = Submission.objects.filter(annotator=annotator).latest("pk")
    again = Submission.objects.create(
        item=last.item, annotator=annotator, revision=last.revision + 1, payload_sha256="0" * 64
    )
    for rating in last.ratings.all():
        Rating.objects.create(submission=again, aspect=rating.aspect, value=rating.value)


def folders(tmp_path: Path, kind: str) -> list[Path]:
    return sorted(tmp_path.glob(f"columns/*/{kind}-*"))


def test_a_page_shows_the_job_that_reads_the_study_and_then_its_report(client):
    page = open_page(client, ADDRESS, status=202)
    assert "This study is being read" in words(page)
    open_page(client, f"{ADDRESS}?aspect=style", status=202)
    assert Job.objects.filter(kind="read-study").count() == 1
    job = run_next()
    assert job.state == "done", job.error
    assert job.result == {"ratings": 3456, "outputs": 432}
    matrices.forget()
    assert "Mean z" in words(open_page(client, ADDRESS))


def test_files_hold_what_the_database_does(study, tmp_path):
    read = read_study(study, withdrawn=False)
    matrices.load(study)
    matrices.forget()
    with states.only_at_hand():
        mapped = matrices.load(study)
    assert isinstance(mapped.judgements.value, np.memmap)
    (names, arrays), (wanted_names, wanted) = taken_apart(mapped), taken_apart(read)
    assert repr(names) == repr(wanted_names)
    assert arrays.keys() == wanted.keys()
    for name, array in wanted.items():
        np.testing.assert_array_equal(arrays[name], array, err_msg=name)
    assert len(read.runs) == 7
    for run in read.runs:
        assert isinstance(mapped.scores(run), np.memmap)
        np.testing.assert_array_equal(mapped.scores(run), read.scores(run))


def test_pages_do_not_wait_for_ratings_of_the_last_minutes_but_commands_read_them(study, client):
    matrices.load(study)
    rate_once(study)
    with states.only_at_hand():
        before = matrices.load(study)
    after = matrices.load(study)
    assert before.ratings_sha256 != after.ratings_sha256
    with states.only_at_hand():
        assert matrices.load(study).ratings_sha256 == after.ratings_sha256


def test_what_was_published_is_never_shown_as_it_was_before(study):
    matrices.load(study)
    Study.objects.filter(pk=study.pk).update(revision=study.revision + 1)
    with states.only_at_hand(), pytest.raises(states.NotRead):
        matrices.load(Study.objects.get(pk=study.pk))


def test_a_restored_database_does_not_find_the_files_of_what_came_after_the_backup(study):
    with transaction.atomic():
        rate_once(study)
        first = states.state_token(study)
        transaction.set_rollback(True)
    rate_once(study)
    assert states.state_token(study) != first


def test_a_damaged_state_is_read_anew(study, tmp_path):
    matrices.load(study)
    matrices.forget()
    folders(tmp_path, "scores")[0].unlink()
    with states.only_at_hand(), pytest.raises(states.NotRead):
        matrices.load(study)
    assert isinstance(matrices.load(study).judgements.value, np.memmap)


def test_files_go_with_their_study(study, tmp_path):
    matrices.load(study)
    assert folders(tmp_path, "state")
    delete_of_study(study)
    assert not folders(tmp_path, "*")

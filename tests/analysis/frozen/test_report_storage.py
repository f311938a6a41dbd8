"""Reports are stored under a signature, found until anything changed, and bounded by rule."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.frozen.service import freeze, verify
from analysis.models import FrozenReport, Result
from analysis.reports.service import report
from analysis.reports.snapshot import Snapshot
from analysis.stored_results import STATES_KEPT, old_results, store_result
from annotation.models import Annotator, Item, Rating, Submission
from corpus.models import Study
from tests.fixtures.study_files import TABLES, imported_study

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = ("ranking", "agreement")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return imported_study(tmp_path / "small", TABLES)


def test_the_same_report_is_found_not_computed(study: Study, monkeypatch: Any) -> None:
    first = report(study, "correlation", Question())
    monkeypatch.setattr(Snapshot, "built", None)
    # Not only equal: tables follow the order of keys.
    assert json.dumps(report(study, "correlation", Question())) == json.dumps(first)
    assert Result.objects.count() == 1


def test_a_new_rating_makes_a_new_result_beside_the_old_one(study: Study) -> None:
    before = report(study, "ranking", Question())
    _rate(2)
    after = report(study, "ranking", Question())
    assert after["ratings_sha256"] != before["ratings_sha256"]
    states = {before["ratings_sha256"], after["ratings_sha256"]}
    assert set(Result.objects.values_list("ratings_sha256", flat=True)) == states
    # The correction replaces the first answer, it is not one more.
    assert after["counts"]["ratings"] == before["counts"]["ratings"] == 32


def _rate(revision: int) -> None:
    """Let a rater correct an answer, so that the ratings are in another state."""
    item, annotator = Item.objects.earliest("pk"), Annotator.objects.get(pseudonym="r1")
    submission = Submission.objects.create(item=item, annotator=annotator, revision=revision)
    for aspect in ("style", "content"):
        Rating.objects.create(submission=submission, aspect=aspect, value=revision % 100)


def _stored_bytes() -> int:
    return sum(len(json.dumps(result.content)) for result in Result.objects.all())


def test_reports_opened_after_each_of_12_ratings_leave_bounded_rows_and_bytes(study: Study) -> None:
    for kind in KINDS:
        report(study, kind, Question())
    first = _stored_bytes()
    for number in range(12):
        _rate(number + 2)
        for kind in KINDS:
            report(study, kind, Question())
    assert Result.objects.count() == STATES_KEPT * len(KINDS)
    assert _stored_bytes() < 1.5 * STATES_KEPT * first
    # What was stored last is that of the ratings as they are, and is found.
    newest = Result.objects.latest("pk")
    assert newest.ratings_sha256 == matrices.load(study).ratings_sha256
    tables = [name for name in connection.introspection.table_names() if "analysis" in name]
    assert not [name for name in tables if "snapshot" in name]


def test_reports_go_in_time_and_frozen_ones_verify(
    study: Study, django_assert_max_num_queries: Any
) -> None:
    frozen = freeze(study, "ranking", Question(), None)
    store_result(study, "old ratings", "a sweep", "sweep", {"rows": []})
    for number in range(3):
        _rate(number + 2)
        report(study, "ranking", Question())
    assert list(old_results(timezone.now() + timedelta(days=89))) == []
    [left] = old_results(timezone.now() + timedelta(days=91))
    assert left.name == "results of study small (3)"
    assert left.size > 0
    # One list of primary keys and one deletion, in a transaction.
    with django_assert_max_num_queries(8):
        left.remove()
    assert Result.objects.get().kind == "sweep"
    assert verify(FrozenReport.objects.get(pk=frozen.pk)).is_equal
    # What is gone is computed again.
    assert report(study, "ranking", Question())

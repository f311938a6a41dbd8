"""Stored results are bounded by rule, however often reports are opened while people rate."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.frozen.service import freeze, verify
from analysis.models import Collection, CollectionResult, FrozenReport, Result
from analysis.pruning import old_results
from analysis.reports.service import report
from analysis.stored_results import PICTURE, STATES_KEPT, store_result
from annotation.models import Annotator, Item, Rating, Submission
from corpus.models import Study
from corpus.pruning import prune
from tests.fixtures.migration_chain import chain

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = ("ranking", "agreement")

SEGMENTS = "segment,source\n" + "".join(f"s{n},source {n}\n" for n in range(6))
OUTPUTS = "segment,system,output\n" + "".join(
    f"s{n},{system},{system} text {n}\n" for n in range(6) for system in "ABC"
)
RATINGS = "segment,system,rater,aspect,score\n" + "".join(
    f"s{n},{system},{rater},style,{20 * place + 3 * n + shift}\n"
    for n in range(6)
    for place, system in enumerate("ABC")
    for shift, rater in enumerate(("ann", "bob"))
)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "segments.csv").write_text(SEGMENTS, encoding="utf-8")
    (folder / "outputs.csv").write_text(OUTPUTS, encoding="utf-8")
    (folder / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    matrices.forget()
    call_command("import_study", folder, verbosity=0)
    return Study.objects.get(slug="small")


def _rate(revision: int) -> None:
    """Let a rater correct an answer, so that the ratings are in another state."""
    item, annotator = Item.objects.earliest("pk"), Annotator.objects.get(pseudonym="ann")
    submission = Submission.objects.create(item=item, annotator=annotator, revision=revision)
    Rating.objects.create(submission=submission, aspect="style", value=revision % 100)


def _stored_bytes() -> int:
    return sum(len(json.dumps(result.content)) for result in Result.objects.all())


def test_reports_opened_after_each_of_100_ratings_leave_bounded_rows_and_bytes(
    study: Study,
) -> None:
    for kind in KINDS:
        report(study, kind, Question())
    first = _stored_bytes()
    for number in range(100):
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


def test_variants_of_one_state_are_bounded_too_and_the_oldest_go_first(
    study: Study, settings: Any
) -> None:
    settings.RESULTS_KEPT = 5
    for seed in range(8):
        report(study, "raters", Question(resamples=100, seed=seed))
    kept = [result.content["question"]["seed"] for result in Result.objects.order_by("pk")]
    assert kept == [3, 4, 5, 6, 7]


def test_a_state_that_came_back_is_not_the_one_that_goes(study: Study) -> None:
    report(study, "ranking", Question())
    for number in range(STATES_KEPT - 1):
        _rate(number + 2)
        report(study, "ranking", Question())
    # Withdrawn work that counts again gives a state that was there before.
    first = Result.objects.earliest("pk").ratings_sha256
    store_result(study, first, "another question", "ranking", {})
    _rate(50)
    report(study, "ranking", Question())
    assert Result.objects.filter(ratings_sha256=first).count() == 2
    assert Result.objects.values("ratings_sha256").distinct().count() == STATES_KEPT


def test_sweeps_and_frozen_reports_and_other_studies_stay(study: Study, settings: Any) -> None:
    settings.RESULTS_KEPT = 2
    frozen = freeze(study, "ranking", Question(), None)
    sweep = store_result(study, "old ratings", "a sweep", "sweep", {"rows": []})
    other = Study.objects.create(slug="other", title="Other")
    elsewhere = store_result(other, "of the other", "a report", "ranking", {})
    for number in range(6):
        _rate(number + 2)
        report(study, "ranking", Question())
    assert Result.objects.filter(pk__in=[sweep.pk, elsewhere.pk]).count() == 2
    assert Result.objects.filter(study=study, kind="ranking").count() == 2
    assert verify(FrozenReport.objects.get(pk=frozen.pk)).is_equal


def test_pictures_are_bounded_apart_from_reports(
    study: Study, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RESULTS_KEPT = 2
    monkeypatch.setattr("analysis.stored_results.PICTURES_KEPT", 3)
    for kind in KINDS[:2]:
        report(study, kind, Question())
    for number in range(5):
        store_result(study, "", f"picture {number}", PICTURE, {"svg": ""})
    kept = Result.objects.filter(kind=PICTURE).order_by("pk").values_list("signature", flat=True)
    assert list(kept) == ["picture 2", "picture 3", "picture 4"]
    assert Result.objects.filter(kind__in=KINDS[:2]).count() == 2


def test_reports_opened_after_each_of_20_ratings_go_in_time_and_frozen_ones_verify(
    study: Study, django_assert_max_num_queries: Any
) -> None:
    frozen = freeze(study, "ranking", Question(), None)
    store_result(study, "old ratings", "a sweep", "sweep", {"rows": []})
    for number in range(20):
        _rate(number + 2)
        report(study, "ranking", Question())
    assert Result.objects.filter(kind="ranking").count() <= STATES_KEPT
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


def test_old_results_go_some_at_a_time_and_new_ones_stay(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.pruning.RESULTS_AT_ONCE", 2)
    for number in range(5):
        store_result(study, "", f"picture {number}", PICTURE, {"svg": "ü"})
    now = timezone.now() + timedelta(days=91)
    Result.objects.filter(signature="picture 4").update(created_at=now)
    collection = Collection.objects.create(slug="all", title="All")
    CollectionResult.objects.create(collection=collection, signature="x", content={})
    # Uploads of other tests may be old by then too.
    assert [left.name for left in prune(now) if left.name.startswith("results")] == [
        "results of study small (4)",
        "results of collection all (1)",
    ]
    assert Result.objects.get().signature == "picture 4"
    assert not CollectionResult.objects.exists()


def test_a_result_that_is_stored_twice_is_one(study: Study) -> None:
    first = store_result(study, "state", "signature", "ranking", {"first": True})
    again = store_result(study, "state", "signature", "ranking", {"first": False})
    assert again == first
    assert again.content == {"first": True}


@pytest.fixture
def before_the_change() -> Any:
    """The tables as they were when each state of the ratings was kept whole."""
    old, new = [("analysis", "0002_frozen_reports")], [("analysis", "0004_results_of_states")]
    executor = chain()
    executor.migrate(old)
    yield executor.loader.project_state(old).apps
    chain().migrate(new)


def test_sweeps_of_older_versions_are_kept_and_all_else_is_computed_again(
    before_the_change: Any,
) -> None:
    apps = before_the_change
    study = apps.get_model("corpus", "Study").objects.create(slug="old", title="Old")
    snapshot = apps.get_model("analysis", "Snapshot").objects.create(
        study=study, sha256="a" * 64, token="1.1", content=b"ratings"
    )
    results = apps.get_model("analysis", "Result").objects
    for kind in ("ranking", "sweep", "text-map"):
        results.create(snapshot=snapshot, signature=kind, kind=kind, content={"is": kind})
    chain().migrate([("analysis", "0004_results_of_states")])
    kept = Result.objects.get()
    assert (kept.kind, kept.content) == ("sweep", {"is": "sweep"})
    assert (kept.study.slug, kept.ratings_sha256) == ("old", "a" * 64)

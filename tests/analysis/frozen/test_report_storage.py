"""Reports are stored under a signature, found again, and not found once anything changed."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.models import Result
from analysis.reports import service
from analysis.reports.service import report, report_or_job
from analysis.reports.snapshot import Snapshot
from annotation.models import Annotator, Item, Rating, Submission
from corpus.jobs.worker import run_next
from corpus.models import Job, Study

pytestmark = pytest.mark.django_db(transaction=True)

SEGMENTS = "segment,source,source_style,target_style\n" + "".join(
    f"s{n},source {n},informal,formal\n" for n in range(6)
)
OUTPUTS = "segment,system,output\n" + "".join(
    f"s{n},{system},{system} text {n}\n" for n in range(6) for system in "ABC"
)
RATINGS = "segment,system,rater,aspect,score\n" + "".join(
    f"s{n},{system},{rater},style,{20 * place + 3 * n + shift}\n"
    for n in range(6)
    for place, system in enumerate("ABC")
    for shift, rater in enumerate(("ann", "bob"))
)
SCORES = "segment,system,metric,score\n" + "".join(
    f"s{n},{system},own-metric,{place + (n * 7 % 5) / 10}\n"
    for n in range(6)
    for place, system in enumerate("ABC")
)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in (
        ("segments", SEGMENTS),
        ("outputs", OUTPUTS),
        ("ratings", RATINGS),
        ("metric_scores", SCORES),
    ):
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    matrices.forget()
    call_command("import_study", folder, verbosity=0)
    return Study.objects.get(slug="small")


def test_the_same_report_is_found_not_computed(study: Study, monkeypatch: Any) -> None:
    first = report(study, "correlation", Question())
    monkeypatch.setattr(Snapshot, "content", None)
    # Not only equal: tables follow the order of keys.
    assert json.dumps(report(study, "correlation", Question())) == json.dumps(first)
    assert Result.objects.count() == 1


def test_a_new_rating_makes_a_new_result_beside_the_old_one(study: Study) -> None:
    before = report(study, "ranking", Question())
    item, annotator = Item.objects.earliest("pk"), Annotator.objects.get(pseudonym="ann")
    corrected = Submission.objects.create(item=item, annotator=annotator, revision=2)
    Rating.objects.create(submission=corrected, aspect="style", value=99)
    after = report(study, "ranking", Question())
    assert after["ratings_sha256"] != before["ratings_sha256"]
    states = {before["ratings_sha256"], after["ratings_sha256"]}
    assert set(Result.objects.values_list("ratings_sha256", flat=True)) == states
    # The correction replaces the first answer, it is not one more.
    assert after["counts"]["ratings"] == before["counts"]["ratings"] == 36


def test_a_long_report_becomes_one_job_and_is_there_when_it_is_done(
    study: Study, monkeypatch: Any
) -> None:
    monkeypatch.setattr(service, "QUICK", 0)
    job = report_or_job(study, "correlation", Question(), None)
    assert isinstance(job, Job)
    assert report_or_job(study, "correlation", Question(), None) == job
    done = run_next()
    assert done is not None
    assert (done.pk, done.state) == (job.pk, "done")
    found = report_or_job(study, "correlation", Question(), None)
    assert isinstance(found, dict)
    assert found["signature"] == done.result["signature"]


def test_queries_do_not_grow_with_the_study(study: Study, tmp_path: Path) -> None:
    def count() -> int:
        matrices.forget()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            report(Study.objects.get(), "agreement", Question())
        return len(queries)

    small = count()
    more = tmp_path / "more"
    more.mkdir()
    (more / "segments.csv").write_text(
        "segment,source,source_style,target_style\n"
        + "".join(f"t{n},other {n},informal,formal\n" for n in range(300)),
        encoding="utf-8",
    )
    (more / "outputs.csv").write_text(
        "segment,system,output\n"
        + "".join(f"t{n},{system},more {n}\n" for n in range(300) for system in "ABCDEF"),
        encoding="utf-8",
    )
    (more / "ratings.csv").write_text(
        "segment,system,rater,aspect,score\n"
        + "".join(f"t{n},{s},ann,style,{n % 100}\n" for n in range(300) for s in "ABCDEF"),
        encoding="utf-8",
    )
    call_command("import_study", more, study="small", verbosity=0)
    assert count() == small

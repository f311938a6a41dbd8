"""An import outlives its worker, stops where it is told to, and never meets another."""

import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from corpus.imports.options import ImportOptions
from corpus.imports.service import ask_for_import, create_study, import_job, import_key
from corpus.jobs import progress
from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.models import Job, Output, StagedText, Study
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import TABLES, import_path, row_counts, stored_content, write_files
from tests.fixtures.waiting import wait_until

SEGMENTS, SYSTEMS = 8_000, 10


@pytest.fixture
def worker(worker_environment):
    """Start `manage.py work`; no worker outlives the test."""
    processes = []

    def start():
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "work"], cwd=ROOT, env=worker_environment
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def large(tmp_path):
    """A study that takes some seconds to read."""
    outputs = [["segment", "system", "output"]]
    outputs += [
        [f"s{n}", f"m{m}", f"what {m} makes of {n}"]
        for n in range(SEGMENTS)
        for m in range(SYSTEMS)
    ]
    segments = [["segment", "source"], *([f"s{n}", f"source {n}"] for n in range(SEGMENTS))]
    return write_files(tmp_path / "large", {"segments.csv": segments, "outputs.csv": outputs})


def amid_outputs(job):
    """Whether the job has read some outputs, and not yet all."""
    job.refresh_from_db()
    return "outputs.csv" in job.progress.get("message", "") and job.progress["done"] > 0


@pytest.mark.nightly
def test_an_import_whose_worker_is_killed_is_finished_by_the_next_as_if_nothing_had_been(
    worker, large
):
    job = ask_for_import(create_study("disturbed", None), large, ImportOptions(), None)
    first = worker()
    wait_until(lambda: amid_outputs(job))
    first.send_signal(signal.SIGKILL)
    first.wait()
    job.refresh_from_db()
    assert job.state == "running"
    left_behind = StagedText.objects.filter(job=job).count()
    assert SEGMENTS < left_behind < SEGMENTS * (SYSTEMS + 1)
    assert not Output.objects.exists()

    worker()
    wait_until(lambda: Job.objects.get(pk=job.pk).state != "running")
    job.refresh_from_db()
    assert (job.state, job.error, job.attempts) == ("done", "", 2)
    assert job.result["tables"]["outputs"] == {"added": SEGMENTS * SYSTEMS, "unchanged": 0}
    assert not StagedText.objects.exists()
    assert import_path(large, slug="undisturbed").state == "done"
    assert stored_content("disturbed") == stored_content("undisturbed")


@pytest.mark.django_db
@pytest.mark.parametrize("moment", ["reading ratings.csv", "packing bleu"])
def test_an_import_cancelled_in_the_middle_leaves_nothing(tmp_path, monkeypatch, moment):
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_WRITES", 0)
    before = row_counts()
    told = []

    def cancel_at_the_moment(message, done, total):
        told.append(message)
        if message.startswith(moment):
            Job.objects.update(cancel_requested=True)

    study = create_study("small", None)
    folder = write_files(tmp_path / "small", TABLES)
    parameters = import_job(folder, ImportOptions())
    key = import_key(study)
    job = run_in_foreground(
        "import", key, study=study, parameters=parameters, report=cancel_at_the_moment
    )
    assert job.state == "cancelled"
    assert told[-1].startswith(moment)
    assert row_counts() == before
    assert Study.objects.get().revision == 0
    assert import_path(folder).state == "done"


@pytest.mark.django_db
def test_two_imports_of_one_study_at_a_time_are_refused_and_of_two_studies_not(tmp_path):
    folder = write_files(tmp_path / "small", TABLES)
    study = create_study("small", None)
    job = ask_for_import(study, folder, ImportOptions(), None)
    with pytest.raises(JobActive, match=f"import job {job.pk} is waiting") as refused:
        ask_for_import(study, folder, ImportOptions(), None)
    assert refused.value.job == job
    Job.objects.filter(pk=job.pk).update(
        state="running", worker="other", lease_until=timezone.now() + timedelta(minutes=5)
    )
    with pytest.raises(JobActive, match="is running"):
        ask_for_import(study, folder, ImportOptions(), None)
    with pytest.raises(CommandError, match=f"import job {job.pk} is running"):
        call_command("import_study", str(folder), verbosity=0)
    assert not Output.objects.exists()
    assert import_path(folder, slug="other").state == "done"

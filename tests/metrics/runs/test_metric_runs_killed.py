"""A scoring job outlives its worker, and a person's Ctrl-C: what is stored stays."""

import signal
import subprocess
import sys

import numpy as np
import pytest

from corpus.models import Job, Output
from metrics.runs.asking import ask_for_runs
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import wait_until

SEGMENTS, SYSTEMS = 900, 5

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


FILES = {
    "segments.csv": [["segment", "source"], *([f"s{n}", f"source {n}"] for n in range(SEGMENTS))],
    "outputs.csv": [
        ["segment", "system", "output"],
        *(
            [f"s{n}", f"m{m}", "x" * (1 + n * SYSTEMS + m)]
            for n in range(SEGMENTS)
            for m in range(SYSTEMS)
        ),
    ],
}


@pytest.fixture
def start(worker_environment, tmp_path, own):
    """Start `manage.py …` with the metrics of `own_metrics.py`; none outlives the test."""
    processes = []
    path = str(tmp_path / "installed")
    environment = worker_environment | {"PYTHONPATH": path, "SLOW_SECONDS": "0.001"}

    def begin(*arguments):
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.wait()
        process.stderr.close()


def amid_blocks(run):
    """Whether some blocks are stored, and not yet all."""
    return 0 < run.blocks.count() < 5


def lengths():
    texts = Output.objects.order_by("ordinal").values_list("text", flat=True)
    return [[len(text)] for text in texts]


def check_whole(run):
    run.refresh_from_db()
    assert run.content_sha256
    outputs = Output.objects.count()
    np.testing.assert_array_equal(load_scores(run.pk, outputs=outputs, fields=1), lengths())


def test_a_run_whose_worker_is_killed_is_finished_by_the_next_from_the_next_block(study, start):
    asked, [job] = ask_for_runs(study, [RunRequest("slow")], None)
    [run] = asked.started
    first = start("work")
    wait_until(lambda: amid_blocks(run))
    first.send_signal(signal.SIGKILL)
    first.wait()
    job.refresh_from_db()
    assert job.state == "running"
    kept = dict(run.blocks.values_list("number", "pk"))
    assert 0 < len(kept) < 6

    start("work")
    wait_until(lambda: Job.objects.get(pk=job.pk).state != "running")
    job.refresh_from_db()
    assert (job.state, job.error, job.attempts) == ("done", "", 2)
    now = dict(run.blocks.values_list("number", "pk"))
    assert now | kept == now, "stored blocks are not computed again"
    # Parts are free for others before the job itself is.
    assert job.result["tables"][run.signature]["unchanged"] >= 1024 * len(kept)
    check_whole(run)

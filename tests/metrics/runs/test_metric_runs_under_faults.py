"""Three workers score 50,000 outputs while one is killed, Redis restarted and the database cut."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest
import redis
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Length

from corpus.jobs.worker import run_next
from corpus.models import AuditEntry, Job, Output, Segment, Study, System
from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock, Undefined
from metrics.runs.asking import ask_for_runs
from metrics.runs.packed_scores import content_sha256, load_scores
from metrics.runs.requests import RunRequest
from tests.fixtures.listed_places import listed
from tests.fixtures.machine import ROOT, missing
from tests.fixtures.tiny_models import save_sequence_classifier
from tests.fixtures.waiting import wait_until

SEGMENTS, SYSTEMS, DIFFERENT = 5_000, 10, 4_000
OUTPUTS = SEGMENTS * (SYSTEMS + 1)
BLOCKS = -(-OUTPUTS // BLOCK_SIZE)
WORDS = ["the", "food", "was", "good", "bad", "kind", "so", "not"]

pytestmark = [
    pytest.mark.dialect,
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.nightly,
    pytest.mark.redis,
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite has no connections to cut"
    ),
]


@pytest.fixture
def study():
    """50,000 outputs and their 5,000 sources; some outputs are empty and have no scores.

    Of the texts 4,000 differ, so that each process asks the model for some thousands.
    """
    draw = random.Random(1)
    pool = [" ".join(draw.choices(WORDS, k=draw.randint(2, 6))) for _ in range(DIFFERENT)]
    made = Study.objects.create(slug="large")
    systems = System.objects.bulk_create(
        System(study=made, ordinal=n, name=f"m{n}", kind="system" if n else "source")
        for n in range(SYSTEMS + 1)
    )
    segments = Segment.objects.bulk_create(
        Segment(study=made, ordinal=n, key=f"s{n}") for n in range(SEGMENTS)
    )
    places = [(segment, system) for segment in segments for system in systems]
    Output.objects.bulk_create(
        [
            Output(
                study=made,
                ordinal=n,
                segment=segment,
                system=system,
                text="" if n % 97 == 50 and system.kind == "system" else draw.choice(pool),
                sha256="0" * 64,
            )
            for n, (segment, system) in enumerate(places)
        ],
        batch_size=5_000,
    )
    return made


@pytest.fixture
def wanted(tmp_path):
    """Metrics of words and characters, one with statistics, and one of a tiny language model."""
    folder = save_sequence_classifier(tmp_path / "classifier", ["odd", "acceptable"])
    lexical = ("length-ratio", "edit-distance", "bleu")
    return [
        *(RunRequest(key, against="source") for key in lexical),
        RunRequest("acceptability", {"model": listed(folder, "tiny")}),
    ]


@pytest.fixture
def start():
    """Start programs in sessions of their own; none outlives the test."""
    processes = []

    def begin(*command, **options):
        processes.append(subprocess.Popen(command, start_new_session=True, **options))
        return processes[-1]

    yield begin
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def start_redis(start, tmp_path):
    """Start a Redis that forgets everything when it ends, always at the same address."""
    if not shutil.which("redis-server"):
        missing("redis-server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])

    def begin():
        options = ("--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path))
        process = start("redis-server", *options, stdout=subprocess.DEVNULL)
        with redis.Redis(port=int(port)) as client:
            wait_until(lambda: answers(client))
        return process, f"redis://127.0.0.1:{port}/0"

    return begin


def answers(client):
    try:
        return client.ping()
    except redis.ConnectionError:
        return False


def stored():
    return ScoreBlock.objects.count()


def contents():
    """Hashes of each run's scores and statistics, and of what is missing for which reason."""
    return {
        run.signature: (
            run.content_sha256,
            content_sha256(run),
            sha256(b"".join(statistics_of(run))).hexdigest(),
            sha256(repr(missing_of(run)).encode()).hexdigest(),
        )
        for run in MetricRun.objects.all()
    }


def statistics_of(run):
    blocks = run.blocks.exclude(statistics=None).order_by("number")
    return blocks.values_list("statistics", flat=True)


def missing_of(run):
    fields = ("output__ordinal", "field", "reason")
    return list(run.undefined.order_by(*fields).values_list(*fields))


def kill_worker_of(job):
    """Kill the worker that divided the job and has one of its parts in hand."""
    worker = Job.every.get(pk=job.pk).worker
    group = os.getpgid(int(worker.split(":")[-2]))
    os.killpg(group, signal.SIGKILL)
    return group


def cut_connections():
    """End every connection to this test's database but our own; return how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return cursor.fetchone()[0]


def test_faults_change_no_score_of_50000_outputs(
    study, wanted, start, start_redis, worker_environment, one_thread, tmp_path
):
    _, [alone] = ask_for_runs(study, wanted, None)
    assert run_next() == alone
    alone.refresh_from_db()
    assert (alone.state, alone.error) == ("done", "")
    of_one_process = contents()
    MetricRun.objects.all().delete()
    assert stored() == 0

    server, address = start_redis()
    environment = worker_environment | {
        "REDIS_URL": address,
        "TOUCHSTONE_MODELS": os.environ["TOUCHSTONE_MODELS"],
        "OMP_NUM_THREADS": "1",
        "JOB_LEASE_SECONDS": "5",
    }

    def celery(*arguments):
        command = (sys.executable, "manage.py", "celery", *arguments, "--loglevel", "error")
        return start(*command, cwd=ROOT, env=environment)

    workers = [celery("worker", "--concurrency", "1", "-n", f"w{n}@%h") for n in range(3)]
    beat = celery("beat", "--schedule", str(tmp_path / "beat"))
    _, [job] = ask_for_runs(study, wanted, None)
    whole = BLOCKS * len(wanted)

    wait_until(lambda: stored() >= whole / 8)
    killed = kill_worker_of(job)
    wait_until(lambda: stored() >= whole / 4)
    server.kill()
    server.wait()
    server, _ = start_redis()
    wait_until(lambda: stored() >= whole / 2 and cut_connections())
    assert stored() < whole, "the faults came too late"

    wait_until(lambda: not Job.objects.get(pk=job.pk).is_active)
    job.refresh_from_db()
    assert (job.state, job.error, job.result["notes"]) == ("done", "", [])
    assert job.attempts > 1
    assert not Job.every.active().exists()
    assert [each.pid for each in workers if each.poll() is not None] == [killed]
    assert beat.poll() is None

    assert contents() == of_one_process
    assert stored() == whole
    runs = MetricRun.objects.annotate(bytes=Sum(Length("blocks__values")))
    assert {(run.bytes, run.error) for run in runs} == {(8 * OUTPUTS, "")}
    assert AuditEntry.objects.filter(action="score").count() == 2 * len(wanted)
    lacking = sum(
        int(np.isnan(load_scores(run.pk, outputs=OUTPUTS, fields=1)).sum()) for run in runs
    )
    assert Undefined.objects.count() == lacking > 0

"""A worker shows that it lives while it has nothing to do, and what it takes."""

import signal
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from corpus.jobs.presence import Presence
from corpus.models import Worker
from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import PATIENCE, wait_until

WORK = (str(ROOT / "manage.py"), "work")


@pytest.fixture
def start(worker_environment):
    """Start worker processes; none outlives the test."""
    processes = []

    def start(*arguments, **variables):
        command = [sys.executable, *arguments]
        environment = worker_environment | variables
        processes.append(subprocess.Popen(command, cwd=ROOT, env=environment))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


def wait_for_worker():
    wait_until(Worker.objects.alive().exists)
    return Worker.objects.get()


@pytest.mark.slow
def test_an_idle_worker_signs_and_signs_off(start):
    process = start(*WORK, WORKER_QUEUES="default,heavy")
    worker = wait_for_worker()
    assert (worker.kind, worker.queues, worker.processes) == ("work", ["default", "heavy"], 1)
    assert f":{process.pid}:" in worker.name
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    assert not Worker.objects.exists()


@pytest.mark.nightly
def test_a_killed_worker_is_silent_until_another_clears_its_row_away(start):
    process = start(*WORK)
    wait_for_worker()
    process.kill()
    process.wait()
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=59))
    start(*WORK)
    wait_until(lambda: Worker.objects.count() == 2)
    assert Worker.objects.alive().count() == 1
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=61))
    with Presence(Worker.Kind.EMBEDDED) as present:
        while not Worker.objects.filter(name=present.name).exists():
            time.sleep(0.05)
        assert Worker.objects.get().name == present.name

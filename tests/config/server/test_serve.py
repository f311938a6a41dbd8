"""`manage.py serve`, which is what `make run` starts: one command, a server and a worker."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User

from config.management.commands import serve as command
from corpus.jobs.queue import ask_for_job
from corpus.models import Job
from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import PATIENCE, wait_until

SERVE = [sys.executable, "manage.py", "serve", "--no-demo", "--web-workers", "1"]

pytestmark = pytest.mark.slow


class Site:
    """A running `serve` and what it printed until the sign-in link."""

    def __init__(self, environment):
        self.process = subprocess.Popen(
            [*SERVE, "--port", "0"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.printed = ""
        for line in self.process.stdout:
            self.printed += line
            if line.startswith("Sign in once"):
                break
        found = re.search(r"Sign in once as \w+: (\S+)", self.printed)
        assert found, self.printed
        self.link = urlsplit(found[1])

    def get(self, path):
        connection = http.client.HTTPConnection(self.link.netloc, timeout=PATIENCE)
        connection.request("GET", path)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, text

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def serve():
    """Start sites; none outlives the test."""
    sites = []

    def start(environment):
        sites.append(Site(environment))
        return sites[-1]

    yield start
    for site in sites:
        if site.process.poll() is None:
            site.stop()
        site.process.stdout.close()


def children(pid):
    """The processes that a process started, in order."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(folder.name))
    return sorted(found)


def server_of(site):
    """The process started first, once it has started those that answer; a worker has one too."""
    first = next(iter(children(site.process.pid)), None)
    return first if first and children(first) else None


def worker_of(site):
    """The other one, once the server can be told from it."""
    others = {*children(site.process.pid)} - {server := server_of(site)}
    return max(others) if server and others else None


def test_the_first_start_makes_a_database(serve, empty_environment):
    first = serve(empty_environment)
    assert "Sign in once as admin" in first.printed
    assert first.get(first.link.path)[0] == 200
    assert_stops(first, signal.SIGTERM)


def assert_stops(site, number):
    """Told to stop, it takes server and worker with it."""
    started = wait_until(
        lambda: len(children(site.process.pid)) == 2 and children(site.process.pid)
    )
    assert site.stop(number) == 0
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def test_the_printed_link_works_jobs_are_done_and_a_worker_that_dies_is_replaced(
    serve, worker_environment, client
):
    User.objects.create_user("somebody")
    boss = User.objects.create_superuser("boss")
    site = serve(worker_environment)
    assert "Applying" not in site.printed
    assert "Sign in once as boss" in site.printed
    stylesheet = re.search(
        r'href="(/static/css/touchstone\.[0-9a-f]+\.css)"', site.get("/sign-in/")[1]
    )
    assert site.get(stylesheet[1])[0] == 200
    assert client.post(site.link.path).status_code == 302
    assert client.session["_auth_user_id"] == str(boss.pk)
    first = wait_until(lambda: worker_of(site))
    for key in ("first", "second"):
        job = ask_for_job("unheard of", key, study=None, user=None, parameters={})
        wait_until(lambda job=job: Job.objects.filter(pk=job.pk, state="failed").exists())
        if key == "first":
            os.kill(first, signal.SIGKILL)
            wait_until(lambda: worker_of(site) not in (None, first))
    assert_stops(site, signal.SIGINT)


@pytest.mark.nightly
def test_a_server_that_dies_ends_the_command_with_an_error(serve, worker_environment):
    site = serve(worker_environment)
    # A child that was just made still has the command line of its parent.
    server = wait_until(lambda: server_of(site))
    started = children(site.process.pid)
    os.kill(server, signal.SIGKILL)
    assert site.process.wait(PATIENCE) != 0
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def test_a_port_in_use_is_told_in_one_line_before_anything_is_made(empty_environment):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = subprocess.run(
            [*SERVE, "--port", str(port)],
            cwd=ROOT,
            env=empty_environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in result.stderr


def test_a_backup_is_made_each_hour_that_one_may_be_due_and_stopped_with_the_rest(
    monkeypatch, settings
):
    begun, stopped = [], []
    clock = iter(range(0, 10_000, 100))
    monkeypatch.setattr(command, "monotonic", lambda: next(clock))
    monkeypatch.setattr(command, "_start", lambda run: begun.append(run) or FINISHED)
    monkeypatch.setattr(command, "_stop", stopped.append)
    event = SimpleNamespace(wait=lambda _: next(turns))
    turns = iter([False] * 80 + [True])
    command.Command()._look_after(RUNNING, [], event)
    assert len(begun) == 3
    assert begun[0].args == ("backup",)
    assert begun[0].keywords == {"if_due": True}
    assert stopped == [FINISHED]
    settings.BACKUP_HOURS = 0
    turns = iter([False] * 80 + [True])
    command.Command()._look_after(RUNNING, [], event)
    assert len(begun) == 3


RUNNING = SimpleNamespace(is_alive=lambda: True)
FINISHED = SimpleNamespace(is_alive=lambda: False)

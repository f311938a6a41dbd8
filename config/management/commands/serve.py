"""`manage.py serve`: what `make run` starts."""

import os
import signal
import subprocess
import sys
import threading
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.sign_in import one_time_path
from corpus.models import Study

SECONDS_TO_STOP = 20


class Command(BaseCommand):
    """Bring the database up to date, load the demo into an empty one, serve and work."""

    help = "Migrate, load the demo study if the database is empty, start server and worker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where to listen."""
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8000")))
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo study")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare, start both processes, and stop both when told or when the server ends."""
        self._prepare(load_demo=not options["no_demo"])
        address = f"http://{options['host']}:{options['port']}"
        self._print_address(address)
        connection.close()
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        server = _start_server(f"{options['host']}:{options['port']}")
        worker = _start_worker()
        while not stopped.wait(0.5) and server.poll() is None:
            if worker.poll() is not None:
                self.stderr.write("the worker ended; starting it again")
                stopped.wait(1)
                worker = _start_worker()
        for process in (server, worker):
            process.terminate()
        for process in (server, worker):
            try:
                process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.kill()
        if server.returncode not in (0, -signal.SIGTERM):
            sys.exit(server.returncode)

    def _prepare(self, *, load_demo: bool) -> None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=1)
        collect_static()
        if load_demo and not Study.objects.exists():
            call_command("import_study", str(settings.BASE_DIR / "demo" / "formality-demo"))

    def _print_address(self, address: str) -> None:
        from django.contrib.auth import get_user_model

        people = get_user_model().objects
        person = people.filter(is_superuser=True).order_by("pk").first()
        if person is None:
            person = people.create_superuser("admin")
        self.stdout.write(f"\nTouchstone is at {address}/")
        self.stdout.write(f"Sign in once as {person}: {address}{one_time_path(person)}\n")
        self.stdout.flush()


def collect_static() -> None:
    """Collect static files unless nothing changed since the last time."""
    newest = max(
        path.stat().st_mtime_ns
        for folder in (Path(settings.BASE_DIR) / "static", Path(settings.BASE_DIR) / "requirements.txt")
        for path in ([folder] if folder.is_file() else [folder, *folder.rglob("*")])
    )
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    if stamp.exists() and stamp.read_text() == str(newest):
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(str(newest))


def _start_server(bind: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi:application", "--bind", bind]
        + ["--workers", os.environ.get("WEB_WORKERS", "2")]
        + ["--threads", os.environ.get("WEB_THREADS", "4")]
        + ["--worker-class", "gthread", "--keep-alive", "30", "--timeout", "120"]
        + ["--preload", "--log-level", "warning"],
        cwd=settings.BASE_DIR,
        start_new_session=True,
    )


def _start_worker() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "manage.py", "work"], cwd=settings.BASE_DIR, start_new_session=True
    )

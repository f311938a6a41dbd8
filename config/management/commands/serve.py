"""`manage.py serve`: what `make run` starts."""

import gc
import os
import signal
import socket
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from gunicorn.app import wsgiapp

from analysis.findings.ahead import compute_ahead
from config.accounts.signing_in import one_time_path
from config.backup.journal import REMEDY, unfinished_restore
from config.database.one_at_a_time import one_at_a_time
from config.watching.asked import begin_anew
from corpus.models import Study

SECONDS_TO_STOP = 20
SECONDS_BEFORE_BACKUP = 300
SECONDS_BETWEEN_LOOKS_AT_BACKUPS = 3600
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Command(BaseCommand):
    """Bring the database up to date, load the demo into an empty one, serve and work."""

    help = "Migrate, load the demo study if the database is empty, start server and worker."
    # The checks import every page; the server does that anyway, and the first answer waits.
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where to listen and with how many processes."""
        host, port = os.environ.get("HOST"), os.environ.get("PORT")
        workers, threads = os.environ.get("WEB_WORKERS"), os.environ.get("WEB_THREADS")
        parser.add_argument("--host", default=host or "127.0.0.1")
        parser.add_argument("--port", type=int, default=port or "8000", help="0: any free port")
        parser.add_argument("--web-workers", type=int, default=workers or "2")
        parser.add_argument("--web-threads", type=int, default=threads or "4")
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo study")
        parser.add_argument(
            "--no-worker", action="store_true", help="leave jobs to workers that run elsewhere"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare, start both processes, and stop both when told or when the server ends."""
        if problem := unfinished_restore():
            raise CommandError(f"{problem} {REMEDY}")
        listener = _listen(options["host"], options["port"])
        begin_anew()
        with one_at_a_time(self.stderr.write):
            self._prepare(load_demo=not options["no_demo"])
            self._print_address(*listener.getsockname()[:2])
        connection.close()
        stopped = threading.Event()
        for number in SIGNALS:
            signal.signal(number, lambda *_: stopped.set())
        server = _start(_serve, listener, options["web_workers"], options["web_threads"])
        listener.close()
        workers = [] if options["no_worker"] else [_start(call_command, "work")]
        try:
            self._look_after(server, workers, stopped)
        finally:
            _stop(server, *workers)
        if server.exitcode not in (0, -signal.SIGTERM):
            sys.exit(f"the server ended with status {server.exitcode}")

    def _look_after(
        self, server: ForkProcess, workers: list[ForkProcess], stopped: threading.Event
    ) -> None:
        """Keep a worker alive, and back up when it is due, until told to stop."""
        look_at = monotonic() + SECONDS_BEFORE_BACKUP
        backup: ForkProcess | None = None
        while not stopped.wait(0.5) and server.is_alive():
            if settings.BACKUP_HOURS and monotonic() > look_at:
                look_at = monotonic() + SECONDS_BETWEEN_LOOKS_AT_BACKUPS
                if backup is None or not backup.is_alive():
                    backup = _start(partial(call_command, "backup", if_due=True))
            if workers and not workers[0].is_alive():
                self.stderr.write("the worker ended; starting it again")
                stopped.wait(1)
                workers[0] = _start(call_command, "work")
        if backup is not None:
            _stop(backup)

    def _prepare(self, *, load_demo: bool) -> None:
        executor = MigrationExecutor(connection)
        collecting = None
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            # No two processes may share a connection.
            connection.close()
            # At a first start this takes as long as the demo study.
            collecting = _start(collect_static)
            call_command("migrate", verbosity=1)
        if load_demo and not Study.objects.exists():
            call_command("import_study", str(settings.BASE_DIR / "demo" / "formality-demo"))
            for study in Study.objects.all():
                compute_ahead(study)
        if collecting:
            collecting.join()
        collect_static()

    def _print_address(self, host: str, port: int) -> None:
        people = get_user_model().objects
        person = people.filter(is_superuser=True, is_active=True).order_by("pk").first()
        if person is None:
            person = people.create_superuser("admin")
        if ip_address(host).is_unspecified:
            host = "localhost"
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        self.stdout.write(f"\nTouchstone is at {address}/, its data in {settings.DATA_DIR}")
        self.stdout.write(f"Sign in once as {person}: {address}{one_time_path(person)}\n")
        self.stdout.flush()


def collect_static() -> None:
    """Collect static files unless nothing changed since the last time."""
    static = Path(settings.BASE_DIR) / "static"
    # An installed Touchstone has no requirements.txt, and writes its static files anew.
    watched = [Path(settings.BASE_DIR) / "requirements.txt", static, *static.rglob("*")]
    newest = str(max(path.stat().st_mtime_ns for path in watched if path.exists()))
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    if stamp.exists() and stamp.read_text() == newest:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(newest)


def _listen(host: str, port: int) -> socket.socket:
    """Take the port before anything else: who asks early waits for the server, and no two share."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(
            f"cannot listen on {host} port {port}: {reason}. "
            "Stop what uses it, or choose another with PORT=… or --port."
        ) from None


def _serve(listener: socket.socket, workers: int, threads: int) -> None:
    """Be gunicorn, on a socket that listens already."""
    sys.argv = ["gunicorn", "config.wsgi:application", "--bind", f"fd://{listener.fileno()}"]
    sys.argv += ["--preload", "--no-control-socket"]
    sys.argv += ["--worker-class", "config.server.worker.BufferingWorker"]
    sys.argv += ["--workers", str(workers), "--threads", str(threads)]
    sys.argv += ["--worker-connections", "400", "--keep-alive", "30"]
    sys.argv += ["--timeout", "120", "--graceful-timeout", "10", "--log-level", "warning"]
    wsgiapp.run()


def _start(run: Callable[..., Any], *arguments: Any) -> ForkProcess:
    """Run something in a process that has, and shares, all that was imported here."""
    # Or the collector would write to, and so copy, what is shared.
    gc.freeze()
    process = get_context("fork").Process(target=_run_apart, args=(run, *arguments))
    process.start()
    return process


def _run_apart(run: Callable[..., Any], *arguments: Any) -> None:
    """Leave the terminal, so that Ctrl-C is not heard: this process is stopped in order."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    os.chdir(settings.BASE_DIR)
    run(*arguments)


def _stop(*processes: ForkProcess) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(SECONDS_TO_STOP)
        if process.is_alive():
            process.kill()
            process.join()

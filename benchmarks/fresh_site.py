"""A database of its own with a simulated study, and steps that run in a process of their own."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SLUG = "large"


def timed(ask: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that something takes, and what it returns."""
    started = time.perf_counter()
    answer = ask()
    return time.perf_counter() - started, answer


def start_django() -> None:
    """Set Django up for a process that asks pages by the test client."""
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import config  # noqa: F401  Brings the SQLite library before Django loads.

    import django  # isort: skip

    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]


def write_table(path: Path, header: str, lines: Iterable[str]) -> None:
    """Write a table of a study."""
    with path.open("w", encoding="utf-8") as file:
        file.write(header)
        file.writelines(lines)


def import_study(write: Callable[[Path], None]) -> None:
    """Make the database and import the study `SLUG` whose tables are written into a folder."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / SLUG
        folder.mkdir()
        write(folder)
        seconds, _ = timed(lambda: call_command("import_study", folder, accept=True, verbosity=0))
    print(f"imported in {seconds:.1f} s")
    User.objects.create_superuser("reader", password="not used")


def reader() -> Any:
    """Return a client that has shown a page: the first loads what reports need, SciPy above all."""
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.get())
    client.get(f"/studies/{SLUG}/ranking/")
    return client


def shown(client: Any, path: str) -> Any:
    """Return a page once the jobs are done that it waits for, which run here."""
    from corpus.jobs.worker import run_next

    while (answer := client.get(path)).status_code == 202:
        job = run_next()
        if job is None or job.state != "done":
            raise SystemExit(f"{path} waits for a job that ended as {job and job.error!r}")
    return answer


def steps_over(keep: str | None, steps: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each step with the folder of the database that all share: one that is kept, or not.

    The first is "prepare", unless a folder that was kept has its database already.
    """
    with tempfile.TemporaryDirectory() as temporary:
        data = keep or temporary
        Path(data).mkdir(exist_ok=True)
        made = Path(data, "fresh.sqlite3").exists()
        for step in (*(() if made else ("prepare",)), *steps):
            yield data, step


def run_step(data: str, module: str, *arguments: str, **variables: str) -> None:
    """Run a step of a benchmark in a process of its own, with the database in a folder.

    `variables` are of its environment; `DATABASE_URL` names another database.
    """
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{data}/fresh.sqlite3",
        "TOUCHSTONE_DATA": data,
        "LOG_LEVEL": "ERROR",
        **variables,
    }
    command = [sys.executable, "-m", f"benchmarks.{module}", *sys.argv[1:], *arguments]
    subprocess.run(command, check=True, env=environment)

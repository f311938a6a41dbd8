"""Sites to measure: a database of its own, made-up studies, and steps in new processes."""

import http.client
import inspect
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SLUG = "large"
RATERS, PANELS, SYSTEMS = 3, 10, 10
LONGEST_ANSWER = 120
LONGEST_IDLE = 2  # Some servers close connections that wait for a few seconds more.

_NUMBERS = """
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < %s)
"""
_SEGMENTS = f"""
INSERT INTO corpus_segment (study_id, ordinal, key, source_style, target_style, attributes)
{_NUMBERS} SELECT %s, n, CAST(n AS text), 'informal', 'formal', '{{}}' FROM numbers
"""
_OUTPUTS = """
INSERT INTO corpus_output (study_id, ordinal, segment_id, system_id, variant, text, sha256)
SELECT g.study_id, g.ordinal * %s + y.ordinal, g.id, y.id, 1,
       'Sentence ' || g.ordinal || ' as ' || y.ordinal
           || ' wrote it, of about the usual length of a sentence.', %s
FROM corpus_segment g JOIN corpus_system y ON y.study_id = g.study_id
WHERE g.study_id = %s ORDER BY g.ordinal, y.ordinal
"""


class Session:
    """Somebody's connection to a server, with the cookies that they were given.

    Parameters
    ----------
    port
    headers
        Sent with each request.
    """

    def __init__(self, port: int, headers: dict[str, str] | None = None) -> None:
        self.headers = headers or {}
        self.cookies: dict[str, str] = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_ANSWER)
        self.used = 0.0

    def ask(
        self, method: str, path: str, data: dict[str, Any] | None = None, *, is_json: bool = False
    ) -> tuple[int, str]:
        """Send a request, with a form or with JSON; return status and text of the answer."""
        headers = self.headers | {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        body = None
        if data is not None:
            body = json.dumps(data) if is_json else urllib.parse.urlencode(data)
            kind = "json" if is_json else "x-www-form-urlencoded"
            headers["Content-Type"] = f"application/{kind}"
        if time.monotonic() - self.used > LONGEST_IDLE:
            self.connection.close()
        self.connection.request(method, path, body, headers)
        reply = self.connection.getresponse()
        text = reply.read().decode(errors="replace")
        self.used = time.monotonic()
        for value in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        return reply.status, text


def show_figure(name: str, value: float, unit: str) -> None:
    """Print one figure."""
    print(f"{name:56}{value:12,.4g} {unit}", flush=True)


def timed(ask: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that something takes, and what it returns."""
    started = time.perf_counter()
    answer = ask()
    return time.perf_counter() - started, answer


def peak_memory(who: int = resource.RUSAGE_SELF) -> float:
    """Return the most megabytes that this process, or one that it started, has held."""
    return resource.getrusage(who).ru_maxrss / 1024


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a site whose data are in a folder."""
    kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    return kept | {"TOUCHSTONE_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}


def manage(folder: Path, *arguments: str, **variables: str) -> str:
    """Run a command of a site; return what it printed."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment(folder) | variables,
        check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip


def apart(folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of a benchmark in a new process that has the site of a folder.

    Arguments and what is returned pass as JSON.
    """
    module, given = Path(inspect.getfile(function)).stem, json.dumps(arguments)
    command = [sys.executable, "-m", "benchmarks.site", module, function.__name__, given]
    known = environment(folder) | {"LOG_LEVEL": "ERROR"}
    done = subprocess.run(
        command, cwd=ROOT, env=known, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def start_django() -> None:
    """Set Django up for a process that asks for pages by the test client."""
    import config  # noqa: F401  Brings the SQLite library before Django loads.

    import django  # isort: skip

    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]


def plain_study(slug: str, items: int) -> Any:
    """Make a study with so many outputs of systems, and one source for each segment.

    The database itself writes it, a million outputs within half a minute.
    """
    from django.db import connection, transaction

    from corpus.models import Study, System

    with transaction.atomic(), connection.cursor() as cursor:
        study = Study.objects.create(slug=slug)
        names = ["(source)", *(f"s{n}" for n in range(SYSTEMS))]
        for n, name in enumerate(names):
            kind = System.Kind.SYSTEM if n else System.Kind.SOURCE
            System.objects.create(study=study, ordinal=n, name=name, kind=kind)
        cursor.execute(_SEGMENTS, [items // SYSTEMS, study.pk])
        cursor.execute(_OUTPUTS, [len(names), "0" * 64, study.pk])
    return study


def write_study(folder: Path, segments: int, systems: int, metrics: int) -> None:
    """Write a study whose systems, segments, annotators and metrics all differ."""
    import numpy as np

    generator = np.random.default_rng(3)
    shape = (segments, systems)
    truth = 60 + 8 * generator.normal(size=systems) + 15 * generator.normal(size=shape)
    noise = generator.normal(0, 15, (*shape, RATERS))
    rated = np.clip(np.round(truth[:, :, None] + noise), 0, 100).astype(int).tolist()
    noise = generator.normal(0, 1, (*shape, metrics)) * (10 + 2 * np.arange(metrics))
    scored = (truth[:, :, None] + noise).round(3).tolist()
    cells = [(n, m) for n in range(segments) for m in range(systems)]
    _write(
        folder / "segments.csv",
        "segment,source,source_style,target_style",
        (f"s{n:05},source {n},informal,formal" for n in range(segments)),
    )
    _write(
        folder / "outputs.csv",
        "segment,system,output",
        (f"s{n:05},system-{m},system {m} says {n}" for n, m in cells),
    )
    _write(
        folder / "ratings.csv",
        "segment,system,rater,aspect,score",
        (
            f"s{n:05},system-{m},r{n * PANELS // segments * RATERS + r:02},style,{rated[n][m][r]}"
            for n, m in cells
            for r in range(RATERS)
        ),
    )
    _write(
        folder / "metric_scores.csv",
        ",".join(["segment", "system", *(f"score_metric-{each:02}" for each in range(metrics))]),
        (f"s{n:05},system-{m},{','.join(map(str, scored[n][m]))}" for n, m in cells),
    )


def _write(path: Path, header: str, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{header}\n")
        file.writelines(f"{line}\n" for line in lines)


def import_study(segments: int, systems: int, metrics: int) -> None:
    """Make the database and import a made-up study, with somebody to read it."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from metrics.models import Metric

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / SLUG
        folder.mkdir()
        write_study(folder, segments, systems, metrics)
        call_command("import_study", folder, accept=True, verbosity=0)
    Metric.objects.update(orientation="higher")
    User.objects.create_superuser("reader", password="not used")


if __name__ == "__main__":
    start_django()
    _, asked, called, passed = sys.argv
    found = getattr(import_module(f"benchmarks.{asked}"), called)(*json.loads(passed))
    print(json.dumps(found))

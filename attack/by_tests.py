"""R8–R10, R19, R24: workers and databases that fail, replayed by tests that start their own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

from attack.finding import Line
from benchmarks.rating_load import ROOT

FAULTS = "tests/metrics/runs/test_metric_runs_under_faults.py"
JOBS = "tests/corpus/jobs"
TRIED = (
    (("R8", "R9", "R10"), "3 workers score 50,000 outputs, one killed, Redis and database cut",
     (FAULTS,)),
    (("R19",), "two machines start on one empty database",
     ("tests/config/server/test_two_starts_at_once.py",)),
    (("R24",), "the job of a killed worker is taken over",
     (f"{JOBS}/test_worker_processes.py", f"{JOBS}/test_worker_celery.py")),
)  # fmt: skip
ENDED = re.compile(r"(\d+) (passed|failed|error|skipped)")


def replay() -> Iterator[Line]:
    """Run each on PostgreSQL; a test that is skipped shows nothing."""
    server = os.environ.get("TEST_POSTGRES_URL", "")
    for findings, what, files in TRIED:
        for finding in findings:
            if not server:
                yield Line(finding, what, "not tried, PostgreSQL is absent", False)
        if server:
            figure, held = _run(server, files)
            yield from (Line(finding, what, figure, held) for finding in findings)


def _run(server: str, files: tuple[str, ...]) -> tuple[str, bool]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    environment = os.environ | {"DATABASE_URL": server, "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    counts = {word: int(number) for number, word in ENDED.findall(ran.stdout)}
    figure = ", ".join(f"{number} tests {word}" for word, number in counts.items())
    held = ran.returncode == 0 and set(counts) == {"passed"}
    why = next((line for line in ran.stdout.splitlines() if line.startswith("E ")), ran.stderr)
    return (figure if held else f"{figure} ({why[:200].strip()})"), held

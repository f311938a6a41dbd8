"""Kinds of jobs for tests that start real workers, and the programs that run them.

`python -m tests.slow_jobs work` is `manage.py work` with these kinds known to it;
`celery -A tests.slow_jobs_celery worker` is the same for Celery.
"""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus.jobs.progress import Progress
    from corpus.models import Job


def count_slowly(job: "Job", progress: "Progress") -> dict[str, Any]:
    """Write a line per step into the file `log`: the process id, then the step."""
    steps = job.parameters["steps"]
    with Path(job.parameters["log"]).open("a", encoding="utf-8", buffering=1) as log:
        for step in range(steps):
            log.write(f"{os.getpid()} {step}\n")
            time.sleep(job.parameters.get("seconds", 0.05))
            progress.report("counting", done=step + 1, total=steps)
    return {"steps": steps}


def register() -> None:
    """Make the kinds known in this process."""
    from corpus.jobs.registry import register_job

    register_job("count slowly", count_slowly)


if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    register()
    execute_from_command_line(sys.argv)

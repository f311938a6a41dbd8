"""Pages of a large study: asked for first, computed by jobs, and asked for again.

Each step runs in a process of its own: one that has nothing of the study in memory, one that runs
the jobs that pages wait for, and one that is new to the stored reports.
"""

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

from benchmarks.figures import show_figure
from benchmarks.fresh_site import SLUG, reader, run_step, start_django, steps_over, timed


@dataclass(frozen=True)
class AskedPages:
    """The pages that a benchmark asks for.

    Parameters
    ----------
    module
        Name of the benchmark, with which its figures begin.
    first, again
        Pages below the study's address; empty for the study's own.
    memory
        Returns the megabytes that this process takes.
    """

    module: str
    first: tuple[str, ...]
    again: tuple[str, ...]
    memory: Callable[[], float]

    def take_steps(self, parser: ArgumentParser, prepare: Callable[[Namespace], None]) -> None:
        """Import once, then take each step in a process of its own."""
        parser.add_argument("--keep", help="folder of a database to make, or to use again")
        parser.add_argument("--of-process", default="", help=SUPPRESS)
        options = parser.parse_args()
        steps = {"first": self.ask_first, "jobs": self.run_jobs, "again": self.ask_again}
        if options.of_process == "prepare":
            start_django()
            prepare(options)
        elif options.of_process:
            start_django()
            steps[options.of_process]()
        else:
            for data, step in steps_over(options.keep, steps):
                print(f"-- {step}", flush=True)
                run_step(data, self.module, "--of-process", step)

    def ask_first(self) -> None:
        """Ask for pages of which nothing is known yet."""
        client = reader()
        for page in self.first:
            self._ask(client, "first", page)
        self.show_memory("first")

    def run_jobs(self) -> None:
        """Run what pages wait for: the reading of the study, then the reports asked for again."""
        client = reader()
        while job := self._timed_job():
            if job.kind == "read-study":
                for page in self.first:
                    client.get(f"/studies/{SLUG}/{page}")

    def ask_again(self) -> None:
        """Ask for pages whose reports are stored, each twice."""
        client = reader()
        for page in self.again:
            client.get(f"/studies/{SLUG}/{page}")
            self._ask(client, "again", page)
        self.show_memory("again")

    def show_memory(self, step: str) -> None:
        """Print the memory that this process takes."""
        show_figure(f"{self.module}.{step}.memory", self.memory(), "MB")

    def _timed_job(self) -> Any:
        from corpus.jobs.worker import run_next

        begun = process_time()
        seconds, job = timed(run_next)
        if job is not None:
            asked = job.parameters.get("question", {}).get("resample", [""])[0]
            kind = job.parameters.get("kind", "")
            what = f"{job.kind} {kind} {asked} {job.state} {job.error[:90]}"
            print(f"{what:60} {seconds:8.2f} s {process_time() - begun:8.2f} processor")
            name = "-".join(filter(None, (kind or job.kind, asked)))
            show_figure(f"{self.module}.job.{name}", seconds, "s")
            self.show_memory(f"job.{name}")
        return job

    def _ask(self, client: Any, step: str, page: str) -> None:
        begun = process_time()
        seconds, answer = timed(lambda: client.get(f"/studies/{SLUG}/{page}"))
        used = process_time() - begun
        size = len(answer.content) / 1e6
        print(
            f"{page or 'study':40} {answer.status_code:5} {seconds:8.2f} s {used:8.2f} processor "
            f"{size:6.2f} MB, memory {self.memory():,.0f} MB",
            flush=True,
        )
        show_figure(f"{self.module}.{step}.{page.strip('/') or 'study'}", seconds, "s")

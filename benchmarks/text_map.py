"""How long the map of texts of a very large study takes, at first and from stored embeddings.

    python -m benchmarks.text_map [--segments 20000] [--keep FOLDER]

Imports a simulated study (15 systems) as anybody would, into a database of its own, and asks for
its map in a process that runs the jobs which the page waits for: "first" embeds every text that is
drawn. A process that is new to the study then asks for a map of the same texts with another
perplexity, for which their embeddings are "stored". "processor" is processor time, which other work
on the machine stretches less than the clock's. The encoder is that of requirements-models.txt;
without it the job ends with an error that says so.
"""

import argparse
from time import process_time

from benchmarks.figures import show_figure
from benchmarks.fresh_site import (
    SLUG,
    import_study,
    reader,
    run_step,
    start_django,
    steps_over,
    timed,
)
from benchmarks.report_pages import write_study

SYSTEMS, METRICS = 15, 1
ASKED = {"first": "perplexity=30", "stored": "perplexity=20"}


def prepare(segments: int) -> None:
    """Make the database and import the study."""
    start_django()
    import_study(lambda folder: write_study(folder, segments, METRICS, 1, SYSTEMS))


def draw(step: str) -> None:
    """Ask for a map until it is there, and run the jobs that it waits for."""
    start_django()
    from analysis.models import Result
    from corpus.jobs.worker import run_next
    from corpus.models import Study
    from metrics.resources.stored_embeddings import delete_embeddings

    # A database that is used again has maps and embeddings of last time.
    Result.objects.filter(kind="text-map").delete()
    if step == "first":
        delete_embeddings(Study.objects.get().pk)
    client = reader()
    address = f"/studies/{SLUG}/map/?{ASKED[step]}"
    while (answer := client.get(address)).status_code == 202:
        begun = process_time()
        seconds, job = timed(run_next)
        if job is None or job.state != "done":
            raise SystemExit(f"{address} waits for a job that ended as {job and job.error!r}")
        print(f"{step:8} {job.kind:12} {seconds:8.2f} s {process_time() - begun:8.2f} processor")
        if job.kind == "text-map":
            show_figure(f"text_map.{step}", seconds, "s")
    if answer.status_code != 200:
        raise SystemExit(f"{address} answers {answer.status_code}")


def main() -> None:
    """Import once, then draw each map in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--of-process", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.of_process == "prepare":
        return prepare(options.segments)
    if options.of_process:
        return draw(options.of_process)
    for data, step in steps_over(options.keep, ASKED):
        run_step(data, "text_map", "--of-process", step)
    return None


if __name__ == "__main__":
    main()

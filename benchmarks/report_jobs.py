"""How much processor time and memory the job of each kind of report takes.

    python -m benchmarks.report_jobs [--segments 5000] [--systems 10] [--metrics 20]
        [--kinds KIND …] [--query scores=z] [--profile] [--keep FOLDER]

Imports a simulated study (3 ratings an output) as anybody would, into a database of its own, and
computes each kind of report in a process of its own, as a worker does once the study is laid down:
"processor" is the processor time of what computes the report, "memory" the most that the process
held at a time. `benchmarks.goals` says what is wanted of them.
"""

import argparse
import cProfile
import pstats
import resource
from time import process_time

from benchmarks.figures import show_figure
from benchmarks.fresh_site import ROOT, import_study, run_step, start_django, steps_over, timed
from benchmarks.report_pages import write_study


def prepare(options: argparse.Namespace) -> None:
    """Make the database and import the study."""
    start_django()
    from metrics.models import Metric

    import_study(
        lambda folder: write_study(folder, options.segments, options.metrics, 1, options.systems)
    )
    Metric.objects.update(orientation="higher")


def measure(kind: str, query: str, profile: bool) -> None:
    """Compute a report as its job does."""
    start_django()
    from django.http import QueryDict

    from analysis.data import matrices
    from analysis.filter.question import Question, QuestionError
    from analysis.models import Result
    from analysis.reports.service import report
    from corpus.models import Study

    study, question = Study.objects.get(), Question.parse(QueryDict(query).dict())
    Result.objects.all().delete()
    matrices.load(study)
    profiler = cProfile.Profile(process_time)
    if profile:
        profiler.enable()
    begun = process_time()
    try:
        seconds, _ = timed(lambda: report(study, kind, question))
    except QuestionError as error:
        return print(f"{kind:20} {error}")
    used = process_time() - begun
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(90)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{kind:20} {seconds:8.2f} s {used:8.2f} processor {peak:6.0f} MB")
    show_figure(f"report_jobs.{kind}", used, "s")
    return None


def main() -> None:
    """Import once, then compute each kind in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name, value in (("segments", 5000), ("systems", 10), ("metrics", 20)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--kinds", nargs="*", help="keys of kinds; without it, all")
    parser.add_argument("--query", default="", help="what is asked, as in an address")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "prepare":
        return prepare(options)
    if options.step:
        return measure(options.step, options.query, options.profile)
    found = sorted((ROOT / "analysis" / "reports").glob("*/report.py"))
    kinds = options.kinds or [path.parent.name.replace("_", "-") for path in found]
    for data, step in steps_over(options.keep, kinds):
        run_step(data, "report_jobs", "--step", step)
    return None


if __name__ == "__main__":
    main()

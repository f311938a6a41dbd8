"""How fast the pages of a very large study answer.

    python -m benchmarks.pages_at_size [--segments 20000] [--metrics 20] [--keep FOLDER]

Imports a simulated study (15 systems, 3 ratings an output) as anybody would, into a database of its
own. A process that has nothing of the study in memory asks for pages; then another runs the jobs
that they wait for; then a third asks again. "processor" is processor time, which other work on the
machine stretches less than the clock's; "memory" is what only this process holds, without files
that it shares with others. `benchmarks.goals` says what is wanted of them.
"""

import re
from argparse import ArgumentParser, Namespace, RawTextHelpFormatter
from pathlib import Path

from benchmarks.asked_pages import AskedPages
from benchmarks.fresh_site import import_study
from benchmarks.report_pages import write_study

SYSTEMS = 15
REPORTS = ("ranking/", "agreement/", "correlation/", "system-comparison/", "accuracy/")


def prepare(options: Namespace) -> None:
    """Make the database and import the study."""
    from metrics.models import Metric

    import_study(lambda folder: write_study(folder, options.segments, options.metrics, 1, SYSTEMS))
    Metric.objects.update(orientation="higher")


def own_memory() -> float:
    """Return the megabytes that only this process holds."""
    text = Path("/proc/self/smaps_rollup").read_text(encoding="utf-8")
    [kilobytes] = re.findall(r"^Anonymous: +([0-9]+) kB$", text, re.MULTILINE)
    return int(kilobytes) / 1024


PAGES = AskedPages(
    "pages_at_size", REPORTS, ("", *REPORTS, "disagreement/", "segments/"), own_memory
)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawTextHelpFormatter)
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--metrics", type=int, default=20)
    PAGES.take_steps(parser, prepare)

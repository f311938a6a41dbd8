"""How long the page of a collection takes that nobody has computed yet.

    python -m benchmarks.collections_at_size [--systems 30] [--segments 2000] [--metrics 70]

Two studies under the preset of the WMT23 metrics task: pairs of systems pooled over both, and of
each system r, segment r and accuracy with calibrated ties; 1,000 draws of tests and intervals.
Texts and ratings are imported, packed scores are written as an import writes them. Printed are
processor seconds of the page with the job that it waits for, in a process that has shown another
page; of the page that is stored; and the largest memory of that process.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import show_figure
from benchmarks.fresh_site import (
    import_study,
    reader,
    run_step,
    shown,
    start_django,
    steps_over,
    write_table,
)

PAIRS = ("en-de", "he-en")


def write_study(folder: Path, systems: int, segments: int, seed: int) -> None:
    """Write texts, and human scores with many ties, as error counts have."""
    generator = np.random.default_rng(seed)
    lines = (f"s{n:05},source {n}\n" for n in range(segments))
    write_table(folder / "segments.csv", "segment,source\n", lines)
    cells = [(n, m) for n in range(segments) for m in range(systems)]
    lines = (f"s{n:05},system-{m:02},system {m} says {n}\n" for n, m in cells)
    write_table(folder / "outputs.csv", "segment,system,output\n", lines)
    truth = np.linspace(0, 2, systems) + 2 * generator.normal(size=(segments, systems))
    human = -np.rint(np.maximum(0, 3 - truth))
    lines = (f"s{n:05},system-{m:02},r,overall,{human[n, m]}\n" for n, m in cells)
    write_table(folder / "ratings.csv", "segment,system,rater,aspect,score\n", lines)


def add_metrics(slug: str, metrics: int) -> None:
    """Store scores of metrics that follow people more or less closely."""
    from annotation.models import Rating
    from corpus.models import Output, Study
    from metrics.models import BLOCK_SIZE, Metric, MetricRun, ScoreBlock

    study = Study.objects.get(slug=slug)
    human = np.zeros(Output.objects.filter(study=study).count())
    rated = Rating.objects.filter(submission__item__campaign__study=study)
    for place, value in rated.values_list("submission__item__first__ordinal", "value"):
        human[place] = value
    generator = np.random.default_rng(5)
    for number in range(metrics):
        noise = generator.normal(0, 0.5 + number / 10, human.size)
        scores = np.round(human + noise, 6)
        name = f"metric-{number:02}"
        metric = Metric.objects.create(study=study, name=name, orientation="higher")
        run = MetricRun.objects.create(
            study=study,
            metric=metric,
            name=name,
            signature=name,
            compared_to="src",
            fields=["score"],
            origin="imported",
            content_sha256=f"{number:064}",
        )
        ScoreBlock.objects.bulk_create(
            ScoreBlock(
                run=run,
                number=place // BLOCK_SIZE,
                values=scores[place : place + BLOCK_SIZE].astype("<f8").tobytes(),
            )
            for place in range(0, human.size, BLOCK_SIZE)
        )


def prepare(options: Any) -> None:
    """Make both studies, a small one to show before, and the collection."""
    start_django()
    from django.core.management import call_command

    from analysis.collections.changing import create_collection
    from analysis.collections.presets import PRESETS, WMT23, tasks_of_preset
    from corpus.models import Study

    import_study(lambda folder: write_study(folder, 3, 20, 0))

    for seed, pair in enumerate(PAIRS, 1):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / pair
            folder.mkdir()
            write_study(folder, options.systems, options.segments, seed)
            call_command("import_study", folder, study=pair, accept=True, verbosity=0)
        add_metrics(pair, options.metrics)
    studies = [Study.objects.get(slug=pair) for pair in PAIRS]
    tasks = tasks_of_preset(WMT23, studies)
    create_collection("size", "At size", tasks, None, **PRESETS[WMT23].settings)


def measure() -> None:
    """Ask for the page twice."""
    start_django()
    client = reader()
    for what in ("first", "again"):
        cpu = time.process_time()
        page = shown(client, "/collections/size/")
        seconds = time.process_time() - cpu
        if page.status_code != 200:
            raise SystemExit(f"/collections/size/ answered {page.status_code}")
        print(f"{what}: {seconds:.2f} s of processor time, {len(page.content) / 1e6:.2f} MB")
        show_figure(f"collections_at_size.{what}", seconds, "s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    show_figure("collections_at_size.memory", memory, "MB")


def main() -> None:
    """Prepare once, then measure in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--systems", type=int, default=30)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--metrics", type=int, default=70)
    parser.add_argument("--keep", help="folder of a database that is kept")
    parser.add_argument("--step", choices=("prepare", "measure"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "prepare":
        prepare(options)
    elif options.step == "measure":
        measure()
    else:
        for data, step in steps_over(options.keep, ("measure",)):
            run_step(data, "collections_at_size", "--step", step)


if __name__ == "__main__":
    main()

"""How long a reader waits for the page of the correlation report, of the size that must hold.

    python -m benchmarks.report_pages [--segments 5000] [--metrics 20] [--aspects 1] [--profile]

Imports a simulated study (10 systems, 3 ratings an output by panels of three annotators) as anybody
would, into a database of its own, and asks for pages through Django's test client, in a process
that has shown another page but has nothing of the study in memory: first the report that nobody has
computed yet, with the jobs that its page waits for, then the stored one. "cpu" is the processor
time of the first. Beside each stands the time of what the page must do at the least: reading the
study from the database, or reading the stored result from it. At the end all metrics are resampled
together and, beside it, by copied rows.
"""

import argparse
import cProfile
import os
import pstats
import time
from pathlib import Path

import numpy as np

from benchmarks.fresh_site import (
    SLUG,
    import_study,
    reader,
    run_step,
    shown,
    start_django,
    steps_over,
    timed,
    write_table,
)

SYSTEMS, RATERS, PANELS = 10, 3, 10
ASPECTS = ("style", "content", "fluency")


def write_study(
    folder: Path, segments: int, metrics: int, aspects: int, systems: int = SYSTEMS
) -> None:
    """Write a study whose systems, segments, annotators and metrics all differ."""
    generator = np.random.default_rng(3)
    truth = (
        60 + 8 * generator.normal(size=systems) + 15 * generator.normal(size=(segments, systems))
    )
    lines = (f"s{n:05},source {n},informal,formal\n" for n in range(segments))
    write_table(folder / "segments.csv", "segment,source,source_style,target_style\n", lines)
    cells = [(n, m) for n in range(segments) for m in range(systems)]
    lines = (f"s{n:05},system-{m},system {m} says {n}\n" for n, m in cells)
    write_table(folder / "outputs.csv", "segment,system,output\n", lines)
    with (folder / "ratings.csv").open("w", encoding="utf-8") as file:
        file.write("segment,system,rater,aspect,score\n")
        for aspect in ASPECTS[:aspects]:
            noise = generator.normal(0, 15, (segments, systems, RATERS))
            scores = np.clip(np.round(truth[:, :, None] + noise), 0, 100).astype(int).tolist()
            file.writelines(
                f"s{n:05},system-{m},r{n * PANELS // segments * RATERS + r:02},{aspect},"
                f"{scores[n][m][r]}\n"
                for n, m in cells
                for r in range(RATERS)
            )
    with (folder / "metric_scores.csv").open("w", encoding="utf-8") as file:
        file.write("segment,system,metric,score\n")
        for metric in range(metrics):
            noise = generator.normal(0, 10 + 2 * metric, (segments, systems))
            scores = ((truth + noise) * (-1) ** metric).round(3).tolist()
            file.writelines(f"s{n:05},system-{m},metric-{metric:02},{scores[n][m]}\n"
                            for n, m in cells)  # fmt: skip


def prepare(segments: int, metrics: int, aspects: int) -> None:
    """Make the database and import the study."""
    start_django()
    from metrics.models import Metric

    import_study(lambda folder: write_study(folder, segments, metrics, aspects))
    for number, metric in enumerate(Metric.objects.order_by("name")):
        metric.orientation = "lower" if number % 2 else "higher"
        metric.save()


def measure(query: str, profile: bool) -> None:
    """Ask for the report's page twice in this process, which has just started."""
    start_django()
    client = reader()
    from analysis.data import matrices
    from analysis.data.reading import read_study
    from analysis.models import Result
    from corpus.models import Study

    matrices.forget()
    study = Study.objects.get()
    if profile:
        profiler = cProfile.Profile(time.process_time)
        profiler.enable()
    cpu = time.process_time()
    first = timed(lambda: shown(client, f"/studies/{SLUG}/correlation/{query}"))
    cpu = time.process_time() - cpu
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(90)
    if first[1].status_code != 200:
        print(f"{query or 'default':34} answered {first[1].status_code} in {first[0]:.2f} s")
        return
    cached = min(timed(lambda: client.get(f"/studies/{SLUG}/correlation/{query}"))[0]
                 for _ in range(3))  # fmt: skip
    matrices.forget()
    reading = timed(lambda: read_study(study, withdrawn=False))[0]
    stored = timed(lambda: Result.objects.latest("pk").content)[0]
    size = len(first[1].content) / 1e6
    print(
        f"{query or 'default':34} {first[0]:7.2f}s {cpu:7.2f}s {reading:7.2f}s "
        f"{first[0] / reading:6.1f}× {1000 * cached:7.0f}ms {1000 * stored:6.0f}ms "
        f"{cached / stored:6.1f}× {size:6.2f}MB"
    )
    Result.objects.all().delete()


def compare() -> None:
    """Resample all metrics of the report together, and one by copied rows as one would by hand."""
    start_django()
    from analysis.data import matrices
    from analysis.data.selection import metric_columns, scale_aspects
    from analysis.estimates.correlations import pair
    from analysis.filter.question import Question
    from analysis.stats.correlation.metric_correlation import segment_level_steps
    from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, multiplicities
    from analysis.stats.resampling.resampled_sums import resampled_together
    from corpus.models import Study

    data, question = matrices.load(Study.objects.get()), Question()
    aspect = scale_aspects(data)[0]
    pairings = [pair(data, question, c, aspect) for c in metric_columns(data, question)]
    steps = (segment_level_steps(p.metric, p.human) for p in pairings)
    together, results = timed(lambda: resampled_together(steps, STANDARD_BOOTSTRAP))
    metric, human = pairings[0].metric, pairings[0].human
    units = np.arange(len(metric))
    [*blocks] = multiplicities(np.ones(units.size), STANDARD_BOOTSTRAP)
    drawn = [np.repeat(units, row.astype(int)) for block in blocks for row in block]

    def by_copies() -> list[float]:
        return [np.corrcoef(metric[rows].ravel(), human[rows].ravel())[0, 1] for rows in drawn]

    alone, values = timed(by_copies)
    low, high = np.quantile(values, [0.025, 0.975])
    interval = results[0].interval
    assert abs(interval.low - low) + abs(interval.high - high) < 1e-9
    by_hand = alone * len(pairings)
    print(
        f"pooled Pearson of {len(pairings)} metrics, {len(drawn):,} draws, same intervals: "
        f"together {together:.2f} s, copied rows ~{by_hand:.1f} s (one metric measured), "
        f"{by_hand / together:.0f}×"
    )


def main() -> None:
    """Import once, then measure each question in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=5000)
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument("--aspects", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--query", nargs="*", default=["", "?scores=z", "?level=system"])
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--of-process", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.of_process is not None:
        if options.of_process == "prepare":
            prepare(options.segments, options.metrics, options.aspects)
        elif options.of_process == "compare":
            compare()
        else:
            measure(options.of_process[1:], options.profile)
        return
    print(
        f"{SYSTEMS} systems × {options.segments:,} segments × {RATERS} ratings × "
        f"{options.aspects} aspect(s) × {options.metrics} metrics, {os.cpu_count()} cores",
        flush=True,
    )
    for data, step in steps_over(options.keep, ["head", *options.query, "compare"]):
        if step == "head":
            print(
                f"{'page':34} {'first':>8} {'cpu':>8} {'reading':>8} {'ratio':>7} "
                f"{'cached':>9} {'result':>8} {'ratio':>7} {'page':>8}",
                flush=True,
            )
            continue
        asked = step if step in ("prepare", "compare") else f"/{step}"
        run_step(data, "report_pages", "--of-process", asked)


if __name__ == "__main__":
    main()

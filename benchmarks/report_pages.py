"""How long a reader waits for the page of the correlation report, of the size that must hold.

    python -m benchmarks.report_pages [--segments 5000] [--metrics 20] [--aspects 1] [--profile]

Imports a simulated study (10 systems, 3 ratings an output by panels of three annotators) as anybody
would, into a database of its own, and asks for pages through Django's test client, in a process
that has shown another page but has nothing of the study in memory: first the report that nobody has
computed yet, then the stored one. "cpu" is the processor time of the first. Beside each stands the
time of what the page must do at the least: reading the study from the database, or reading the
stored result from it. At the end all metrics are resampled together and, beside it, by copied rows.
"""

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS, RATERS, PANELS = 10, 3, 10
SLUG = "large"
ASPECTS = ("style", "content", "fluency")


def write_study(folder: Path, segments: int, metrics: int, aspects: int) -> None:
    """Write a study whose systems, segments, annotators and metrics all differ."""
    generator = np.random.default_rng(3)
    truth = (
        60 + 8 * generator.normal(size=SYSTEMS) + 15 * generator.normal(size=(segments, SYSTEMS))
    )
    lines = (f"s{n:05},source {n},informal,formal\n" for n in range(segments))
    _write(folder / "segments.csv", "segment,source,source_style,target_style\n", lines)
    cells = [(n, m) for n in range(segments) for m in range(SYSTEMS)]
    lines = (f"s{n:05},system-{m},system {m} says {n}\n" for n, m in cells)
    _write(folder / "outputs.csv", "segment,system,output\n", lines)
    with (folder / "ratings.csv").open("w", encoding="utf-8") as file:
        file.write("segment,system,rater,aspect,score\n")
        for aspect in ASPECTS[:aspects]:
            noise = generator.normal(0, 15, (segments, SYSTEMS, RATERS))
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
            noise = generator.normal(0, 10 + 2 * metric, (segments, SYSTEMS))
            scores = ((truth + noise) * (-1) ** metric).round(3).tolist()
            file.writelines(f"s{n:05},system-{m},metric-{metric:02},{scores[n][m]}\n"
                            for n, m in cells)  # fmt: skip


def _write(path: Path, header: str, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(header)
        file.writelines(lines)


def prepare(segments: int, metrics: int, aspects: int) -> None:
    """Make the database and import the study."""
    _start_django()
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from metrics.models import Metric

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / SLUG
        folder.mkdir()
        write_study(folder, segments, metrics, aspects)
        started = time.perf_counter()
        call_command("import_study", folder, verbosity=0)
        print(f"imported in {time.perf_counter() - started:.1f} s")
    for number, metric in enumerate(Metric.objects.order_by("name")):
        metric.orientation = "lower" if number % 2 else "higher"
        metric.save()
    User.objects.create_superuser("reader", password="not used")


def measure(query: str, profile: bool) -> None:
    """Ask for the report's page twice in this process, which has just started."""
    _start_django()
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.get())
    # Loads what the first report of a process loads, SciPy above all.
    client.get(f"/studies/{SLUG}/ranking/")
    from analysis.data import matrices
    from analysis.models import Result
    from corpus.models import Study

    matrices.forget()
    study = Study.objects.get()
    if profile:
        profiler = cProfile.Profile(time.process_time)
        profiler.enable()
    cpu = time.process_time()
    first = _timed(lambda: client.get(f"/studies/{SLUG}/correlation/{query}"))
    cpu = time.process_time() - cpu
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(90)
    if first[1].status_code != 200:
        print(f"{query or 'default':34} answered {first[1].status_code} in {first[0]:.2f} s")
        return
    cached = min(_timed(lambda: client.get(f"/studies/{SLUG}/correlation/{query}"))[0]
                 for _ in range(3))  # fmt: skip
    matrices.forget()
    reading = _timed(lambda: matrices.load(study))[0]
    stored = _timed(lambda: Result.objects.latest("pk").content)[0]
    size = len(first[1].content) / 1e6
    print(
        f"{query or 'default':34} {first[0]:7.2f}s {cpu:7.2f}s {reading:7.2f}s "
        f"{first[0] / reading:6.1f}× {1000 * cached:7.0f}ms {1000 * stored:6.0f}ms "
        f"{cached / stored:6.1f}× {size:6.2f}MB"
    )
    Result.objects.all().delete()


def compare() -> None:
    """Resample all metrics of the report together, and one by copied rows as one would by hand."""
    _start_django()
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
    together, results = _timed(lambda: resampled_together(steps, STANDARD_BOOTSTRAP))
    metric, human = pairings[0].metric, pairings[0].human
    units = np.arange(len(metric))
    [*blocks] = multiplicities(np.ones(units.size), STANDARD_BOOTSTRAP)
    drawn = [np.repeat(units, row.astype(int)) for block in blocks for row in block]

    def by_copies() -> list[float]:
        return [np.corrcoef(metric[rows].ravel(), human[rows].ravel())[0, 1] for rows in drawn]

    alone, values = _timed(by_copies)
    low, high = np.quantile(values, [0.025, 0.975])
    interval = results[0].interval
    assert abs(interval.low - low) + abs(interval.high - high) < 1e-9
    by_hand = alone * len(pairings)
    print(
        f"pooled Pearson of {len(pairings)} metrics, {len(drawn):,} draws, same intervals: "
        f"together {together:.2f} s, copied rows ~{by_hand:.1f} s (one metric measured), "
        f"{by_hand / together:.0f}×"
    )


def _timed(ask: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = ask()
    return time.perf_counter() - started, answer


def _start_django() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import config  # noqa: F401  Brings the SQLite library before Django loads.

    import django  # isort: skip

    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]


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
    with tempfile.TemporaryDirectory() as temporary:
        data = options.keep or temporary
        made = Path(data, "fresh.sqlite3")
        print(
            f"{SYSTEMS} systems × {options.segments:,} segments × {RATERS} ratings × "
            f"{options.aspects} aspect(s) × {options.metrics} metrics, {os.cpu_count()} cores",
            flush=True,
        )
        for step in [*([] if made.exists() else ["prepare"]), "head", *options.query, "compare"]:
            if step == "head":
                print(
                    f"{'page':34} {'first':>8} {'cpu':>8} {'reading':>8} {'ratio':>7} "
                    f"{'cached':>9} {'result':>8} {'ratio':>7} {'page':>8}",
                    flush=True,
                )
                continue
            Path(data).mkdir(exist_ok=True)
            environment = os.environ | {
                "DATABASE_URL": f"sqlite:///{made}",
                "TOUCHSTONE_DATA": data,
                "LOG_LEVEL": "ERROR",
            }
            asked = step if step in ("prepare", "compare") else f"/{step}"
            subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "benchmarks.report_pages",
                    *sys.argv[1:],
                    "--of-process",
                    asked,
                ],
                env=environment,
                check=True,
            )


if __name__ == "__main__":
    main()

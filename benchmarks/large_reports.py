"""How long reports of many systems, and of many raters, take from the database to the page.

    python -m benchmarks.large_reports systems [--systems 300] [--votes 200000] [--segments 100]
    python -m benchmarks.large_reports raters [--raters 160] [--outputs 700] [--each 20]

Imports a simulated study as anybody would, into a database of its own, and computes the report in
a process that has nothing of the study in memory: "report" is what a job does (reading, computing,
storing), "processor" its processor time, which does not depend on what else the machine does, and
"page" the stored report as a page, with its size.
"""

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.fresh_site import (
    SLUG,
    import_study,
    reader,
    run_step,
    start_django,
    steps_over,
    timed,
    write_table,
)

KINDS = {"systems": ("system-comparison",), "raters": ("agreement", "raters")}


def write_systems(folder: Path, systems: int, votes: int, segments: int) -> None:
    """Write outputs of which two at a time are judged, and each is rated once on a scale."""
    generator = np.random.default_rng(5)
    strength = generator.normal(0, 0.8, systems)
    first = generator.integers(0, systems, votes)
    second = (first + generator.integers(1, systems, votes)) % systems
    won = generator.random(votes) < 1 / (1 + np.exp(strength[second] - strength[first]))
    tied = generator.random(votes) < 0.1
    segment, rater = generator.integers(0, segments, votes), generator.integers(0, 400, votes)
    _texts(folder, systems, segments)
    with (folder / "votes.csv").open("w", encoding="utf-8") as file:
        file.write("segment,system,against,rater,aspect,judgement\n")
        # A rater judges a pair of outputs once.
        seen = set()
        for n in range(votes):
            pair = *sorted((int(first[n]), int(second[n]))), int(segment[n])
            who = int(rater[n])
            while (pair, who) in seen:
                who += 400
            seen.add((pair, who))
            names = [f"system-{side[n]:03}" for side in (first, second)]
            answer = "tie" if tied[n] else names[0 if won[n] else 1]
            file.write(f"s{segment[n]:05},{names[0]},{names[1]},r{who:03},overall,{answer}\n")
    scores = np.round(np.clip(3 + strength + generator.normal(0, 1, (segments, systems)), 1, 5))
    lines = (
        f"s{n:05},system-{m:03},single,fluency,{scores[n, m]:.0f}\n"
        for n in range(segments)
        for m in range(systems)
    )
    write_table(folder / "ratings.csv", "segment,system,rater,aspect,score\n", lines)


def write_raters(folder: Path, raters: int, outputs: int, each: int) -> None:
    """Write outputs of seven systems, each rated by some of many raters."""
    generator = np.random.default_rng(5)
    systems = 7
    segments = -(-outputs // systems)
    _texts(folder, systems, segments)
    quality, severity = (
        generator.normal(60, 15, (segments, systems)),
        generator.normal(0, 5, raters),
    )
    with (folder / "ratings.csv").open("w", encoding="utf-8") as file:
        file.write("segment,system,rater,aspect,score\n")
        for n in range(segments):
            for m in range(systems):
                for who in generator.choice(raters, each, replace=False):
                    score = quality[n, m] + severity[who] + generator.normal(0, 15)
                    file.write(
                        f"s{n:05},system-{m:03},r{who:04},content,{np.clip(score, 0, 100):.0f}\n"
                    )


def _texts(folder: Path, systems: int, segments: int) -> None:
    lines = (f"s{n:05},source {n},informal,formal\n" for n in range(segments))
    write_table(folder / "segments.csv", "segment,source,source_style,target_style\n", lines)
    lines = (
        f"s{n:05},system-{m:03},system {m} says {n}\n"
        for n in range(segments)
        for m in range(systems)
    )
    write_table(folder / "outputs.csv", "segment,system,output\n", lines)


def prepare(options: argparse.Namespace) -> None:
    """Make the database and import the study."""
    start_django()
    if options.case == "systems":
        import_study(
            lambda folder: write_systems(folder, options.systems, options.votes, options.segments)
        )
    else:
        import_study(
            lambda folder: write_raters(folder, options.raters, options.outputs, options.each)
        )


def measure(kind: str, profile: bool) -> None:
    """Compute a report as a job does, then ask for its page."""
    start_django()
    import cProfile
    import pstats

    import scipy.stats  # noqa: F401

    from analysis.data import matrices
    from analysis.filter.question import Question
    from analysis.models import Result
    from analysis.reports.service import QUICK, cost, report
    from corpus.models import Study

    client = reader()
    matrices.forget()
    Result.objects.all().delete()
    study, question = Study.objects.get(), Question()
    reading, data = timed(lambda: matrices.load(study))
    matrices.forget()
    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    cpu = time.process_time()
    computed, _ = timed(lambda: report(study, kind, question))
    cpu = time.process_time() - cpu
    page, answer = timed(lambda: client.get(f"/studies/{SLUG}/{kind}/"))
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
    where = "in the request" if cost(data, kind, question) <= QUICK else "as a job"
    size = len(answer.content) / 1e6
    print(
        f"{kind:18} {where:15} report {computed:6.2f} s (processor {cpu:.2f} s; "
        f"reading alone {reading:.2f} s), "
        f"page {page:5.2f} s, {size:.2f} MB, status {answer.status_code}"
    )


def main() -> None:
    """Import once, then measure each report in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("case", choices=KINDS)
    for name, value in (("systems", 300), ("votes", 200_000), ("segments", 100)):
        parser.add_argument(f"--{name}", type=int, default=value)
    for name, value in (("raters", 160), ("outputs", 700), ("each", 20)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "prepare":
        return prepare(options)
    if options.step:
        return measure(options.step, options.profile)
    for data, step in steps_over(options.keep, KINDS[options.case]):
        run = partial(run_step, data, "large_reports", "--step", step)
        print(f"  ({step}: {timed(run)[0]:.1f} s in all)", flush=True)
    return None


if __name__ == "__main__":
    main()
